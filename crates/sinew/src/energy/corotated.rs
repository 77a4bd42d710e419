//! Corotated linear elasticity: Ψ = μ‖F − R‖² + λ/2 tr²(RᵀF − I), R the rotation of F \[chao2010\].
//!
//! P = 2μ(F − R) + λ tr(RᵀF − I) R. In principal stretches, with s = Σσᵢ − 3: ψᵢ = 2μ(σᵢ − 1) + λs.
//!
//! The value alone could do without R, as ‖F − R‖² = ‖F‖² − 2Σσᵢ + 3, but that difference loses twice as many digits at small strain.
//!
//! The Projective Dynamics form has both parts: the μ part projects F onto SO(3) with weight 2μV; the λ part is (3λV/2) times the squared
//! distance to the surface Σσᵢ = 3, whose normal is R and whose projection is F − (s/3)R, so its weight is 3λV. \[dinev2018stab\] keeps only
//! the first, and its Eq. 26 lacks a factor ½.

use super::Projective;
use super::hyperelastic::{Hyperelastic, Lame, LameLanes, PrincipalHessian};
use crate::math::lanes::{Mat3, rotation};
use crate::simd::{Arithmetic, Simd};
use glam::{DMat3, DVec3};

/// Corotated linear elasticity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corotated;

/// The rotation R of F, F − R and tr(RᵀF − I).
#[inline(always)]
fn strain<S: Simd>(simd: S, f: &Mat3<S::F64>) -> (Mat3<S::F64>, Mat3<S::F64>, S::F64) {
    let r = rotation(simd, f);
    let strain = *f - r;
    (r, strain, r.inner(&strain))
}

/// μ‖F − R‖² + λ/2 tr².
#[inline(always)]
fn energy<S: Simd>(
    simd: S,
    strain: &Mat3<S::F64>,
    trace: S::F64,
    LameLanes { mu, lambda }: LameLanes<S::F64>,
) -> S::F64 {
    mu.mul_add(strain.inner(strain), simd.splat(0.5) * lambda * trace * trace)
}

impl Hyperelastic for Corotated {
    const NAME: &'static str = "corotated";
    const PROJECTIVE: Projective = Projective::Exact;

    #[inline(always)]
    fn density<S: Simd>(&self, simd: S, f: &Mat3<S::F64>, lame: LameLanes<S::F64>) -> S::F64 {
        let (_, strain, trace) = strain(simd, f);
        energy(simd, &strain, trace, lame)
    }

    #[inline(always)]
    fn stress<S: Simd>(&self, simd: S, f: &Mat3<S::F64>, lame: LameLanes<S::F64>) -> (S::F64, Mat3<S::F64>) {
        let (r, strain, trace) = strain(simd, f);
        let stress = r.mul_add(lame.lambda * trace, strain * (lame.mu + lame.mu));
        (energy(simd, &strain, trace, lame), stress)
    }

    fn principal_hessian(&self, sigma: DVec3, Lame { mu, lambda }: Lame) -> PrincipalHessian {
        let trace = sigma.element_sum() - 3.0;
        let pairs = DVec3::new(sigma.y + sigma.z, sigma.x + sigma.z, sigma.x + sigma.y);
        let twist = |pair: f64| 2.0 * mu + (2.0 * lambda * trace - 4.0 * mu) / away_from_zero(pair);
        PrincipalHessian {
            scaling: DMat3::from_diagonal(DVec3::splat(2.0 * mu))
                + DMat3::from_cols_array(&[1.0; 9]) * lambda,
            flip: DVec3::splat(2.0 * mu),
            twist: DVec3::new(twist(pairs.x), twist(pairs.y), twist(pairs.z)),
        }
    }

    fn projective_weight(&self, Lame { mu, lambda }: Lame) -> f64 {
        // A negative λ (ν < 0) lowers the energy: leaving it out keeps L an upper bound.
        2.0 * mu + 3.0 * lambda.max(0.0)
    }
}

/// σᵢ + σⱼ vanishes where the closest rotation is not unique; there the Hessian is unbounded and is cut off.
pub(crate) fn away_from_zero(pair: f64) -> f64 {
    if pair.abs() < 1e-9 { 1e-9 } else { pair }
}
