//! The frequency of the visible motion, in bounded memory.
//!
//! The [`Shape`] of each frame is a sample, up to [`MOST`] of them. When they are full, one of two things makes room. Samples that are less than
//! [`FINE`] apart are denser than a visible motion needs: each two are replaced by their mean, and from there on a sample is the mean of twice as many
//! frames. Otherwise the samples are a stretch long enough to have a spectrum of its own, which is added to those of the stretches before; a
//! new one begins. Runs of fewer than [`MOST`] frames are therefore analysed as they are, and longer ones still show every frequency between one in a stretch
//! (41 s or more) and half the rate of the samples (25 Hz or more, or that of the frames).

use super::spectrum::{self, Spectrum};
use super::visible::{SHAPE, Shape};

/// Samples of a stretch.
const MOST: usize = 4096;
/// Samples closer than this are merged when there is no more room, s.
const FINE: f64 = 0.01;

/// Samples of the shape, and what earlier ones had to add to the spectrum.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Swing {
    /// Time between two frames, s.
    frame: f64,
    /// Frames of a sample.
    stride: usize,
    /// Frames of the next sample so far, and their sum.
    waiting: usize,
    sum: Shape,
    samples: Vec<Shape>,
    /// The spectra of the stretches before.
    past: Option<Spectrum>,
}

impl Swing {
    /// `frame` is the time between two frames, s.
    pub fn new(frame: f64) -> Self {
        Self { frame, stride: 1, waiting: 0, sum: [0.0; SHAPE], samples: Vec::new(), past: None }
    }

    /// Adds the next frame.
    pub fn push(&mut self, shape: &Shape) {
        self.sum.iter_mut().zip(shape).for_each(|(sum, x)| *sum += x);
        self.waiting += 1;
        if self.waiting < self.stride {
            return;
        }
        let frames = self.stride as f64;
        self.samples.push(std::mem::replace(&mut self.sum, [0.0; SHAPE]).map(|x| x / frames));
        self.waiting = 0;
        if self.samples.len() == MOST {
            self.make_room();
        }
    }

    fn make_room(&mut self) {
        if self.step() < FINE {
            let pairs = self.samples.as_chunks::<2>().0;
            let means = pairs.iter().map(|[a, b]| std::array::from_fn(|k| 0.5 * (a[k] + b[k])));
            self.samples = means.collect();
            self.stride *= 2;
        } else {
            self.past.get_or_insert_with(|| Spectrum::new(MOST)).add(&self.samples);
            self.samples.clear();
        }
    }

    /// Time between two samples, s.
    fn step(&self) -> f64 {
        self.stride as f64 * self.frame
    }

    /// The frequency, Hz; `None` if nothing repeats, or if the run is too short to tell.
    pub fn frequency(&self) -> Option<f64> {
        let Some(past) = &self.past else { return spectrum::peak(&self.samples, self.step()) };
        let mut all = past.clone();
        // A short rest has a blurred spectrum.
        if 2 * self.samples.len() >= MOST {
            all.add(&self.samples);
        }
        all.peak(self.step())
    }

    /// Everything that later values depend on, for a checkpoint.
    pub fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let counts = [self.stride, self.waiting, self.samples.len()].map(|n| n as u64);
        let shapes = std::iter::once(&self.sum).chain(&self.samples).flatten().map(|x| x.to_bits());
        counts.into_iter().chain(shapes).chain(self.past.iter().flat_map(Spectrum::words))
    }

    /// From [`Swing::words`]; `None` if they do not fit each other.
    pub fn restore(frame: f64, words: &[u64]) -> Option<Self> {
        let (counts, rest) = words.split_at_checked(3)?;
        let [stride, waiting, samples] = [0, 1, 2].map(|i| usize::try_from(counts[i]).unwrap_or(usize::MAX));
        if !stride.is_power_of_two() || waiting >= stride || samples >= MOST {
            return None;
        }
        let (shapes, spectrum) = rest.split_at_checked((1 + samples) * SHAPE)?;
        let mut shapes = shapes.as_chunks::<SHAPE>().0.iter().map(|shape| shape.map(f64::from_bits));
        let sum = shapes.next()?;
        let mut past = (!spectrum.is_empty()).then(|| Spectrum::new(MOST));
        if let Some(past) = &mut past {
            if past.word_count() != spectrum.len() {
                return None;
            }
            past.restore(spectrum);
        }
        Some(Self { frame, stride, waiting, sum, samples: shapes.collect(), past })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// A swing of 1 m and `hertz` beside a drift.
    fn swing(hertz: f64, frame: f64, frames: usize) -> Swing {
        let mut swing = Swing::new(frame);
        for i in 0..frames {
            let t = i as f64 * frame;
            let mut shape = [0.3; SHAPE];
            (shape[1], shape[7]) = (0.2 * t, (TAU * hertz * t + 0.4).cos());
            swing.push(&shape);
        }
        swing
    }

    /// Short and long runs, in frames that are merged and in frames that are not.
    #[test]
    fn a_run_of_any_length_has_the_frequency_of_its_swing() {
        for frame in [1.0 / 30.0, 1.0 / 60.0, 0.001] {
            for frames in [4000, 4095, 4096, 6200, 9000, 80_000] {
                for hertz in [3.313, 9.87] {
                    let found = swing(hertz, frame, frames).frequency().unwrap();
                    assert!(
                        (found / hertz - 1.0).abs() < 2e-3,
                        "{frames} of {frame} s: {found}, not {hertz}"
                    );
                }
            }
        }
    }

    #[test]
    fn memory_is_bounded() {
        for frame in [1.0 / 30.0, 1e-4] {
            let swing = swing(1.0, frame, 200_000);
            assert!(swing.samples.len() < MOST && swing.samples.capacity() <= 2 * MOST);
            assert!(swing.words().count() < 3 + (1 + MOST) * SHAPE + Spectrum::new(MOST).word_count());
        }
    }

    #[test]
    fn a_swing_comes_back_as_it_was() {
        for (frame, frames) in [(0.02, 0), (0.02, 1), (0.02, 100), (0.02, 9000), (0.001, 9001)] {
            let given = swing(1.0, frame, frames);
            let words: Vec<u64> = given.words().collect();
            assert_eq!(Swing::restore(frame, &words), Some(given), "{frames} of {frame} s");
            assert_eq!(Swing::restore(frame, &words[1..]), None);
            assert_eq!(Swing::restore(frame, &words[..words.len() - 1]), None);
        }
    }
}
