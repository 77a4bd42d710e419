//! Data that the phases of a step share: the start of the step, and the next state.

use crate::carry::{Carry, Drive};
use crate::contact::Contacts;
use crate::energy::Pose;
use crate::integrator::{Integrator, Past, Rule};
use crate::ledger::Cause;
use crate::model::Model;
use crate::objective::Objective;
use crate::slow_motion::SlowMotion;
use crate::state::State;
use crate::topology::Component;
use glam::DVec3;

/// The start of a step. The phases read it; nothing changes it until the step is accepted.
#[derive(Clone, Copy)]
pub(crate) struct Start<'a> {
    pub model: &'a Model,
    pub state: &'a State,
    pub integrator: Integrator,
    pub h: f64,
}

impl<'a> Start<'a> {
    pub fn new(model: &'a Model, state: &'a State, integrator: Integrator, h: f64) -> Self {
        Self { model, state, integrator, h }
    }

    /// Whether a rule that looks back can do so: the last step had the same length, and no edit has happened since.
    pub fn has_past(&self) -> bool {
        let history = &self.state.history;
        let looks_back = match self.integrator {
            Integrator::Bdf2 => true,
            Integrator::GeneralizedAlpha { .. } => history.accelerated,
            _ => false,
        };
        history.h == self.h && looks_back
    }

    /// The pose at the start, with this step's controls and contacts.
    pub fn pose(&self, contacts: &'a Contacts) -> Pose<'a> {
        Pose::new(&self.state.x, &self.state.controls).in_contact(contacts)
    }

    /// The objective of a rule.
    pub fn objective(&self, rule: Rule, y: &'a [DVec3], pose: Pose<'a>) -> Objective<'a> {
        let discrete_gradient = self.integrator == Integrator::DiscreteGradient;
        Objective { model: self.model, rule, h: self.h, start: &self.state.x, y, pose, discrete_gradient }
    }

    /// The past states that an integration rule uses; `gradient` is ∇E(xₙ), for the rules that need it, and `stage` the inner stage.
    pub fn past<'b>(&self, gradient: &'b [DVec3], stage: &'b Stage) -> Past<'b>
    where
        'a: 'b,
    {
        let history = &self.state.history;
        Past {
            x: &self.state.x,
            v: &self.state.v,
            before: self.has_past().then_some((&history.x[..], &history.v[..])),
            acceleration: (self.has_past() && self.integrator.gamma().is_some()).then_some(&history.a[..]),
            stage: self.integrator.inner().map(|_| stage.view()),
            gradient,
            masses: &self.model.masses,
            h: self.h,
        }
    }
}

/// The solver's result, as the correction sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Candidate {
    /// Positions and velocities are in [`Next`].
    Solved,
    /// The solver failed, and the contents of [`Next`] are meaningless.
    Missing,
}

/// (x₁, v₁) of the inner stage of a rule, #V each.
#[derive(Debug)]
pub(crate) struct Stage {
    pub x: Vec<DVec3>,
    pub v: Vec<DVec3>,
}

impl Stage {
    /// Both arrays.
    pub fn view(&self) -> (&[DVec3], &[DVec3]) {
        (&self.x, &self.v)
    }
}

/// The next state, before it is accepted. All lists hold the vertices (#V), followed by the mass points of bones.
#[derive(Debug)]
pub(crate) struct Next {
    pub x: Vec<DVec3>,
    pub v: Vec<DVec3>,
    /// Acceleration at the solution, where the rule carries one to the next step.
    pub a: Vec<DVec3>,
    /// Whether there is one.
    pub accelerated: bool,
    /// Whether x and v are meaningful.
    pub candidate: Candidate,
    /// The inner stage, for rules that have one.
    pub stage: Stage,
    /// y of the objective: the positions that inertia and known forces lead to.
    pub predicted: Vec<DVec3>,
    /// ∇E(xₙ) for the rules that need it, then ∇g at the solution if bones need that.
    pub gradient: Vec<DVec3>,
    pub potentials: Vec<f64>,
    pub kinetic: f64,
    /// Speed of approach of each component at its contacts, m/s.
    pub approach: Vec<f64>,
    /// The visible motion of each component.
    pub slow: Vec<SlowMotion>,
    /// How the supports of each component move.
    pub drives: Vec<Drive>,
    /// How its supports carry each component along, where they move.
    pub carried: Vec<Option<Carry>>,
    /// Energy that the correction did not return to each group, J.
    pub unresolved: Vec<f64>,
    /// Work of moving supports that is due to the correction, by group, J.
    pub driven: Vec<f64>,
    /// Energy that impacts did not get back, by group, J.
    pub inelastic: Vec<f64>,
    /// Whether contacts kept a correction from moving each group where it should go.
    pub blocked: Vec<bool>,
    /// (x, v) as the solver left them, where a correction may have to come back to them.
    pub solved: (Vec<DVec3>, Vec<DVec3>),
}

impl Next {
    pub fn new(model: &Model) -> Self {
        let zeros = || vec![DVec3::ZERO; model.points()];
        Self {
            x: zeros(),
            v: zeros(),
            a: zeros(),
            accelerated: false,
            candidate: Candidate::Missing,
            stage: Stage { x: zeros(), v: zeros() },
            predicted: zeros(),
            gradient: zeros(),
            potentials: vec![0.0; model.energies.len()],
            kinetic: 0.0,
            approach: vec![0.0; model.topology.components.len()],
            slow: vec![SlowMotion::default(); model.topology.components.len()],
            drives: vec![Drive::default(); model.topology.components.len()],
            carried: vec![None; model.topology.components.len()],
            unresolved: vec![0.0; model.topology.components.len()],
            driven: vec![0.0; model.topology.components.len()],
            inelastic: vec![0.0; model.topology.components.len()],
            blocked: vec![false; model.topology.components.len()],
            solved: (zeros(), zeros()),
        }
    }

    /// Σ V·P over the components that moving colliders carry along: what changes it is their work.
    pub fn carried_by_colliders(&self, model: &Model) -> f64 {
        let momentum = |component: &Component| component.linear_momentum(&model.masses, &self.v);
        let carried = model.topology.components.iter().zip(&self.carried);
        let by_colliders = carried.filter_map(|(component, carry)| Some((component, carry.as_ref()?)));
        let by_colliders = by_colliders.filter(|(_, carry)| carry.cause == Cause::Colliders);
        by_colliders.map(|(component, carry)| carry.velocity.dot(momentum(component))).sum()
    }

    /// aₙ₊₁ of the solution for a rule that carries it: from its velocities, which contacts and joints have changed already.
    pub fn accelerate(&mut self, start: Start) {
        self.accelerated = false;
        let Some(gamma) = start.integrator.gamma().filter(|_| self.candidate == Candidate::Solved) else {
            return;
        };
        let Start { state, h, .. } = start;
        let (gamma, before) = if start.has_past() { (gamma, 1.0 - gamma) } else { (1.0, 0.0) };
        for (i, a) in self.a.iter_mut().enumerate() {
            *a = ((self.v[i] - state.v[i]) / h - state.history.a[i] * before) / gamma;
        }
        self.accelerated = self.a.iter().all(|a| a.is_finite());
    }

    /// Becomes the state after a step of length `h`; the old positions and velocities become history.
    pub fn replace(&mut self, state: &mut State, h: f64) {
        std::mem::swap(&mut state.history.x, &mut state.x);
        std::mem::swap(&mut state.history.v, &mut state.v);
        std::mem::swap(&mut state.x, &mut self.x);
        std::mem::swap(&mut state.v, &mut self.v);
        std::mem::swap(&mut state.slow, &mut self.slow);
        std::mem::swap(&mut state.drives, &mut self.drives);
        state.history.h = h;
        if self.accelerated {
            std::mem::swap(&mut state.history.a, &mut self.a);
        } else if state.history.accelerated {
            state.history.a.fill(DVec3::ZERO);
        }
        state.history.accelerated = self.accelerated;
        state.last_controls.clone_from(&state.controls);
        state.steps += 1;
        state.time += h;
        state.ledger.kinetic = self.kinetic;
        state.ledger.potentials.copy_from_slice(&self.potentials);
    }

    /// Whether there is a candidate and all of its positions are finite.
    pub fn is_usable(&self) -> bool {
        self.candidate == Candidate::Solved && self.x.iter().all(|p| p.is_finite())
    }
}
