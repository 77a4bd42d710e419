//! Builds a model from bodies, pins, attachments and forces, and reports everything that is wrong with them.
//!
//! [`ModelBuilder::build`] is a list of passes, each of which reads the results of those before it:
//! bodies → bones → pins → attachments → components → potentials → skeleton → skin.

use super::bodies::Parts;
use super::components::{Pieces, connected_components};
use super::potentials::{Sources, laplacian, own_stencils};
use super::validate::{check_colliders, check_contact};
use super::{ContactSetup, Forces, Initial, Model, ModelError};
use crate::body::Body;
use crate::contact::{Collider, ContactLaw};
use crate::controls::Controls;
use crate::dofs::Dofs;
use crate::energy::{AttachmentSpring, Energy};
use crate::ids::{AttachmentId, BodyId, BoneId, ColliderId, JointId};
use crate::skeleton::{
    Bone, Joint,
    draft::{Draft, Knowledge, Points, check_joints, draft, skeleton},
};
use crate::topology::Topology;
use glam::DVec3;
use std::ops::Range;

/// Collects the parts of a [`Model`].
///
/// Methods chain. Those that begin with `add_` do the same as their namesakes and return the id of the part that they added.
///
/// ```
/// use sinew::{Body, DVec3, Model, SpringLaw};
/// let rope = Body::new("rope", vec![DVec3::ZERO, DVec3::X]).springs(vec![[0, 1]], SpringLaw::Hookean, 1e3).total_mass(1.0);
/// let model = Model::builder().body(rope).pin(0).gravity(DVec3::new(0.0, -9.81, 0.0)).build()?;
/// assert_eq!(model.vertex_count(), 2);
/// # Ok::<(), sinew::ModelError>(())
/// ```
#[derive(Debug, Default)]
pub struct ModelBuilder {
    bodies: Vec<Body>,
    /// Range of the vertices of each body in the model.
    ranges: Vec<Range<usize>>,
    pins: Vec<usize>,
    attachments: Vec<Attachment>,
    gravity: DVec3,
    own: Vec<Box<dyn Energy>>,
    colliders: Vec<Collider>,
    contact: Option<ContactLaw>,
    air: f64,
    grabs: bool,
    bones: Vec<Bone>,
    /// The bones that are rigid bodies.
    rigid: Vec<usize>,
    joints: Vec<Joint>,
}

/// An attachment as the user describes it.
#[derive(Clone, Copy, Debug)]
struct Attachment {
    vertex: usize,
    stiffness: f64,
    /// `None`: the initial position of the vertex.
    target: Option<DVec3>,
}

impl ModelBuilder {
    /// Adds a body. Its vertices follow those of the bodies added before it. A rigid body is also a bone.
    pub fn body(&mut self, body: Body) -> &mut Self {
        self.add_body(body);
        self
    }

    /// As [`Self::body`]; returns the id of the body.
    pub fn add_body(&mut self, body: Body) -> BodyId {
        let first = self.vertex_count();
        let vertices = first..first + body.rest.len();
        if body.rigid {
            self.rigid.push(self.bones.len());
            self.bones.push(Bone::new(body.name.clone(), vertices.clone().collect()));
        }
        self.bodies.push(body);
        self.ranges.push(vertices);
        BodyId(self.bodies.len() - 1)
    }

    /// Adds a body and makes it rigid; returns the id of its bone.
    pub fn add_rigid(&mut self, body: Body) -> BoneId {
        self.add_body(body.rigid());
        BoneId(self.bones.len() - 1)
    }

    /// Number of vertices so far.
    pub fn vertex_count(&self) -> usize {
        self.ranges.last().map_or(0, |range| range.end)
    }

    /// The vertices of a body in the model; empty if there is no such body.
    pub fn vertices_of(&self, body: BodyId) -> Range<usize> {
        self.ranges.get(body.0).cloned().unwrap_or_default()
    }

    /// Adds a bone: makes its vertices move rigidly.
    pub fn bone(&mut self, bone: Bone) -> &mut Self {
        self.add_bone(bone);
        self
    }

    /// As [`Self::bone`]; returns the id of the bone.
    pub fn add_bone(&mut self, bone: Bone) -> BoneId {
        self.bones.push(bone);
        BoneId(self.bones.len() - 1)
    }

    /// Makes a bone kinematic: it stays where it is until [`Controls::move_bone`] moves it.
    pub fn kinematic(&mut self, bone: BoneId) -> &mut Self {
        if let Some(bone) = self.bones.get_mut(bone.0) {
            bone.kinematic = true;
        }
        self
    }

    /// Adds a joint.
    pub fn joint(&mut self, joint: Joint) -> &mut Self {
        self.add_joint(joint);
        self
    }

    /// As [`Self::joint`]; returns the id of the joint.
    pub fn add_joint(&mut self, joint: Joint) -> JointId {
        self.joints.push(joint);
        JointId(self.joints.len() - 1)
    }

    /// Pins a vertex of the model: it keeps its initial position.
    pub fn pin(&mut self, vertex: usize) -> &mut Self {
        self.pins.push(vertex);
        self
    }

    /// Pulls a vertex of the model to a target with a spring of `stiffness` N/m. Without a target, to its initial position.
    /// [`Controls::move_target`] moves the target.
    pub fn attach(&mut self, vertex: usize, stiffness: f64, target: Option<DVec3>) -> &mut Self {
        self.add_attachment(vertex, stiffness, target);
        self
    }

    /// As [`Self::attach`]; returns the id of the attachment.
    pub fn add_attachment(&mut self, vertex: usize, stiffness: f64, target: Option<DVec3>) -> AttachmentId {
        self.attachments.push(Attachment { vertex, stiffness, target });
        AttachmentId(self.attachments.len() - 1)
    }

    /// Sets uniform gravity, m/s². Zero by default.
    pub fn gravity(&mut self, acceleration: DVec3) -> &mut Self {
        self.gravity = acceleration;
        self
    }

    /// Adds a solid that bodies collide with. [`Controls::move_collider`] moves it.
    pub fn collider(&mut self, collider: Collider) -> &mut Self {
        self.add_collider(collider);
        self
    }

    /// As [`Self::collider`]; returns the id of the collider.
    pub fn add_collider(&mut self, collider: Collider) -> ColliderId {
        self.colliders.push(collider);
        ColliderId(self.colliders.len() - 1)
    }

    /// Sets the contact law. Without it bodies pass through each other, and colliders use the default law.
    pub fn contact(&mut self, law: ContactLaw) -> &mut Self {
        self.contact = Some(law);
        self
    }

    /// Allows grabs while a simulation runs: see [`Controls::grab`].
    pub fn grabs(&mut self) -> &mut Self {
        self.grabs = true;
        self
    }

    /// Sets the density of the air times the drag coefficient of surfaces, kg/m³, for wind and air resistance. Default: zero.
    pub fn air(&mut self, density: f64) -> &mut Self {
        self.air = density;
        self
    }

    /// Adds a user-defined potential.
    pub fn energy(&mut self, energy: impl Energy + 'static) -> &mut Self {
        self.own.push(Box::new(energy));
        self
    }

    /// Validates everything and builds the model. The builder is empty afterwards.
    pub fn build(&mut self) -> Result<Model, ModelError> {
        std::mem::take(self).assemble()
    }

    fn assemble(self) -> Result<Model, ModelError> {
        self.check_surroundings()?;
        let mut parts = Parts::of(self.bodies)?;
        check_joints(&self.bones, &self.joints)?;
        let vertices = parts.masses.len();
        let mut pinned = pinned_vertices(&self.pins, vertices)?;
        let draft = drafted_bones(&mut parts, &self.bones, &self.joints, &self.rigid)?;
        hold_kinematic(&draft, &mut pinned, parts.masses.len())?;
        let (springs, targets) = attachment_springs(&self.attachments, &parts.positions)?;
        let placements = self.colliders.iter().map(|collider| collider.placement).collect();
        let controls =
            Controls::new(targets, placements, draft.placements()).with_muscles(parts.muscles.len());

        let own_stencils = own_stencils(&self.own, &parts.positions, &controls)?;
        // Joints and bones connect vertices into one component.
        let rigid_stencils = draft.stencils(&self.joints);
        let (mut components, labels) = connected_components(&Pieces {
            rest: &parts.rest,
            masses: &parts.masses,
            elements: &parts.elements,
            stencils: [&own_stencils, &rigid_stencils],
            pinned: &pinned,
            springs: &springs,
        });
        let law = self.contact.or_else(|| (!self.colliders.is_empty()).then(ContactLaw::default));
        let sources = Sources {
            elements: parts.elements,
            masses: &parts.masses,
            gravity: self.gravity,
            springs: &springs,
            grabs: self.grabs,
            own: self.own,
            own_stencils: &own_stencils,
        };
        let energies = sources.distribute(&labels, &mut components);
        let laplacian = laplacian(&energies, parts.masses.len())?;
        for component in &mut components {
            component.stiffness = component.vertices.iter().map(|&i| laplacian.diagonal(i as usize)).sum();
        }
        let flesh = (0..vertices).filter(|&i| !pinned[i] && draft.of_vertex[i].is_none()).count();
        let skeleton = skeleton(draft, &self.joints, &labels, flesh);
        for articulation in skeleton.articulations.iter().filter(|a| a.is_grounded()) {
            components[articulation.component].supported = true;
            components[articulation.component].grounded = true;
        }
        let topology = Topology {
            bodies: parts.bodies,
            components,
            labels,
            vertices,
            rest: parts.rest,
            size: parts.size,
            attached: springs.iter().map(|s| s.vertex).collect(),
        };
        Ok(Model {
            dofs: Dofs::with_bones(&pinned, &skeleton.bones),
            masses: parts.masses,
            energies,
            laplacian,
            muscles: parts.muscles,
            topology,
            skeleton,
            contact: ContactSetup { law, colliders: self.colliders, surfaces: parts.laws },
            forces: Forces { gravity: self.gravity, air: self.air, grabs: self.grabs },
            initial: Initial { positions: parts.positions, velocities: parts.velocities, controls },
        })
    }

    fn check_surroundings(&self) -> Result<(), ModelError> {
        if self.bodies.is_empty() {
            return Err(ModelError::Empty);
        }
        if !self.gravity.is_finite() {
            return Err(ModelError::Gravity(self.gravity));
        }
        check_colliders(&self.colliders)?;
        self.contact.as_ref().map_or(Ok(()), check_contact)?;
        if !(self.air >= 0.0 && self.air.is_finite()) {
            return Err(ModelError::Air(self.air));
        }
        Ok(())
    }
}

fn pinned_vertices(pins: &[usize], vertices: usize) -> Result<Vec<bool>, ModelError> {
    let mut pinned = vec![false; vertices];
    for (index, &vertex) in pins.iter().enumerate() {
        *pinned.get_mut(vertex).ok_or(ModelError::Vertex { what: "pin", index, vertex, vertices })? = true;
    }
    Ok(pinned)
}

/// Computes the masses of the bones and removes elements that can no longer deform; assigns the mass points to bodies.
fn drafted_bones(
    parts: &mut Parts,
    bones: &[Bone],
    joints: &[Joint],
    rigid: &[usize],
) -> Result<Draft, ModelError> {
    let given = parts.given_by_bone(rigid, bones.len());
    let knowledge = Knowledge { tetrahedra: &parts.tetrahedra, given: &given };
    let mut points = Points {
        rest: &mut parts.rest,
        positions: &mut parts.positions,
        velocities: &mut parts.velocities,
        masses: &mut parts.masses,
    };
    let draft = draft(bones, joints, &mut points, &knowledge)?;
    let mut placed = vec![false; draft.bones.len()];
    for (body, &id) in parts.bodies.iter_mut().filter(|b| b.rigid).zip(rigid) {
        let bone = draft.ids[id];
        if !std::mem::replace(&mut placed[bone], true) {
            body.mass_points.extend(draft.bones[bone].mass_points());
        }
    }
    for (bone, placed) in draft.bones.iter().zip(placed) {
        let first = bone.points[0] as usize;
        if let Some(body) = parts.bodies.iter_mut().find(|b| !placed && b.vertices.contains(&first)) {
            body.mass_points.extend(bone.mass_points());
        }
    }
    parts.elements.iter_mut().for_each(|batch| batch.leave_out(&draft.of_vertex));
    Ok(draft)
}

/// Marks the points of kinematic bones as pinned. A pinned vertex cannot be on a bone, and at least one point must be free.
fn hold_kinematic(draft: &Draft, pinned: &mut Vec<bool>, points: usize) -> Result<(), ModelError> {
    for (vertex, bone) in draft.of_vertex.iter().enumerate() {
        if let Some(bone) = bone.filter(|_| pinned[vertex]) {
            let bone = draft.bones[bone as usize].name.clone();
            return Err(ModelError::PinnedBone { bone, vertex });
        }
    }
    pinned.resize(points, false);
    for bone in draft.bones.iter().filter(|b| b.kinematic) {
        bone.points.iter().for_each(|&i| pinned[i as usize] = true);
    }
    if pinned.iter().all(|&p| p) { Err(ModelError::NothingFree) } else { Ok(()) }
}

fn attachment_springs(
    attachments: &[Attachment],
    positions: &[DVec3],
) -> Result<(Vec<AttachmentSpring>, Vec<DVec3>), ModelError> {
    let vertices = positions.len();
    let mut springs = Vec::new();
    let mut targets = Vec::new();
    for (index, &Attachment { vertex, stiffness, target }) in attachments.iter().enumerate() {
        let missing = ModelError::Vertex { what: "attachment", index, vertex, vertices };
        let target = target.unwrap_or(*positions.get(vertex).ok_or(missing)?);
        if !(stiffness > 0.0 && stiffness.is_finite()) {
            let what = format!("stiffness must be positive and finite, is {stiffness} N/m");
            return Err(ModelError::Attachment { index, what });
        }
        if !target.is_finite() {
            let what = format!("target must be finite, is {target}");
            return Err(ModelError::Attachment { index, what });
        }
        springs.push(AttachmentSpring { vertex: vertex as u32, target: index as u32, stiffness });
        targets.push(target);
    }
    Ok((springs, targets))
}
