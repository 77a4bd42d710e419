//! As rigid as possible: Ψ = μ‖F − R‖², the μ part of corotated elasticity \[chao2010\]. λ does not enter.

use super::Projective;
use super::corotated::Corotated;
use super::hyperelastic::{Hyperelastic, Lame, LameLanes, PrincipalHessian};
use crate::math::lanes::{Mat3, rotation};
use crate::simd::Simd;
use glam::DVec3;

/// As-rigid-as-possible elasticity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arap;

impl Hyperelastic for Arap {
    const NAME: &'static str = "arap";
    const PROJECTIVE: Projective = Projective::Exact;

    #[inline(always)]
    fn density<S: Simd>(&self, simd: S, f: &Mat3<S::F64>, lame: LameLanes<S::F64>) -> S::F64 {
        let strain = *f - rotation(simd, f);
        lame.mu * strain.inner(&strain)
    }

    #[inline(always)]
    fn stress<S: Simd>(&self, simd: S, f: &Mat3<S::F64>, lame: LameLanes<S::F64>) -> (S::F64, Mat3<S::F64>) {
        let strain = *f - rotation(simd, f);
        (lame.mu * strain.inner(&strain), strain * (lame.mu + lame.mu))
    }

    fn principal_hessian(&self, sigma: DVec3, lame: Lame) -> PrincipalHessian {
        Corotated.principal_hessian(sigma, Lame { mu: lame.mu, lambda: 0.0 })
    }

    fn projective_weight(&self, lame: Lame) -> f64 {
        2.0 * lame.mu
    }
}
