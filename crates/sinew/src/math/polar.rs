//! The rotation closest to a deformation gradient: R = argmin ‖F − R‖ over SO(3).
//!
//! Newton's iteration X ← ½(X + X⁻ᵀ) from F scaled to determinant 1 \[higham1986\], converges to the
//! orthogonal polar factor in five or six cheap iterations. That factor is a reflection when det F < 0, and the iteration breaks down for flat F, so
//! both go to the singular value decomposition.

use super::{cofactor, svd};
use glam::DMat3;

/// Below this det F/‖F‖³ (27^-½ ≈ 0.19 at rest) the element is nearly flat or inverted.
const FLAT: f64 = 1e-4;

/// The closest rotation to F. Always in SO(3), for inverted and flat elements too.
pub fn rotation(f: &DMat3) -> DMat3 {
    let norm2 = f.x_axis.length_squared() + f.y_axis.length_squared() + f.z_axis.length_squared();
    let determinant = f.determinant();
    if determinant <= FLAT * norm2 * norm2.sqrt() || !determinant.is_finite() {
        return svd(f).rotation();
    }
    let mut x = *f * (1.0 / determinant.cbrt());
    for _ in 0..20 {
        let cof = cofactor(&x);
        let next = (x + cof * (1.0 / x.x_axis.dot(cof.x_axis))) * 0.5;
        let change = next - x;
        x = next;
        let moved =
            change.x_axis.length_squared() + change.y_axis.length_squared() + change.z_axis.length_squared();
        // Quadratic convergence: a change of 1e-8 leaves an error of 1e-16.
        if moved < 1e-16 {
            break;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_svd(c in prop::array::uniform9(-2.0f64..2.0)) {
            let f = DMat3::from_cols_array(&c);
            let s = svd(&f);
            // The closest rotation is unique only away from σ₂ + σ₃ = 0.
            prop_assume!(s.sigma.y + s.sigma.z > 1e-3);
            let d = rotation(&f) - s.rotation();
            prop_assert!(d.to_cols_array().iter().all(|e| e.abs() < 1e-11));
            prop_assert!((rotation(&f).determinant() - 1.0).abs() < 1e-12);
        }
    }
}
