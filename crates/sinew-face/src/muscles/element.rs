//! The active material of one tetrahedron \[dinev2020, Eq. 4.6\]:
//!
//! Ψ(F, A) = μ‖F − R(FA)·A‖² + λ/2 (g(F) − 3)², A = S(Σ sᵢⱼ aⱼ), g the sum of the signed singular values.
//!
//! The energy is Ψ **times** the rest volume; the text divides by it. The rotation that minimises ‖F − R·A‖ is the polar rotation of F·A, not that of F; so
//! Ψ = μ(‖F‖² − 2 g(FA) + ‖A‖²) + λ/2 (g(F) − 3)², and as ∂g/∂F is the rotation R(F),
//!
//! P = 2μ(F − R(FA)A) + λ(g(F) − 3)R(F),
//! dP[dF] = 2μ(dF − dR(FA)[dF·A]A) + λ(R(F)⟨R(F), dF⟩ + (g(F) − 3) dR(F)[dF]),
//! dP[dA] = −2μ(dR(FA)[F·dA]A + R(FA)dA).
//!
//! dR = Σ cₖ Qₖ⟨Qₖ, ·⟩ over three twists, so the Hessian is a multiple of the identity and seven matrices of rank one. Its μ part becomes positive
//! semidefinite by an eigenproblem of size 3.

use super::polar::{Polar, eigen, inner};
use glam::{DMat3, DVec3};

/// Lamé's parameters, Pa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lame {
    /// Shear modulus μ.
    pub mu: f64,
    /// First parameter λ.
    pub lambda: f64,
}

/// Which second derivatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As they are.
    Exact,
    /// Without negative curvature.
    Projected,
}

/// Ψ, Pa.
pub fn density(f: &DMat3, a: &DMat3, lame: Lame) -> f64 {
    let (fa, g) = (Polar::of(*f * *a).sum(), Polar::of(*f).sum() - 3.0);
    lame.mu * (inner(f, f) - 2.0 * fa + inner(a, a)) + 0.5 * lame.lambda * g * g
}

/// P = ∂Ψ/∂F, Pa.
pub fn stress(f: &DMat3, a: &DMat3, lame: Lame) -> DMat3 {
    Point::new(f, a, lame).stress()
}

/// ∂²Ψ/∂F² as α·I + Σ w·(W ⊗ W).
#[derive(Clone, Copy, Debug)]
pub struct Curvature {
    /// The multiple of the identity.
    pub identity: f64,
    /// Weights and matrices of rank one; unused ones have weight 0.
    pub ranks: [(f64, DMat3); 10],
}

impl Curvature {
    /// dP of a dF.
    pub fn apply(&self, df: &DMat3) -> DMat3 {
        let start = self.identity * *df;
        self.ranks.iter().filter(|(w, _)| *w != 0.0).fold(start, |sum, (w, m)| sum + w * inner(m, df) * *m)
    }
}

/// What all derivatives at one (F, A) share.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    f: DMat3,
    a: DMat3,
    lame: Lame,
    fa: Polar,
    plain: Polar,
}

impl Point {
    /// Decomposes F and F·A.
    pub fn new(f: &DMat3, a: &DMat3, lame: Lame) -> Self {
        let plain = Polar::of(*f);
        // Most of a face is passive tissue.
        let fa = if *a == DMat3::IDENTITY { plain } else { Polar::of(*f * *a) };
        Self { f: *f, a: *a, lame, fa, plain }
    }

    /// P.
    pub fn stress(&self) -> DMat3 {
        let g = self.plain.sum() - 3.0;
        2.0 * self.lame.mu * (self.f - self.fa.rotation * self.a) + self.lame.lambda * g * self.plain.rotation
    }

    /// Ψ.
    pub fn density(&self) -> f64 {
        let g = self.plain.sum() - 3.0;
        let shape = inner(&self.f, &self.f) - 2.0 * self.fa.sum() + inner(&self.a, &self.a);
        self.lame.mu * shape + 0.5 * self.lame.lambda * g * g
    }

    /// ∂²Ψ/∂F².
    pub fn curvature(&self, kind: Kind) -> Curvature {
        let Lame { mu, lambda } = self.lame;
        let mut ranks = [(0.0, DMat3::ZERO); 10];
        let twists = self.fa.twists().map(|(c, q)| (c, q * self.a));
        for (k, &(c, w)) in twists.iter().enumerate() {
            ranks[k] = (-2.0 * mu * c, w);
        }
        ranks[3] = (lambda, self.plain.rotation);
        let g = self.plain.sum() - 3.0;
        for (k, (d, q)) in self.plain.twists().into_iter().enumerate() {
            let weight = lambda * g * d;
            ranks[4 + k] = (if kind == Kind::Projected { weight.max(0.0) } else { weight }, q);
        }
        if kind == Kind::Projected {
            // 2μ(I − BBᵀ), B = [√c W]: its eigenvalues are 1 − e with those e of BᵀB, and 1.
            let b = twists.map(|(c, w)| c.max(0.0).sqrt() * w);
            let gram = DMat3::from_cols(
                DVec3::new(inner(&b[0], &b[0]), inner(&b[1], &b[0]), inner(&b[2], &b[0])),
                DVec3::new(inner(&b[0], &b[1]), inner(&b[1], &b[1]), inner(&b[2], &b[1])),
                DVec3::new(inner(&b[0], &b[2]), inner(&b[1], &b[2]), inner(&b[2], &b[2])),
            );
            let (values, vectors) = eigen(gram);
            for k in 0..3 {
                let (e, y) = (values[k], vectors.col(k));
                if e > 1.0 {
                    ranks[7 + k] = (2.0 * mu * (e - 1.0) / e, y.x * b[0] + y.y * b[1] + y.z * b[2]);
                }
            }
        }
        Curvature { identity: 2.0 * mu, ranks }
    }

    /// The adjoint of [`by_activation`](Self::by_activation): ⟨dP(dA), Z⟩ = ⟨dA, this⟩ for every symmetric dA, as A and dR are symmetric.
    pub fn by_activation_adjoint(&self, z: &DMat3) -> DMat3 {
        let turned = *z * self.a;
        let dr = self.fa.twists().iter().fold(DMat3::ZERO, |sum, (c, q)| sum + c * inner(q, &turned) * *q);
        -2.0 * self.lame.mu * (self.f.transpose() * dr + self.fa.rotation.transpose() * *z)
    }

    /// dP of a change of the activation.
    pub fn by_activation(&self, da: &DMat3) -> DMat3 {
        let turned = self.f * *da;
        let dr = self.fa.twists().iter().fold(DMat3::ZERO, |sum, (c, q)| sum + c * inner(q, &turned) * *q);
        -2.0 * self.lame.mu * (dr * self.a + self.fa.rotation * *da)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::muscles::activation::{basis, symmetric};

    const LAME: Lame = Lame { mu: 1.3, lambda: 4.7 };

    fn numbers(seed: u64, n: usize) -> Vec<f64> {
        let mut noise = crate::muscles::noise::Noise::new(seed);
        (0..n).map(|_| noise.uniform() - 0.5).collect()
    }

    fn matrix(list: &[f64]) -> DMat3 {
        DMat3::from_cols_slice(list)
    }

    /// Any F near and far from a rotation, inverted ones too, with any healthy A.
    fn cases() -> Vec<(DMat3, DMat3, DMat3)> {
        (0..40)
            .map(|k| {
                let r = numbers(k, 24);
                let stretch = if k % 8 == 7 { DVec3::new(1.2, 0.9, -0.5) } else { DVec3::ONE };
                let f = DMat3::from_diagonal(stretch) + 0.5 * matrix(&r[..9]);
                let a = symmetric(&[
                    1.0 + 0.6 * r[9],
                    0.3 * r[10],
                    0.3 * r[11],
                    1.0 + 0.6 * r[12],
                    0.3 * r[13],
                    1.0,
                ]);
                (f, a, matrix(&r[15..24]))
            })
            .collect()
    }

    #[test]
    fn stress_is_the_slope_of_the_density() {
        for (f, a, d) in cases() {
            let at = |h: f64| density(&(f + h * d), &a, LAME);
            let h = 1e-4;
            let slope = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
            let exact = inner(&stress(&f, &a, LAME), &d);
            assert!((slope - exact).abs() < 1e-7 * exact.abs().max(1.0), "{slope} {exact}");
        }
    }

    #[test]
    fn second_derivatives_are_the_slopes_of_the_stress() {
        for (f, a, d) in cases() {
            let point = Point::new(&f, &a, LAME);
            let h = 1e-4;
            let along = |at: &dyn Fn(f64) -> DMat3| {
                (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) * (1.0 / (12.0 * h))
            };
            let by_f = along(&|h| stress(&(f + h * d), &a, LAME));
            let exact = point.curvature(Kind::Exact).apply(&d);
            assert!((by_f - exact).abs_diff_eq(DMat3::ZERO, 1e-7 * inner(&exact, &exact).sqrt().max(1.0)));
            for k in 0..6 {
                let by_a = along(&|h| stress(&f, &(a + h * basis(k)), LAME));
                let exact = point.by_activation(&basis(k));
                let (there, back) = (inner(&exact, &d), inner(&basis(k), &point.by_activation_adjoint(&d)));
                assert!((there - back).abs() < 1e-12 * there.abs().max(1.0));
                assert!(
                    (by_a - exact).abs_diff_eq(DMat3::ZERO, 1e-7 * inner(&exact, &exact).sqrt().max(1.0))
                );
            }
        }
    }

    #[test]
    fn projected_curvature_has_no_negative_direction_and_changes_nothing_where_there_is_none() {
        let rest = Point::new(&DMat3::IDENTITY, &DMat3::IDENTITY, LAME);
        let d = matrix(&numbers(3, 9));
        let (exact, projected) =
            (rest.curvature(Kind::Exact).apply(&d), rest.curvature(Kind::Projected).apply(&d));
        assert!((exact - projected).abs_diff_eq(DMat3::ZERO, 1e-12));
        for (f, a, d) in cases() {
            let point = Point::new(&f, &a, LAME);
            let (exact, projected) =
                (point.curvature(Kind::Exact).apply(&d), point.curvature(Kind::Projected).apply(&d));
            assert!(inner(&projected, &d) >= -1e-12 && inner(&projected, &d) >= inner(&exact, &d) - 1e-12);
        }
    }

    #[test]
    fn equilibrium_of_a_free_element_is_its_activation_if_lambda_is_zero() {
        let a = symmetric(&[0.7, 0.1, 0.0, 1.2, -0.1, 1.15]);
        let turn = DMat3::from_rotation_y(0.8);
        let p = stress(&(turn * a), &a, Lame { mu: 2.0, lambda: 0.0 });
        assert!(p.abs_diff_eq(DMat3::ZERO, 1e-13));
    }
}
