//! Corotated linear elasticity: Ψ = μ‖F − R‖² + λ/2 tr²(RᵀF − I), R the rotation of F \[chao2010\].
//!
//! P = 2μ(F − R) + λ tr(RᵀF − I) R. In principal stretches, with s = Σσᵢ − 3: ψᵢ = 2μ(σᵢ − 1) + λs.
//!
//! Projective Dynamics form with both parts: the μ part projects F onto SO(3) with weight 2μV; the λ part is
//! (3λV/2) times the squared distance to the surface Σσᵢ = 3, whose normal is R and whose projection is
//! F − (s/3)R, so its weight is 3λV. \[dinev2018stab\] keeps only the first and lets Eq. 26 lack a factor ½.

use super::Projective;
use super::hyperelastic::{Hyperelastic, Lame, PrincipalHessian};
use crate::math::{inner, rotation};
use glam::{DMat3, DVec3};

/// Corotated linear elasticity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corotated;

impl Hyperelastic for Corotated {
    const NAME: &'static str = "corotated";
    const PROJECTIVE: Projective = Projective::Exact;

    fn stress(&self, f: &DMat3, Lame { mu, lambda }: Lame) -> (f64, DMat3) {
        let r = rotation(f);
        let strain = *f - r;
        let trace = inner(&r, &strain);
        let density = mu * inner(&strain, &strain) + 0.5 * lambda * trace * trace;
        (density, strain * (2.0 * mu) + r * (lambda * trace))
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
