//! The rest shape of a linear tetrahedron, which turns four positions into a deformation gradient.
//!
//! With edge matrix D = [x₁−x₀, x₂−x₀, x₃−x₀], F = D_s·D_m⁻¹ = Σₐ xₐ bₐᵀ, where b₁…b₃ are the rows of D_m⁻¹ and
//! b₀ = −Σ bₐ. The same bₐ give the nodal gradient V·P·bₐ of an energy with first Piola–Kirchhoff stress P.

use glam::{DMat3, DVec3};

/// Shape-function gradients and volume of one tetrahedron at rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RestTetrahedron {
    /// bₐ of the four corners, 1/m.
    pub b: [DVec3; 4],
    /// Rest volume, m³, positive.
    pub volume: f64,
}

impl RestTetrahedron {
    /// Returns `None` for a flat (|V| ≤ 1e-14 of the longest edge cubed), inverted or non-finite rest shape.
    pub fn new(x: [DVec3; 4]) -> Option<Self> {
        let d = DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
        let volume = d.determinant() / 6.0;
        let mut longest: f64 = 0.0;
        for a in 0..4 {
            for b in 0..a {
                longest = longest.max(x[a].distance(x[b]));
            }
        }
        if !volume.is_finite() || volume <= 1e-14 * longest.powi(3) {
            return None;
        }
        let rows = d.inverse().transpose();
        let (b1, b2, b3) = (rows.x_axis, rows.y_axis, rows.z_axis);
        Some(Self { b: [-(b1 + b2 + b3), b1, b2, b3], volume })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deformation_gradient_of_an_affine_map_is_the_map() {
        let x = [DVec3::ZERO, DVec3::X, DVec3::new(0.2, 1.5, 0.0), DVec3::new(0.1, 0.3, 0.8)];
        let rest = RestTetrahedron::new(x).unwrap();
        let a = DMat3::from_cols_array(&[1.0, 0.2, -0.4, 0.0, -2.0, 0.1, 0.7, 0.0, 0.5]);
        let moved = x.map(|p| a * p + DVec3::ONE);
        let f: DMat3 = moved.iter().zip(rest.b).map(|(x, b)| crate::math::outer(*x, b)).sum();
        assert!((f - a).to_cols_array().iter().all(|e| e.abs() < 1e-14));
    }

    #[test]
    fn flat_and_inverted_rest_shapes_are_refused() {
        let flat = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)];
        assert!(RestTetrahedron::new(flat).is_none());
        let inverted = [DVec3::ZERO, DVec3::Y, DVec3::X, DVec3::Z];
        assert!(RestTetrahedron::new(inverted).is_none());
    }
}
