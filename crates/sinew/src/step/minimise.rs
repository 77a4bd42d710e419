//! The minimisations of a step: one for each stage of the rule.

use super::Simulator;
use crate::contact::FrictionPart;
use crate::contact::phases as contact;
use crate::integrator::Rule;
use crate::objective::SolveFailure;
use crate::solver::SolveReport;
use crate::state::State;

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
        self.detector.contacts.project(&mut next.x);
        let solved = self.minimise(state, rule, when);
        self.solver.keep_curvature(true);
        let start = self.settings.start(&self.model, state);
        let next = &mut self.next;
        rule.velocity.apply(start.past(&next.gradient, &next.stage), &next.x, &mut next.v);
        self.bones.shape(start.model, &mut next.x, &mut next.v);
        next.stage.x.copy_from_slice(&next.x);
        next.stage.v.copy_from_slice(&next.v);
        solved
    }

    /// Minimises the objective of a stage at the time `when`, as a share of h, from the prediction; in contact in two halves, with another look at the contacts in between.
    pub(super) fn minimise(
        &mut self,
        state: &State,
        rule: Rule,
        when: f64,
    ) -> Result<SolveReport, SolveFailure> {
        // Forces act at βx + (1 − β)xₙ.
        self.acting.between(&state.last_controls, &state.controls, when * rule.beta);
        let start = self.settings.start(&self.model, state);
        let (solver, next) = (self.settings.solver, &mut self.next);
        let whole = self.detector.contacts.is_empty();
        let passes = if whole { [Some(solver), None] } else { solver.halves() };
        let mut solved = Ok(SolveReport::default());
        for (k, part) in passes.into_iter().flatten().enumerate() {
            if k > 0 {
                contact::look_again(start, &mut self.detector, next);
            }
            let pose = start.pose(&self.detector.contacts, FrictionPart::Dissipating).with(&self.acting);
            let objective = start.objective(rule, &next.predicted, pose);
            let found =
                self.solver.minimise(&part, &objective, &mut self.operators, &mut self.shared, &mut next.x);
            solved = solved.and_then(|so_far: SolveReport| found.map(|found| so_far.continued(found)));
        }
        solved
    }
}
