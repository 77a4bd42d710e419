//! One step: force → solve → correct → damp → account → accept.
//!
//! The model is read, the state is written at the very end: a step that fails leaves the state as it was. Scratch
//! memory lives in the simulator and is reused, so a steady step allocates nothing. What contact, bones and controls do in each phase is told in
//! `contact::phases`, `skeleton::phases` and `controls::work`.

mod minimise;
mod outcome;
mod settle;
mod simulator;
mod watch;

pub use outcome::{Phase, StepError, StepReport};
pub use simulator::Simulator;

use crate::contact::{ContactReport, Contacts, phases as contact};
use crate::correction::{Correction, CorrectionReport, Memory, PhasePoint, StepView, Tools};
use crate::damping::Damping;
use crate::driven::Surroundings;
use crate::ledger::Cause;
use crate::momentum::kinetic_energy;
use crate::next::{Candidate, Next};
use crate::skeleton::phases::{hold, hold_velocities};
use crate::solver::SolveReport;
use crate::state::State;

impl Simulator {
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
        contact::look(self.settings.start(&self.model, state), &mut self.contact).map_err(
            |contact::Tangled { count, what }| StepError::Tangled { step: state.steps, count, what },
        )?;
        enter(Phase::Force);
        self.force(state);
        enter(Phase::Solve);
        let solve = self.solve(state, enter)?;
        self.exchange(state);
        enter(Phase::Correct);
        let correction = self.correct(state);
        enter(Phase::Damp);
        self.damp(state);
        enter(Phase::Account);
        self.account(state)?;
        let contact = self.accept(state);
        enter(Phase::Done);
        let entries = *self.budgets.entries();
        let SolveReport { iterations, residual, at_limit, .. } = solve;
        Ok(StepReport { iterations, residual, at_limit, correction, entries, contact })
    }
}

/// The phases. Each reads where the step starts and writes `next` and the budgets.
impl Simulator {
    /// Work of what the user moved since the last step, and the forces that will push through this one.
    fn force(&mut self, state: &State) {
        let start = self.settings.start(&self.model, state);
        self.budgets.open(&state.ledger);
        self.operators.begin_step();
        self.pushes.measure(&self.model, state, self.settings.h);
        self.bones.drive(start);
        let potentials = &mut self.next.potentials;
        self.controls.pay(start, &mut self.shared.evaluator, potentials, &mut self.budgets);
        self.budgets.begin_solution();
    }

    /// Fills `next` with the integrator's solution.
    fn solve(&mut self, state: &State, enter: &mut dyn FnMut(Phase)) -> Result<SolveReport, StepError> {
        let start = self.settings.start(&self.model, state);
        let (integrator, next) = (self.settings.integrator, &mut self.next);
        (next.candidate, next.accelerated) = (Candidate::Solved, false);
        if integrator.needs_force() {
            self.acting.between(&state.last_controls, &state.controls, 0.0);
            let pose = start.pose(Contacts::none()).with(&self.acting);
            self.shared.evaluator.gradient(start.model, pose, &mut next.gradient);
            self.pushes.subtract_from(start.model, &mut next.gradient);
        }
        let Some(rule) = integrator.rule(start.has_past()) else {
            integrator.advance(start.past(&next.gradient, &next.stage), &mut next.x, &mut next.v);
            hold(start, &mut next.x);
            hold_velocities(start, &mut next.v);
            self.bones.shape(start.model, &mut next.x, &mut next.v);
            next.predicted.copy_from_slice(&next.x);
            let systems = &mut self.operators.systems;
            let bones = &mut self.bones;
            contact::stop(start, &mut self.contact, systems, next, |x, v| bones.shape(start.model, x, v));
            self.bones.shape_velocities(start.model, &next.x, &mut next.v);
            return Ok(SolveReport::default());
        };
        self.solver.keep_curvature(false);
        let first = match integrator.inner() {
            Some((inner, when)) => self.solve_inner(state, inner, when),
            None => Ok(SolveReport::default()),
        };
        let start = self.settings.start(&self.model, state);
        let next = &mut self.next;
        integrator.predict(start.past(&next.gradient, &next.stage), &mut next.predicted);
        self.pushes.shift(start.model, rule, start.h, &mut next.predicted);
        hold(start, &mut next.predicted);
        next.x.copy_from_slice(&next.predicted);
        let solved = first.and_then(|first| Ok(first.then(self.solve_last(state, rule, enter)?)));
        let start = self.settings.start(&self.model, state);
        let next = &mut self.next;
        rule.velocity.apply(start.past(&next.gradient, &next.stage), &next.x, &mut next.v);
        let pose = start.pose(&self.contact.rounds.contacts).with(&self.acting);
        self.bones.react(start, rule, pose, &mut self.shared, next);
        self.contact.rounds.passage.keep(&mut next.x);
        if contact::settle_velocities(start, &mut self.contact, rule, &self.pushes, next) {
            self.bones.shape_velocities(start.model, &next.x, &mut next.v);
        }
        next.accelerate(start);
        match solved {
            Ok(report) => Ok(report),
            // FEPR can start again from nothing.
            Err(_) if matches!(self.settings.correction, Correction::Fepr(_)) => {
                (self.next.candidate, self.next.accelerated) = (Candidate::Missing, false);
                Ok(SolveReport::default())
            }
            Err(failure) => {
                let solver = self.settings.solver.name();
                Err(StepError::Solver { step: state.steps, solver, why: failure.0 })
            }
        }
    }

    /// Finds who is in contact with whom, and pays what moved supports, moving colliders and friction did on the way to the solution.
    fn exchange(&mut self, state: &State) {
        let start = self.settings.start(&self.model, state);
        let evaluator = &mut self.shared.evaluator;
        let around = Surroundings { contacts: &self.contact.rounds.contacts, pushes: &self.pushes };
        self.controls.pay_muscles(start, evaluator, &mut self.next, &mut self.budgets);
        self.driven.pay(start, &around, evaluator, &mut self.next, &mut self.budgets);
        let around =
            contact::Around { pushes: &self.pushes, evaluator, correction: self.settings.correction };
        contact::exchange(start, &mut self.contact, around, &mut self.next, &mut self.budgets);
    }

    /// Moves `next` to where the budgets of its groups are met, with the work of wind and acceleration on the way there.
    fn correct(&mut self, state: &State) -> CorrectionReport {
        let start = self.settings.start(&self.model, state);
        let next = &mut self.next;
        if let Some(watch) = &mut self.watch {
            watch.before(next);
        }
        let known = self.pushes.known(start);
        let rounds = &mut self.contact.rounds;
        let pose = start.pose(&rounds.contacts).pushed(known);
        let (candidate, predicted) = (next.candidate, &next.predicted[..]);
        let (stage, pushes, budgets) = (next.stage.view(), &self.pushes, &self.budgets);
        let carried = &next.carried[..];
        let step = StepView { start, pose, candidate, predicted, carried, stage, pushes, budgets };
        let (evaluator, operators) = (&mut self.shared.evaluator, &mut self.operators);
        let passage = &mut rounds.passage;
        let mut tools = Tools { evaluator, operators, passage, potentials: &mut next.potentials };
        let mut at = PhasePoint { x: &mut next.x, v: &mut next.v };
        let (slow, unresolved, driven) = (&mut next.slow, &mut next.unresolved, &mut next.driven);
        let (inelastic, blocked, candidate) = (&mut next.inelastic, &mut next.blocked, &mut next.solved);
        let memory = Memory { slow, unresolved, driven, inelastic, blocked, candidate };
        let report = self.correction.apply(&step, &mut tools, &mut at, memory);
        // A state that was found otherwise has another acceleration.
        next.accelerated &= report.fallbacks == 0;
        if let Some(watch) = &mut self.watch {
            watch.after(next, start.h);
        }
        // Whatever moved since the solve has been looked at on its way; if not, it stays where it was.
        if !self.contact.rounds.passage.keep(&mut next.x) {
            let pose = start.pose(Contacts::none()).at(&next.x);
            self.shared.evaluator.values(start.model, pose, &mut next.potentials);
        }
        self.settle(state, report)
    }

    /// Takes energy out on purpose, from `next` and from the budgets.
    fn damp(&mut self, state: &State) {
        let start = self.settings.start(&self.model, state);
        let (model, next, damping) = (start.model, &mut self.next, self.settings.damping);
        contact::recall(state, next);
        let elastic = self.contact.rounds.contacts.are_elastic();
        if damping == Damping::default() && elastic && !self.contact.slides() {
            return;
        }
        let (bones, touching) = (&mut self.bones, &mut self.contact);
        self.budgets.follow(model, next, |next| {
            let (mut restitution, mut colliders) = (0.0, 0.0);
            if !elastic {
                let before = (kinetic_energy(&model.masses, &next.v), next.carried_by_colliders(model));
                contact::bounce(start, touching, next);
                bones.shape_velocities(model, &next.x, &mut next.v);
                // What is held back on a surface that moves does work on it; the rest is heat.
                colliders = next.carried_by_colliders(model) - before.1;
                restitution = before.0 - kinetic_energy(&model.masses, &next.v) + colliders;
            }
            let friction = contact::rub(start, touching, next);
            let Next { x, v, .. } = next;
            let shape = |v: &mut [_]| bones.shape_velocities(model, x, v);
            let [ether, rigid_preserving] = damping.apply(model, start.h, v, x, shape);
            let restitution = (Cause::Restitution, restitution);
            [(Cause::Colliders, colliders), restitution, (Cause::Friction, friction), ether, rigid_preserving]
        });
    }

    /// Measures `next`, or finds that it is beyond measure.
    fn account(&mut self, state: &State) -> Result<(), StepError> {
        let start = self.settings.start(&self.model, state);
        let next = &mut self.next;
        for (what, values) in [("position", &next.x), ("velocity", &next.v)] {
            if let Some(vertex) = values.iter().position(|p| !p.is_finite()) {
                return Err(StepError::NotFinite { step: state.steps, what, vertex });
            }
        }
        if start.model.contact.law.is_some_and(|law| law.verify) {
            let passage = &mut self.contact.rounds.passage;
            let count = passage.verify(&next.x);
            if count > 0 {
                return Err(StepError::Crossing { step: state.steps, count });
            }
        }
        // A correction has measured its result already.
        if self.settings.correction == Correction::None {
            let pose = start.pose(Contacts::none()).at(&next.x);
            self.shared.evaluator.values(start.model, pose, &mut next.potentials);
        }
        next.kinetic = kinetic_energy(&start.model.masses, &next.v);
        let energy = next.kinetic + next.potentials.iter().sum::<f64>();
        let target =
            state.ledger.target() + self.budgets.entries().added() - self.budgets.entries().dissipated();
        let finite = energy.is_finite() && target.is_finite();
        if finite { Ok(()) } else { Err(StepError::Overflow { step: state.steps }) }
    }

    /// Makes `next` the state; the old state becomes history. Returns what is in contact.
    fn accept(&mut self, state: &mut State) -> ContactReport {
        let next = &mut self.next;
        next.replace(state, self.settings.h);
        let report = contact::remember(&self.model, &mut self.contact, state, next);
        let corrected = self.settings.correction != Correction::None;
        self.budgets.close(&self.model, corrected, &state.v, &mut state.ledger);
        report
    }
}
