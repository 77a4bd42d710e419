//! What a correction is charged with at its end, and steps that are given up.
//!
//! Contacts can leave more energy than a correction can take out, and something else may have come to where a body was. Then nothing less than going back together is sure to be free of penetration and to have no
//! more energy than there is.

use super::{Contacts, Simulator, contact};
use crate::correction::{Correction, CorrectionReport};
use crate::state::State;

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

    /// Everything stays where it was, with the velocities that it had.
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
        CorrectionReport { fallbacks: report.fallbacks.max(1), holds: report.holds.max(1), ..report }
    }
}
