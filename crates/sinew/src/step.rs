//! One step: force → solve → correct → damp → account → accept.
//!
//! The model is read, the state is written at the very end: a step that fails leaves the state as it was. Scratch
//! memory lives in the simulator and is reused, so a steady step allocates nothing.

use crate::correction::{Correction, CorrectionReport, CorrectionWork, StepView};
use crate::damping::Damping;
use crate::energy::Pose;
use crate::integrator::{Integrator, Past};
use crate::ledger::Dissipation;
use crate::model::Model;
use crate::momentum::kinetic_energy;
use crate::objective::{Objective, ObjectiveWork};
use crate::settings::{Settings, SettingsError};
use crate::solver::{SolveReport, SolverWork, Systems};
use crate::state::{State, StateError};
use glam::DVec3;
use std::sync::Arc;
use thiserror::Error;

/// The parts of a step, for whoever wants to time them: see [`Simulator::step_observed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Work of moved targets.
    Force,
    /// The integrator's rule is solved.
    Solve,
    /// The solution is corrected.
    Correct,
    /// Energy is taken out on purpose.
    Damp,
    /// The books are written.
    Account,
    /// The step is over.
    Done,
}

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Solver iterations.
    pub iterations: usize,
    /// What the correction did.
    pub correction: CorrectionReport,
    /// Work that moved targets did, J.
    pub added: f64,
    /// Energy that damping took, J.
    pub dissipated: Dissipation,
}

/// Why a step failed. The state is as it was before.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum StepError {
    /// The state belongs to another model.
    #[error(transparent)]
    State(#[from] StateError),
    /// The solver could not go on.
    #[error("step {step}: {solver} failed: {why}")]
    Solver {
        /// Number of the step.
        step: u64,
        /// The solver.
        solver: &'static str,
        /// What happened.
        why: &'static str,
    },
    /// A position or velocity left the range of numbers.
    #[error("step {step}: the {what} of vertex {vertex} is no longer finite: the simulation exploded")]
    NotFinite {
        /// Number of the step.
        step: u64,
        /// `position` or `velocity`.
        what: &'static str,
        /// The first such vertex.
        vertex: usize,
    },
    /// The energy left the range of numbers.
    #[error("step {step}: the energy is no longer finite: the simulation exploded")]
    Overflow {
        /// Number of the step.
        step: u64,
    },
}

/// Advances states of one model.
#[derive(Debug)]
pub struct Simulator {
    model: Arc<Model>,
    settings: Settings,
    /// Factors that solver and correction share.
    systems: Systems,
    solver: SolverWork,
    correction: CorrectionWork,
    shared: ObjectiveWork,
    next: Next,
}

/// The state to come, before it is accepted.
#[derive(Debug)]
struct Next {
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    /// y of the objective.
    y: Vec<DVec3>,
    /// ∇E(xₙ), for the rules that need it.
    gradient: Vec<DVec3>,
    potentials: Vec<f64>,
    kinetic: f64,
    /// H_total of each connected component, J.
    budgets: Vec<f64>,
}

impl Simulator {
    /// Checks the settings against the model and factors what is constant.
    pub fn new(model: Arc<Model>, settings: Settings) -> Result<Self, SettingsError> {
        let zeros = vec![DVec3::ZERO; model.vertices()];
        check(&model, &settings)?;
        let Settings { h, integrator, solver, correction, .. } = settings;
        let mut systems = Systems::new(settings.global);
        Ok(Self {
            solver: SolverWork::new(&model, &mut systems, &solver, &integrator, h)?,
            correction: CorrectionWork::new(&model, &mut systems, &correction, integrator, h)?,
            systems,
            shared: ObjectiveWork::new(&model),
            next: Next {
                x: zeros.clone(),
                v: zeros.clone(),
                y: zeros.clone(),
                gradient: zeros,
                potentials: vec![0.0; model.energies.len()],
                kinetic: 0.0,
                budgets: vec![0.0; model.components.len()],
            },
            settings,
            model,
        })
    }

    /// The model that is simulated.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The choices in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Switches any choice between two steps. A combination that cannot work changes nothing.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), SettingsError> {
        check(&self.model, &settings)?;
        let (old, new) = (&self.settings, &settings);
        let model = &*self.model;
        let mut fresh = (old.global != new.global).then(|| Systems::new(new.global));
        let systems = fresh.as_mut().unwrap_or(&mut self.systems);
        // What is still needed is held until the new memory is there: factors that fit are found and kept.
        let solver = if self.solver.serves(old, new) {
            None
        } else {
            Some(SolverWork::new(model, systems, &new.solver, &new.integrator, new.h)?)
        };
        let choices = |s: &Settings| (s.h, s.integrator, s.global, s.correction);
        let correction = if choices(old) == choices(new) {
            None
        } else {
            Some(CorrectionWork::new(model, systems, &new.correction, new.integrator, new.h)?)
        };
        if let Some(systems) = fresh {
            self.systems = systems;
        }
        if let Some(solver) = solver {
            self.solver = solver;
        }
        if let Some(correction) = correction {
            self.correction = correction;
        }
        self.settings = settings;
        Ok(())
    }

    #[cfg(test)]
    pub(crate) fn systems(&self) -> &Systems {
        &self.systems
    }

    /// Advances the state by h.
    pub fn step(&mut self, state: &mut State) -> Result<StepReport, StepError> {
        self.step_observed(state, &mut |_| {})
    }

    /// As [`Simulator::step`], calling `enter` whenever a part of the step begins; the engine has no clock of its own.
    pub fn step_observed(
        &mut self,
        state: &mut State,
        enter: &mut dyn FnMut(Phase),
    ) -> Result<StepReport, StepError> {
        state.check(&self.model)?;
        enter(Phase::Force);
        let added = self.force(state);
        enter(Phase::Solve);
        let solve = self.solve(state)?;
        enter(Phase::Correct);
        let correction = self.correct(state);
        enter(Phase::Damp);
        let dissipated = self.damp();
        enter(Phase::Account);
        self.account(state)?;
        self.accept(state, added, dissipated);
        enter(Phase::Done);
        Ok(StepReport { iterations: solve.iterations, correction, added, dissipated })
    }

    /// Work of the targets that were moved since the last step: ΔE before anything else moves
    /// [dinev2018stab, Alg. 1 lines 5–8].
    fn force(&mut self, state: &State) -> f64 {
        self.next.budgets.copy_from_slice(&state.ledger.component_targets);
        if state.requested.targets == state.surroundings.targets {
            return 0.0;
        }
        let mut total = 0.0;
        for (budget, component) in self.next.budgets.iter_mut().zip(&self.model.components) {
            let mut energy = |targets| {
                let pose = Pose::new(&state.x, targets);
                self.shared.evaluator.component_value(&self.model, component, pose, &mut self.next.potentials)
            };
            let work = energy(&state.requested.targets) - energy(&state.surroundings.targets);
            *budget += work;
            total += work;
        }
        total
    }

    /// Fills `next` with the integrator's solution.
    fn solve(&mut self, state: &State) -> Result<SolveReport, StepError> {
        let Settings { h, integrator, solver, .. } = self.settings;
        let (model, next) = (&*self.model, &mut self.next);
        let targets = &state.requested.targets;
        if integrator.needs_force() {
            let pose = Pose::new(&state.x, targets);
            self.shared.evaluator.gradient(model, pose, &mut next.gradient);
        }
        let usable = has_past(state, &self.settings);
        let past = Past {
            x: &state.x,
            v: &state.v,
            before: usable.then_some((&state.history.x[..], &state.history.v[..])),
            gradient: &next.gradient,
            masses: &model.masses,
            h,
        };
        let Some(rule) = integrator.rule(usable) else {
            integrator.advance(past, &mut next.x, &mut next.v);
            hold_pins(model, state, &mut next.x, Some(&mut next.v));
            return Ok(SolveReport::default());
        };
        integrator.predict(past, &mut next.y);
        hold_pins(model, state, &mut next.y, None);
        let discrete_gradient = integrator == Integrator::DiscreteGradient;
        let objective = Objective { model, rule, h, start: &state.x, y: &next.y, targets, discrete_gradient };
        let solved = self.solver.minimise(&solver, &objective, &mut self.shared, &mut next.x);
        rule.velocity.apply(past, &next.x, &mut next.v);
        match solved {
            Ok(report) => Ok(report),
            // FEPR can start again from nothing: it is told that there is no candidate.
            Err(_) if matches!(self.settings.correction, Correction::Fepr(_)) => {
                next.x.fill(DVec3::NAN);
                Ok(SolveReport::default())
            }
            Err(failure) => {
                Err(StepError::Solver { step: state.steps, solver: solver.name(), why: failure.0 })
            }
        }
    }

    /// Moves `next` to where the budgets of its components are met.
    fn correct(&mut self, state: &State) -> CorrectionReport {
        let Settings { h, integrator, .. } = self.settings;
        let next = &mut self.next;
        let view = StepView {
            model: &self.model,
            integrator,
            h,
            state,
            has_past: has_past(state, &self.settings),
            budgets: &next.budgets,
        };
        let candidate = (&mut next.x[..], &mut next.v[..]);
        self.correction.apply(view, &mut self.shared.evaluator, candidate, &mut next.potentials)
    }

    /// Takes energy out on purpose, from `next` and from the budgets.
    fn damp(&mut self) -> Dissipation {
        let damping = self.settings.damping;
        if damping == Damping::default() {
            return Dissipation::default();
        }
        let (model, next) = (&*self.model, &mut self.next);
        for (budget, component) in next.budgets.iter_mut().zip(&model.components) {
            *budget -= component.kinetic(&model.masses, &next.v);
        }
        let taken = damping.apply(model, self.settings.h, &next.x, &mut next.v);
        for (budget, component) in next.budgets.iter_mut().zip(&model.components) {
            *budget += component.kinetic(&model.masses, &next.v);
        }
        taken
    }

    /// Measures `next`, or finds that it is beyond measure.
    fn account(&mut self, state: &State) -> Result<(), StepError> {
        let next = &mut self.next;
        for (what, values) in [("position", &next.x), ("velocity", &next.v)] {
            if let Some(vertex) = values.iter().position(|p| !p.is_finite()) {
                return Err(StepError::NotFinite { step: state.steps, what, vertex });
            }
        }
        // A correction has weighed its result already.
        if self.settings.correction == Correction::None {
            let pose = Pose::new(&next.x, &state.requested.targets);
            self.shared.evaluator.values(&self.model, pose, &mut next.potentials);
        }
        next.kinetic = kinetic_energy(&self.model.masses, &next.v);
        let energy = next.kinetic + next.potentials.iter().sum::<f64>();
        if energy.is_finite() { Ok(()) } else { Err(StepError::Overflow { step: state.steps }) }
    }

    /// Makes `next` the state; the old state becomes history.
    fn accept(&mut self, state: &mut State, added: f64, dissipated: Dissipation) {
        let next = &mut self.next;
        std::mem::swap(&mut state.history.x, &mut state.x);
        std::mem::swap(&mut state.history.v, &mut state.v);
        std::mem::swap(&mut state.x, &mut next.x);
        std::mem::swap(&mut state.v, &mut next.v);
        state.history.h = self.settings.h;
        state.surroundings.copy_from(&state.requested);
        state.steps += 1;
        state.time += self.settings.h;
        let ledger = &mut state.ledger;
        ledger.added.attachments += added;
        ledger.dissipated.ether += dissipated.ether;
        ledger.dissipated.rigid_preserving += dissipated.rigid_preserving;
        ledger.kinetic = next.kinetic;
        ledger.potentials.copy_from_slice(&next.potentials);
        let corrected = self.settings.correction != Correction::None;
        for (c, component) in self.model.components.iter().enumerate() {
            // Without a correction nothing is owed: switching one on later does not bring back what was lost before.
            ledger.component_targets[c] = if corrected {
                next.budgets[c]
            } else {
                component.energy(&self.model.masses, &state.v, &ledger.potentials)
            };
        }
    }
}

fn check(model: &Model, settings: &Settings) -> Result<(), SettingsError> {
    if !(settings.h > 0.0 && settings.h.is_finite()) {
        return Err(SettingsError::TimeStep(settings.h));
    }
    settings.damping.check()?;
    settings.correction.check(model, settings.integrator)?;
    // Explicit rules have no use for a solver.
    if settings.integrator.is_explicit() { Ok(()) } else { settings.solver.check(model, settings.integrator) }
}

/// Whether BDF2 can look back: the last step had the same length and nothing jumped since.
fn has_past(state: &State, settings: &Settings) -> bool {
    state.history.h == settings.h && settings.integrator == Integrator::Bdf2
}

/// Pinned vertices stay where they are.
fn hold_pins(model: &Model, state: &State, x: &mut [DVec3], v: Option<&mut [DVec3]>) {
    for (i, x) in x.iter_mut().enumerate() {
        if model.dofs.is_pinned(i) {
            *x = state.x[i];
        }
    }
    for (i, v) in v.into_iter().flatten().enumerate() {
        if model.dofs.is_pinned(i) {
            *v = DVec3::ZERO;
        }
    }
}
