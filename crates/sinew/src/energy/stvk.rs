//! St. Venant–Kirchhoff: Ψ = μ‖E‖² + λ/2 tr²E with Green's strain E = ½(FᵀF − I).
//!
//! P = F(2μE + λ tr(E) I). A polynomial in F: finite for inverted elements, but blind to inversion (E does
//! not see the sign of det F) and soft under strong compression, as its name warns.

use super::Projective;
use super::hyperelastic::{Hyperelastic, Lame, PrincipalHessian};
use crate::math::{inner, outer};
use glam::{DMat3, DVec3};

/// St. Venant–Kirchhoff elasticity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StVenantKirchhoff;

fn green_strain(f: &DMat3) -> (DMat3, f64) {
    let e = (f.transpose() * *f - DMat3::IDENTITY) * 0.5;
    (e, e.x_axis.x + e.y_axis.y + e.z_axis.z)
}

impl Hyperelastic for StVenantKirchhoff {
    const NAME: &'static str = "stvk";
    const PROJECTIVE: Projective = Projective::BestFit;

    fn stress(&self, f: &DMat3, Lame { mu, lambda }: Lame) -> (f64, DMat3) {
        let (e, trace) = green_strain(f);
        let density = mu * inner(&e, &e) + 0.5 * lambda * trace * trace;
        (density, *f * (e * (2.0 * mu) + DMat3::IDENTITY * (lambda * trace)))
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
