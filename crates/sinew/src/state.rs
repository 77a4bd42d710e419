//! State: everything that changes while a simulation runs, and all that a restart needs.

use crate::ledger::Ledger;
use crate::model::{Evaluator, Model};
use crate::momentum::{Momenta, kinetic_energy};
use crate::{Dissipation, Pose};
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

/// Positions, velocities, time, targets, history and ledger.
///
/// Read it freely. Change positions and velocities by [`State::edit`] and targets by [`State::move_target`], so
/// that the ledger knows what was added.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub(crate) x: Vec<DVec3>,
    pub(crate) v: Vec<DVec3>,
    pub(crate) time: f64,
    pub(crate) steps: u64,
    /// Targets that the last step used.
    pub(crate) targets: Vec<DVec3>,
    /// Targets for the next step.
    pub(crate) requested_targets: Vec<DVec3>,
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
    /// A pinned vertex was moved.
    #[error("vertex {index} is pinned and cannot be moved or given a velocity")]
    Pinned {
        /// The vertex.
        index: usize,
    },
    /// Saved bytes do not make a state.
    #[error("not a saved state: {0}")]
    Encoding(&'static str),
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
        let mut state = Self {
            x: model.initial_positions.clone(),
            v,
            time: 0.0,
            steps: 0,
            targets: model.initial_targets.clone(),
            requested_targets: model.initial_targets.clone(),
            history: History {
                x: vec![DVec3::ZERO; model.vertices()],
                v: vec![DVec3::ZERO; model.vertices()],
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
        &self.x
    }

    /// Vertex velocities, #V, m/s.
    pub fn velocities(&self) -> &[DVec3] {
        &self.v
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
        &self.requested_targets
    }

    /// The energy account after the last step.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Moves the target of an attachment; the next step pays the work into the ledger.
    pub fn move_target(&mut self, index: usize, to: DVec3) -> Result<(), StateError> {
        let count = self.requested_targets.len();
        if !to.is_finite() {
            return Err(StateError::NotFinite { what: "target", index });
        }
        *self.requested_targets.get_mut(index).ok_or(StateError::NoAttachment { index, count })? = to;
        Ok(())
    }

    /// Changes positions and velocities at will: the ledger books the difference as energy added. A change that is
    /// not finite, or that moves a pinned vertex, is refused and leaves the state as it was.
    pub fn edit(
        &mut self,
        model: &Model,
        change: impl FnOnce(&mut [DVec3], &mut [DVec3]),
    ) -> Result<(), StateError> {
        self.check(model)?;
        let (mut x, mut v) = (self.x.clone(), self.v.clone());
        change(&mut x, &mut v);
        for i in 0..x.len() {
            if !x[i].is_finite() || !v[i].is_finite() {
                return Err(StateError::NotFinite { what: "edited vertex", index: i });
            }
            if model.dofs.is_pinned(i) && (x[i] != self.x[i] || v[i] != DVec3::ZERO) {
                return Err(StateError::Pinned { index: i });
            }
        }
        let before = self.ledger.energy();
        for (target, component) in self.ledger.component_targets.iter_mut().zip(&model.components) {
            *target -= component.energy(&model.masses, &self.v, &self.ledger.potentials);
        }
        self.x = x;
        self.v = v;
        self.measure(model);
        self.ledger.added += self.ledger.energy() - before;
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
            ("vertices", self.x.len(), model.vertices()),
            ("velocities", self.v.len(), model.vertices()),
            ("attachments", self.requested_targets.len(), model.initial_targets.len()),
            ("potentials", self.ledger.potentials.len(), model.energies.len()),
            ("components", self.ledger.component_targets.len(), model.components.len()),
        ];
        for (what, found, expected) in sizes {
            if found != expected {
                return Err(StateError::Size { what, found, expected });
            }
        }
        Ok(())
    }

    fn measure(&mut self, model: &Model) {
        let pose = Pose { x: &self.x, targets: &self.targets };
        Evaluator::new(model).values(model, pose, &mut self.ledger.potentials);
        self.ledger.kinetic = kinetic_energy(&model.masses, &self.v);
    }

    /// Momenta of body number `body` of the model; `None` if there is no such body.
    pub fn momenta(&self, model: &Model, body: usize) -> Option<Momenta> {
        let range = model.bodies().get(body)?.vertices.clone();
        Some(Momenta::new(model.masses.get(range.clone())?, self.x.get(range.clone())?, self.v.get(range)?))
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
        let vectors = [
            &state.x,
            &state.v,
            &state.targets,
            &state.requested_targets,
            &state.history.x,
            &state.history.v,
        ];
        let numbers = state.scalars().into_iter().chain(state.ledger.potentials.iter().copied());
        let finite = vectors.into_iter().flatten().all(|p| p.is_finite())
            && numbers.chain(state.ledger.component_targets.iter().copied()).all(f64::is_finite);
        if finite { Ok(state) } else { Err(StateError::Encoding("it holds numbers that are not finite")) }
    }

    fn words(&self) -> usize {
        let mut n = 0;
        self.visit(&mut |_| n += 1);
        n
    }

    /// Every number of the state in a fixed order.
    fn visit(&self, word: &mut dyn FnMut(u64)) {
        word(self.steps);
        for scalar in self.scalars() {
            word(scalar.to_bits());
        }
        for p in self.ledger.potentials.iter().chain(&self.ledger.component_targets) {
            word(p.to_bits());
        }
        for list in
            [&self.x, &self.v, &self.targets, &self.requested_targets, &self.history.x, &self.history.v]
        {
            for c in list.iter().flat_map(|p| p.to_array()) {
                word(c.to_bits());
            }
        }
    }

    fn scalars(&self) -> [f64; 7] {
        let Ledger { initial, added, dissipated: Dissipation { ether, rigid_preserving }, kinetic, .. } =
            self.ledger;
        [self.time, self.history.h, initial, added, ether, rigid_preserving, kinetic]
    }

    /// As [`State::visit`], for writing; the order is the same.
    fn visit_mut(&mut self, word: &mut dyn FnMut(&mut u64)) {
        let mut float = |value: &mut f64| {
            let mut bits = value.to_bits();
            word(&mut bits);
            *value = f64::from_bits(bits);
        };
        let mut steps = f64::from_bits(self.steps);
        float(&mut steps);
        self.steps = steps.to_bits();
        let ledger = &mut self.ledger;
        for scalar in [
            &mut self.time,
            &mut self.history.h,
            &mut ledger.initial,
            &mut ledger.added,
            &mut ledger.dissipated.ether,
            &mut ledger.dissipated.rigid_preserving,
            &mut ledger.kinetic,
        ] {
            float(scalar);
        }
        ledger.potentials.iter_mut().chain(&mut ledger.component_targets).for_each(&mut float);
        for list in [
            &mut self.x,
            &mut self.v,
            &mut self.targets,
            &mut self.requested_targets,
            &mut self.history.x,
            &mut self.history.v,
        ] {
            for p in list.iter_mut() {
                for c in p.as_mut() {
                    float(c);
                }
            }
        }
    }
}
