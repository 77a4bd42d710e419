//! F = U Σ Vᵀ with U and V rotations: the sign of det F goes to the smallest singular value.
//!
//! The engine decomposes the elements' matrices four at a time, see [`lanes`](super::lanes). The decomposition here is for a single matrix
//! and branches where the lanes select. It serves rigid bodies, and tests compare with it.

use glam::{DMat3, DVec3};

/// F = U · diag(σ) · Vᵀ.
#[derive(Clone, Copy, Debug)]
pub struct Svd {
    /// Left rotation, det U = 1.
    pub u: DMat3,
    /// Signed singular values: σ₁ ≥ σ₂ ≥ |σ₃|, σ₃ < 0 exactly where det F < 0.
    pub sigma: DVec3,
    /// Right rotation, det V = 1.
    pub v: DMat3,
}

impl Svd {
    /// The rotation U Vᵀ closest to F.
    pub fn rotation(&self) -> DMat3 {
        self.u * self.v.transpose()
    }
}

/// Decomposes any finite F, singular and inverted ones included. Non-finite input gives non-finite output.
pub fn svd(f: &DMat3) -> Svd {
    let mut a = [f.x_axis, f.y_axis, f.z_axis];
    let mut v = [DVec3::X, DVec3::Y, DVec3::Z];
    for _sweep in 0..30 {
        let mut rotated = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (pp, qq, pq) = (a[p].length_squared(), a[q].length_squared(), a[p].dot(a[q]));
            if pq == 0.0 || pq * pq <= 1e-31 * pp * qq {
                continue;
            }
            rotated = true;
            let zeta = (qq - pp) / (2.0 * pq);
            let t = zeta.signum() / (zeta.abs() + (zeta * zeta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            (a[p], a[q]) = (a[p] * c - a[q] * s, a[p] * s + a[q] * c);
            (v[p], v[q]) = (v[p] * c - v[q] * s, v[p] * s + v[q] * c);
        }
        if !rotated {
            break;
        }
    }
    let mut sigma = [a[0].length(), a[1].length(), a[2].length()];
    for (p, q) in [(0, 1), (0, 2), (1, 2)] {
        if sigma[p] < sigma[q] {
            sigma.swap(p, q);
            a.swap(p, q);
            v.swap(p, q);
        }
    }
    // A permutation may have mirrored V: restore it by flipping the axis of the smallest singular value.
    if v[0].cross(v[1]).dot(v[2]) < 0.0 {
        v[2] = -v[2];
        a[2] = -a[2];
    }
    let u = left_rotation(&a, &sigma);
    // U is right-handed by construction; the remaining sign belongs to σ₃.
    sigma[2] = a[2].dot(u.z_axis);
    Svd { u, sigma: DVec3::from_array(sigma), v: DMat3::from_cols(v[0], v[1], v[2]) }
}

/// U from the orthogonal columns σᵢuᵢ, completed to a rotation where singular values vanish.
fn left_rotation(a: &[DVec3; 3], sigma: &[f64; 3]) -> DMat3 {
    if sigma[0] == 0.0 {
        return DMat3::IDENTITY;
    }
    let u0 = a[0] / sigma[0];
    let mut u1 = a[1] - u0 * u0.dot(a[1]);
    if u1.length() <= 1e-150_f64.max(1e-16 * sigma[0]) {
        u1 = u0.any_orthonormal_vector();
    }
    let u1 = u1.normalize();
    DMat3::from_cols(u0, u1, u0.cross(u1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn largest(m: DMat3) -> f64 {
        m.to_cols_array().iter().fold(0.0, |s: f64, v| s.max(v.abs()))
    }

    fn check(f: DMat3) {
        let d = svd(&f);
        let scale = largest(f).max(1e-300);
        let back = d.u * DMat3::from_diagonal(d.sigma) * d.v.transpose();
        assert!(largest(back - f) <= 4e-15 * scale, "{f:?}: {back:?}");
        for q in [d.u, d.v] {
            assert!(largest(q.transpose() * q - DMat3::IDENTITY) < 4e-15, "{q:?}");
            assert!((q.determinant() - 1.0).abs() < 1e-14);
        }
        assert!(d.sigma.x >= d.sigma.y && d.sigma.y >= d.sigma.z.abs() - 1e-15 * scale);
    }

    proptest! {
        #[test]
        fn any_matrix(c in prop::array::uniform9(-10.0f64..10.0)) {
            check(DMat3::from_cols_array(&c));
        }

        #[test]
        fn flattened_matrix(c in prop::array::uniform9(-1.0f64..1.0), thin in -16i32..0) {
            let d = svd(&DMat3::from_cols_array(&c));
            let s = DVec3::new(d.sigma.x, d.sigma.y, 10f64.powi(thin));
            check(d.u * DMat3::from_diagonal(s) * d.v.transpose());
        }
    }

    #[test]
    fn degenerate_matrices() {
        for f in [
            DMat3::ZERO,
            DMat3::IDENTITY,
            -DMat3::IDENTITY,
            DMat3::from_diagonal(DVec3::new(1.0, 0.0, 0.0)),
            DMat3::from_diagonal(DVec3::new(0.0, -2.0, 0.0)),
            DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0)),
            DMat3::from_cols(DVec3::ONE, DVec3::ONE, DVec3::ONE),
            DMat3::from_diagonal(DVec3::splat(1e-100)),
        ] {
            check(f);
        }
    }
}
