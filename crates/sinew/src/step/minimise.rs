//! The minimisations of a step: one for each stage of the rule, and in contact one for each round.

use super::{Contacts, Phase, Simulator, contact};
use crate::integrator::Rule;
use crate::objective::SolveFailure;
use crate::solver::SolveReport;
use crate::state::State;

/// From this round on places that are stopped together go on alone.
const THOROUGH: usize = 4;
/// How many times as many rounds there are for bodies that are all rigid: they are cheap, and impulses that are not yet found would make them spin.
const RIGID: usize = 3;
/// The same for a body that lands on one that is held, so fast that a step changes all of its shape.
const VIOLENT: usize = 3;
/// Rounds after which all bodies that meet in a step have been seen.
const SEEN: usize = 2;
/// What forces may be out of balance where a step of such bodies ends, as a share of those that move them.
const BALANCED: f64 = 1e-3;
/// Rounds that start the solver where nothing penetrates, when its budget is spent and something is still held back.
const POLISHING: usize = 4;

impl Simulator {
    /// Fills the inner stage of a rule that has one; `when` is its time as a share of h.
    pub(super) fn solve_inner(
        &mut self,
        state: &State,
        rule: Rule,
        when: f64,
    ) -> Result<SolveReport, SolveFailure> {
        let start = self.settings.start(&self.model, state);
        let next = &mut self.next;
        self.settings.integrator.predict_inner(start.past(&next.gradient, &next.stage), &mut next.predicted);
        self.pushes.shift(start.model, rule, start.h, &mut next.predicted);
        self.bones.hold_at(start, when, &mut next.predicted);
        next.x.copy_from_slice(&next.predicted);
        let solved = if self.model.contact.law.is_some() {
            self.contact.rounds.keep_inner(false);
            self.contact.rounds.begin(start, (rule, when), &self.next.x, &mut self.operators.systems);
            self.contact.rounds.go(&self.model, &self.next.x, false);
            self.solve_inner_rounds(state, rule, when)
        } else {
            self.minimise(state, rule, when)
        };
        self.solver.keep_curvature(true);
        let start = self.settings.start(&self.model, state);
        let next = &mut self.next;
        rule.velocity.apply(start.past(&next.gradient, &next.stage), &next.x, &mut next.v);
        if self.model.contact.law.is_some() {
            contact::settle_inner(start, &mut self.contact, (rule, when), next);
            self.contact.rounds.keep_inner(true);
        }
        self.bones.shape(start.model, &mut next.x, &mut next.v);
        next.stage.x.copy_from_slice(&next.x);
        next.stage.v.copy_from_slice(&next.v);
        solved
    }

    /// Rounds of the solver for an inner stage. It is passed through, not shown: what its rows let through is left to the last stage, and its filter.
    fn solve_inner_rounds(
        &mut self,
        state: &State,
        rule: Rule,
        when: f64,
    ) -> Result<SolveReport, SolveFailure> {
        let (part, most) = self.settings.solver.rounds();
        let mut solved = SolveReport::default();
        for round in 0..most {
            let alone = self.contact.rounds.contacts.is_empty();
            let solver = if alone { self.settings.solver } else { part };
            let found = self.minimise_with(state, rule, when, solver)?;
            self.solver.keep_curvature(!self.contact.rounds.rigid);
            solved = solved.continued(found);
            let contact = &mut self.contact.rounds;
            let distance = contact.distance();
            let (worst, off) = contact.contacts.act(&self.next.x);
            if found.last <= worst.max(0.1) * distance {
                contact.contacts.update_multipliers();
            }
            if contact.is_still(worst, found.last, off) || round + 1 == most {
                break;
            }
            contact.go(&self.model, &self.next.x, true);
            if alone && contact.contacts.is_empty() {
                break;
            }
        }
        Ok(solved)
    }

    /// Minimises the objective of a stage at the time `when`, as a share of h, from the prediction.
    fn minimise(&mut self, state: &State, rule: Rule, when: f64) -> Result<SolveReport, SolveFailure> {
        let solver = self.settings.solver;
        self.minimise_with(state, rule, when, solver)
    }

    fn minimise_with(
        &mut self,
        state: &State,
        rule: Rule,
        when: f64,
        solver: crate::solver::Solver,
    ) -> Result<SolveReport, SolveFailure> {
        // Forces act at βx + (1 − β)xₙ.
        self.acting.between(&state.last_controls, &state.controls, when * rule.beta);
        let start = self.settings.start(&self.model, state);
        let next = &mut self.next;
        let pose = start.pose(&self.contact.rounds.contacts).with(&self.acting);
        let objective = start.objective(rule, &next.predicted, pose);
        self.solver.minimise(&solver, &objective, &mut self.operators, &mut self.shared, &mut next.x)
    }

    /// g of the last stage at places of the model, with or without the rows of contacts.
    fn merit(&mut self, state: &State, rule: Rule, x: Merit) -> f64 {
        let start = self.settings.start(&self.model, state);
        let rounds = &self.contact.rounds;
        let none = Contacts::none();
        let (x, contacts) = match x {
            Merit::Feasible => (rounds.passage.points(), none),
            Merit::Guess => (&self.next.x[..], &rounds.contacts),
            Merit::Filtered => (rounds.passage.points(), &rounds.contacts),
            Merit::Start => (&state.x[..], &rounds.contacts),
        };
        let pose = start.pose(contacts).with(&self.acting);
        start.objective(rule, &self.next.predicted, pose).value(x, &mut self.shared)
    }

    /// Solves the last stage of a rule. In contact, rounds of the solver and of the filter alternate until what the solver found is where nothing penetrates; the result never does.
    pub(super) fn solve_last(
        &mut self,
        state: &State,
        rule: Rule,
        enter: &mut dyn FnMut(Phase),
    ) -> Result<SolveReport, SolveFailure> {
        self.contact.report = Default::default();
        if self.model.contact.law.is_none() {
            return self.minimise(state, rule, 1.0);
        }
        let start = self.settings.start(&self.model, state);
        self.contact.rounds.begin(start, (rule, 1.0), &self.next.x, &mut self.operators.systems);
        if self.settings.integrator.inner().is_none() {
            self.contact.rounds.keep_inner(false);
        }
        self.contact.rounds.passage.thorough = false;
        enter(Phase::Detect);
        let mut round = self.contact.rounds.go(&self.model, &self.next.x, false);
        enter(Phase::Solve);
        self.choose_start(state, rule);
        let (part, mut most) = self.settings.solver.rounds();
        if self.contact.rounds.rigid {
            most *= RIGID;
        }
        let mut solved: SolveReport = SolveReport::default();
        let mut rounds = 0;
        let mut finished = false;
        // Rigid bodies have more rounds already.
        let mut violent = self.contact.rounds.rigid;
        while !finished && rounds < most + POLISHING {
            if rounds < SEEN && !violent {
                let contacts = &self.contact.rounds.contacts;
                violent = contacts.is_violent(&self.model, &state.v, self.settings.h);
                most *= if violent { VIOLENT } else { 1 };
            }
            // Where nothing is near, the solver has its whole budget.
            let alone = self.contact.rounds.contacts.is_empty();
            if rounds >= most {
                if round.cut == 0 {
                    break;
                }
                let free = self.contact.rounds.passage.points();
                for (i, x) in self.next.x.iter_mut().enumerate() {
                    if !self.model.dofs.is_pinned(i) {
                        *x = free[i];
                    }
                }
            }
            let solver = if alone { self.settings.solver } else { part };
            let found = match self.minimise_with(state, rule, 1.0, solver) {
                Ok(found) => found,
                Err(failure) => {
                    self.next.x.copy_from_slice(self.contact.rounds.passage.points());
                    return Err(failure);
                }
            };
            self.solver.keep_curvature(!self.contact.rounds.rigid);
            rounds += 1;
            solved = solved.continued(found);
            let contact = &mut self.contact.rounds;
            contact.passage.thorough = rounds + 1 >= most.min(THOROUGH);
            let distance = contact.distance();
            let (worst, off) = contact.contacts.act(&self.next.x);
            if found.last <= worst.max(0.1) * distance {
                contact.contacts.update_multipliers();
            }
            enter(Phase::Detect);
            let loose = rounds > 1 && rounds < most && contact.may_be_loose(found.last, distance, off);
            round = contact.go(&self.model, &self.next.x, loose);
            enter(Phase::Solve);
            if round.cut > 0 && !loose {
                let merit = self.merit(state, rule, Merit::Feasible);
                self.contact.rounds.passage.note(merit);
            }
            // Rows between rigid bodies are so stiff that their forces are found long after the places.
            let balanced = !self.contact.rounds.rigid || found.residual <= BALANCED;
            finished = (round.is_done(found.last, distance, off) && balanced)
                || (alone && self.contact.rounds.contacts.is_empty() && round.cut == 0);
        }
        let rounds_of = &mut self.contact.rounds;
        if round.cut > 0 {
            rounds_of.passage.recall();
            rounds_of.passage.note_held();
        }
        solved.at_limit |= rounds >= most && round.cut > 0;
        self.contact.report.rounds = rounds;
        self.contact.report.cut = round.cut > 0;
        rounds_of.contacts.unfinished = !finished;
        rounds_of.restore_acting();
        self.next.x.copy_from_slice(rounds_of.passage.points());
        Ok(solved)
    }

    /// Starts the solver at the best of the prediction, what the filter left of it, and the start of the step.
    fn choose_start(&mut self, state: &State, rule: Rule) {
        if self.contact.rounds.contacts.is_empty() {
            return;
        }
        self.acting.between(&state.last_controls, &state.controls, rule.beta);
        let merits = [Merit::Guess, Merit::Filtered, Merit::Start].map(|m| (self.merit(state, rule, m), m));
        let best = merits.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).map_or(Merit::Guess, |m| m.1);
        let from = match best {
            Merit::Filtered | Merit::Feasible => self.contact.rounds.passage.points(),
            Merit::Start => &state.x,
            Merit::Guess => return,
        };
        for i in (0..from.len()).filter(|&i| !self.model.dofs.is_pinned(i)) {
            self.next.x[i] = from[i];
        }
    }
}

/// Where g is wanted.
#[derive(Clone, Copy, Debug)]
enum Merit {
    /// Where nothing penetrates, without rows.
    Feasible,
    /// The prediction, what the filter left of it, and the start of the step, with rows.
    Guess,
    Filtered,
    Start,
}
