//! As rigid as possible: Ψ = μ‖F − R‖², the μ part of corotated elasticity \[chao2010\]. λ does not enter.

use super::Projective;
use super::corotated::Corotated;
use super::hyperelastic::{Hyperelastic, Lame, PrincipalHessian};
use glam::{DMat3, DVec3};

/// As-rigid-as-possible elasticity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arap;

/// The shear modulus alone.
fn shear_only(lame: Lame) -> Lame {
    Lame { mu: lame.mu, lambda: 0.0 }
}

impl Hyperelastic for Arap {
    const NAME: &'static str = "arap";
    const PROJECTIVE: Projective = Projective::Exact;

    fn stress(&self, f: &DMat3, lame: Lame) -> (f64, DMat3) {
        Corotated.stress(f, shear_only(lame))
    }

    fn principal_hessian(&self, sigma: DVec3, lame: Lame) -> PrincipalHessian {
        Corotated.principal_hessian(sigma, shear_only(lame))
    }

    fn projective_weight(&self, lame: Lame) -> f64 {
        2.0 * lame.mu
    }
}
