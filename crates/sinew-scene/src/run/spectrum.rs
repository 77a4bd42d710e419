//! The frequency at which a body moves as a whole: the highest peak of a summed power spectrum.

use std::f64::consts::{PI, TAU};

/// Fewest samples that have a frequency.
const FEWEST: usize = 16;
/// The spectrum is sampled at least this many times as finely as the length of the run resolves, so that a parabola through three of its values finds the peak.
const FINER: usize = 4;
/// Changes below this share of the numbers themselves are rounding, not motion.
const STILL: f64 = 1e-10;

/// The frequency with the highest peak of the sum of the channels' power spectra, Hz. Samples are `step` seconds apart. `None` if there are fewer than 16,
/// if nothing moves except at constant acceleration, or if no motion repeats within the run.
pub(super) fn peak<const C: usize>(samples: &[[f64; C]], step: f64) -> Option<f64> {
    if samples.len() < FEWEST {
        return None;
    }
    let mut spectrum = Spectrum::new(samples.len());
    spectrum.add(samples);
    spectrum.peak(step)
}

/// The summed power spectrum of one stretch of a motion or of several.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spectrum {
    /// Samples of the longest stretch.
    longest: usize,
    power: Vec<f64>,
    /// Sums of squares, of the samples and of what is left without the parabola.
    raw: f64,
    changes: f64,
}

impl Spectrum {
    /// For stretches of at most `longest` samples.
    pub fn new(longest: usize) -> Self {
        let size = (FINER * longest).next_power_of_two();
        Self { longest, power: vec![0.0; size / 2 + 1], raw: 0.0, changes: 0.0 }
    }

    /// Adds the power of a stretch.
    pub fn add<const C: usize>(&mut self, samples: &[[f64; C]]) {
        let n = samples.len().min(self.longest);
        let size = 2 * (self.power.len() - 1);
        let mut buffer = vec![(0.0, 0.0); size];
        for pair in 0..C.div_ceil(2) {
            let (re, im) = (self.channel(&samples[..n], 2 * pair), self.channel(&samples[..n], 2 * pair + 1));
            buffer.fill((0.0, 0.0));
            for (i, (re, im)) in re.into_iter().zip(im).enumerate() {
                let hann = 0.5 - 0.5 * (TAU * (i as f64 + 0.5) / n as f64).cos();
                buffer[i] = (hann * re, hann * im);
            }
            transform(&mut buffer);
            // Two real channels in one complex transform: |Z(k)|² + |Z(−k)|² is twice the sum of their powers.
            for (k, power) in self.power.iter_mut().enumerate() {
                let [(a, b), (c, d)] = [buffer[k], buffer[(size - k) % size]];
                *power += 0.5 * (a * a + b * b + c * c + d * d);
            }
        }
    }

    /// One channel without its parabola; 0 if there is no such channel.
    fn channel<const C: usize>(&mut self, samples: &[[f64; C]], c: usize) -> Vec<f64> {
        let mut values: Vec<f64> =
            samples.iter().map(|sample| sample.get(c).copied().unwrap_or(0.0)).collect();
        self.raw += values.iter().map(|x| x * x).sum::<f64>();
        remove_parabola(&mut values);
        self.changes += values.iter().map(|x| x * x).sum::<f64>();
        values
    }

    /// The frequency of the highest peak, Hz, of samples `step` seconds apart; `None` if there is none.
    pub fn peak(&self, step: f64) -> Option<f64> {
        let power = &self.power;
        let size = 2 * (power.len() - 1);
        if !self.changes.is_finite() || self.changes <= STILL * STILL * self.raw {
            return None;
        }
        // Slower than once in a stretch cannot be told from a drift.
        let slowest = size.div_ceil(self.longest);
        let is_peak = |k: &usize| power[*k] > power[k - 1] && power[*k] >= power[k + 1];
        let k = (slowest..size / 2).filter(is_peak).max_by(|a, b| power[*a].total_cmp(&power[*b]))?;
        let [before, at, after] = [k - 1, k, k + 1].map(|k| power[k].max(f64::MIN_POSITIVE).ln());
        let bend = before - 2.0 * at + after;
        let shift = if bend < 0.0 { 0.5 * (before - after) / bend } else { 0.0 };
        Some((k as f64 + shift) / (size as f64 * step))
    }

    /// Number of [`Spectrum::words`].
    pub fn word_count(&self) -> usize {
        2 + self.power.len()
    }

    /// Everything that it has added up, for a checkpoint.
    pub fn words(&self) -> impl Iterator<Item = u64> + '_ {
        [self.raw, self.changes].into_iter().chain(self.power.iter().copied()).map(f64::to_bits)
    }

    /// Takes over words of [`Spectrum::words`], as many as [`Spectrum::word_count`] says.
    pub fn restore(&mut self, words: &[u64]) {
        let to = [&mut self.raw, &mut self.changes].into_iter().chain(&mut self.power);
        to.zip(words).for_each(|(x, word)| *x = f64::from_bits(*word));
    }
}

/// Subtracts the parabola of least squares: free fall and drift are not oscillations.
fn remove_parabola(values: &mut [f64]) {
    let n = values.len() as f64;
    let place = |i: usize| (2.0 * i as f64 + 1.0) / n - 1.0;
    // 1, t and t² less its mean are orthogonal on evenly spaced t.
    let square = (0..values.len()).map(|i| place(i).powi(2)).sum::<f64>() / n;
    for degree in 0..3 {
        let term = |i: usize| match degree {
            0 => 1.0,
            1 => place(i),
            _ => place(i).powi(2) - square,
        };
        let products = values
            .iter()
            .enumerate()
            .fold((0.0, 0.0), |(with, of), (i, value)| (with + value * term(i), of + term(i).powi(2)));
        values.iter_mut().enumerate().for_each(|(i, value)| *value -= products.0 / products.1 * term(i));
    }
}

/// The discrete Fourier transform of complex numbers, in place; their number is a power of two.
fn transform(z: &mut [(f64, f64)]) {
    let n = z.len();
    let bits = n.trailing_zeros();
    for i in 0..n {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            z.swap(i, j);
        }
    }
    let turns: Vec<(f64, f64)> = (0..n / 2).map(|k| (-2.0 * PI * k as f64 / n as f64).sin_cos()).collect();
    let mut half = 1;
    while half < n {
        for block in z.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (k, (a, b)) in low.iter_mut().zip(high).enumerate() {
                let (sin, cos) = turns[k * (n / (2 * half))];
                let turned = (b.0 * cos - b.1 * sin, b.0 * sin + b.1 * cos);
                *b = (a.0 - turned.0, a.1 - turned.1);
                *a = (a.0 + turned.0, a.1 + turned.1);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled<const C: usize>(n: usize, step: f64, of: impl Fn(f64) -> [f64; C]) -> Vec<[f64; C]> {
        (0..n).map(|i| of(i as f64 * step)).collect()
    }

    #[test]
    fn the_transform_is_the_sum_that_defines_it() {
        let given: Vec<(f64, f64)> = (0..16).map(|i| ((i * i % 7) as f64, (i * 5 % 11) as f64)).collect();
        let mut found = given.clone();
        transform(&mut found);
        for (k, found) in found.iter().enumerate() {
            let mut sum = (0.0, 0.0);
            for (i, (re, im)) in given.iter().enumerate() {
                let (sin, cos) = (-TAU * (i * k) as f64 / 16.0).sin_cos();
                sum = (sum.0 + re * cos - im * sin, sum.1 + re * sin + im * cos);
            }
            assert!((found.0 - sum.0).hypot(found.1 - sum.1) < 1e-12, "{k}");
        }
    }

    #[test]
    fn an_oscillation_between_the_bins_is_found() {
        for hertz in [0.31, 1.0, 3.377, 11.9] {
            let samples = sampled(301, 1.0 / 30.0, |t| [3.0, (TAU * hertz * t + 0.4).cos(), 7.0 * t]);
            let found = peak(&samples, 1.0 / 30.0).unwrap();
            assert!((found / hertz - 1.0).abs() < 2e-3, "{found} instead of {hertz}");
        }
    }

    /// The larger oscillation wins, also if the two are in different channels, the first or the second of a pair.
    #[test]
    fn channels_add_up() {
        for large in 0..3 {
            let samples = sampled(300, 0.02, |t| {
                let mut sample = [0.3 * (TAU * 4.0 * t).sin(); 3];
                sample[large] = (TAU * 9.0 * t).sin();
                sample
            });
            let found = peak(&samples, 0.02).unwrap();
            assert!((found - 9.0).abs() < 0.01, "{large}: {found}");
        }
    }

    #[test]
    fn what_does_not_repeat_has_no_frequency() {
        assert_eq!(peak(&sampled(300, 0.01, |t| [5.0, 1.0 - 4.9 * t * t]), 0.01), None, "free fall");
        assert_eq!(peak(&sampled(300, 0.01, |_| [0.0, 2.0]), 0.01), None, "rest");
        assert_eq!(peak(&sampled(15, 0.01, |t| [(50.0 * t).sin()]), 0.01), None, "too short");
        assert_eq!(peak(&sampled(100, 0.01, |_| [f64::NAN]), 0.01), None, "not a number");
    }
}
