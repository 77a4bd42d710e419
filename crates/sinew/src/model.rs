//! Model: mesh, masses, energies and degrees of freedom. Immutable, validated once, shared.

mod bones;
mod builder;
mod components;
mod elements;
mod error;
mod validate;

pub use builder::ModelBuilder;
pub(crate) use components::Component;
pub use error::ModelError;

use crate::contact::{Collider, ContactLaw, Skin};
use crate::dofs::Dofs;
use crate::energy::{Energy, Pose, Work};
use crate::ids::BoneId;
use crate::skeleton::Skeleton;
use crate::sparse::SymmetricMatrix;
use glam::DVec3;
use std::ops::Range;

/// A body inside a model: its share of the vertices.
#[derive(Clone, Debug)]
pub struct BodyInfo {
    /// Its name.
    pub name: String,
    /// Its vertices.
    pub vertices: Range<usize>,
    /// Number of tetrahedra and springs.
    pub elements: usize,
    /// Triangles of its surface, outward oriented for solids, indices of the whole model.
    pub surface: Vec<[u32; 3]>,
    /// Its tetrahedra, indices of the whole model.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Whether it never deforms.
    pub rigid: bool,
    /// Its springs, indices of the whole model.
    pub springs: Vec<[u32; 2]>,
    /// Mass points of the bones that it begins with a vertex of, or is.
    pub(crate) mass_points: Vec<u32>,
}

/// Everything that does not change while a simulation runs.
#[derive(Debug)]
pub struct Model {
    pub(crate) masses: Vec<f64>,
    pub(crate) dofs: Dofs,
    pub(crate) energies: Vec<Box<dyn Energy>>,
    pub(crate) components: Vec<Component>,
    /// Acceleration, m/s².
    pub(crate) gravity: DVec3,
    /// Σ w GᵀG over the energies, in vertices; energies without such a form do not contribute.
    pub(crate) laplacian: SymmetricMatrix,
    pub(crate) rest: Vec<DVec3>,
    pub(crate) initial_positions: Vec<DVec3>,
    pub(crate) initial_velocities: Vec<DVec3>,
    pub(crate) initial_targets: Vec<DVec3>,
    pub(crate) attached: Vec<u32>,
    pub(crate) colliders: Vec<Collider>,
    /// How bodies touch; `None`: they do not.
    pub(crate) contact: Option<ContactLaw>,
    /// Density of air times drag coefficient, kg/m³.
    pub(crate) air: f64,
    /// Whether hands can take hold.
    pub(crate) hands: bool,
    /// What can touch.
    pub(crate) skin: Skin,
    /// The component of each vertex.
    pub(crate) labels: Vec<u32>,
    /// Extent of the largest body at rest, metres: the scale of lengths.
    pub(crate) size: f64,
    pub(crate) bodies: Vec<BodyInfo>,
    pub(crate) joints: usize,
    pub(crate) skeleton: Skeleton,
    /// Number of vertices of bodies; the mass points of bones follow them.
    pub(crate) visible: usize,
}

impl Model {
    /// Starts an empty model.
    pub fn builder() -> ModelBuilder {
        ModelBuilder::default()
    }

    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.visible
    }

    /// Number of points: the vertices, and the mass points of bones behind them.
    pub(crate) fn points(&self) -> usize {
        self.masses.len()
    }

    /// Number of tetrahedra and springs.
    pub fn elements(&self) -> usize {
        self.bodies.iter().map(|b| b.elements).sum()
    }

    /// Mass of each vertex, kg, #V. Vertices on bones carry a part of the bone's mass only: see [`Self::bone_mass`].
    pub fn masses(&self) -> &[f64] {
        &self.masses[..self.visible]
    }

    /// Mass of a bone, kg, with what is welded to it.
    pub fn bone_mass(&self, bone: BoneId) -> Option<f64> {
        Some(self.skeleton.bones[*self.skeleton.ids.get(bone.0)?].mass)
    }

    /// Rest places of the vertices, metres, #V.
    pub fn rest(&self) -> &[DVec3] {
        &self.rest[..self.visible]
    }

    /// The bodies in the order in which they were added.
    pub fn bodies(&self) -> &[BodyInfo] {
        &self.bodies
    }

    /// What is free to move.
    pub fn dofs(&self) -> &Dofs {
        &self.dofs
    }

    /// The vertices that attachments hold, in the order of the targets.
    pub fn attached(&self) -> &[u32] {
        &self.attached
    }

    /// Number of rigid bones.
    pub fn bones(&self) -> usize {
        self.skeleton.ids.len()
    }

    /// The bone that each vertex is on, #V; bones that are welded together are one.
    pub fn bone_of(&self) -> Vec<Option<usize>> {
        let mut bone_of = vec![None; self.visible];
        for (number, bone) in self.skeleton.bones.iter().enumerate() {
            let vertices = bone.points.iter().map(|&i| i as usize).filter(|&i| i < self.visible);
            vertices.for_each(|i| bone_of[i] = Some(number));
        }
        bone_of
    }

    /// Number of joints.
    pub fn joints(&self) -> usize {
        self.joints
    }

    /// The colliders in the order in which they were added.
    pub fn colliders(&self) -> &[Collider] {
        &self.colliders
    }

    /// How bodies touch; `None` where nothing does.
    pub fn contact(&self) -> Option<&ContactLaw> {
        self.contact.as_ref()
    }

    /// Extent of the largest body at rest, metres.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Names of the potentials, one per batch; several batches may share a name.
    pub fn potential_names(&self) -> impl Iterator<Item = &str> {
        self.energies.iter().map(|e| e.name())
    }

    /// Whether nothing outside acts on the bodies, so that their total momenta are conserved.
    pub fn is_isolated(&self) -> bool {
        let pinned = (0..self.points()).any(|i| self.dofs.is_pinned(i));
        let grounded = self.components.iter().any(|component| component.grounded);
        !pinned && !grounded && !self.energies.iter().any(|e| e.external())
    }
}

/// Evaluates all energies of a model with memory of its own.
#[derive(Debug)]
pub(crate) struct Evaluator {
    work: Vec<Work>,
}

impl Evaluator {
    pub fn new(model: &Model) -> Self {
        Self { work: model.energies.iter().map(|e| e.work_size()).collect() }
    }

    /// E at a pose.
    pub fn value(&mut self, model: &Model, at: Pose) -> f64 {
        model.energies.iter().zip(&mut self.work).map(|(e, w)| e.value(at, w)).sum()
    }

    /// E of each batch.
    pub fn values(&mut self, model: &Model, at: Pose, out: &mut [f64]) {
        for ((e, w), out) in model.energies.iter().zip(&mut self.work).zip(out) {
            *out = e.value(at, w);
        }
    }

    /// E of one component; the value of each of its batches is written to `out`, which has a place for every batch.
    pub fn component_value(
        &mut self,
        model: &Model,
        component: &Component,
        at: Pose,
        out: &mut [f64],
    ) -> f64 {
        let mut sum = 0.0;
        for &k in &component.energies {
            out[k] = model.energies[k].value(at, &mut self.work[k]);
            sum += out[k];
        }
        sum
    }

    /// ∇E of one component; only its vertices in `gradient` are overwritten.
    pub fn component_gradient(
        &mut self,
        model: &Model,
        component: &Component,
        at: Pose,
        gradient: &mut [DVec3],
    ) {
        for &i in &component.vertices {
            gradient[i as usize] = DVec3::ZERO;
        }
        for &k in &component.energies {
            model.energies[k].gradient(at, &mut self.work[k], gradient);
        }
    }

    /// E and ∇E of one component in one pass; values as in [`Self::component_value`], gradient as in
    /// [`Self::component_gradient`].
    pub fn component_value_and_gradient(
        &mut self,
        model: &Model,
        component: &Component,
        at: Pose,
        out: &mut [f64],
        gradient: &mut [DVec3],
    ) -> f64 {
        for &i in &component.vertices {
            gradient[i as usize] = DVec3::ZERO;
        }
        let mut sum = 0.0;
        for &k in &component.energies {
            out[k] = model.energies[k].gradient(at, &mut self.work[k], gradient);
            sum += out[k];
        }
        sum
    }

    /// Adds the gradient of one batch.
    pub fn add_gradient_of(&mut self, model: &Model, index: usize, at: Pose, gradient: &mut [DVec3]) {
        model.energies[index].gradient(at, &mut self.work[index], gradient);
    }

    /// E and ∇E; `gradient` is overwritten.
    pub fn gradient(&mut self, model: &Model, at: Pose, gradient: &mut [DVec3]) -> f64 {
        gradient.fill(DVec3::ZERO);
        model.energies.iter().zip(&mut self.work).map(|(e, w)| e.gradient(at, w, gradient)).sum()
    }
}
