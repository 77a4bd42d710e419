//! Wind and uniform acceleration over time.

use super::motion::oscillation;
use super::random::SplitMix64;
use crate::format::{Gusts, UniformAcceleration, Wind};
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// Frequencies of a gust's waves relative to the given one, and their shares. No ratio is a simple fraction, so gusts do not seem to repeat.
const WAVES: [(f64, f64); 4] = [(0.382, 0.30), (1.0, 0.35), (1.733, 0.22), (3.183, 0.13)];

/// Velocity of the air over time: v(t) = v (1 + strength Σ sₖ sin(2π rₖ f t + φₖ)), Σ sₖ = 1.
#[derive(Clone, Debug)]
pub(super) struct Air {
    velocity: DVec3,
    gusts: Option<(Gusts, [f64; WAVES.len()])>,
}

impl Air {
    pub fn new(wind: &Wind) -> Self {
        let gusts = wind.gusts.clone().map(|gusts| {
            let mut random = SplitMix64::new(gusts.seed);
            let phases = std::array::from_fn(|_| PI * random.symmetric());
            (gusts, phases)
        });
        Self { velocity: DVec3::from(wind.velocity), gusts }
    }

    /// Velocity of the air at `time`, m/s.
    pub fn at(&self, time: f64) -> DVec3 {
        let Some((gusts, phases)) = &self.gusts else { return self.velocity };
        let waves = WAVES.iter().zip(phases);
        let sum: f64 = waves
            .map(|((ratio, share), phase)| share * (TAU * ratio * gusts.frequency * time + phase).sin())
            .sum();
        self.velocity * (1.0 + gusts.strength * sum)
    }
}

/// The uniform acceleration at `time`, m/s².
pub(super) fn acceleration(of: &UniformAcceleration, time: f64) -> DVec3 {
    if time < of.start || of.stop.is_some_and(|stop| time > stop) {
        return DVec3::ZERO;
    }
    let constant = of.constant.map_or(DVec3::ZERO, DVec3::from);
    constant + of.sinusoid.as_ref().map_or(DVec3::ZERO, |s| oscillation(s, time))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn air(strength: f64, seed: u64) -> Air {
        let gusts = Some(Gusts { strength, frequency: 0.5, seed });
        Air::new(&Wind { velocity: [4.0, 0.0, -2.0], density: 1.2, gusts })
    }

    #[test]
    fn gusts_stay_within_their_strength_use_it_and_are_smooth() {
        let air = air(0.4, 3);
        let factors: Vec<f64> = (0..6000).map(|i| air.at(0.02 * f64::from(i)).x / 4.0).collect();
        let (low, high) = factors.iter().fold((9.0f64, 0.0f64), |(l, h), &f| (l.min(f), h.max(f)));
        assert!((0.6..0.72).contains(&low) && (1.28..=1.4).contains(&high), "{low} {high}");
        let mean = factors.iter().sum::<f64>() / 6000.0;
        assert!((mean - 1.0).abs() < 0.02, "{mean}");
        assert!(factors.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.05), "no jump in 20 ms");
    }

    #[test]
    fn gusts_repeat_for_a_seed_and_keep_the_direction() {
        assert_eq!(air(0.4, 3).at(1.7), air(0.4, 3).at(1.7));
        assert_ne!(air(0.4, 3).at(1.7), air(0.4, 4).at(1.7));
        assert!(air(1.0, 3).at(1.7).cross(DVec3::new(4.0, 0.0, -2.0)).length() < 1e-12);
        assert_eq!(air(0.0, 3).at(1.7), DVec3::new(4.0, 0.0, -2.0));
    }

    #[test]
    fn acceleration_acts_from_start_to_stop() {
        let of = UniformAcceleration {
            constant: Some([2.0, 0.0, 0.0]),
            start: 1.0,
            stop: Some(2.0),
            ..UniformAcceleration::default()
        };
        let at = |time| acceleration(&of, time).x;
        assert_eq!([at(0.5), at(1.0), at(2.0), at(2.01)], [0.0, 2.0, 2.0, 0.0]);
    }
}
