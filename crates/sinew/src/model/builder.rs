//! Bodies, pins, attachments and forces become a model; everything wrong is found here.

use super::bones::{Knowledge, Points, check_joints, draft, skeleton};
use super::components::connected_components;
use super::elements::Elements;
use super::validate::{
    check_colliders, check_contact, check_corners, check_length, check_mass_properties, check_vectors,
    rest_shapes, spring_parameters,
};
use super::{BodyInfo, Model, ModelError};
use crate::body::Body;
use crate::contact::{Collider, ContactLaw, Skin};
use crate::dofs::Dofs;
use crate::energy::{AttachmentSpring, Attachments, Energy, Gravity, Hands, HessianKind, Pose, Touch};
use crate::ids::BoneId;
use crate::mesh::boundary_triangles;
use crate::skeleton::{Bone, Joint, MassProperties};
use crate::sparse::SymmetricMatrix;
use glam::DVec3;
use std::ops::Range;

/// Collects the parts of a [`Model`].
#[derive(Debug, Default)]
pub struct ModelBuilder {
    bodies: Vec<Body>,
    vertices: usize,
    pins: Vec<usize>,
    attachments: Vec<(usize, f64, Option<DVec3>)>,
    gravity: DVec3,
    own: Vec<Box<dyn Energy>>,
    colliders: Vec<Collider>,
    contact: Option<ContactLaw>,
    air: f64,
    hands: bool,
    bones: Vec<Bone>,
    /// Which of the bones are rigid bodies.
    rigid: Vec<usize>,
    joints: Vec<Joint>,
}

impl ModelBuilder {
    /// Adds a body and returns the range of its vertices in the model.
    pub fn body(&mut self, body: Body) -> Range<usize> {
        let first = self.vertices;
        self.vertices += body.rest.len();
        if body.rigid {
            self.rigid.push(self.bones.len());
            self.bones.push(Bone::new(body.name.clone(), (first..self.vertices).collect()));
        }
        self.bodies.push(body);
        first..self.vertices
    }

    /// Adds a rigid body and returns its bone.
    pub fn rigid(&mut self, body: Body) -> BoneId {
        self.body(body.rigid());
        BoneId(self.bones.len() - 1)
    }

    /// Makes vertices one rigid bone.
    pub fn bone(&mut self, bone: Bone) -> BoneId {
        self.bones.push(bone);
        BoneId(self.bones.len() - 1)
    }

    /// Makes a bone stay where it is, or go where [`State::move_bone`](crate::State::move_bone) puts it.
    pub fn kinematic(&mut self, bone: BoneId) -> &mut Self {
        if let Some(bone) = self.bones.get_mut(bone.0) {
            bone.kinematic = true;
        }
        self
    }

    /// Adds a joint and returns its number.
    pub fn joint(&mut self, joint: Joint) -> usize {
        self.joints.push(joint);
        self.joints.len() - 1
    }

    /// Holds a vertex of the model where it starts.
    pub fn pin(&mut self, vertex: usize) -> &mut Self {
        self.pins.push(vertex);
        self
    }

    /// Pulls a vertex of the model to a target with a spring of `stiffness` N/m; without a target, to where it
    /// starts. Returns the number by which [`State::move_target`](crate::State::move_target) knows it.
    pub fn attach(&mut self, vertex: usize, stiffness: f64, target: Option<DVec3>) -> usize {
        self.attachments.push((vertex, stiffness, target));
        self.attachments.len() - 1
    }

    /// Uniform gravity, m/s². Zero by default.
    pub fn gravity(&mut self, acceleration: DVec3) -> &mut Self {
        self.gravity = acceleration;
        self
    }

    /// Adds a solid that bodies collide with. Returns the number by which
    /// [`State::move_collider`](crate::State::move_collider) knows it.
    pub fn collider(&mut self, collider: Collider) -> usize {
        self.colliders.push(collider);
        self.colliders.len() - 1
    }

    /// How bodies touch. Without it bodies pass through each other, and colliders act by the default law.
    pub fn contact(&mut self, law: ContactLaw) -> &mut Self {
        self.contact = Some(law);
        self
    }

    /// Lets users take hold of points while it runs: see [`State::grab`](crate::State::grab).
    pub fn hands(&mut self) -> &mut Self {
        self.hands = true;
        self
    }

    /// Density of the air times the drag coefficient of surfaces, kg/m³: what makes wind push and air brake. Zero by
    /// default.
    pub fn air(&mut self, density: f64) -> &mut Self {
        self.air = density;
        self
    }

    /// Adds a potential of the user's own.
    pub fn energy(&mut self, energy: impl Energy + 'static) -> &mut Self {
        self.own.push(Box::new(energy));
        self
    }

    /// Validates everything and builds the model.
    pub fn build(self) -> Result<Model, ModelError> {
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
        let mut parts = Parts::default();
        for body in self.bodies {
            parts.add(body)?;
        }
        let visible = parts.masses.len();
        let mut pinned = pinned_vertices(&self.pins, visible)?;
        check_joints(&self.bones, &self.joints)?;
        let (given, motions) = parts.given_by_bone(&self.rigid, self.bones.len());
        let knowledge = Knowledge { tetrahedra: &parts.tetrahedra, given: &given, motions: &motions };
        let mut points = Points {
            rest: &mut parts.rest,
            positions: &mut parts.positions,
            velocities: &mut parts.velocities,
            masses: &mut parts.masses,
        };
        let draft = draft(&self.bones, &self.joints, &mut points, &knowledge)?;
        for (vertex, bone) in draft.of_vertex.iter().enumerate() {
            if let Some(bone) = bone.filter(|_| pinned[vertex]) {
                let bone = draft.bones[bone as usize].name.clone();
                return Err(ModelError::PinnedBone { bone, vertex });
            }
        }
        let rigid = parts.bodies.iter_mut().filter(|b| b.rigid).zip(&self.rigid);
        let mut placed = vec![false; draft.bones.len()];
        for (body, &id) in rigid {
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
        // Inside a bone nothing deforms.
        parts.elements.iter_mut().for_each(|batch| batch.leave_out(&draft.of_vertex));
        pinned.resize(parts.masses.len(), false);
        for bone in draft.bones.iter().filter(|b| b.kinematic) {
            bone.points.iter().for_each(|&i| pinned[i as usize] = true);
        }
        if pinned.iter().all(|&p| p) {
            return Err(ModelError::NothingFree);
        }
        let (springs, targets) = attachment_springs(&self.attachments, &parts.positions)?;

        let mut stencils = own_stencils(&self.own, &parts, &targets)?;
        let own = stencils.len();
        stencils.extend(draft.bones.iter().map(|bone| bone.points.clone()));
        // What joints connect is one piece.
        for joint in &self.joints {
            let ends = joint.bones.into_iter().flatten();
            stencils.push(ends.map(|id| draft.bones[draft.ids[id.0]].points[0]).collect());
        }
        let (mut components, labels) =
            connected_components((&parts.rest, &parts.masses), &parts.elements, &stencils, &pinned, &springs);
        let mut energies: Vec<(usize, Box<dyn Energy>)> = Vec::new();
        for batch in parts.elements {
            batch.split(&labels, &mut energies);
        }
        let contact = self.contact.or_else(|| (!self.colliders.is_empty()).then(ContactLaw::default));
        let mut gravity = vec![None; components.len()];
        let mut held = vec![Vec::new(); components.len()];
        for spring in &springs {
            held[labels[spring.vertex as usize] as usize].push(*spring);
        }
        for (c, component) in components.iter().enumerate() {
            if self.gravity != DVec3::ZERO {
                gravity[c] = Some(energies.len());
                energies.push((c, Box::new(Gravity::new(self.gravity, &parts.masses, &component.vertices))));
            }
            let held = std::mem::take(&mut held[c]);
            if !held.is_empty() {
                energies.push((c, Box::new(Attachments::new(held))));
            }
            if contact.is_some() {
                energies.push((c, Box::new(Touch::new(c, component.vertices.clone()))));
            }
            if self.hands {
                energies.push((c, Box::new(Hands::new(component.vertices.clone()))));
            }
        }
        let first_own = energies.len();
        for (energy, stencil) in self.own.into_iter().zip(&stencils[..own]) {
            let c = stencil.first().map_or(0, |&i| labels[i as usize] as usize);
            energies.push((c, energy));
        }
        for (batch, (c, energy)) in energies.iter().enumerate() {
            let component = &mut components[*c];
            component.energies.push(batch);
            if batch >= first_own && energy.external() {
                component.own_external.push(batch);
            }
            component.supported |= energy.external() && gravity[*c] != Some(batch);
        }
        let energies: Vec<_> = energies.into_iter().map(|(_, energy)| energy).collect();
        let laplacian = laplacian(&energies, parts.masses.len())?;
        for (c, component) in components.iter_mut().enumerate() {
            component.gravity.extend(gravity[c]);
            component.stiffness = component.vertices.iter().map(|&i| laplacian.diagonal(i as usize)).sum();
        }
        let on_bone = |i: usize| draft.of_vertex.get(i).is_some_and(Option::is_some);
        let flesh = (0..pinned.len()).filter(|&i| !pinned[i] && i < visible && !on_bone(i)).count();
        let skeleton = skeleton(draft, &self.joints, &labels, flesh);
        for articulation in skeleton.articulations.iter().filter(|a| a.is_grounded()) {
            components[articulation.component].supported = true;
            components[articulation.component].grounded = true;
        }
        let skin = contact.as_ref().map_or_else(Skin::default, |law| {
            let stiffness = |i| laplacian.diagonal(i);
            Skin::new(
                law,
                (&parts.bodies, &skeleton.bones),
                &components,
                (&parts.rest, &parts.masses),
                stiffness,
            )
        });
        Ok(Model {
            laplacian,
            dofs: Dofs::with_bones(&pinned, &skeleton.bones),
            skeleton,
            visible,
            energies,
            components,
            gravity: self.gravity,
            size: parts.size,
            initial_positions: parts.positions,
            initial_velocities: parts.velocities,
            initial_targets: targets,
            attached: springs.iter().map(|s| s.vertex).collect(),
            colliders: self.colliders,
            contact,
            air: self.air,
            hands: self.hands,
            skin,
            labels,
            rest: parts.rest,
            masses: parts.masses,
            bodies: parts.bodies,
            joints: self.joints.len(),
        })
    }
}

fn pinned_vertices(pins: &[usize], vertices: usize) -> Result<Vec<bool>, ModelError> {
    let mut pinned = vec![false; vertices];
    for (index, &vertex) in pins.iter().enumerate() {
        *pinned.get_mut(vertex).ok_or(ModelError::Vertex { what: "pin", index, vertex, vertices })? = true;
    }
    Ok(pinned)
}

fn attachment_springs(
    attachments: &[(usize, f64, Option<DVec3>)],
    positions: &[DVec3],
) -> Result<(Vec<AttachmentSpring>, Vec<DVec3>), ModelError> {
    let vertices = positions.len();
    let mut springs = Vec::new();
    let mut targets = Vec::new();
    for (index, &(vertex, stiffness, target)) in attachments.iter().enumerate() {
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

/// The vertices that each energy of the user's own touches, learnt from its Hessian.
fn own_stencils(
    own: &[Box<dyn Energy>],
    parts: &Parts,
    targets: &[DVec3],
) -> Result<Vec<Vec<u32>>, ModelError> {
    let pose = Pose::new(&parts.positions, targets);
    let mut stencils = Vec::new();
    for energy in own {
        let mut touched = Vec::new();
        energy.hessian(pose, HessianKind::PositiveSemidefinite, &mut |i, j, _| touched.extend([i, j]));
        if touched.is_empty() {
            // Without second derivatives nothing tells which vertices it acts on: it may be all.
            touched.extend(0..parts.masses.len() as u32);
        }
        touched.sort_unstable();
        touched.dedup();
        if let Some(&vertex) = touched.last().filter(|&&i| i as usize >= parts.masses.len()) {
            let name = energy.name().to_owned();
            return Err(ModelError::OwnEnergy { name, vertex, vertices: parts.masses.len() });
        }
        stencils.push(touched);
    }
    Ok(stencils)
}

fn laplacian(energies: &[Box<dyn Energy>], vertices: usize) -> Result<SymmetricMatrix, ModelError> {
    let mut entries = Vec::new();
    for energy in energies {
        let first = entries.len();
        energy.laplacian(&mut |i, j, weight| entries.push((i, j, weight)));
        let bad = |(i, j, w): &&(u32, u32, f64)| *i.max(j) as usize >= vertices || !w.is_finite();
        if let Some(&(i, j, weight)) = entries[first..].iter().find(bad) {
            let name = energy.name().to_owned();
            return Err(ModelError::Laplacian { name, i, j, weight });
        }
    }
    Ok(SymmetricMatrix::from_entries(vertices, &entries))
}

/// The model so far.
#[derive(Default)]
struct Parts {
    masses: Vec<f64>,
    rest: Vec<DVec3>,
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    elements: Vec<Elements>,
    bodies: Vec<BodyInfo>,
    /// Corners and mass of every tetrahedron.
    tetrahedra: Vec<([u32; 4], f64)>,
    /// What is given of each rigid body.
    given: Vec<(Option<MassProperties>, Option<RigidMotion>)>,
    size: f64,
}

/// Of every bone.
type Given = (Vec<Option<MassProperties>>, Vec<Option<RigidMotion>>);

/// Velocity of the centre of mass and angular velocity.
type RigidMotion = (DVec3, DVec3);

impl Parts {
    /// What is given of each bone, `rigid` being those that are rigid bodies.
    fn given_by_bone(&self, rigid: &[usize], bones: usize) -> Given {
        let (mut properties, mut motions) = (vec![None; bones], vec![None; bones]);
        for (&bone, given) in rigid.iter().zip(&self.given) {
            (properties[bone], motions[bone]) = *given;
        }
        (properties, motions)
    }

    fn add(&mut self, body: Body) -> Result<(), ModelError> {
        let n = body.rest.len();
        let first = self.rest.len();
        if n == 0 && body.mass_properties.is_none() {
            return Err(ModelError::NoVertices { body: body.name });
        }
        let positions = body.positions.unwrap_or_else(|| body.rest.clone());
        let velocities = body.velocities.unwrap_or_else(|| vec![DVec3::ZERO; n]);
        for (what, values) in
            [("rest position", &body.rest), ("position", &positions), ("velocity", &velocities)]
        {
            check_vectors(&body.name, what, values, n)?;
        }

        let mut masses = vec![0.0; n];
        if !body.point_masses.is_empty() {
            check_length(&body.name, "masses", body.point_masses.len(), n)?;
            masses.copy_from_slice(&body.point_masses);
        }
        let mut all_tets = Vec::new();
        let mut all_springs = Vec::new();
        for solid in body.solids {
            let rest = rest_shapes(&body.name, &body.rest, &solid)?;
            for ((t, shape), density) in solid.tetrahedra.iter().zip(&rest).zip(&solid.density) {
                for &v in t {
                    masses[v as usize] += 0.25 * density * shape.volume;
                }
                self.tetrahedra.push((t.map(|v| v + first as u32), density * shape.volume));
            }
            let corners: Vec<_> = solid.tetrahedra.iter().map(|t| t.map(|v| v + first as u32)).collect();
            all_tets.extend_from_slice(&corners);
            self.elements.push(Elements::Solid { law: solid.law, corners, rest, lame: solid.lame });
        }
        for net in body.nets {
            let parameters = spring_parameters(&body.name, &body.rest, &net)?;
            let ends: Vec<_> = net.ends.iter().map(|e| e.map(|v| v + first as u32)).collect();
            all_springs.extend_from_slice(&ends);
            self.elements.push(Elements::Net { law: net.law, ends, parameters });
        }
        if let Some(properties) = &body.mass_properties {
            check_mass_properties(&body.name, properties)?;
            masses.fill(properties.mass / n.max(1) as f64);
        }
        if let Some((linear, angular)) = body.rigid_velocity {
            if !body.rigid {
                return Err(ModelError::MassProperties {
                    body: body.name,
                    what: "only a rigid body has a rigid velocity; give velocities of its vertices"
                        .to_owned(),
                });
            }
            let both = [linear, angular];
            check_vectors(&body.name, "rigid velocity", &both, 2)?;
        }
        for (vertex, &mass) in masses.iter().enumerate() {
            if !(mass > 0.0 && mass.is_finite()) {
                return Err(ModelError::Mass { body: body.name, vertex, mass });
            }
        }
        let surface = match body.surface {
            Some(triangles) => {
                for (element, t) in triangles.iter().enumerate() {
                    check_corners(&body.name, "triangle", element, t, n)?;
                }
                triangles.into_iter().map(|t| t.map(|v| v + first as u32)).collect()
            }
            None => boundary_triangles(&all_tets),
        };
        let low = body.rest.iter().copied().reduce(DVec3::min).unwrap_or_default();
        let high = body.rest.iter().copied().reduce(DVec3::max).unwrap_or_default();
        self.size = self.size.max((high - low).length());
        if self.size == 0.0 {
            // Coinciding points have no extent; any length will do as the scale.
            self.size = 1.0;
        }
        let rigid = body.rigid;
        self.bodies.push(BodyInfo {
            rigid,
            name: body.name,
            vertices: first..first + n,
            elements: all_tets.len() + all_springs.len(),
            surface,
            tetrahedra: all_tets,
            springs: all_springs,
            mass_points: Vec::new(),
        });
        self.masses.extend(masses);
        // A rigid body keeps the shape that it starts in.
        self.rest.extend(if rigid { positions.clone() } else { body.rest });
        if rigid {
            self.given.push((body.mass_properties, body.rigid_velocity));
        }
        self.positions.extend(positions);
        self.velocities.extend(velocities);
        Ok(())
    }
}
