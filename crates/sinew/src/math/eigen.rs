//! Eigenvalues and eigenvectors of a symmetric 3×3 matrix by cyclic Jacobi rotations.
//!
//! Jacobi is used instead of the trigonometric closed form because the latter loses half of the digits for close eigenvalues, and Hessians at
//! rest have three equal ones.

use glam::{DMat3, DVec3};

/// A = Q diag(values) Qᵀ, Q orthonormal.
#[derive(Clone, Copy, Debug)]
pub struct SymmetricEigen {
    /// Eigenvalues, in no particular order.
    pub values: DVec3,
    /// Eigenvectors, the columns of Q, in the order of the values.
    pub vectors: DMat3,
}

/// Decomposes a symmetric matrix; only the symmetric part of `a` is meaningful.
pub fn symmetric_eigen(a: &DMat3) -> SymmetricEigen {
    let mut m = a.to_cols_array_2d();
    let mut q = DMat3::IDENTITY.to_cols_array_2d();
    for _sweep in 0..30 {
        let off = m[0][1].abs() + m[0][2].abs() + m[1][2].abs();
        let diagonal = m[0][0].abs() + m[1][1].abs() + m[2][2].abs();
        if off <= 1e-17 * diagonal || off == 0.0 {
            break;
        }
        for (p, r) in [(0, 1), (0, 2), (1, 2)] {
            if m[p][r] == 0.0 {
                continue;
            }
            let theta = (m[r][r] - m[p][p]) / (2.0 * m[p][r]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            for k in 0..3 {
                let (kp, kr) = (m[k][p], m[k][r]);
                m[k][p] = c * kp - s * kr;
                m[k][r] = s * kp + c * kr;
            }
            for k in 0..3 {
                let (pk, rk) = (m[p][k], m[r][k]);
                m[p][k] = c * pk - s * rk;
                m[r][k] = s * pk + c * rk;
            }
            // q is column-major: q[column][row].
            for k in 0..3 {
                let (qp, qr) = (q[p][k], q[r][k]);
                q[p][k] = c * qp - s * qr;
                q[r][k] = s * qp + c * qr;
            }
        }
    }
    SymmetricEigen { values: DVec3::new(m[0][0], m[1][1], m[2][2]), vectors: DMat3::from_cols_array_2d(&q) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reconstructs(c in prop::array::uniform6(-1e3f64..1e3)) {
            let a = DMat3::from_cols_array(&[c[0], c[1], c[2], c[1], c[3], c[4], c[2], c[4], c[5]]);
            let e = symmetric_eigen(&a);
            let back = e.vectors * DMat3::from_diagonal(e.values) * e.vectors.transpose();
            let scale = a.to_cols_array().iter().fold(1.0f64, |s, v| s.max(v.abs()));
            prop_assert!((back - a).to_cols_array().iter().all(|d| d.abs() < 1e-13 * scale));
            let unit = e.vectors.transpose() * e.vectors - DMat3::IDENTITY;
            prop_assert!(unit.to_cols_array().iter().all(|d| d.abs() < 1e-13));
        }
    }

    #[test]
    fn equal_eigenvalues_are_exact() {
        let e = symmetric_eigen(&DMat3::from_diagonal(DVec3::splat(7.0)));
        assert_eq!(e.values, DVec3::splat(7.0));
    }
}
