//! Neo-Hookean elasticity that is finite for inverted elements:
//! Ψ = μ/2 (‖F‖² − 3) − μ(J − 1) + λ̂/2 (J − 1)², J = det F.
//!
//! The logarithm of the classical law is replaced by its expansion around J = 1, as in the stable variant of
//! \[smith2018\] without its rank-deficiency term; rest is stress-free because −μ(J − 1) balances μ/2‖F‖². To agree
//! with Lamé's λ at small strain, λ̂ = λ + μ. There is no barrier: an inverted element has finite energy and a force
//! that turns it back, so line searches need no special care.

use super::Projective;
use super::hyperelastic::{Hyperelastic, Lame, PrincipalHessian};
use crate::math::{cofactor, inner};
use glam::{DMat3, DVec3};

/// Stable Neo-Hookean elasticity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NeoHookean;

/// Ψ depends on J by ∂Ψ/∂J = λ̂(J − 1) − μ.
fn pressure(j: f64, Lame { mu, lambda }: Lame) -> f64 {
    (lambda + mu) * (j - 1.0) - mu
}

impl Hyperelastic for NeoHookean {
    const NAME: &'static str = "neo-hookean";
    const PROJECTIVE: Projective = Projective::BestFit;

    fn stress(&self, f: &DMat3, lame: Lame) -> (f64, DMat3) {
        let Lame { mu, lambda } = lame;
        let cof = cofactor(f);
        let j = f.x_axis.dot(cof.x_axis);
        let density =
            0.5 * mu * (inner(f, f) - 3.0) - mu * (j - 1.0) + 0.5 * (lambda + mu) * (j - 1.0).powi(2);
        (density, *f * mu + cof * pressure(j, lame))
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
