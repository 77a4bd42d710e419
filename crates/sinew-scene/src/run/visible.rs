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
pub type Shape = [f64; SHAPE];

/// Measures V along a run, frame by frame.
#[derive(Clone, Debug)]
pub(super) struct Visible {
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
    pub fn shape(&self, points: impl Iterator<Item = MassPoint>) -> Shape {
        self.at_rest.shape(points)
    }

    /// Number of words that [`Visible::words`] returns for a model with that many points.
    pub fn word_count(&self) -> usize {
        2 + self.copies.iter().map(|copy| 2 + 3 * copy.x.len()).sum::<usize>()
    }

    /// Everything that later values depend on, for a checkpoint.
    pub fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let of_copy = |copy: &Copied| {
            let x = copy.x.iter().flat_map(|x| x.to_array()).map(f64::to_bits).collect::<Vec<_>>();
            [copy.time.to_bits(), copy.due].into_iter().chain(x)
        };
        [self.frames, self.latest.to_bits()].into_iter().chain(self.copies.iter().flat_map(of_copy))
    }

    /// Takes over words of [`Visible::words`], as many as [`Visible::word_count`] says.
    pub fn restore(&mut self, words: &[u64]) {
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
        0.5 * points.zip(&self.x).map(|(point, x)| point.mass * point.position.distance_squared(*x)).sum::<f64>()
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
        for MassPoint { mass, rest, position, .. } in points {
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
