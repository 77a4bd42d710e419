//! What a correction is charged with at its end, and steps that are given up.
//!
//! Contacts can leave more energy than a correction can take out, and something else may have come to where a body was. Then nothing less than going back together is sure to be free of penetration and to have no
//! more energy than there is.

use super::{Contacts, Simulator, contact};
use crate::correction::{Correction, CorrectionReport};
use crate::ledger::Cause;
use crate::momentum::kinetic_energy;
use crate::state::State;

/// What is left of all velocities when a step is given up.
const KEPT: f64 = 0.5;

impl Simulator {
    /// Pays the work of wind and acceleration on the way, what the correction made supports do, and what contacts brought in.
    pub(super) fn settle(&mut self, state: &State, report: CorrectionReport) -> CorrectionReport {
        let start = self.settings.start(&self.model, state);
        let next = &mut self.next;
        self.pushes.pay(start, next, &mut self.budgets);
        if self.settings.correction == Correction::None {
            return report;
        }
        self.budgets.pay_corrected(&self.model, next);
        if contact::is_out_of_hand(start, next, &self.budgets) {
            return self.stay(state, report);
        }
        contact::settle(start, &self.contact, next, &mut self.budgets);
        report
    }

    /// Everything stays where it was, with a part of the velocities that it had: with all of them the next step would be this one again, and be given up for ever.
    fn stay(&mut self, state: &State, report: CorrectionReport) -> CorrectionReport {
        let start = self.settings.start(&self.model, state);
        let next = &mut self.next;
        self.budgets.annul_solution(start.model);
        contact::go_back(start, &mut self.contact);
        next.x.copy_from_slice(&state.x);
        next.v.copy_from_slice(&state.v);
        let pose = start.pose(Contacts::none()).at(&next.x);
        self.shared.evaluator.values(start.model, pose, &mut next.potentials);
        self.budgets.pay_for_targets(start.model, next);
        let model = start.model;
        self.budgets.follow(model, next, |next| {
            let before = kinetic_energy(&model.masses, &next.v);
            let free = next.v.iter_mut().enumerate().filter(|&(i, _)| !model.dofs.is_pinned(i));
            free.for_each(|(_, v)| *v *= KEPT);
            [(Cause::Unresolved, before - kinetic_energy(&model.masses, &next.v))]
        });
        CorrectionReport { fallbacks: report.fallbacks.max(1), holds: report.holds.max(1), ..report }
    }
}
