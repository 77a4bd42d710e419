//! The motion of a component that one can see: its mean velocity and the first moments of its velocities, and how fast they change.
//!
//! q̇ = (v̄, Σ m v ⊗ (x − c)/(M·size/2)): twelve numbers that translation, rotation, stretch and shear move, and vibration hardly does. Running means over a second of
//! |q̇ₙ − q̇ₙ₋₁|² and |q̇ₙ|² have the ratio a² = (hω)² of the frequency that is seen.

use crate::topology::Component;
use glam::DVec3;

/// Time over which the means run, s.
const MEMORY: f64 = 1.0;
/// Time in which the largest kinetic energy is forgotten, s.
const LIVELY: f64 = 10.0;

/// What is remembered of the visible motion of a component.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SlowMotion {
    /// q̇ at the last step.
    rates: [DVec3; 4],
    /// Running mean of |q̇ₙ − q̇ₙ₋₁|².
    change: f64,
    /// Running mean of |q̇ₙ|².
    speed: f64,
    /// Largest kinetic energy of late, J.
    lively: f64,
}

impl SlowMotion {
    /// Takes in the state (x, v) at the start of a step of length `h`.
    pub fn observe(&mut self, component: &Component, masses: &[f64], x: &[DVec3], v: &[DVec3], h: f64) {
        let vertices = || component.vertices.iter().map(|&i| i as usize);
        let center = vertices().map(|i| x[i] * masses[i]).sum::<DVec3>() / component.mass;
        // A single point has no extent, and no first moments either.
        let per_size = if component.size > 0.0 { 2.0 / component.size } else { 0.0 };
        let mut rates = [DVec3::ZERO; 4];
        for i in vertices() {
            let (p, r) = (v[i] * (masses[i] / component.mass), (x[i] - center) * per_size);
            rates[0] += p;
            for k in 0..3 {
                rates[k + 1] += p * r[k];
            }
        }
        let share = (h / MEMORY).min(1.0);
        let change: f64 = (0..4).map(|k| rates[k].distance_squared(self.rates[k])).sum();
        let speed: f64 = rates.iter().map(|q| q.length_squared()).sum();
        self.change += share * (change - self.change);
        self.speed += share * (speed - self.speed);
        self.rates = rates;
        self.lively = component.kinetic(masses, v).max(self.lively * (1.0 - h / LIVELY).max(0.0));
        // An explosion that is still a state may be too fast for squares: it is forgotten.
        if !self.floats_mut().all(|value| value.is_finite()) {
            *self = Self::default();
        }
    }

    /// (hω)² of the visible motion; 1 where nothing moves.
    pub fn squared_step(&self) -> f64 {
        if self.speed > 0.0 { self.change / self.speed } else { 1.0 }
    }

    /// Largest kinetic energy of late, J.
    pub fn lively(&self) -> f64 {
        self.lively
    }

    /// Every number, to save.
    pub fn floats_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        let Self { rates, change, speed, lively } = self;
        rates.iter_mut().flat_map(|q| q.as_mut().iter_mut()).chain([change, speed, lively])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_that_is_held_has_a_motion_that_can_be_saved() {
        let component = Component { vertices: vec![0], mass: 2.0, size: 0.0, ..Component::default() };
        let mut slow = SlowMotion::default();
        slow.observe(&component, &[2.0], &[DVec3::ONE], &[DVec3::X * 3.0], 0.1);
        assert!(slow.floats_mut().all(|value| value.is_finite()));
        assert_eq!(slow.rates, [DVec3::X * 3.0, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO]);
    }

    #[test]
    fn what_is_too_fast_to_square_is_forgotten() {
        let component = Component { vertices: vec![0], mass: 2.0, size: 1.0, ..Component::default() };
        let mut slow = SlowMotion::default();
        for v in [DVec3::X * 1e200, DVec3::X] {
            slow.observe(&component, &[2.0], &[DVec3::ONE], &[v], 0.1);
            assert!(slow.floats_mut().all(|value| value.is_finite()));
        }
        assert!(slow.lively() == 1.0);
    }

    #[test]
    fn a_swing_shows_its_frequency_and_a_vibration_does_not() {
        let component = Component { vertices: vec![0, 1], mass: 2.0, size: 1.0, ..Component::default() };
        let (h, omega) = (0.01, 7.0);
        let seen = |tremble: f64| {
            let mut slow = SlowMotion::default();
            for n in 0..2000 {
                let t = f64::from(n) * h;
                let swing = DVec3::X * (omega * t).cos();
                // Two masses at one place that shake against each other.
                let shake = DVec3::Y * (tremble * if n % 2 == 0 { 1.0 } else { -1.0 });
                slow.observe(&component, &[1.0; 2], &[DVec3::ZERO; 2], &[swing + shake, swing - shake], h);
            }
            slow.squared_step().sqrt() / (h * omega)
        };
        assert!((seen(0.0) - 1.0).abs() < 0.05, "{}", seen(0.0));
        assert!((seen(5.0) / seen(0.0) - 1.0).abs() < 1e-9, "{}", seen(5.0));
    }
}
