//! State: everything that changes while a simulation runs, and all that a restart needs.

mod bones;
mod carry;
mod field;

use crate::contact::{ContactMemory, Detector, Placement, Sweep};
use crate::grab::Grab;
use crate::ids::BoneId;
use crate::ledger::Ledger;
use crate::model::{Evaluator, Model};
use crate::momentum::{Momenta, kinetic_energy};
use crate::skeleton::{Rig, follow_vertices};
use crate::{AddedWork, Dissipation, Pose};
use glam::DVec3;
use thiserror::Error;

/// The step before the last: what BDF2 looks back to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct History {
    pub x: Vec<DVec3>,
    pub v: Vec<DVec3>,
    /// Time step that led from there to here, s. Zero: there is no usable history.
    pub h: f64,
}

/// Grabs at a time.
pub(crate) const GRABS: usize = 8;

/// What acts from outside: where targets, colliders and hands are, and how air and frame move.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Surroundings {
    /// Of the attachments, m.
    pub targets: Vec<DVec3>,
    /// Of the colliders.
    pub placements: Vec<Placement>,
    /// Of the bones, from their rest places; only kinematic bones follow them.
    pub bones: Vec<Placement>,
    /// Velocity of the air, m/s.
    pub wind: DVec3,
    /// Uniform acceleration beside gravity, m/s².
    pub acceleration: DVec3,
    /// Hands; one of stiffness 0 is empty.
    pub grabs: [Grab; GRABS],
}

impl Surroundings {
    /// Takes over another's values without new memory.
    pub fn copy_from(&mut self, other: &Self) {
        self.targets.copy_from_slice(&other.targets);
        self.placements.copy_from_slice(&other.placements);
        self.bones.copy_from_slice(&other.bones);
        self.wind = other.wind;
        self.acceleration = other.acceleration;
        self.grabs = other.grabs;
    }
}

/// Positions, velocities, time, targets, history and ledger.
///
/// Read it freely. Change positions and velocities by [`State::edit`] and targets by [`State::move_target`], so
/// that the ledger knows what was added.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Number of vertices; the mass points of bones follow them in all lists.
    vertices: usize,
    pub(crate) x: Vec<DVec3>,
    pub(crate) v: Vec<DVec3>,
    pub(crate) time: f64,
    pub(crate) steps: u64,
    /// What acted in the last step.
    pub(crate) surroundings: Surroundings,
    /// What is to act in the next one.
    pub(crate) requested: Surroundings,
    /// What contacts remember; empty in a model without any.
    pub(crate) contact: Vec<ContactMemory>,
    /// Speed at which each component met what it touches, m/s.
    pub(crate) approach: Vec<f64>,
    pub(crate) history: History,
    pub(crate) ledger: Ledger,
}

/// A state that does not fit a model, or a change that is not finite.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum StateError {
    /// Lengths differ.
    #[error("the state has {found} {what}, the model has {expected}")]
    Size {
        /// What was counted.
        what: &'static str,
        /// In the state.
        found: usize,
        /// In the model.
        expected: usize,
    },
    /// A number is NaN or infinite.
    #[error("{what} {index} is not finite")]
    NotFinite {
        /// What was given.
        what: &'static str,
        /// Which one.
        index: usize,
    },
    /// No such attachment.
    #[error("there is no attachment {index}: the model has {count}")]
    NoAttachment {
        /// What was asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// No such collider.
    #[error("there is no collider {index}: the model has {count}")]
    NoCollider {
        /// What was asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// No such bone.
    #[error("there is no bone {index}: the model has {count}")]
    NoBone {
        /// What was asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A grab that cannot be.
    #[error("cannot hold that: {what}")]
    Grab {
        /// Why.
        what: String,
    },
    /// A pinned vertex was moved.
    #[error("vertex {index} is pinned and cannot be moved or given a velocity")]
    Pinned {
        /// The vertex.
        index: usize,
    },
    /// An edit tore joints apart.
    #[error("the edit moved bones so far apart that their joints cannot be closed")]
    Joints,
    /// Saved bytes do not make a state.
    #[error("not a saved state: {0}")]
    Encoding(&'static str),
    /// A change of the model that is more than one of constants, pins, surroundings and further bodies.
    #[error("the state cannot go on in a model whose bodies are others")]
    OtherBodies,
}

impl State {
    /// The model's initial state; its energy opens the ledger.
    pub fn new(model: &Model) -> Self {
        let mut v = model.initial_velocities.clone();
        for (i, v) in v.iter_mut().enumerate() {
            if model.dofs.is_pinned(i) {
                *v = DVec3::ZERO;
            }
        }
        // How fast a hand will move is not known yet: what hangs on one starts as it was told to.
        Rig::new(model).make_still(model, |a| !a.touches_hands(), &model.initial_positions, &mut v);
        let surroundings = Surroundings {
            targets: model.initial_targets.clone(),
            placements: model.colliders.iter().map(|c| c.placement).collect(),
            bones: start_placements(model),
            wind: DVec3::ZERO,
            acceleration: DVec3::ZERO,
            grabs: [Grab::default(); GRABS],
        };
        let mut state = Self {
            vertices: model.visible,
            x: model.initial_positions.clone(),
            v,
            time: 0.0,
            steps: 0,
            surroundings: surroundings.clone(),
            requested: surroundings,
            approach: vec![0.0; model.components.len()],
            contact: vec![ContactMemory::default(); if model.contact.is_some() { model.points() } else { 0 }],
            history: History {
                x: vec![DVec3::ZERO; model.points()],
                v: vec![DVec3::ZERO; model.points()],
                h: 0.0,
            },
            ledger: Ledger {
                potentials: vec![0.0; model.energies.len()],
                component_targets: vec![0.0; model.components.len()],
                ..Ledger::default()
            },
        };
        state.measure(model);
        state.ledger.initial = state.ledger.energy();
        for (c, component) in model.components.iter().enumerate() {
            state.ledger.component_targets[c] =
                component.energy(&model.masses, &state.v, &state.ledger.potentials);
        }
        state
    }

    /// Vertex positions, #V, metres.
    pub fn positions(&self) -> &[DVec3] {
        &self.x[..self.vertices]
    }

    /// Vertex velocities, #V, m/s.
    pub fn velocities(&self) -> &[DVec3] {
        &self.v[..self.vertices]
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Steps taken so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Where the attachments will pull to in the next step, metres.
    pub fn requested_targets(&self) -> &[DVec3] {
        &self.requested.targets
    }

    /// The energy account after the last step.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Moves the target of an attachment; the next step pays the work into the ledger.
    pub fn move_target(&mut self, index: usize, to: DVec3) -> Result<(), StateError> {
        let count = self.requested.targets.len();
        if !to.is_finite() {
            return Err(StateError::NotFinite { what: "target", index });
        }
        *self.requested.targets.get_mut(index).ok_or(StateError::NoAttachment { index, count })? = to;
        Ok(())
    }

    /// Where the colliders will be at the end of the next step.
    pub fn placements(&self) -> &[Placement] {
        &self.requested.placements
    }

    /// Moves a collider; the next step pays its work into the ledger.
    pub fn move_collider(&mut self, index: usize, to: Placement) -> Result<(), StateError> {
        let count = self.requested.placements.len();
        if !to.is_valid() {
            return Err(StateError::NotFinite { what: "placement of collider", index });
        }
        *self.requested.placements.get_mut(index).ok_or(StateError::NoCollider { index, count })? = to;
        Ok(())
    }

    /// Moves a kinematic bone: its vertices will be at p = R X + t, X their rest places. The next step pays its work into the ledger.
    pub fn move_bone(&mut self, bone: BoneId, to: Placement) -> Result<(), StateError> {
        let (index, count) = (bone.0, self.requested.bones.len());
        if !to.is_valid() {
            return Err(StateError::NotFinite { what: "placement of bone", index });
        }
        *self.requested.bones.get_mut(index).ok_or(StateError::NoBone { index, count })? = to;
        Ok(())
    }

    /// Velocity of the air from the next step on, m/s.
    pub fn set_wind(&mut self, velocity: DVec3) -> Result<(), StateError> {
        if !velocity.is_finite() {
            return Err(StateError::NotFinite { what: "wind", index: 0 });
        }
        self.requested.wind = velocity;
        Ok(())
    }

    /// Uniform acceleration beside gravity from the next step on, m/s²: a shaken frame, a moving vehicle.
    pub fn set_acceleration(&mut self, acceleration: DVec3) -> Result<(), StateError> {
        if !acceleration.is_finite() {
            return Err(StateError::NotFinite { what: "acceleration", index: 0 });
        }
        self.requested.acceleration = acceleration;
        Ok(())
    }

    /// What hands hold, by number; empty ones have stiffness 0.
    pub fn grabs(&self) -> &[Grab] {
        &self.requested.grabs
    }

    /// Takes hold of a point from the next step on. Returns the number of the hand.
    pub fn grab(&mut self, model: &Model, grab: Grab) -> Result<usize, StateError> {
        if !model.hands {
            let what = "the model has no hands; ask its builder for them".to_owned();
            return Err(StateError::Grab { what });
        }
        if let Some(&vertex) = grab.corners.iter().find(|&&i| i as usize >= model.points()) {
            return Err(StateError::Grab { what: format!("there is no vertex {vertex}") });
        }
        let components = grab.corners.map(|i| model.labels[i as usize]);
        if components != [components[0]; 3] {
            return Err(StateError::Grab { what: "its corners belong to different bodies".to_owned() });
        }
        let sum: f64 = grab.weights.iter().sum();
        if sum.is_nan() || (sum - 1.0).abs() >= 1e-6 {
            return Err(StateError::Grab { what: format!("its weights must add up to 1, not {sum}") });
        }
        if !(grab.stiffness > 0.0 && grab.stiffness.is_finite()) {
            let what = format!("its stiffness must be positive and finite, is {}", grab.stiffness);
            return Err(StateError::Grab { what });
        }
        if !grab.target.is_finite() {
            return Err(StateError::NotFinite { what: "target of grab", index: 0 });
        }
        let empty = self.requested.grabs.iter().position(|g| g.stiffness == 0.0);
        let Some(hand) = empty else {
            return Err(StateError::Grab { what: format!("all {GRABS} hands are full") });
        };
        self.requested.grabs[hand] = grab;
        Ok(hand)
    }

    /// Moves the target of a hand; the next step pays the work into the ledger.
    pub fn move_grab(&mut self, hand: usize, to: DVec3) -> Result<(), StateError> {
        if !to.is_finite() {
            return Err(StateError::NotFinite { what: "target of grab", index: hand });
        }
        let held = self.requested.grabs.get_mut(hand).filter(|g| g.stiffness > 0.0);
        held.ok_or_else(|| StateError::Grab { what: format!("hand {hand} holds nothing") })?.target = to;
        Ok(())
    }

    /// Lets go; the next step books the energy of the spring that is gone.
    pub fn release(&mut self, hand: usize) -> Result<(), StateError> {
        let held = self.requested.grabs.get_mut(hand).filter(|g| g.stiffness > 0.0);
        *held.ok_or_else(|| StateError::Grab { what: format!("hand {hand} holds nothing") })? =
            Grab::default();
        Ok(())
    }

    /// Changes positions and velocities at will: the ledger books the difference as energy added. Bones follow the vertices that were
    /// changed, and joints are closed again. A change that is not finite, that moves a pinned vertex, or that tears joints too far
    /// apart, is refused and leaves the state as it was.
    pub fn edit(
        &mut self,
        model: &Model,
        change: impl FnOnce(&mut [DVec3], &mut [DVec3]),
    ) -> Result<(), StateError> {
        self.check(model)?;
        let (mut x, mut v) = (self.x.clone(), self.v.clone());
        change(&mut x[..self.vertices], &mut v[..self.vertices]);
        for i in 0..x.len() {
            if !x[i].is_finite() || !v[i].is_finite() {
                return Err(StateError::NotFinite { what: "edited vertex", index: i });
            }
            if model.dofs.is_pinned(i) && (x[i] != self.x[i] || v[i] != DVec3::ZERO) {
                return Err(StateError::Pinned { index: i });
            }
        }
        if model.bones() > 0 {
            let mut rig = Rig::new(model);
            rig.read(model, &self.x);
            follow_vertices(model, (&self.x, &self.v), &mut rig.frames, (&mut x, &mut v));
            if !rig.make_rigid(model, |_| true, &mut x) {
                return Err(StateError::Joints);
            }
            rig.make_still(model, |_| true, &x, &mut v);
        }
        let before = self.ledger.energy();
        for (target, component) in self.ledger.component_targets.iter_mut().zip(&model.components) {
            *target -= component.energy(&model.masses, &self.v, &self.ledger.potentials);
        }
        self.x = x;
        self.v = v;
        self.measure(model);
        self.ledger.added.edits += self.ledger.energy() - before;
        for (target, component) in self.ledger.component_targets.iter_mut().zip(&model.components) {
            *target += component.energy(&model.masses, &self.v, &self.ledger.potentials);
        }
        // A jump is no past to extrapolate from: BDF2 starts anew.
        self.history.h = 0.0;
        Ok(())
    }

    /// Whether the state belongs to a model of this shape.
    pub(crate) fn check(&self, model: &Model) -> Result<(), StateError> {
        let sizes = [
            ("vertices", self.x.len(), model.points()),
            ("velocities", self.v.len(), model.points()),
            ("attachments", self.requested.targets.len(), model.initial_targets.len()),
            ("colliders", self.requested.placements.len(), model.colliders.len()),
            ("bones", self.requested.bones.len(), model.bones()),
            ("potentials", self.ledger.potentials.len(), model.energies.len()),
            ("components", self.ledger.component_targets.len(), model.components.len()),
            ("vertices that can touch", self.contact.len(), model.contact.map_or(0, |_| model.points())),
        ];
        for (what, found, expected) in sizes {
            if found != expected {
                return Err(StateError::Size { what, found, expected });
            }
        }
        Ok(())
    }

    fn measure(&mut self, model: &Model) {
        let mut detector = Detector::new(model);
        detector.detect(model, Sweep::still(self));
        let pose = Pose {
            contacts: &detector.contacts,
            grabs: &self.surroundings.grabs,
            ..Pose::new(&self.x, &self.surroundings.targets)
        };
        Evaluator::new(model).values(model, pose, &mut self.ledger.potentials);
        self.ledger.kinetic = kinetic_energy(&model.masses, &self.v);
    }

    /// Momenta of body number `body` of the model; `None` if there is no such body.
    pub fn momenta(&self, model: &Model, body: usize) -> Option<Momenta> {
        let body = model.bodies().get(body)?;
        let points = body.vertices.clone().chain(body.mass_points.iter().map(|&i| i as usize));
        Some(Momenta::over(points.map(|i| (model.masses[i], self.x[i], self.v[i]))))
    }

    /// Momenta of everything.
    pub fn total_momenta(&self, model: &Model) -> Momenta {
        Momenta::new(&model.masses, &self.x, &self.v)
    }

    /// Σ m|v| and Σ m|v||x − c|, c the centre of mass: what momenta are small to.
    pub fn momentum_scales(&self, model: &Model) -> (f64, f64) {
        let center = self.total_momenta(model).center;
        let points = model.masses.iter().zip(&self.x).zip(&self.v);
        points.fold((0.0, 0.0), |(linear, angular), ((m, x), v)| {
            let momentum = m * v.length();
            (linear + momentum, angular + momentum * x.distance(center))
        })
    }

    /// √(vᵀLv / vᵀMv)/2π, Hz: how fast the motion oscillates, L the stiffness-weighted Laplacian. `None` for a body at rest.
    pub fn frequency(&self, model: &Model) -> Option<f64> {
        let mass = 2.0 * kinetic_energy(&model.masses, &self.v);
        let stiffness = model.laplacian.quadratic_form(&self.v);
        (mass > 0.0).then(|| (stiffness.max(0.0) / mass).sqrt() / std::f64::consts::TAU)
    }

    /// A fingerprint of every bit of the state: equal hashes mean equal simulations.
    pub fn hash(&self) -> u64 {
        // FNV-1a over the bytes, eight at a time mixed by a multiply.
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        self.visit(&mut |word| {
            hash = (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3);
            hash ^= hash >> 29;
        });
        hash
    }

    /// The whole state as bytes, little-endian: restoring them continues to the bit.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.visit(&mut |word| bytes.extend_from_slice(&word.to_le_bytes()));
        bytes
    }

    /// Restores what [`State::to_bytes`] wrote, for the same model.
    pub fn from_bytes(model: &Model, bytes: &[u8]) -> Result<Self, StateError> {
        let mut words = bytes.chunks_exact(8).map(|c| {
            let mut word = [0; 8];
            word.copy_from_slice(c);
            u64::from_le_bytes(word)
        });
        let mut state = Self::new(model);
        let expected = state.words();
        if bytes.len() != 8 * expected {
            return Err(StateError::Encoding("its size does not fit the model"));
        }
        state.visit_mut(&mut |word| *word = words.next().unwrap_or_default());
        let mut finite = true;
        state.floats(&mut |value| finite &= value.is_finite());
        if !finite {
            return Err(StateError::Encoding("it holds numbers that are not finite"));
        }
        let held = state.surroundings.grabs.iter().chain(&state.requested.grabs).flat_map(|g| g.corners);
        if held.into_iter().any(|i| i as usize >= model.points()) {
            return Err(StateError::Encoding("a hand holds a vertex that does not exist"));
        }
        Ok(state)
    }

    fn words(&self) -> usize {
        let mut n = 0;
        self.visit(&mut |_| n += 1);
        n
    }

    /// Every number of the state in a fixed order.
    fn visit(&self, word: &mut dyn FnMut(u64)) {
        // One list of all numbers, written for change; a copy serves whoever only looks.
        self.clone().visit_mut(&mut |w| word(*w));
    }

    /// As [`State::visit`], for writing; the order is the same.
    fn visit_mut(&mut self, word: &mut dyn FnMut(&mut u64)) {
        word(&mut self.steps);
        for memory in &mut self.contact {
            word(&mut memory.partner);
        }
        for surroundings in [&mut self.surroundings, &mut self.requested] {
            for grab in &mut surroundings.grabs {
                for corner in &mut grab.corners {
                    let mut bits = u64::from(*corner);
                    word(&mut bits);
                    *corner = bits as u32;
                }
            }
        }
        self.floats(&mut |value| {
            let mut bits = value.to_bits();
            word(&mut bits);
            *value = f64::from_bits(bits);
        });
    }

    /// Every floating-point number.
    fn floats(&mut self, float: &mut dyn FnMut(&mut f64)) {
        let ledger = &mut self.ledger;
        let AddedWork { attachments, bones, colliders, contacts, wind, acceleration, grabs, edits } =
            &mut ledger.added;
        let Dissipation { ether, rigid_preserving, friction, restitution } = &mut ledger.dissipated;
        for scalar in [
            &mut self.time,
            &mut self.history.h,
            &mut ledger.initial,
            attachments,
            bones,
            colliders,
            contacts,
            wind,
            acceleration,
            grabs,
            edits,
            ether,
            rigid_preserving,
            friction,
            restitution,
            &mut ledger.kinetic,
        ] {
            float(scalar);
        }
        let lists = ledger.potentials.iter_mut().chain(&mut ledger.component_targets);
        lists.chain(&mut self.approach).for_each(&mut *float);
        let mut vector = |p: &mut DVec3| p.as_mut().iter_mut().for_each(&mut *float);
        for list in [&mut self.x, &mut self.v, &mut self.history.x, &mut self.history.v] {
            list.iter_mut().for_each(&mut vector);
        }
        for surroundings in [&mut self.surroundings, &mut self.requested] {
            surroundings.targets.iter_mut().for_each(&mut vector);
            vector(&mut surroundings.wind);
            vector(&mut surroundings.acceleration);
        }
        for memory in &mut self.contact {
            vector(&mut memory.anchor);
            vector(&mut memory.face.0);
        }
        for surroundings in [&mut self.surroundings, &mut self.requested] {
            for placement in surroundings.placements.iter_mut().chain(&mut surroundings.bones) {
                placement.for_each(float);
            }
            for grab in &mut surroundings.grabs {
                grab.target.as_mut().iter_mut().for_each(&mut *float);
                grab.weights.iter_mut().for_each(&mut *float);
                float(&mut grab.stiffness);
            }
        }
        for memory in &mut self.contact {
            float(&mut memory.face.1);
            float(&mut memory.force);
            float(&mut memory.approach);
        }
    }
}

/// Where the bones of a model start.
fn start_placements(model: &Model) -> Vec<Placement> {
    let bones = model.skeleton.ids.iter().map(|&k| &model.skeleton.bones[k]);
    bones.map(|bone| bone.placement(&bone.start)).collect()
}
