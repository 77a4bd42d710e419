//! Tissue with muscles in it \[dinev2020, Eq. 4.6\]: E = Σ V [μ min_R ‖F − R·A‖² + λ/2 (g(F) − 3)²], g the sum of the signed singular values.
//!
//! A = S(Σ sᵢⱼaⱼ) is what the muscles of the element want: the activations aⱼ are a control, their shares sᵢⱼ belong to the model. The text divides by the volume; energies multiply by it.
//! The rotation that minimises ‖F − R·A‖ is the polar rotation of F·A, not that of F. As ∂g/∂F is the rotation R(F),
//!
//! P = 2μ(F − R(FA)A) + λ(g(F) − 3)R(F),
//! dP[dF] = 2μ(dF − dR(FA)[dF·A]A) + λ(R(F)⟨R(F), dF⟩ + (g(F) − 3) dR(F)[dF]),  dR = Σ Qₖ⟨Qₖ, ·⟩/(σᵢ + σⱼ) over three twists Qₖ:
//!
//! the Hessian is a multiple of the identity and seven matrices of rank one. Its μ part becomes positive semidefinite by an eigenproblem of size 3.
//!
//! The Projective Dynamics form projects F onto the rotations of A with the weight 2μV, and onto g(F) = 3 with 3λV, as for the corotated law: {R·A} is a set like any other, and R(FA)A its
//! point that is closest to F. With A = I this is the corotated law, to the last formula.
//!
//! Where tissue has *grown* by a factor f, F F_p⁻¹ with F_p = f·I takes the place of F: its shape functions have gradients b/f, and its volume is f³V.

use super::batch::{Batch, Element, blocks};
use super::compliant::{CompliantElements, CompliantForm, ElementStress};
use super::corotated::{Corotated, away_from_zero};
use super::hyperelastic::{Hyperelastic, Lame, LameLanes};
use super::tetrahedra::RestBlock;
use super::{Energy, HessianKind, Pose, Projective, Work};
use crate::math::lanes::{Mat3, Symmetric, Vec3, rotation};
use crate::math::{Svd, inner, outer, svd, symmetric_eigen};
use crate::mesh::RestTetrahedron;
use crate::muscle::{Activation, PASSIVE, symmetric};
use crate::simd::{Arithmetic, LANES, Simd};
use glam::{DMat3, DVec3};
use std::array::from_fn;
use std::ops::Range;

/// The muscles of an element, with their shares of it; the rest of it is passive.
pub(crate) type Shares = Vec<(u32, f64)>;

/// Elastic energy of tetrahedra with muscles.
#[derive(Clone, Debug)]
pub(crate) struct Active {
    batch: Batch<4>,
    blocks: Vec<ActiveBlock>,
    terms: Vec<Term>,
}

/// Four tetrahedra.
#[derive(Clone, Debug)]
pub(crate) struct ActiveBlock {
    rest: RestBlock,
    /// Shares of passive tissue.
    passive: [f64; LANES],
    /// The muscles of any of them.
    terms: Range<usize>,
}

/// A muscle and its share of each of four tetrahedra.
#[derive(Clone, Copy, Debug)]
struct Term {
    muscle: usize,
    shares: [f64; LANES],
}

/// The batch with the activations of a pose.
struct Contracted<'a> {
    terms: &'a [Term],
    activations: &'a [Activation],
}

/// An activation that the controls lack is that of rest.
fn activation(of: &[Activation], muscle: usize) -> Activation {
    of.get(muscle).copied().unwrap_or(PASSIVE)
}

impl Active {
    /// Corners #T by 4, rest shapes, Lamé parameters and muscles of each; the model has validated them.
    pub fn new(corners: &[[u32; 4]], rest: &[RestTetrahedron], lame: &[Lame], shares: &[Shares]) -> Self {
        let elements: Vec<_> = rest.iter().zip(lame).map(|(r, l)| (*r, *l)).collect();
        let weightless = |(rest, lame)| (RestTetrahedron { volume: 0.0, ..rest }, lame);
        let shapes = blocks(&elements, weightless);
        let rows: Vec<usize> = (0..shares.len()).collect();
        let mut terms: Vec<Term> = Vec::new();
        let block = |(shape, rows): (&[(RestTetrahedron, Lame); LANES], [usize; LANES])| {
            let first = terms.len();
            let mut passive = [1.0; LANES];
            for (lane, row) in rows.into_iter().enumerate() {
                for &(muscle, share) in &shares[row] {
                    let muscle = muscle as usize;
                    passive[lane] -= share;
                    let known = terms[first..].iter().position(|term| term.muscle == muscle);
                    let at = known.map_or(terms.len(), |k| first + k);
                    if known.is_none() {
                        terms.push(Term { muscle, shares: [0.0; LANES] });
                    }
                    terms[at].shares[lane] += share;
                }
            }
            ActiveBlock { rest: RestBlock::new(shape), passive, terms: first..terms.len() }
        };
        let blocks = shapes.iter().zip(blocks(&rows, |row| row)).map(block).collect();
        Self { batch: Batch::new(corners), blocks, terms }
    }

    fn contracted<'a>(&'a self, at: Pose<'a>) -> Contracted<'a> {
        Contracted { terms: &self.terms, activations: at.controls.activations() }
    }

    /// Element `e` at a pose, with everything that derivatives need.
    fn point(&self, e: usize, at: Pose) -> Point {
        let (block, lane) = self.batch.locate(e);
        let block = &self.blocks[block];
        let (b, lame) = block.rest.constants(lane);
        let mut a = DMat3::from_diagonal(DVec3::splat(block.passive[lane]));
        for term in &self.terms[block.terms.clone()] {
            a += term.shares[lane] * symmetric(&activation(at.controls.activations(), term.muscle));
        }
        let corners = self.batch.corners(e);
        let x = corners.map(|v| at.x[v as usize]);
        let f = outer(x[1] - x[0], b[1]) + outer(x[2] - x[0], b[2]) + outer(x[3] - x[0], b[3]);
        Point { corners, b, lame, f, a, turned: svd(&(f * a)), own: svd(&f) }
    }
}

/// An element at a pose. Moduli are multiplied by the volume.
struct Point {
    corners: [u32; 4],
    b: [DVec3; 4],
    lame: Lame,
    f: DMat3,
    a: DMat3,
    /// F·A = UΣVᵀ.
    turned: Svd,
    /// F = UΣVᵀ.
    own: Svd,
}

/// The three twists Qₖ = U(Eᵢⱼ − Eⱼᵢ)Vᵀ with 1/(σᵢ + σⱼ).
fn twists(of: &Svd) -> [(f64, DMat3); 3] {
    [(0, 1), (0, 2), (1, 2)].map(|(i, j)| {
        let twist = outer(of.u.col(i), of.v.col(j)) - outer(of.u.col(j), of.v.col(i));
        (1.0 / away_from_zero(of.sigma[i] + of.sigma[j]), twist)
    })
}

impl Point {
    /// g(F) − 3.
    fn trace(&self) -> f64 {
        self.own.sigma.element_sum() - 3.0
    }

    fn energy_and_stress(&self) -> (f64, DMat3) {
        let Lame { mu, lambda } = self.lame;
        let (shape, trace) = (self.f - self.turned.rotation() * self.a, self.trace());
        let energy = mu * inner(&shape, &shape) + 0.5 * lambda * trace * trace;
        (energy, 2.0 * mu * shape + lambda * trace * self.own.rotation())
    }

    /// Weights and matrices W of dP[dF] = 2μ dF + Σ w W⟨W, dF⟩; unused ones have the weight 0.
    fn ranks(&self, kind: HessianKind) -> [(f64, DMat3); 10] {
        let Lame { mu, lambda } = self.lame;
        let projected = kind == HessianKind::PositiveSemidefinite;
        let mut ranks = [(0.0, DMat3::ZERO); 10];
        let shape = twists(&self.turned).map(|(c, q)| (c, q * self.a));
        for (k, &(c, w)) in shape.iter().enumerate() {
            ranks[k] = (-2.0 * mu * c, w);
        }
        let kept = |weight: f64| if projected { weight.max(0.0) } else { weight };
        ranks[3] = (kept(lambda), self.own.rotation());
        for (k, (d, q)) in twists(&self.own).into_iter().enumerate() {
            ranks[4 + k] = (kept(lambda * self.trace() * d), q);
        }
        if projected {
            // 2μ(I − BBᵀ), B = [√c W]: its eigenvalues are 1 − e with those e of BᵀB, and 1.
            let b = shape.map(|(c, w)| c.max(0.0).sqrt() * w);
            let row = |k: usize| DVec3::new(inner(&b[0], &b[k]), inner(&b[1], &b[k]), inner(&b[2], &b[k]));
            let gram = symmetric_eigen(&DMat3::from_cols(row(0), row(1), row(2)));
            for k in 0..3 {
                let (e, y) = (gram.values[k], gram.vectors.col(k));
                if e > 1.0 {
                    ranks[7 + k] = (2.0 * mu * (e - 1.0) / e, y.x * b[0] + y.y * b[1] + y.z * b[2]);
                }
            }
        }
        ranks
    }
}

impl Contracted<'_> {
    /// A of four elements.
    #[inline(always)]
    fn blend<S: Simd>(&self, simd: S, block: &ActiveBlock) -> Symmetric<S::F64> {
        let (passive, zero) = (simd.load(&block.passive), simd.zero());
        let mut a = Symmetric { xx: passive, yy: passive, zz: passive, xy: zero, xz: zero, yz: zero };
        for term in &self.terms[block.terms.clone()] {
            let share = simd.load(&term.shares);
            let [xx, xy, xz, yy, yz, zz] = activation(self.activations, term.muscle);
            a.xx = simd.splat(xx).mul_add(share, a.xx);
            a.xy = simd.splat(xy).mul_add(share, a.xy);
            a.xz = simd.splat(xz).mul_add(share, a.xz);
            a.yy = simd.splat(yy).mul_add(share, a.yy);
            a.yz = simd.splat(yz).mul_add(share, a.yz);
            a.zz = simd.splat(zz).mul_add(share, a.zz);
        }
        a
    }
}

/// F − R(FA)A, R(F) and g(F) − 3.
#[inline(always)]
fn strain<S: Simd>(simd: S, f: &Mat3<S::F64>, a: &Symmetric<S::F64>) -> (Mat3<S::F64>, Mat3<S::F64>, S::F64) {
    let shape = *f - rotation(simd, &f.mul_symmetric(a)).mul_symmetric(a);
    let own = rotation(simd, f);
    let trace = own.inner(&(*f - own));
    (shape, own, trace)
}

#[inline(always)]
fn energy<S: Simd>(
    simd: S,
    shape: &Mat3<S::F64>,
    trace: S::F64,
    LameLanes { mu, lambda }: LameLanes<S::F64>,
) -> S::F64 {
    mu.mul_add(shape.inner(shape), simd.splat(0.5) * lambda * trace * trace)
}

impl Element<4> for Contracted<'_> {
    type Block = ActiveBlock;

    #[inline(always)]
    fn value<S: Simd>(&self, simd: S, block: &ActiveBlock, x: &[Vec3<S::F64>; 4]) -> S::F64 {
        let f = block.rest.deformation_gradient(simd, x);
        let (shape, _, trace) = strain(simd, &f, &self.blend(simd, block));
        energy(simd, &shape, trace, block.rest.lame(simd))
    }

    #[inline(always)]
    fn gradient<S: Simd>(
        &self,
        simd: S,
        block: &ActiveBlock,
        x: &[Vec3<S::F64>; 4],
    ) -> (S::F64, [Vec3<S::F64>; 4]) {
        let (f, lame) = (block.rest.deformation_gradient(simd, x), block.rest.lame(simd));
        let (shape, own, trace) = strain(simd, &f, &self.blend(simd, block));
        let stress = own.mul_add(lame.lambda * trace, shape * (lame.mu + lame.mu));
        (energy(simd, &shape, trace, lame), block.rest.nodal(simd, &stress))
    }
}

impl Energy for Active {
    fn name(&self) -> &str {
        "muscles"
    }

    fn value(&self, at: Pose, work: &mut Work) -> f64 {
        self.batch.value(&self.contracted(at), &self.blocks, at.x, work)
    }

    fn gradient(&self, at: Pose, work: &mut Work, gradient: &mut [DVec3]) -> f64 {
        self.batch.gradient(&self.contracted(at), &self.blocks, at.x, work, gradient)
    }

    fn hessian(&self, at: Pose, kind: HessianKind, add: &mut dyn FnMut(u32, u32, DMat3)) {
        for e in 0..self.batch.len() {
            let point = self.point(e, at);
            let ranks = point.ranks(kind).map(|(weight, w)| (weight, point.b.map(|b| w * b)));
            for i in 0..4 {
                for j in 0..=i {
                    let same = 2.0 * point.lame.mu * point.b[i].dot(point.b[j]);
                    let mut block = DMat3::from_diagonal(DVec3::splat(same));
                    for (weight, w) in ranks.iter().filter(|(weight, _)| *weight != 0.0) {
                        block += outer(w[i] * *weight, w[j]);
                    }
                    add(point.corners[i], point.corners[j], block);
                }
            }
        }
    }

    fn laplacian(&self, add: &mut dyn FnMut(u32, u32, f64)) {
        for e in 0..self.batch.len() {
            let (block, lane) = self.batch.locate(e);
            let (corners, (b, lame)) = (self.batch.corners(e), self.blocks[block].rest.constants(lane));
            let weight = Corotated.projective_weight(lame);
            for i in 0..4 {
                for j in 0..=i {
                    add(corners[i], corners[j], weight * b[i].dot(b[j]));
                }
            }
        }
    }

    fn projective(&self) -> Projective {
        Projective::Exact
    }

    fn compliant(&self) -> Option<CompliantForm<'_>> {
        Some(CompliantForm::Elements(self))
    }

    fn external(&self) -> bool {
        false
    }

    fn work_size(&self) -> Work {
        self.batch.work_size()
    }
}

/// C = F − p with p the projection of F, as for the corotated law.
impl CompliantElements for Active {
    fn len(&self) -> usize {
        self.batch.len()
    }

    fn element(&self, e: usize, at: Pose) -> ElementStress {
        let point = self.point(e, at);
        let (energy, stress) = point.energy_and_stress();
        let stiffness = Corotated.projective_weight(point.lame);
        ElementStress { corners: point.corners, b: point.b, energy, stress, stiffness }
    }
}

/// The rest shape of tissue that has grown by a factor in each direction.
pub(crate) fn grown(rest: RestTetrahedron, by: f64) -> RestTetrahedron {
    RestTetrahedron { b: from_fn(|k| rest.b[k] / by), volume: rest.volume * by.powi(3) }
}
