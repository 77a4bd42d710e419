//! `glam` provides 3-vectors and 3×3 matrices. This module adds the singular value decomposition with rotations and the rotation of a
//! deformation gradient, four at a time in [`lanes`], symmetric eigenvalues, and arithmetic of long vectors.

mod dense;
mod eigen;
pub(crate) mod lanes;
mod skyline;
mod svd;
mod vectors;

pub(crate) use dense::{DenseCholesky, solve_semidefinite};
pub use eigen::symmetric_eigen;
pub(crate) use skyline::Skyline;
pub use svd::Svd;
pub use svd::svd;
pub(crate) use vectors::{add_scaled, dot};

use glam::{DMat3, DVec3};

/// a bᵀ, the outer product.
pub fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The cross-product matrix: `hat(a)·b = a × b`.
pub fn hat(a: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, a.z, -a.y), DVec3::new(-a.z, 0.0, a.x), DVec3::new(a.y, -a.x, 0.0))
}

/// Frobenius inner product Σ aᵢⱼ bᵢⱼ.
pub fn inner(a: &DMat3, b: &DMat3) -> f64 {
    a.x_axis.dot(b.x_axis) + a.y_axis.dot(b.y_axis) + a.z_axis.dot(b.z_axis)
}
