//! Neo-Hookean elasticity that is finite for inverted elements:
//! Ψ = μ/2 (‖F‖² − 3) − μ(J − 1) + λ̂/2 (J − 1)², J = det F.
//!
//! The logarithm of the classical law is replaced by its expansion around J = 1, as in the stable variant of
//! \[smith2018\] without its rank-deficiency term; rest is stress-free because −μ(J − 1) balances μ/2‖F‖². To agree
//! with Lamé's λ at small strain, λ̂ = λ + μ. There is no barrier: an inverted element has finite energy and a force
//! that turns it back, so line searches need no special care.

use super::Projective;
use super::hyperelastic::{Hyperelastic, Lame, LameLanes, PrincipalHessian};
use crate::math::inner;
use crate::math::lanes::Mat3;
use crate::simd::{Arithmetic, Simd};
use glam::{DMat3, DVec3};

/// Stable Neo-Hookean elasticity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NeoHookean;

/// Ψ depends on J by ∂Ψ/∂J = λ̂(J − 1) − μ.
fn pressure(j: f64, Lame { mu, lambda }: Lame) -> f64 {
    (lambda + mu) * (j - 1.0) - mu
}

/// μ/2 (‖F‖² − 3) − μ(J − 1) + λ̂/2 (J − 1)².
#[inline(always)]
fn energy<S: Simd>(
    simd: S,
    f: &Mat3<S::F64>,
    j: S::F64,
    LameLanes { mu, lambda }: LameLanes<S::F64>,
) -> S::F64 {
    let (half, growth) = (simd.splat(0.5), j - simd.splat(1.0));
    let distortion = half.mul_add(f.inner(f) - simd.splat(3.0), -growth);
    mu.mul_add(distortion, half * (lambda + mu) * growth * growth)
}

impl Hyperelastic for NeoHookean {
    const NAME: &'static str = "neo-hookean";
    const PROJECTIVE: Projective = Projective::BestFit;

    #[inline(always)]
    fn density<S: Simd>(&self, simd: S, f: &Mat3<S::F64>, lame: LameLanes<S::F64>) -> S::F64 {
        energy(simd, f, f.x.dot(f.y.cross(f.z)), lame)
    }

    #[inline(always)]
    fn stress<S: Simd>(&self, simd: S, f: &Mat3<S::F64>, lame: LameLanes<S::F64>) -> (S::F64, Mat3<S::F64>) {
        let cofactor = f.cofactor();
        let j = f.x.dot(cofactor.x);
        let pressure = (lame.lambda + lame.mu).mul_add(j - simd.splat(1.0), -lame.mu);
        (energy(simd, f, j, lame), cofactor.mul_add(pressure, *f * lame.mu))
    }

    /// ψᵢ = μσᵢ + p σⱼσₖ, p = ∂Ψ/∂J.
    fn principal_hessian(&self, sigma: DVec3, lame: Lame) -> PrincipalHessian {
        let p = pressure(sigma.x * sigma.y * sigma.z, lame);
        let cof = DVec3::new(sigma.y * sigma.z, sigma.x * sigma.z, sigma.x * sigma.y);
        let ps = sigma * p;
        let coupling = DMat3::from_cols(
            DVec3::new(0.0, ps.z, ps.y),
            DVec3::new(ps.z, 0.0, ps.x),
            DVec3::new(ps.y, ps.x, 0.0),
        );
        PrincipalHessian {
            scaling: DMat3::from_diagonal(DVec3::splat(lame.mu))
                + crate::math::outer(cof, cof) * (lame.lambda + lame.mu)
                + coupling,
            flip: DVec3::splat(lame.mu) - ps,
            twist: DVec3::splat(lame.mu) + ps,
        }
    }

    fn projective_weight(&self, Lame { mu, lambda }: Lame) -> f64 {
        2.0 * mu + lambda.max(0.0)
    }

    /// The volume term grows with the fourth power of the stretch.
    fn tangent_bound(&self, f: &DMat3, lame: Lame) -> f64 {
        self.projective_weight(lame) * (inner(f, f) / 3.0).powi(2).max(1.0)
    }
}
