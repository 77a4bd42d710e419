//! Conserved sums over the vertices: kinetic energy, momenta, and the rigid motion that carries them.

use crate::math::symmetric_eigen;
use glam::{DMat3, DVec3};

/// ½ Σ mᵢ|vᵢ|², J.
pub fn kinetic_energy(masses: &[f64], v: &[DVec3]) -> f64 {
    0.5 * masses.iter().zip(v).map(|(m, v)| m * v.length_squared()).sum::<f64>()
}

/// Total mass and momenta, and the centre of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Momenta {
    /// Total mass, kg.
    pub mass: f64,
    /// Centre of mass, m.
    pub center: DVec3,
    /// Linear momentum P, kg·m/s.
    pub linear: DVec3,
    /// Angular momentum L about the centre of mass, kg·m²/s.
    pub angular: DVec3,
}

impl Momenta {
    /// Momenta of vertices with masses, positions and velocities, #V each.
    pub fn new(masses: &[f64], x: &[DVec3], v: &[DVec3]) -> Self {
        Self::over(masses.iter().zip(x).zip(v).map(|((m, x), v)| (*m, *x, *v)))
    }

    /// Momenta of points with mass, position and velocity.
    pub(crate) fn over(points: impl Iterator<Item = (f64, DVec3, DVec3)> + Clone) -> Self {
        let mut mass = 0.0;
        let (mut moment, mut linear) = (DVec3::ZERO, DVec3::ZERO);
        for (m, x, v) in points.clone() {
            mass += m;
            moment += x * m;
            linear += v * m;
        }
        let center = moment / mass;
        let drift = linear / mass;
        let mut angular = DVec3::ZERO;
        for (m, x, v) in points {
            angular += (x - center).cross(v - drift) * m;
        }
        Self { mass, center, linear, angular }
    }

    /// Velocity of the centre of mass, m/s.
    pub fn drift(&self) -> DVec3 {
        self.linear / self.mass
    }
}

/// Σ m r rᵀ over points, from which the inertia follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inertia {
    second: DMat3,
}

impl Default for Inertia {
    fn default() -> Self {
        Self { second: DMat3::ZERO }
    }
}

impl Inertia {
    /// Adds a point at `r` from the centre.
    pub fn add(&mut self, mass: f64, r: DVec3) {
        self.second += crate::math::outer(r * mass, r);
    }

    /// Σ m(|r|² I − r rᵀ), kg·m².
    pub fn matrix(&self) -> DMat3 {
        let trace = self.second.x_axis.x + self.second.y_axis.y + self.second.z_axis.z;
        DMat3::from_diagonal(DVec3::splat(trace)) - self.second
    }
}

/// I and its inverse, also for singular I: points on a line have no inertia about it, and that component of ω is 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InvertedInertia {
    inertia: DMat3,
    inverse: DMat3,
    /// Whether I is close to singular: then ½ωᵀIω has lost digits.
    thin: bool,
}

impl InvertedInertia {
    pub fn new(inertia: DMat3) -> Self {
        Self::of_difference(inertia, 0.0)
    }

    /// As [`Self::new`] for an inertia that is a difference of terms as large as `terms`: what is small to them is rounding.
    pub fn of_difference(inertia: DMat3, terms: f64) -> Self {
        let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
        // In the usual case, I is far from singular.
        if trace > 1e-9 * terms && inertia.determinant() > 1e-6 * trace * trace * trace {
            return Self { inverse: inertia.inverse(), inertia, thin: false };
        }
        let e = symmetric_eigen(&inertia);
        let cutoff = 1e-12 * e.values.max_element().max(terms);
        let mut inverse = DMat3::ZERO;
        for k in 0..3 {
            if e.values[k] > cutoff {
                let axis = e.vectors.col(k);
                inverse += crate::math::outer(axis / e.values[k], axis);
            }
        }
        Self { inertia, inverse, thin: true }
    }

    /// ω with I·ω = L, with one step of refinement for the rounding of the inverse.
    pub fn angular_velocity(&self, angular: DVec3) -> DVec3 {
        let omega = self.inverse * angular;
        omega + self.inverse * (angular - self.inertia * omega)
    }

    /// Whether the points are nearly on a line, so that a spin about it has an energy that ½ωᵀIω does not tell.
    pub fn is_thin(&self) -> bool {
        self.thin
    }

    /// ½ ωᵀIω, J.
    pub fn energy(&self, omega: DVec3) -> f64 {
        0.5 * omega.dot(self.inertia * omega)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inertia(masses: &[f64], x: &[DVec3], center: DVec3) -> DMat3 {
        let mut sum = Inertia::default();
        masses.iter().zip(x).for_each(|(m, x)| sum.add(*m, *x - center));
        sum.matrix()
    }

    #[test]
    fn rigid_spin_is_recovered() {
        let x = [DVec3::X, DVec3::Y * 2.0, DVec3::Z, DVec3::new(-1.0, 0.3, 0.2)];
        let masses = [1.0, 2.0, 0.5, 3.0];
        let omega = DVec3::new(0.3, -1.0, 2.0);
        let v = x.map(|x| omega.cross(x) + DVec3::new(5.0, 0.0, -1.0));
        let m = Momenta::new(&masses, &x, &v);
        let found = InvertedInertia::new(inertia(&masses, &x, m.center)).angular_velocity(m.angular);
        assert!((found - omega).length() < 1e-13);
    }

    #[test]
    fn points_on_a_line_do_not_divide_by_zero() {
        let x = [DVec3::ZERO, DVec3::X, DVec3::X * 2.0];
        let masses = [1.0; 3];
        let v = [-DVec3::Y, DVec3::ZERO, DVec3::Y];
        let m = Momenta::new(&masses, &x, &v);
        let omega = InvertedInertia::new(inertia(&masses, &x, m.center)).angular_velocity(m.angular);
        assert!((omega - DVec3::Z).length() < 1e-13);
    }
}
