//! One step: force → detect → solve → correct → damp → account → accept.
//!
//! The model is read, the state is written at the very end: a step that fails leaves the state as it was. Scratch
//! memory lives in the simulator and is reused, so a steady step allocates nothing.

mod outcome;
mod watch;

use crate::contact::{Bounce, ContactMemory, ContactReport, Detector, Exchange, Groups, Support, Sweep};
use crate::correction::{Correction, CorrectionReport, CorrectionWork, StepView};
use crate::damping::Damping;
use crate::energy::Pose;
use crate::grab::Grab;
use crate::integrator::{Integrator, Past, Rule};
use crate::ledger::{AddedWork, Dissipation};
use crate::model::Model;
use crate::momentum::kinetic_energy;
use crate::objective::{Objective, ObjectiveWork};
use crate::pushes::Pushes;
use crate::settings::{Settings, SettingsError};
use crate::skeleton::{Rig, is_moved, midpoint_motion, work_of_hands};
use crate::solver::{SolveReport, SolverWork, Systems};
use crate::state::State;
use glam::DVec3;
use std::sync::Arc;

use watch::CorrectionWatch;

pub use outcome::{Phase, StepError, StepReport};

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
    pushes: Pushes,
    detector: Detector,
    groups: Groups,
    rig: Rig,
    next: Next,
    /// How far the last correction moved each vertex, for whoever watches.
    watch: Option<CorrectionWatch>,
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
    /// ∇E(xₙ), where bones are moved by hand; empty where none can be.
    start_gradient: Vec<DVec3>,
    potentials: Vec<f64>,
    kinetic: f64,
    /// H_total of each connected component, J.
    budgets: Vec<f64>,
    /// What contacts remember, and what they remembered before.
    memory: Vec<ContactMemory>,
    forgotten: Vec<ContactMemory>,
    approach: Vec<f64>,
    added: AddedWork,
    dissipated: Dissipation,
}

impl Simulator {
    /// Checks the settings against the model and factors what is constant.
    pub fn new(model: Arc<Model>, settings: Settings) -> Result<Self, SettingsError> {
        let zeros = vec![DVec3::ZERO; model.points()];
        check(&model, &settings)?;
        let by_hand = model.skeleton.bones.iter().any(|b| b.kinematic);
        let Settings { h, integrator, solver, correction, .. } = settings;
        let mut systems = Systems::new(settings.global);
        let memory = vec![ContactMemory::default(); if model.contact.is_some() { model.points() } else { 0 }];
        Ok(Self {
            solver: SolverWork::new(&model, &mut systems, &solver, &integrator, h)?,
            correction: CorrectionWork::new(&model, &mut systems, &correction, integrator, h)?,
            systems,
            shared: ObjectiveWork::new(&model),
            next: Next {
                x: zeros.clone(),
                v: zeros.clone(),
                y: zeros.clone(),
                start_gradient: vec![DVec3::ZERO; if by_hand { zeros.len() } else { 0 }],
                gradient: zeros,
                potentials: vec![0.0; model.energies.len()],
                kinetic: 0.0,
                budgets: vec![0.0; model.components.len()],
                memory: memory.clone(),
                forgotten: memory,
                approach: vec![0.0; model.components.len()],
                added: AddedWork::default(),
                dissipated: Dissipation::default(),
            },
            pushes: Pushes::new(&model),
            rig: Rig::new(&model),
            detector: Detector::new(&model),
            groups: Groups::default(),
            watch: None,
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

    /// Whether these settings can work with the model; to switch to them, a matrix may have to be factored as well.
    pub fn accepts(&self, settings: &Settings) -> Result<(), SettingsError> {
        check(&self.model, settings)
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

    /// Measures from now on what each correction does, or no longer.
    pub fn watch_correction(&mut self, on: bool) {
        self.watch = on.then(|| CorrectionWatch::new(&self.model));
    }

    /// How far the correction of the last step moved each vertex, #V, m: √(|Δx|² + h²|Δv|²). `None` while nobody watches.
    pub fn correction_sizes(&self) -> Option<&[f64]> {
        self.watch.as_ref().map(CorrectionWatch::sizes)
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
        self.force(state);
        enter(Phase::Detect);
        self.detect(state);
        enter(Phase::Solve);
        let solve = self.solve(state)?;
        self.exchange(state);
        enter(Phase::Correct);
        if let Some(watch) = &mut self.watch {
            watch.before(&self.next.x, &self.next.v);
        }
        let correction = self.correct(state);
        if let Some(watch) = &mut self.watch {
            watch.after(&self.next.x, &self.next.v, self.settings.h);
        }
        self.settle();
        enter(Phase::Damp);
        self.damp(state);
        enter(Phase::Account);
        self.account(state)?;
        let contact = self.accept(state);
        enter(Phase::Done);
        let Next { added, dissipated, .. } = self.next;
        Ok(StepReport { iterations: solve.iterations, correction, added, dissipated, contact })
    }

    /// Work of the targets that were moved since the last step: ΔE before anything else moves
    /// [dinev2018stab, Alg. 1 lines 5–8]; and the forces that will push through the step.
    fn force(&mut self, state: &State) {
        let next = &mut self.next;
        next.budgets.copy_from_slice(&state.ledger.component_targets);
        (next.added, next.dissipated) = (AddedWork::default(), Dissipation::default());
        self.pushes.measure(&self.model, state, self.settings.h);
        self.rig.drive(&self.model, state, self.settings.h);
        let (old, new) = (&state.surroundings, &state.requested);
        if old.targets == new.targets && old.grabs == new.grabs {
            return;
        }
        for (budget, component) in next.budgets.iter_mut().zip(&self.model.components) {
            let mut energy = |targets, grabs| {
                let pose = Pose { grabs, ..Pose::new(&state.x, targets) };
                self.shared.evaluator.component_value(&self.model, component, pose, &mut next.potentials)
            };
            let before = energy(&old.targets, &old.grabs);
            let moved = energy(&new.targets, &old.grabs);
            let after = energy(&new.targets, &new.grabs);
            next.added.attachments += moved - before;
            next.added.grabs += after - moved;
            *budget += after - before;
        }
    }

    /// Finds what the bodies will touch on their way to xₙ + h vₙ + h²a.
    fn detect(&mut self, state: &State) {
        let (model, h) = (&*self.model, self.settings.h);
        if model.contact.is_none() {
            return;
        }
        for (i, end) in self.next.x.iter_mut().enumerate() {
            let acceleration = model.gravity + self.pushes.force(model, i) / model.masses[i];
            *end = state.x[i] + state.v[i] * h + acceleration * (h * h);
        }
        hold_pins(model, state, &mut self.next.x, None);
        self.detector.detect(model, Sweep::of(state, &self.next.x, &self.next.x));
    }

    /// What acts from outside in this step; its vertices are those of the start.
    fn pose<'a>(detector: &'a Detector, state: &'a State) -> Pose<'a> {
        Pose {
            contacts: &detector.contacts,
            grabs: &state.requested.grabs,
            ..Pose::new(&state.x, &state.requested.targets)
        }
    }

    /// Fills `next` with the integrator's solution.
    fn solve(&mut self, state: &State) -> Result<SolveReport, StepError> {
        let Settings { h, integrator, solver, .. } = self.settings;
        let (model, next) = (&*self.model, &mut self.next);
        self.detector.contacts.gripping = true;
        if integrator.needs_force() {
            let pose = Self::pose(&self.detector, state);
            self.shared.evaluator.gradient(model, pose, &mut next.gradient);
            if self.pushes.is_active() {
                let forces = (0..).map(|i| self.pushes.force(model, i));
                next.gradient.iter_mut().zip(forces).for_each(|(g, f)| *g -= f);
            }
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
            shape_bones(model, &mut self.rig, (&mut next.x, &mut next.v));
            next.y.copy_from_slice(&next.x);
            return Ok(SolveReport::default());
        };
        integrator.predict(past, &mut next.y);
        if self.pushes.is_active() {
            let factor = rule.alpha * rule.beta * h * h;
            let forces = (0..).map(|i| self.pushes.force(model, i) * (factor / model.masses[i]));
            next.y.iter_mut().zip(forces).for_each(|(y, push)| *y += push);
        }
        hold_pins(model, state, &mut next.y, None);
        next.x.copy_from_slice(&next.y);
        self.detector.contacts.project(&mut next.x);
        let discrete_gradient = integrator == Integrator::DiscreteGradient;
        // Half-way it is known better what touches what, and how hard: friction and the solver's matrix need that.
        let passes = if !self.detector.contacts.is_empty() { solver.halves() } else { [Some(solver), None] };
        let mut report = SolveReport::default();
        let mut solved = Ok(());
        for (k, solver) in passes.into_iter().flatten().enumerate() {
            if k > 0 {
                self.detector.detect(model, Sweep::of(state, &next.x, &next.y));
                self.detector.contacts.update_limits(&next.x);
            }
            let pose = Self::pose(&self.detector, state);
            let objective =
                Objective { model, rule, h, start: &state.x, y: &next.y, pose, discrete_gradient };
            match self.solver.minimise(&solver, &objective, &mut self.shared, &mut next.x) {
                Ok(part) => report.iterations += part.iterations,
                Err(failure) => solved = Err(failure),
            }
        }
        rule.velocity.apply(past, &next.x, &mut next.v);
        self.read_reactions(state, rule);
        match solved {
            Ok(()) => Ok(report),
            // FEPR can start again from nothing: it is told that there is no candidate.
            Err(_) if matches!(self.settings.correction, Correction::Fepr(_)) => {
                self.next.x.fill(DVec3::NAN);
                Ok(SolveReport::default())
            }
            Err(failure) => {
                Err(StepError::Solver { step: state.steps, solver: solver.name(), why: failure.0 })
            }
        }
    }

    /// Makes bones rigid again, and finds what joints and hands did to them: the midpoint rule needs it for velocities, the ledger for
    /// the work of hands.
    fn read_reactions(&mut self, state: &State, rule: Rule) {
        let (model, next, Settings { h, integrator, .. }) = (&*self.model, &mut self.next, self.settings);
        let midpoint = integrator == Integrator::ImplicitMidpoint && !model.skeleton.articulations.is_empty();
        let moved = is_moved(model, state);
        if !midpoint && !moved || !next.x.iter().all(|p| p.is_finite()) {
            shape_bones(model, &mut self.rig, (&mut next.x, &mut next.v));
            return;
        }
        let pose = Self::pose(&self.detector, state);
        let objective =
            Objective { model, rule, h, start: &state.x, y: &next.y, pose, discrete_gradient: false };
        objective.gradient(&next.x, &mut self.shared, &mut next.gradient);
        if midpoint {
            let (gradient, x, v) = (&next.gradient, &next.x, &mut next.v);
            midpoint_motion(&objective, state, &mut self.rig, gradient, x, v);
        }
        let Next { x, v, .. } = next;
        shape_bones(model, &mut self.rig, (x, v));
        if moved {
            self.shared.evaluator.gradient(model, pose, &mut next.start_gradient);
            let gradients = (&next.start_gradient[..], &next.gradient[..]);
            let (budgets, added) = (&mut next.budgets, &mut next.added);
            let (rig, pushes) = (&mut self.rig, &self.pushes);
            work_of_hands(&objective, state, rig, pushes, gradients, (&next.x, &next.v), |c, work| {
                budgets[c] += work;
                added.bones += work;
            });
        }
    }

    /// Finds who touches whom, and pays what wind, moving colliders and friction did on the way to the solution.
    fn exchange(&mut self, state: &State) {
        let (model, h, next) = (&*self.model, self.settings.h, &mut self.next);
        self.detector.contacts.gripping = false;
        let contacts = &self.detector.contacts;
        let finite = next.x.iter().all(|p| p.is_finite());
        let way = (&state.x[..], &next.x[..]);
        let acting = |c: usize| {
            let holds = |g: &Grab| g.stiffness > 0.0 && model.labels[g.corners[0] as usize] == c as u32;
            match () {
                () if state.requested.grabs.iter().any(holds) => Support::Held,
                () if self.pushes.is_active() => Support::Touched,
                () => Support::Free,
            }
        };
        // Where the prediction enters, something was met, even if the solution is out of reach again.
        let places = if finite { [way.0, way.1, &next.y[..]] } else { [way.0; 3] };
        self.groups.gather(model, contacts, places, acting);
        if !finite || (contacts.is_empty() && !self.pushes.is_active()) {
            return;
        }
        let pose = Self::pose(&self.detector, state).at(way.1);
        let placements = &state.surroundings.placements;
        for group in self.groups.iter(model) {
            let (wind, acceleration) = self.pushes.work(model, &group.component.vertices, way);
            let mut exchange = Exchange::default();
            for &c in group.members {
                exchange.add(&contacts.exchange(c, way, (&state.v, h), placements, &state.contact));
            }
            if exchange.takes() {
                // What the solution still has, nobody took.
                let budget: f64 = group.members.iter().map(|&c| next.budgets[c]).sum();
                let evaluator = &mut self.shared.evaluator;
                let energy = evaluator.component_value(model, group.component, pose, &mut next.potentials)
                    + group.component.kinetic(&model.masses, &next.v);
                exchange.limit(budget + wind + acceleration - energy);
            }
            next.added.wind += wind;
            next.added.acceleration += acceleration;
            next.added.colliders += exchange.colliders;
            next.dissipated.friction += exchange.friction;
            // Within a group only the sum counts.
            next.budgets[group.members[0]] += wind + acceleration + exchange.colliders - exchange.friction;
        }
    }

    /// Moves `next` to where the budgets of its groups are met.
    fn correct(&mut self, state: &State) -> CorrectionReport {
        let Settings { h, integrator, .. } = self.settings;
        let next = &mut self.next;
        let view = StepView {
            model: &self.model,
            integrator,
            h,
            state,
            has_past: has_past(state, &self.settings),
            pose: Self::pose(&self.detector, state),
            predicted: &next.y,
            pushes: &self.pushes,
            groups: &self.groups,
            budgets: &next.budgets,
        };
        let candidate = (&mut next.x[..], &mut next.v[..]);
        let touching = self.solver.touching();
        self.correction.apply(view, &mut self.shared.evaluator, touching, candidate, &mut next.potentials)
    }

    /// Contacts that are found anew, or pushed out, may hold more energy than there is. What is left of it when a group has been brought to
    /// a stop is owed to nobody: the ledger says what contacts brought in.
    fn settle(&mut self) {
        let (model, next) = (&*self.model, &mut self.next);
        if self.settings.correction == Correction::None || self.detector.contacts.is_empty() {
            return;
        }
        for group in self.groups.iter(model) {
            if group.support == Support::Free && group.members.len() == 1 {
                continue;
            }
            let budget: f64 = group.members.iter().map(|&c| next.budgets[c]).sum();
            let excess = group.component.energy(&model.masses, &next.v, &next.potentials) - budget;
            if excess > 0.0 && group.component.kinetic(&model.masses, &next.v) == 0.0 {
                next.added.contacts += excess;
                next.budgets[group.members[0]] += excess;
            }
        }
    }

    /// Takes energy out on purpose, from `next` and from the budgets.
    fn damp(&mut self, state: &State) {
        let (model, next, h) = (&*self.model, &mut self.next, self.settings.h);
        let damping = self.settings.damping;
        let contacts = &self.detector.contacts;
        next.memory.copy_from_slice(&state.contact);
        next.approach.copy_from_slice(&state.approach);
        if damping == Damping::default() && contacts.are_elastic() {
            return;
        }
        for (budget, component) in next.budgets.iter_mut().zip(&model.components) {
            *budget -= component.kinetic(&model.masses, &next.v);
        }
        if !contacts.are_elastic() {
            let before = kinetic_energy(&model.masses, &next.v);
            let placements = &state.surroundings.placements;
            let bounce = Bounce { model, before: placements, h, start: (&state.x, &state.v), x: &next.x };
            contacts.restitute(bounce, &mut next.memory, &mut next.approach, &mut next.v);
            self.rig.make_still(model, |_| true, &next.x, &mut next.v);
            next.dissipated.restitution = before - kinetic_energy(&model.masses, &next.v);
        }
        let taken = damping.apply(model, h, &next.x, &mut next.v);
        let damped = kinetic_energy(&model.masses, &next.v);
        self.rig.make_still(model, |_| true, &next.x, &mut next.v);
        // Drag on single vertices of a rigid body is drag on all of it.
        let taken =
            Dissipation { ether: taken.ether + damped - kinetic_energy(&model.masses, &next.v), ..taken };
        next.dissipated.ether = taken.ether;
        next.dissipated.rigid_preserving = taken.rigid_preserving;
        for (budget, component) in next.budgets.iter_mut().zip(&model.components) {
            *budget += component.kinetic(&model.masses, &next.v);
        }
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
            let pose = Self::pose(&self.detector, state).at(&next.x);
            self.shared.evaluator.values(&self.model, pose, &mut next.potentials);
        }
        next.kinetic = kinetic_energy(&self.model.masses, &next.v);
        let energy = next.kinetic + next.potentials.iter().sum::<f64>();
        if energy.is_finite() { Ok(()) } else { Err(StepError::Overflow { step: state.steps }) }
    }

    /// Makes `next` the state; the old state becomes history. Returns what touches what.
    fn accept(&mut self, state: &mut State) -> ContactReport {
        let next = &mut self.next;
        std::mem::swap(&mut state.history.x, &mut state.x);
        std::mem::swap(&mut state.history.v, &mut state.v);
        std::mem::swap(&mut state.x, &mut next.x);
        std::mem::swap(&mut state.v, &mut next.v);
        state.history.h = self.settings.h;
        state.surroundings.copy_from(&state.requested);
        state.steps += 1;
        state.time += self.settings.h;
        let contact = if self.model.contact.is_some() {
            state.contact.copy_from_slice(&next.memory);
            state.approach.copy_from_slice(&next.approach);
            let contacts = &self.detector.contacts;
            contacts.remember(&self.model.skin, &state.x, &mut state.contact, &mut next.forgotten)
        } else {
            ContactReport::default()
        };
        let ledger = &mut state.ledger;
        ledger.added.add(&next.added);
        ledger.dissipated.add(&next.dissipated);
        ledger.kinetic = next.kinetic;
        ledger.potentials.copy_from_slice(&next.potentials);
        // Without a correction nothing is owed: switching one on later does not bring back what was lost before.
        let corrected = self.settings.correction != Correction::None;
        for group in self.groups.iter(&self.model) {
            let budget: f64 = group.members.iter().map(|&c| next.budgets[c]).sum();
            let energy = group.component.energy(&self.model.masses, &state.v, &ledger.potentials);
            if let (true, &[alone]) = (corrected, group.members) {
                ledger.component_targets[alone] = budget;
                continue;
            }
            // What is owed or in excess is shared by mass.
            let rest = if corrected { budget - energy } else { 0.0 };
            for &c in group.members {
                let component = &self.model.components[c];
                let own = component.energy(&self.model.masses, &state.v, &ledger.potentials);
                ledger.component_targets[c] = own + rest * (component.mass / group.component.mass);
            }
        }
        contact
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

/// What a solver left of bones becomes rigid, and its joints closed. Bones that are moved by hand have no velocity of their own.
fn shape_bones(model: &Model, rig: &mut Rig, (x, v): (&mut [DVec3], &mut [DVec3])) {
    for bone in model.skeleton.bones.iter().filter(|b| b.kinematic) {
        bone.points.iter().for_each(|&i| v[i as usize] = DVec3::ZERO);
    }
    rig.make_rigid(model, |_| true, x);
    rig.make_still(model, |_| true, x, v);
}

/// Pinned vertices stay where they are, and bones that are moved by hand go where they are put.
fn hold_pins(model: &Model, state: &State, x: &mut [DVec3], v: Option<&mut [DVec3]>) {
    for (i, x) in x.iter_mut().enumerate() {
        if model.dofs.is_pinned(i) {
            *x = state.x[i];
        }
    }
    for (id, to) in state.requested.bones.iter().enumerate() {
        let bone = &model.skeleton.bones[model.skeleton.ids[id]];
        if bone.kinematic && *to != state.surroundings.bones[id] {
            bone.put(&bone.frame_of(to), x);
        }
    }
    for (i, v) in v.into_iter().flatten().enumerate() {
        if model.dofs.is_pinned(i) {
            *v = DVec3::ZERO;
        }
    }
}
