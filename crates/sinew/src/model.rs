//! Model: mesh, masses, energies and degrees of freedom. Validated once, then immutable and shared.

mod bodies;
mod builder;
mod components;
mod elements;
pub(crate) mod error;
mod evaluator;
mod grab;
mod potentials;
mod validate;

pub use builder::ModelBuilder;
pub use error::ModelError;
pub(crate) use evaluator::Evaluator;

use crate::contact::{Collider, ContactLaw, SurfaceLaw};
use crate::controls::Controls;
use crate::dofs::{Dofs, Slot};
use crate::energy::{CompliantForm, Energy, Pose};
use crate::ids::BoneId;
use crate::skeleton::{Articulation, Skeleton};
use crate::sparse::SymmetricMatrix;
use crate::topology::{BodyInfo, MuscleInfo, Topology};
use glam::DVec3;

/// Everything that does not change while a simulation runs.
#[derive(Debug)]
pub struct Model {
    /// Masses of the vertices, followed by those of the mass points of bones, kg.
    pub(crate) masses: Vec<f64>,
    pub(crate) dofs: Dofs,
    pub(crate) energies: Vec<Box<dyn Energy>>,
    /// Σ w GᵀG over the energies, per vertex; energies without such a form do not contribute.
    pub(crate) laplacian: SymmetricMatrix,
    pub(crate) topology: Topology,
    pub(crate) muscles: Vec<MuscleInfo>,
    pub(crate) skeleton: Skeleton,
    pub(crate) contact: ContactSetup,
    pub(crate) forces: Forces,
    pub(crate) initial: Initial,
}

/// The constant data of contact.
#[derive(Debug)]
pub(crate) struct ContactSetup {
    /// `None`: nothing collides.
    pub law: Option<ContactLaw>,
    pub colliders: Vec<Collider>,
    /// Friction and restitution that each body has of its own.
    pub surfaces: Vec<SurfaceLaw>,
}

/// Forces that act on all bodies.
#[derive(Debug)]
pub(crate) struct Forces {
    /// Gravitational acceleration, m/s².
    pub gravity: DVec3,
    /// Density of air times drag coefficient, kg/m³.
    pub air: f64,
    /// Whether points can be grabbed.
    pub grabs: bool,
}

/// The initial state of a simulation.
#[derive(Debug)]
pub(crate) struct Initial {
    pub positions: Vec<DVec3>,
    pub velocities: Vec<DVec3>,
    pub controls: Controls,
}

impl Model {
    /// Creates an empty builder.
    pub fn builder() -> ModelBuilder {
        ModelBuilder::default()
    }

    /// Number of vertices, #V.
    pub fn vertex_count(&self) -> usize {
        self.topology.vertices
    }

    /// Number of points: the vertices, followed by the mass points of bones.
    pub(crate) fn points(&self) -> usize {
        self.masses.len()
    }

    /// Number of tetrahedra and springs.
    pub fn element_count(&self) -> usize {
        self.topology.bodies.iter().map(|b| b.elements).sum()
    }

    /// Mass of each vertex, kg, #V. Vertices on bones carry only a part of the bone's mass: see [`Self::bone_mass`].
    pub fn masses(&self) -> &[f64] {
        &self.masses[..self.topology.vertices]
    }

    /// Mass of a bone, kg, including the bones welded to it; `None` if there is no such bone.
    pub fn bone_mass(&self, bone: BoneId) -> Option<f64> {
        Some(self.skeleton.bones[*self.skeleton.ids.get(bone.0)?].mass)
    }

    /// Rest positions of the vertices, metres, #V.
    pub fn rest(&self) -> &[DVec3] {
        &self.topology.rest[..self.topology.vertices]
    }

    /// The bodies in the order in which they were added.
    pub fn bodies(&self) -> &[BodyInfo] {
        &self.topology.bodies
    }

    /// Calls `add` with the corners (vertex indices of the model) and the elastic energy, J, of each tetrahedron at positions `x`, #V, with the muscles as `controls` have them. Tetrahedra that are
    /// part of a bone have none and are left out.
    pub fn tetrahedron_energies(&self, x: &[DVec3], controls: &Controls, mut add: impl FnMut([u32; 4], f64)) {
        let at = Pose::new(x, controls);
        for energy in &self.energies {
            if let Some(CompliantForm::Elements(elements)) = energy.compliant() {
                for e in 0..elements.len() {
                    let element = elements.element(e, at);
                    add(element.corners, element.energy);
                }
            }
        }
    }

    /// Whether a vertex is not free: pinned, or on a kinematic bone.
    pub fn is_held(&self, vertex: usize) -> bool {
        vertex < self.topology.vertices && self.dofs.is_pinned(vertex)
    }

    /// The attached vertices, in the order of the attachments.
    pub fn attached(&self) -> &[u32] {
        &self.topology.attached
    }

    /// Number of rigid bones.
    pub fn bone_count(&self) -> usize {
        self.skeleton.ids.len()
    }

    /// The bone of each vertex, #V; bones that are welded together count as one.
    pub fn bone_of_vertices(&self) -> Vec<Option<usize>> {
        let mut bone_of = vec![None; self.topology.vertices];
        for (number, bone) in self.skeleton.bones.iter().enumerate() {
            let vertices = bone.points.iter().map(|&i| i as usize).filter(|&i| i < self.topology.vertices);
            vertices.for_each(|i| bone_of[i] = Some(number));
        }
        bone_of
    }

    /// The muscles, in the order of their [`MuscleId`](crate::MuscleId)s.
    pub fn muscles(&self) -> &[MuscleInfo] {
        &self.muscles
    }

    /// Number of joints.
    pub fn joint_count(&self) -> usize {
        self.skeleton.joints.len()
    }

    /// The colliders in the order in which they were added.
    pub fn colliders(&self) -> &[Collider] {
        &self.contact.colliders
    }

    /// The contact law; `None` if nothing collides.
    pub fn contact_law(&self) -> Option<&ContactLaw> {
        self.contact.law.as_ref()
    }

    /// Extent of the largest body at rest, metres.
    pub fn size(&self) -> f64 {
        self.topology.size
    }

    /// Names of the potentials, one per batch; several batches may share a name.
    pub fn potential_names(&self) -> impl Iterator<Item = &str> {
        self.energies.iter().map(|e| e.name())
    }

    /// Whether nothing external acts on the bodies, so that their total momenta are conserved.
    pub fn is_isolated(&self) -> bool {
        let pinned = (0..self.points()).any(|i| self.dofs.is_pinned(i));
        let grounded = self.topology.components.iter().any(|component| component.grounded);
        !pinned && !grounded && !self.energies.iter().any(|e| e.external())
    }
}

impl Model {
    /// The bone of an articulation that is a rigid body by itself: no joint, no flesh and no spring holds it.
    pub(crate) fn loose_bone(&self, articulation: &Articulation) -> Option<usize> {
        let held = |&i: &u32| {
            let on_bone = matches!(self.dofs.slots()[i as usize], Slot::Bone { .. });
            !on_bone || self.laplacian.diagonal(i as usize) != 0.0
        };
        let &[bone] = &articulation.bones[..] else { return None };
        let vertices = &self.topology.components[articulation.component].vertices;
        let alone = articulation.coordinates == 2 && !articulation.has_rows();
        (alone && !vertices.iter().any(held)).then_some(bone)
    }

    /// Whether it is nothing but rigid bodies that only contacts hold.
    pub(crate) fn is_all_loose(&self) -> bool {
        let loose = self.skeleton.articulations.iter().filter_map(|a| self.loose_bone(a));
        self.topology.components.len() == loose.count()
    }
}
