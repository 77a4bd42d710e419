//! St. Venant–Kirchhoff: Ψ = μ‖E‖² + λ/2 tr²E with Green's strain E = ½(FᵀF − I).
//!
//! P = F(2μE + λ tr(E) I). It is a polynomial in F: finite for inverted elements, but blind to inversion (E does not depend on the sign of
//! det F) and soft under strong compression.

use super::Projective;
use super::hyperelastic::{Hyperelastic, Lame, LameLanes, PrincipalHessian};
use crate::math::lanes::{Mat3, Symmetric};
use crate::math::{inner, outer};
use crate::simd::{Arithmetic, Simd};
use glam::{DMat3, DVec3};

/// St. Venant–Kirchhoff elasticity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StVenantKirchhoff;

/// E and tr E.
#[inline(always)]
fn green_strain<S: Simd>(simd: S, f: &Mat3<S::F64>) -> (Symmetric<S::F64>, S::F64) {
    let (half, one) = (simd.splat(0.5), simd.splat(1.0));
    let c = f.gram();
    let e = Symmetric {
        xx: half * (c.xx - one),
        yy: half * (c.yy - one),
        zz: half * (c.zz - one),
        xy: half * c.xy,
        xz: half * c.xz,
        yz: half * c.yz,
    };
    (e, e.xx + e.yy + e.zz)
}

/// μ‖E‖² + λ/2 tr²E.
#[inline(always)]
fn energy<S: Simd>(simd: S, e: &Symmetric<S::F64>, trace: S::F64, lame: LameLanes<S::F64>) -> S::F64 {
    lame.mu.mul_add(e.norm_squared(), simd.splat(0.5) * lame.lambda * trace * trace)
}

impl Hyperelastic for StVenantKirchhoff {
    const NAME: &'static str = "stvk";
    const PROJECTIVE: Projective = Projective::BestFit;

    #[inline(always)]
    fn density<S: Simd>(&self, simd: S, f: &Mat3<S::F64>, lame: LameLanes<S::F64>) -> S::F64 {
        let (e, trace) = green_strain(simd, f);
        energy(simd, &e, trace, lame)
    }

    #[inline(always)]
    fn stress<S: Simd>(&self, simd: S, f: &Mat3<S::F64>, lame: LameLanes<S::F64>) -> (S::F64, Mat3<S::F64>) {
        let (e, trace) = green_strain(simd, f);
        let second_piola = e.shifted(-(lame.mu + lame.mu), lame.lambda * trace);
        (energy(simd, &e, trace, lame), f.mul_symmetric(&second_piola))
    }

    /// ψᵢ = σᵢ (μ(σᵢ² − 1) + λ tr E).
    fn principal_hessian(&self, sigma: DVec3, Lame { mu, lambda }: Lame) -> PrincipalHessian {
        let square = sigma * sigma;
        let volumetric = lambda * 0.5 * (square.element_sum() - 3.0);
        let shared = |i: usize, j: usize| mu * (square[i] + square[j] - 1.0) + volumetric;
        let mixed = DVec3::new(sigma.y * sigma.z, sigma.x * sigma.z, sigma.x * sigma.y) * mu;
        let common = DVec3::new(shared(1, 2), shared(0, 2), shared(0, 1));
        PrincipalHessian {
            scaling: DMat3::from_diagonal((square * 3.0 - 1.0) * mu + volumetric)
                + outer(sigma, sigma) * lambda,
            flip: common + mixed,
            twist: common - mixed,
        }
    }

    fn projective_weight(&self, Lame { mu, lambda }: Lame) -> f64 {
        2.0 * mu + lambda.max(0.0)
    }

    /// Quadratic in the stretch.
    fn tangent_bound(&self, f: &DMat3, lame: Lame) -> f64 {
        self.projective_weight(lame) * (inner(f, f) / 3.0).max(1.0)
    }
}
