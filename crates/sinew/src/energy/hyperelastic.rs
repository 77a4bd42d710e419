//! The interface of an isotropic material: energy density and stress at F, second derivatives in principal stretches.
//!
//! Density and stress are written once, over lanes; they serve four elements of a batch or a single one. All results of a material are linear
//! in its moduli (bounds at least homogeneous). Elements therefore keep V·μ and V·λ, in joules, and get energies, and gradients with respect
//! to F, in joules too: the volume appears nowhere else.
//!
//! For isotropic Ψ the 9×9 Hessian ∂²Ψ/∂F² has a closed eigensystem in terms of F = U diag(σ) Vᵀ
//! [smith2019, zhu2021]: three *scalings* U diag(e) Vᵀ with e the eigenvectors of ∂²Ψ/∂σᵢ∂σⱼ, three *flips*
//! U S Vᵀ/√2 (S symmetric off-diagonal) with eigenvalue (ψᵢ − ψⱼ)/(σᵢ − σⱼ) and three *twists* U T Vᵀ/√2 (T
//! antisymmetric) with eigenvalue (ψᵢ + ψⱼ)/(σᵢ + σⱼ), ψᵢ = ∂Ψ/∂σᵢ. Each material gives the quotients in a
//! form without cancellation, so equal stretches need no special case.

use crate::math::lanes::Mat3;
use crate::math::{Svd, outer, symmetric_eigen};
use crate::simd::Simd;
use glam::{DMat3, DVec3};

/// Lamé parameters of one element, Pa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lame {
    /// Shear modulus μ.
    pub mu: f64,
    /// First Lamé parameter λ.
    pub lambda: f64,
}

/// Lamé parameters of four elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LameLanes<T> {
    pub mu: T,
    pub lambda: T,
}

/// Second derivatives of Ψ(σ).
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrincipalHessian {
    /// ∂²Ψ/∂σᵢ∂σⱼ.
    pub scaling: DMat3,
    /// (ψᵢ − ψⱼ)/(σᵢ − σⱼ) for (i, j) = (1,2), (0,2), (0,1): the component is the index left out.
    pub flip: DVec3,
    /// (ψᵢ + ψⱼ)/(σᵢ + σⱼ), in the same order.
    pub twist: DVec3,
}

/// An isotropic hyperelastic material.
pub(crate) trait Hyperelastic: std::fmt::Debug + Send + Sync {
    /// The name in scenes, reports and the ledger.
    const NAME: &'static str;
    /// Whether [`Self::projective_weight`] is a true Projective Dynamics weight, or a best fit.
    const PROJECTIVE: super::Projective;

    /// Ψ.
    fn density<S: Simd>(&self, simd: S, f: &Mat3<S::F64>, lame: LameLanes<S::F64>) -> S::F64;

    /// Ψ and the first Piola–Kirchhoff stress P = ∂Ψ/∂F.
    fn stress<S: Simd>(&self, simd: S, f: &Mat3<S::F64>, lame: LameLanes<S::F64>) -> (S::F64, Mat3<S::F64>);

    /// Second derivatives at signed principal stretches.
    fn principal_hessian(&self, sigma: DVec3, lame: Lame) -> PrincipalHessian;

    /// w of the Projective Dynamics matrix L = Σ w GᵀG.
    fn projective_weight(&self, lame: Lame) -> f64;

    /// An upper estimate of the stiffness ∂P/∂F at F: how far XPBD may trust one element's response.
    fn tangent_bound(&self, _f: &DMat3, lame: Lame) -> f64 {
        self.projective_weight(lame)
    }
}

/// Eigenvalue and eigenmatrix of ∂²Ψ/∂F² for the nine modes of a material at F.
pub(crate) fn modes_at(material: &impl Hyperelastic, decomposition: &Svd, lame: Lame) -> [(f64, DMat3); 9] {
    let hessian = material.principal_hessian(decomposition.sigma, lame);
    let u = [decomposition.u.x_axis, decomposition.u.y_axis, decomposition.u.z_axis];
    let v = [decomposition.v.x_axis, decomposition.v.y_axis, decomposition.v.z_axis];
    let mut modes = [(0.0, DMat3::ZERO); 9];
    let scaling = symmetric_eigen(&hessian.scaling);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    for k in 0..3 {
        let e = scaling.vectors.col(k);
        modes[k] =
            (scaling.values[k], outer(u[0], v[0] * e.x) + outer(u[1], v[1] * e.y) + outer(u[2], v[2] * e.z));
        let (i, j) = [(1, 2), (0, 2), (0, 1)][k];
        let (ij, ji) = (outer(u[i], v[j]), outer(u[j], v[i]));
        modes[3 + k] = (hessian.flip[k], (ij + ji) * half);
        modes[6 + k] = (hessian.twist[k], (ij - ji) * half);
    }
    modes
}
