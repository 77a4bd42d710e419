//! A batch of linear tetrahedra of one material: E = Σ V Ψ(F).

use super::batch::{Batch, Element, blocks};
use super::compliant::{CompliantElements, CompliantForm, ElementStress};
use super::hyperelastic::{Hyperelastic, Lame, LameLanes, modes_at};
use super::{Energy, HessianKind, Pose, Projective, Work};
use crate::math::lanes::{Mat3, Vec3, svd};
use crate::math::{Svd, outer};
use crate::mesh::RestTetrahedron;
use crate::simd::{F64x4, Kernel, LANES, Simd, dispatch};
use glam::{DMat3, DVec3};
use std::array::from_fn;

/// Elastic energy of a tetrahedral body.
#[derive(Clone, Debug)]
pub(crate) struct Tetrahedra<M> {
    batch: Batch<4>,
    material: M,
    rest: Vec<RestBlock>,
}

/// Rest shapes and moduli of four tetrahedra; the only copy of these data.
#[derive(Clone, Debug)]
pub(crate) struct RestBlock {
    /// bₐ of corners 1 to 3, 1/m, by coordinate and lane; b₀ = −Σ bₐ.
    b: [[[f64; LANES]; 3]; 3],
    /// V·μ, J.
    mu: [f64; LANES],
    /// V·λ, J.
    lambda: [f64; LANES],
}

impl<M: Hyperelastic> Tetrahedra<M> {
    /// Corners #T by 4, rest shapes and Lamé parameters #T; the model has validated them.
    pub fn new(material: M, corners: &[[u32; 4]], rest: &[RestTetrahedron], lame: &[Lame]) -> Self {
        let elements: Vec<_> = rest.iter().zip(lame).map(|(r, l)| (*r, *l)).collect();
        let weightless = |(rest, lame)| (RestTetrahedron { volume: 0.0, ..rest }, lame);
        let rest = blocks(&elements, weightless).iter().map(RestBlock::new).collect();
        Self { batch: Batch::new(corners), material, rest }
    }

    /// Shape-function gradients and moduli V·μ, V·λ of element `e`.
    fn element_constants(&self, e: usize) -> ([DVec3; 4], Lame) {
        let (block, lane) = self.batch.locate(e);
        self.rest[block].constants(lane)
    }
}

impl RestBlock {
    /// Shape-function gradients and moduli V·μ, V·λ of one of the four.
    pub fn constants(&self, lane: usize) -> ([DVec3; 4], Lame) {
        let [b1, b2, b3] = self.b.map(|b| DVec3::from_array(b.map(|coordinate| coordinate[lane])));
        ([-(b1 + b2 + b3), b1, b2, b3], Lame { mu: self.mu[lane], lambda: self.lambda[lane] })
    }

    pub fn new(elements: &[(RestTetrahedron, Lame); LANES]) -> Self {
        Self {
            b: from_fn(|a| from_fn(|axis| elements.map(|(rest, _)| rest.b[a + 1][axis]))),
            mu: elements.map(|(rest, lame)| rest.volume * lame.mu),
            lambda: elements.map(|(rest, lame)| rest.volume * lame.lambda),
        }
    }

    #[inline(always)]
    pub fn lame<S: Simd>(&self, simd: S) -> LameLanes<S::F64> {
        LameLanes { mu: simd.load(&self.mu), lambda: simd.load(&self.lambda) }
    }

    /// F = Σ (xₐ − x₀) bₐᵀ.
    #[inline(always)]
    pub fn deformation_gradient<S: Simd>(&self, simd: S, x: &[Vec3<S::F64>; 4]) -> Mat3<S::F64> {
        let (d1, d2, d3) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
        let b = self.shape(simd);
        Mat3 {
            x: d3.mul_add(b.z.x, d2.mul_add(b.y.x, d1 * b.x.x)),
            y: d3.mul_add(b.z.y, d2.mul_add(b.y.y, d1 * b.x.y)),
            z: d3.mul_add(b.z.z, d2.mul_add(b.y.z, d1 * b.x.z)),
        }
    }

    /// Nodal gradients P·bₐ.
    #[inline(always)]
    pub fn nodal<S: Simd>(&self, simd: S, p: &Mat3<S::F64>) -> [Vec3<S::F64>; 4] {
        let b = self.shape(simd);
        let (g1, g2, g3) = (p.mul_vector(b.x), p.mul_vector(b.y), p.mul_vector(b.z));
        [-(g1 + g2 + g3), g1, g2, g3]
    }

    /// Columns b₁, b₂, b₃.
    #[inline(always)]
    fn shape<S: Simd>(&self, simd: S) -> Mat3<S::F64> {
        Mat3 {
            x: Vec3::load_lanes(simd, &self.b[0]),
            y: Vec3::load_lanes(simd, &self.b[1]),
            z: Vec3::load_lanes(simd, &self.b[2]),
        }
    }
}

impl<M: Hyperelastic> Element<4> for M {
    type Block = RestBlock;

    #[inline(always)]
    fn value<S: Simd>(&self, simd: S, rest: &RestBlock, x: &[Vec3<S::F64>; 4]) -> S::F64 {
        self.density(simd, &rest.deformation_gradient(simd, x), rest.lame(simd))
    }

    #[inline(always)]
    fn gradient<S: Simd>(
        &self,
        simd: S,
        rest: &RestBlock,
        x: &[Vec3<S::F64>; 4],
    ) -> (S::F64, [Vec3<S::F64>; 4]) {
        let (energy, stress) = self.stress(simd, &rest.deformation_gradient(simd, x), rest.lame(simd));
        (energy, rest.nodal(simd, &stress))
    }
}

/// F = UΣVᵀ of the four elements of a block.
struct Decompose<'a> {
    rest: &'a RestBlock,
    x: [[DVec3; LANES]; 4],
}

impl Kernel for Decompose<'_> {
    type Output = [Svd; LANES];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [Svd; LANES] {
        let [a, b, c, d] = &self.x;
        let x = [Vec3::load(simd, a), Vec3::load(simd, b), Vec3::load(simd, c), Vec3::load(simd, d)];
        svd(simd, &self.rest.deformation_gradient(simd, &x)).to_array()
    }
}

/// V·Ψ and V·P of one element, in the first of four equal lanes.
struct Stress<'a, M> {
    material: &'a M,
    f: DMat3,
    lame: Lame,
}

impl<M: Hyperelastic> Kernel for Stress<'_, M> {
    type Output = (f64, DMat3);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (f64, DMat3) {
        let lame = LameLanes { mu: simd.splat(self.lame.mu), lambda: simd.splat(self.lame.lambda) };
        let (energy, stress) = self.material.stress(simd, &Mat3::splat(simd, &self.f), lame);
        (energy.to_array()[0], stress.to_array()[0])
    }
}

/// Block (a, b) = Σ_k e_k (Q_k bₐ)(Q_k b_b)ᵀ over the modes (e_k, Q_k) of V·∂²Ψ/∂F²; the lower triangle.
fn blocks_of_hessian(modes: &[(f64, DMat3); 9], b: &[DVec3; 4], kind: HessianKind) -> [[DMat3; 4]; 4] {
    let mut blocks = [[DMat3::ZERO; 4]; 4];
    for (eigenvalue, q) in modes {
        if kind == HessianKind::PositiveSemidefinite && *eigenvalue <= 0.0 {
            continue;
        }
        let qb = b.map(|b| *q * b);
        for i in 0..4 {
            let scaled = qb[i] * *eigenvalue;
            for j in 0..=i {
                blocks[i][j] += outer(scaled, qb[j]);
            }
        }
    }
    blocks
}

impl<M: Hyperelastic> Energy for Tetrahedra<M> {
    fn name(&self) -> &str {
        M::NAME
    }

    fn value(&self, at: Pose, work: &mut Work) -> f64 {
        self.batch.value(&self.material, &self.rest, at.x, work)
    }

    fn gradient(&self, at: Pose, work: &mut Work, gradient: &mut [DVec3]) -> f64 {
        self.batch.gradient(&self.material, &self.rest, at.x, work, gradient)
    }

    fn hessian(&self, at: Pose, kind: HessianKind, add: &mut dyn FnMut(u32, u32, DMat3)) {
        for (block, rest) in self.rest.iter().enumerate() {
            let decompositions = dispatch(Decompose { rest, x: self.batch.positions(block, at.x) });
            for (e, decomposition) in self.batch.elements(block).iter().zip(&decompositions) {
                let &Some(e) = e else { continue };
                let (corners, (b, lame)) = (self.batch.corners(e), self.element_constants(e));
                let blocks = blocks_of_hessian(&modes_at(&self.material, decomposition, lame), &b, kind);
                for i in 0..4 {
                    for j in 0..=i {
                        add(corners[i], corners[j], blocks[i][j]);
                    }
                }
            }
        }
    }

    fn laplacian(&self, add: &mut dyn FnMut(u32, u32, f64)) {
        for e in 0..self.batch.len() {
            let (corners, (b, lame)) = (self.batch.corners(e), self.element_constants(e));
            let weight = self.material.projective_weight(lame);
            for i in 0..4 {
                for j in 0..=i {
                    add(corners[i], corners[j], weight * b[i].dot(b[j]));
                }
            }
        }
    }

    fn projective(&self) -> Projective {
        M::PROJECTIVE
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

/// C = F − p with p chosen so that C/compliance = V·P(F): for corotated and ARAP the projection of F.
impl<M: Hyperelastic> CompliantElements for Tetrahedra<M> {
    fn len(&self) -> usize {
        self.batch.len()
    }

    fn element(&self, e: usize, at: Pose) -> ElementStress {
        let (corners, (b, lame)) = (self.batch.corners(e), self.element_constants(e));
        let x = corners.map(|v| at.x[v as usize]);
        let f = outer(x[1] - x[0], b[1]) + outer(x[2] - x[0], b[2]) + outer(x[3] - x[0], b[3]);
        let (energy, stress) = dispatch(Stress { material: &self.material, f, lame });
        ElementStress { corners, b, energy, stress, stiffness: self.material.tangent_bound(&f, lame) }
    }
}
