//! The motion that can be seen: kinetic energy of displacements over a tenth of a second, instead of velocities.
//!
//! V(t) = ½ Σ mᵢ |xᵢ(t) − xᵢ(t−W)|² / W²
//!
//! A swing that takes much longer than W counts in full. A vibration of energy H and angular frequency ω has an amplitude of √(2H/m)/ω, so it adds at most
//! (2/ωW)² H, however its frequency relates to the frames: a body that only trembles has next to no visible motion, whatever its kinetic energy.
//!
//! Windows start at three moments of each W, evenly spread, each with its own copy of the positions. With windows one after the other alone, a
//! vibration of period 2W would be seen at the same phase every time; three phases give the mean of any such vibration. At three frames to a window,
//! the fewest there are, this is a value for every frame.

use glam::DVec3;
use sinew::MassPoint;

/// W, s; rounded to whole frames.
const WINDOW: f64 = 0.1;
/// Fewest frames of a window.
const FEWEST: u64 = 3;
/// Windows that overlap.
const PHASES: usize = 3;
/// Numbers of a [`Shape`].
pub(super) const SHAPE: usize = 12;

/// Where a body is and how it is turned and stretched, as a whole: √m c, c the centre of mass, and the nine moments Σ mᵢ xᵢ Xᵢᵀ over √(Σ mᵢ|Xᵢ|²/3),
/// X the position at rest, from its centre. For a body as long as it is wide, half of the sum of the squared rates is the kinetic energy of that motion.
pub(super) type Shape = [f64; SHAPE];

/// Measures V along a run, frame by frame.
#[derive(Clone, Debug)]
pub struct Visible {
    copies: [Copied; PHASES],
    /// Frames seen since the start.
    frames: u64,
    /// The last known V, J; NaN before the first window is over.
    latest: f64,
    at_rest: AtRest,
}

/// The positions at the start of a window.
#[derive(Clone, Debug)]
struct Copied {
    x: Vec<DVec3>,
    /// Time of the copy, s; NaN: there is none yet.
    time: f64,
    /// Frame in which the window ends and the next one starts.
    due: u64,
}

/// What moments refer to.
#[derive(Clone, Copy, Debug)]
struct AtRest {
    center: DVec3,
    mass: f64,
    /// √(Σ m|X|²/3).
    spread: f64,
}

impl Visible {
    /// For states with these points; memory for all that follows.
    pub fn new(points: impl ExactSizeIterator<Item = MassPoint> + Clone) -> Self {
        let copy = Copied { x: vec![DVec3::ZERO; points.len()], time: f64::NAN, due: 0 };
        let at_rest = AtRest::new(points);
        Self { copies: std::array::from_fn(|_| copy.clone()), frames: 0, latest: f64::NAN, at_rest }
    }

    /// Starts again: the next state that is observed is the first.
    pub fn restart(&mut self) {
        self.copies.iter_mut().for_each(|copy| (copy.time, copy.due) = (f64::NAN, 0));
        (self.frames, self.latest) = (0, f64::NAN);
    }

    /// Observes the next frame and returns the last known V, J; NaN before the first window is over. `frame` is the time between two frames, s.
    pub fn observe(&mut self, points: impl Iterator<Item = MassPoint> + Clone, time: f64, frame: f64) -> f64 {
        // A frame longer than a window gives 0 here, and the least number instead.
        let window = ((WINDOW / frame).round() as u64).max(FEWEST);
        for (phase, copy) in self.copies.iter_mut().enumerate() {
            if copy.time.is_nan() {
                copy.due = phase as u64 * window / PHASES as u64;
            }
            if copy.due > self.frames {
                continue;
            }
            if time > copy.time {
                self.latest = copy.energy_of_displacements(points.clone()) / (time - copy.time).powi(2);
            }
            copy.x.iter_mut().zip(points.clone()).for_each(|(x, point)| *x = point.position);
            (copy.time, copy.due) = (time, self.frames + window);
        }
        self.frames += 1;
        self.latest
    }

    /// The shape of a state.
    pub(super) fn shape(&self, points: impl Iterator<Item = MassPoint>) -> Shape {
        self.at_rest.shape(points)
    }

    /// Number of words that [`Visible::words`] returns for a model with that many points.
    pub(super) fn word_count(&self) -> usize {
        2 + self.copies.iter().map(|copy| 2 + 3 * copy.x.len()).sum::<usize>()
    }

    /// Everything that later values depend on, for a checkpoint.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let of_copy = |copy: &Copied| {
            let x = copy.x.iter().flat_map(|x| x.to_array()).map(f64::to_bits).collect::<Vec<_>>();
            [copy.time.to_bits(), copy.due].into_iter().chain(x)
        };
        [self.frames, self.latest.to_bits()].into_iter().chain(self.copies.iter().flat_map(of_copy))
    }

    /// Takes over words of [`Visible::words`], as many as [`Visible::word_count`] says.
    pub(super) fn restore(&mut self, words: &[u64]) {
        let mut words = words.iter().copied();
        let mut next = || words.next().unwrap_or_default();
        (self.frames, self.latest) = (next(), f64::from_bits(next()));
        for copy in &mut self.copies {
            (copy.time, copy.due) = (f64::from_bits(next()), next());
            for x in &mut copy.x {
                *x = DVec3::from_array([next(), next(), next()].map(f64::from_bits));
            }
        }
    }
}

impl Copied {
    /// ½ Σ m|x − x₀|², J·s².
    fn energy_of_displacements(&self, points: impl Iterator<Item = MassPoint>) -> f64 {
        0.5 * points
            .zip(&self.x)
            .map(|(point, x)| point.mass * point.position.distance_squared(*x))
            .sum::<f64>()
    }
}

impl AtRest {
    fn new(points: impl Iterator<Item = MassPoint> + Clone) -> Self {
        let mass: f64 = points.clone().map(|point| point.mass).sum();
        let center = points.clone().map(|point| point.rest * point.mass).sum::<DVec3>() / mass;
        let second: f64 = points.map(|point| point.mass * point.rest.distance_squared(center)).sum();
        Self { center, mass, spread: (second / 3.0).sqrt() }
    }

    fn shape(&self, points: impl Iterator<Item = MassPoint>) -> Shape {
        let (mut first, mut moments) = (DVec3::ZERO, [DVec3::ZERO; 3]);
        for MassPoint { mass, rest, position } in points {
            let (moment, from_center) = (position * mass, rest - self.center);
            first += moment;
            moments.iter_mut().zip(from_center.to_array()).for_each(|(sum, x)| *sum += moment * x);
        }
        // A body of one point has no moments.
        let per_spread = if self.spread > 0.0 { 1.0 / self.spread } else { 0.0 };
        let columns = [first / self.mass.sqrt()].into_iter().chain(moments.map(|sum| sum * per_spread));
        let mut shape = [0.0; SHAPE];
        shape.iter_mut().zip(columns.flat_map(|column| column.to_array())).for_each(|(to, x)| *to = x);
        shape
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// V of each frame of a motion, J, with a mass of 2 kg at `x(t)` and one that rests.
    fn seen(frames: usize, frame: f64, x: impl Fn(f64) -> DVec3) -> Vec<f64> {
        let points = |t: f64| {
            let moving = MassPoint { mass: 2.0, rest: DVec3::ZERO, position: x(t) };
            [moving, MassPoint { mass: 5.0, rest: DVec3::X, position: DVec3::X }].into_iter()
        };
        let mut visible = Visible::new(points(0.0));
        (0..frames).map(|i| i as f64 * frame).map(|t| visible.observe(points(t), t, frame)).collect()
    }

    fn mean(values: &[f64]) -> f64 {
        let known: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
        known.iter().sum::<f64>() / known.len() as f64
    }

    /// On a circle the displacement over W is a chord of it.
    #[test]
    fn a_circle_counts_by_its_chord() {
        let (radius, omega) = (0.7, 4.0);
        let circle = |t: f64| DVec3::new((omega * t).cos(), 0.0, (omega * t).sin()) * radius;
        // Frames, and how many of them are nearest to 0.1 s; at least three.
        for (frame, window) in [(1.0 / 30.0, 3), (1.0 / 60.0, 6), (0.01, 10), (1.0 / 45.0, 5), (0.08, 3)] {
            let width = f64::from(window) * frame;
            let chord = 2.0 * radius * (0.5 * omega * width).sin();
            let seen = seen(100, frame, circle);
            assert!(seen[..window as usize].iter().all(|v| v.is_nan()), "{frame}: {seen:?}");
            for v in &seen[window as usize..] {
                assert!((v / (chord * chord / width.powi(2)) - 1.0).abs() < 1e-9, "{frame}: {v}");
            }
        }
    }

    #[test]
    fn a_uniform_motion_counts_in_full() {
        for v in &seen(40, 1.0 / 60.0, |t| DVec3::new(3.0 * t, 1.0, -4.0 * t))[6..] {
            assert!((v - 25.0).abs() < 1e-9, "{v}");
        }
    }

    /// Frequencies far above 1/W, also those that look slow at 60 frames a second.
    #[test]
    fn a_fast_vibration_counts_next_to_nothing() {
        for hertz in [31.0, 59.9, 60.0, 123.4, 601.0] {
            let omega = TAU * hertz;
            // ½ m ω² A² = 1 J.
            let amplitude = 1.0 / omega;
            let most = (2.0 / (omega * WINDOW)).powi(2);
            let seen = seen(600, 1.0 / 60.0, |t| DVec3::Y * (amplitude * (omega * t).sin()));
            assert!(seen[6..].iter().all(|v| *v <= most * (1.0 + 1e-6)), "{hertz}");
        }
    }

    /// One window after the other would see a vibration of period 2W at one phase only, and find anything between nothing and twice its mean.
    #[test]
    fn the_phase_of_a_vibration_does_not_matter() {
        for frame in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 300.0] {
            let of = |phase: f64| mean(&seen(600, frame, |t| DVec3::Y * (TAU * 5.0 * t + phase).sin()));
            let expected = 2.0 / WINDOW.powi(2);
            for phase in [0.0, 0.3, 0.8, 1.6] {
                assert!((of(phase) / expected - 1.0).abs() < 0.01, "{frame}, {phase}: {}", of(phase));
            }
        }
    }

    #[test]
    fn words_continue_where_they_were_taken() {
        let at = |t: f64| {
            let point =
                |k: f64| MassPoint { mass: k, rest: DVec3::X * k, position: DVec3::Y * (k * t).sin() };
            [1.0, 2.0, 3.0].map(point).into_iter()
        };
        for taken in 0..12 {
            let mut whole = Visible::new(at(0.0));
            (0..taken).for_each(|i| _ = whole.observe(at(0.02 * f64::from(i)), 0.02 * f64::from(i), 0.02));
            let words: Vec<u64> = whole.words().collect();
            assert_eq!(words.len(), whole.word_count());
            let mut resumed = Visible::new(at(0.0));
            resumed.restore(&words);
            for i in taken..20 {
                let t = 0.02 * f64::from(i);
                let pair = [&mut whole, &mut resumed].map(|each| each.observe(at(t), t, 0.02).to_bits());
                assert_eq!(pair[0], pair[1], "taken at {taken}, frame {i}");
            }
        }
    }

    #[test]
    fn moments_tell_a_turn_from_a_shift() {
        let rest =
            [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z].map(|x| x + DVec3::splat(2.0));
        let at = |place: fn(DVec3) -> DVec3| {
            rest.map(|x| MassPoint { mass: 0.5, rest: x, position: place(x) }).into_iter()
        };
        let visible = Visible::new(at(|x| x));
        let still = visible.shape(at(|x| x));
        let change = |place| std::array::from_fn::<f64, SHAPE, _>(|k| visible.shape(at(place))[k] - still[k]);
        let shifted = change(|x| x + DVec3::Z * 2.0);
        assert!((shifted[2] - 2.0 * 3f64.sqrt()).abs() < 1e-12, "√m times the way: {shifted:?}");
        assert!(shifted.iter().enumerate().all(|(k, x)| k == 2 || x.abs() < 1e-12), "{shifted:?}");
        // Twice as large about the centre: the change of each diagonal moment is Σ m X² over √(Σ m|X|²/3) = 1.
        let grown = change(|x| x * 2.0 - DVec3::splat(2.0));
        for (k, x) in grown.iter().enumerate() {
            let expected = if matches!(k, 3 | 7 | 11) { 1.0 } else { 0.0 };
            assert!((x - expected).abs() < 1e-12, "{k}: {grown:?}");
        }
    }
}
