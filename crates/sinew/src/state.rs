//! State: everything that changes while a simulation runs, and everything that a restart needs.

mod carry;
mod edit;
mod encode;
mod error;
mod field;
mod quantities;

pub use error::StateError;
pub use quantities::MassPoint;

use crate::carry::Drive;
use crate::contact::RowMemory;
use crate::controls::Controls;
use crate::energy::Pose;
use crate::ledger::Ledger;
use crate::model::{Evaluator, Model};
use crate::momentum::kinetic_energy;
use crate::placement::Placement;
use crate::slow_motion::SlowMotion;
use glam::DVec3;

/// What the last step leaves to the next: the step before, which BDF2 uses, and the acceleration that generalised α carries.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct History {
    pub x: Vec<DVec3>,
    pub v: Vec<DVec3>,
    /// Acceleration that the last step ended with, m/s²; zero if its rule carries none.
    pub a: Vec<DVec3>,
    /// Whether the last step left an acceleration.
    pub accelerated: bool,
    /// Time step that led from there to the current state, s. Zero: there is no usable history.
    pub h: f64,
}

/// Positions, velocities, time, controls, history and ledger.
///
/// Read it freely. Change positions and velocities with [`State::edit`], and everything else with [`State::controls_mut`], so that the ledger
/// records the energy that is added.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Number of vertices; the mass points of bones follow them in all lists.
    vertices: usize,
    pub(crate) x: Vec<DVec3>,
    pub(crate) v: Vec<DVec3>,
    pub(crate) time: f64,
    pub(crate) steps: u64,
    /// The user's controls for the next step.
    pub(crate) controls: Controls,
    /// The controls that the last step used.
    pub(crate) last_controls: Controls,
    /// What the contacts that pressed in the last step remember, sorted by key.
    pub(crate) contact: Vec<RowMemory>,
    /// Whether surfaces may be inside each other: not known yet, or the last step found some.
    pub(crate) tangled: bool,
    /// Speed of approach of each component at its contacts, m/s.
    pub(crate) approach: Vec<f64>,
    /// The visible motion of each component, where a correction asks for it.
    pub(crate) slow: Vec<SlowMotion>,
    /// How the supports of each component moved in the last step.
    pub(crate) drives: Vec<Drive>,
    pub(crate) history: History,
    pub(crate) ledger: Ledger,
}

impl State {
    /// The initial state of a model; the ledger starts with its energy.
    pub fn new(model: &Model) -> Self {
        let mut v = model.initial.velocities.clone();
        for (i, v) in v.iter_mut().enumerate() {
            if model.dofs.is_pinned(i) {
                *v = DVec3::ZERO;
            }
        }
        model.make_initial_velocities_rigid(&model.initial.positions, &mut v);
        let zeros = || vec![DVec3::ZERO; model.points()];
        let components = &model.topology.components;
        let mut state = Self {
            vertices: model.topology.vertices,
            x: model.initial.positions.clone(),
            v,
            time: 0.0,
            steps: 0,
            controls: model.initial.controls.clone(),
            last_controls: model.initial.controls.clone(),
            approach: vec![0.0; components.len()],
            slow: vec![SlowMotion::default(); components.len()],
            drives: vec![Drive::default(); components.len()],
            contact: Vec::new(),
            tangled: true,
            history: History { x: zeros(), v: zeros(), a: zeros(), accelerated: false, h: 0.0 },
            ledger: Ledger {
                potentials: vec![0.0; model.energies.len()],
                component_targets: vec![0.0; components.len()],
                ..Ledger::default()
            },
        };
        state.measure(model);
        state.ledger.initial = state.ledger.energy();
        for (c, component) in components.iter().enumerate() {
            state.ledger.component_targets[c] =
                component.energy(&model.masses, &state.v, &state.ledger.potentials);
        }
        state
    }

    /// Vertex positions, #V, metres.
    pub fn positions(&self) -> &[DVec3] {
        &self.x[..self.vertices]
    }

    /// Velocities that carry momentum, #V, m/s. What is held has none: vertices of kinematic bones read zero here; [`State::velocity`] tells how they move.
    pub fn velocities(&self) -> &[DVec3] {
        &self.v[..self.vertices]
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Steps taken so far.
    pub fn step_count(&self) -> u64 {
        self.steps
    }

    /// The energy account after the last step.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The user's controls: attachment targets, collider placements, kinematic bones, wind, acceleration and grabs.
    pub fn controls(&self) -> &Controls {
        &self.controls
    }

    /// Where colliders were at the end of the last step: where the [controls](Self::controls) put them, unless a body that cannot give way held them back.
    pub fn colliders(&self) -> &[Placement] {
        self.last_controls.colliders()
    }

    /// Gives access to the controls. The next step applies the changes and adds their work to the ledger.
    ///
    /// ```
    /// # use sinew::{AttachmentId, Body, DVec3, Model, SpringLaw, State};
    /// # let rope = Body::new("rope", vec![DVec3::ZERO, DVec3::X]).springs(vec![[0, 1]], SpringLaw::Hookean, 1e3).total_mass(1.0);
    /// let model = Model::builder().body(rope).attach(0, 100.0, None).build()?;
    /// let mut state = State::new(&model);
    /// state.controls_mut().move_target(AttachmentId(0), DVec3::Y)?.set_wind(DVec3::X)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn controls_mut(&mut self) -> &mut Controls {
        &mut self.controls
    }

    /// Checks that the state fits the model.
    pub(crate) fn check(&self, model: &Model) -> Result<(), StateError> {
        let sizes = [
            ("vertices", self.x.len(), model.points()),
            ("velocities", self.v.len(), model.points()),
            ("potentials", self.ledger.potentials.len(), model.energies.len()),
            ("components", self.ledger.component_targets.len(), model.topology.components.len()),
        ];
        let (own, others) = (self.controls.counts(), model.initial.controls.counts());
        let controls =
            own.into_iter().zip(others).map(|((what, found), (_, expected))| (what, found, expected));
        for (what, found, expected) in sizes.into_iter().chain(controls) {
            if found != expected {
                return Err(StateError::Size { what, found, expected });
            }
        }
        Ok(())
    }

    /// Writes the current energies of the state into its ledger.
    fn measure(&mut self, model: &Model) {
        let pose = Pose::new(&self.x, &self.last_controls);
        Evaluator::new(model).values(model, pose, &mut self.ledger.potentials);
        self.ledger.kinetic = kinetic_energy(&model.masses, &self.v);
    }
}
