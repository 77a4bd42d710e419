//! Activations of muscles: the shape that a muscle wants its tissue to have \[dinev2020, Eq. 4.1\].
//!
//! An activation is six numbers, the symmetric matrix S(a): tissue wants the deformation gradient R·S(a), with any rotation R. The identity is a muscle at rest. Elements blend
//! the activations of their muscles with weights on the simplex, so eigenvalues within a range stay within it, and every blend is positive definite.

use crate::math::{outer, symmetric_eigen};
use glam::{DMat3, DVec3};

/// [xx xy xz yy yz zz] of a symmetric matrix.
pub type Activation = [f64; 6];

/// A muscle at rest, and passive tissue: the identity.
pub const PASSIVE: Activation = [1.0, 0.0, 0.0, 1.0, 0.0, 1.0];

/// Least and largest eigenvalue of an activation. Equation 4.10 would allow two negative ones.
pub const EIGENVALUES: [f64; 2] = [0.25, 3.0];

/// Rounding that a range may be left by.
const ROUNDING: f64 = 1e-9;

/// S(a).
pub fn symmetric(a: &Activation) -> DMat3 {
    DMat3::from_cols(DVec3::new(a[0], a[1], a[2]), DVec3::new(a[1], a[3], a[4]), DVec3::new(a[2], a[4], a[5]))
}

/// The six numbers of a symmetric matrix.
pub fn numbers(m: &DMat3) -> Activation {
    [m.x_axis.x, m.y_axis.x, m.z_axis.x, m.y_axis.y, m.z_axis.y, m.z_axis.z]
}

/// A fibre along a unit vector with `length` of its rest length, and the volume it had.
pub fn fibre(axis: DVec3, length: f64) -> Activation {
    let along = outer(axis, axis);
    numbers(&(length * along + (DMat3::IDENTITY - along) / length.sqrt()))
}

/// A ring about a unit vector with `length` of its circumference, and the volume it had.
pub fn ring(axis: DVec3, length: f64) -> Activation {
    let along = outer(axis, axis);
    numbers(&(length * (DMat3::IDENTITY - along) + along / (length * length)))
}

/// Whether all eigenvalues are within [`EIGENVALUES`].
pub fn is_healthy(a: &Activation) -> bool {
    let values = symmetric_eigen(&symmetric(a)).values;
    values.is_finite()
        && values.min_element() >= EIGENVALUES[0] - ROUNDING
        && values.max_element() <= EIGENVALUES[1] + ROUNDING
}

/// On the straight way from one activation to another; eigenvalues stay within the range of both.
#[must_use]
pub fn between(from: &Activation, to: &Activation, share: f64) -> Activation {
    std::array::from_fn(|k| from[k] + share * (to[k] - from[k]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contractions_keep_the_volume_and_are_healthy() {
        let axis = DVec3::new(1.0, 2.0, -0.5).normalize();
        for a in [fibre(axis, 0.6), ring(axis, 0.7), PASSIVE] {
            assert!((symmetric(&a).determinant() - 1.0).abs() < 1e-14);
            assert!(is_healthy(&a) && numbers(&symmetric(&a)) == a);
        }
        assert!((symmetric(&fibre(axis, 0.6)) * axis - 0.6 * axis).length() < 1e-15);
        assert!(!is_healthy(&fibre(axis, 0.2)) && !is_healthy(&[f64::NAN; 6]));
        assert!(!is_healthy(&[1.0, 2.0, 0.0, 1.0, 0.0, 1.0]));
    }
}
