//! A batch of linear tetrahedra of one material: E = Σ V Ψ(F).

use super::batch::{Batch, Element};
use super::compliant::{CompliantElements, CompliantForm, ElementStress};
use super::hyperelastic::{Hyperelastic, Lame, modes_at};
use super::{Energy, HessianKind, Pose, Projective, Work};
use crate::mesh::RestTetrahedron;
use glam::{DMat3, DVec3};

/// Elastic energy of a tetrahedral body.
#[derive(Clone, Debug)]
pub(crate) struct Tetrahedra<M> {
    batch: Batch<4>,
    kernel: Kernel<M>,
}

#[derive(Clone, Debug)]
struct Kernel<M> {
    material: M,
    rest: Vec<RestTetrahedron>,
    lame: Vec<Lame>,
}

impl<M: Hyperelastic> Tetrahedra<M> {
    /// Corners #T by 4, rest shapes and Lamé parameters #T; validated by the model.
    pub fn new(material: M, corners: Vec<[u32; 4]>, rest: Vec<RestTetrahedron>, lame: Vec<Lame>) -> Self {
        Self { batch: Batch::new(corners), kernel: Kernel { material, rest, lame } }
    }
}

impl<M: Hyperelastic> Element<4> for Kernel<M> {
    fn value(&self, e: usize, x: &[DVec3; 4]) -> f64 {
        let rest = &self.rest[e];
        rest.volume * self.material.density(&rest.deformation_gradient(x), self.lame[e])
    }

    fn gradient(&self, e: usize, x: &[DVec3; 4]) -> (f64, [DVec3; 4]) {
        let rest = &self.rest[e];
        let (density, stress) = self.material.stress(&rest.deformation_gradient(x), self.lame[e]);
        (rest.volume * density, rest.nodal(&stress))
    }

    /// Block (a, b) = V Σ_k e_k (Q_k bₐ)(Q_k b_b)ᵀ over the modes (e_k, Q_k) of ∂²Ψ/∂F².
    fn hessian(&self, e: usize, x: &[DVec3; 4], kind: HessianKind) -> [[DMat3; 4]; 4] {
        let rest = &self.rest[e];
        let mut blocks = [[DMat3::ZERO; 4]; 4];
        for (eigenvalue, q) in modes_at(&self.material, &rest.deformation_gradient(x), self.lame[e]) {
            if kind == HessianKind::PositiveSemidefinite && eigenvalue <= 0.0 {
                continue;
            }
            let qb = rest.b.map(|b| q * b);
            for a in 0..4 {
                let scaled = qb[a] * (rest.volume * eigenvalue);
                for b in 0..=a {
                    blocks[a][b] += crate::math::outer(scaled, qb[b]);
                }
            }
        }
        for a in 0..4 {
            for b in 0..a {
                blocks[b][a] = blocks[a][b].transpose();
            }
        }
        blocks
    }
}

impl<M: Hyperelastic> Energy for Tetrahedra<M> {
    fn name(&self) -> &str {
        M::NAME
    }

    fn value(&self, at: Pose, work: &mut Work) -> f64 {
        self.batch.value(&self.kernel, at.x, work)
    }

    fn gradient(&self, at: Pose, work: &mut Work, gradient: &mut [DVec3]) -> f64 {
        self.batch.gradient(&self.kernel, at.x, work, gradient)
    }

    fn hessian(&self, at: Pose, kind: HessianKind, add: &mut dyn FnMut(u32, u32, DMat3)) {
        self.batch.hessian(&self.kernel, at.x, kind, add);
    }

    fn laplacian(&self, add: &mut dyn FnMut(u32, u32, f64)) {
        for (e, corners) in self.batch.corners.iter().enumerate() {
            let rest = &self.kernel.rest[e];
            let weight = rest.volume * self.kernel.material.projective_weight(self.kernel.lame[e]);
            for a in 0..4 {
                for b in 0..=a {
                    add(corners[a], corners[b], weight * rest.b[a].dot(rest.b[b]));
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
        self.batch.corners.len()
    }

    fn element(&self, e: usize, at: Pose) -> ElementStress {
        let corners = self.batch.corners[e];
        let (rest, lame) = (&self.kernel.rest[e], self.kernel.lame[e]);
        let f = rest.deformation_gradient(&corners.map(|v| at.x[v as usize]));
        let (_, stress) = self.kernel.material.stress(&f, lame);
        ElementStress {
            corners,
            b: rest.b,
            stress: stress * rest.volume,
            stiffness: rest.volume * self.kernel.material.tangent_bound(&f, lame),
        }
    }
}
