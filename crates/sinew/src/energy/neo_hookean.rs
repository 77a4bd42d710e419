//! Neo-Hookean elasticity that is finite for inverted elements:
//! Ψ = μ/2 (‖F‖² − 3) − μ(J − 1) + λ̂/2 (J − 1)², J = det F.
//!
//! The logarithm of the classical law is replaced by its expansion around J = 1, as in the stable variant of \[smith2018\] without its
//! rank-deficiency term; the rest shape is stress-free because −μ(J − 1) balances μ/2‖F‖². To agree with Lamé's λ at small strain,
//! λ̂ = λ + μ. There is no barrier: an inverted element has finite energy and a force that turns it back, so line searches need no special care.

use super::Projective;
use super::hyperelastic::{Hyperelastic, Lame, LameLanes, PrincipalHessian};
use crate::math::inner;
use crate::math::lanes::{Mat3, Symmetric};
use crate::simd::{Arithmetic, F64x4, Simd};
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
    let growth = j - simd.splat(1.0);
    mu.mul_add(distortion(simd, f, j), simd.splat(0.5) * (lambda + mu) * growth * growth)
}

/// ½(‖F‖² − 3) − (J − 1).
///
/// At small strain both terms are of first order and their difference is of second. With K = FᵀF − I and its invariants i₁, i₂, i₃,
/// ‖F‖² − 3 = i₁ and J² − 1 = i₁ + i₂ + i₃, the first order cancels analytically: (½i₁(J − 1) − i₂ − i₃)/(J + 1). Line searches
/// and energy projection depend on those digits.
#[inline(always)]
fn distortion<S: Simd>(simd: S, f: &Mat3<S::F64>, j: S::F64) -> S::F64 {
    let (zero, one, half) = (simd.zero(), simd.splat(1.0), simd.splat(0.5));
    let c = f.gram();
    let k = Symmetric { xx: c.xx - one, yy: c.yy - one, zz: c.zz - one, ..c };
    let i1 = k.xx + k.yy + k.zz;
    let cofactor_x = k.yz.neg_mul_add(k.yz, k.yy * k.zz);
    let cofactor_y = k.xz.neg_mul_add(k.yz, k.xy * k.zz);
    let cofactor_z = k.xz.neg_mul_add(k.yy, k.xy * k.yz);
    let i2 = k.xx.mul_add(k.yy + k.zz, cofactor_x) - k.xy.mul_add(k.xy, k.xz * k.xz);
    let i3 = k.xx.mul_add(cofactor_x, k.xz.mul_add(cofactor_z, -(k.xy * cofactor_y)));
    let small = (half * i1).mul_add(j - one, -(i2 + i3)) / (j + one);
    let large = half.mul_add(i1, one - j);
    // At large strain the invariants are the larger numbers, and a reflection has J = −1.
    let near = S::F64::select(zero.lt(j), k.norm_squared(), one);
    S::F64::select(near.lt(simd.splat(0.25)), small, large)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Kernel, dispatch};

    struct Distortion(DMat3);

    impl Kernel for Distortion {
        type Output = f64;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> f64 {
            let f = Mat3::splat(simd, &self.0);
            distortion(simd, &f, f.x.dot(f.y.cross(f.z))).to_array()[0]
        }
    }

    /// diag(1 + e, 1, 1 − e): ½(‖F‖² − 3) − (J − 1) = 2e².
    #[test]
    fn small_strain_keeps_its_digits() {
        for e in [1e-1, 1e-3, 1e-5, 1e-7] {
            let f = DMat3::from_diagonal(DVec3::new(1.0 + e, 1.0, 1.0 - e));
            let error = dispatch(Distortion(f)) / (2.0 * e * e) - 1.0;
            assert!(error.abs() < 1e-15 / e, "{e}: {error:e}");
        }
    }

    #[test]
    fn large_and_inverted_strain() {
        for (x, y, z) in [(2.0, 1.5, 0.1), (1.0, 1.0, -1.0), (1.0, 1.0, -0.99), (30.0, -20.0, 0.5)] {
            let exact = 0.5 * (x * x + y * y + z * z - 3.0) - (x * y * z - 1.0);
            let error: f64 = dispatch(Distortion(DMat3::from_diagonal(DVec3::new(x, y, z)))) - exact;
            assert!(error.abs() < 1e-14 * (1.0 + exact.abs()), "{x} {y} {z}: {error:e}");
        }
    }
}
