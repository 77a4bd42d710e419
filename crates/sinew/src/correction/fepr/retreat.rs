//! Going back where a step in contact has too much energy.
//!
//! A solve that was broken off can leave flesh so strained that not even standing still would do, and where contacts block every move of a projection only velocities are left to it. Then the group
//! goes back on its way, at the worst to where the step started: nothing penetrated there, and it had no more energy than there is. A group that nothing pushes keeps the way of its centre.

use super::FeprWork;
use super::constants::MET;
use super::scale::{energy_rounding, energy_scale};
use crate::budgets::Support;
use crate::correction::{CorrectionReport, PhasePoint, Situation, Tools};
use glam::DVec3;

/// Shares of the way that are tried, in this order. Bones are only rigid at its start.
const SHARES: [f64; 3] = [0.5, 0.25, 0.0];

/// Energy above the target, as a share of the scale, with which a group that nothing held back goes back as well: its solve went wrong.
const SEVERE: f64 = 0.1;

impl FeprWork {
    /// Lets a group that was held back, and has too much energy, go back, and projects its velocities there. Where something else has come to where it was, it stays, and contacts have brought what is
    /// too much.
    pub fn retreat(
        &mut self,
        s: &Situation,
        tools: &mut Tools,
        at: &mut PhasePoint,
        report: &mut CorrectionReport,
    ) {
        let masses = &s.model.masses;
        let scale = energy_scale(s, tools.evaluator, &mut self.arrays.gradient);
        if !tools.passage.holds_back(&s.component.vertices)
            && s.excess(tools, at.x, at.v, report) < SEVERE * scale
        {
            return;
        }
        let is_too_much = |tools: &mut Tools, at: &PhasePoint, report: &mut CorrectionReport| {
            let excess = s.excess(tools, at.x, at.v, report);
            let potential = s.budget + excess - s.component.kinetic(masses, at.v);
            excess > 2.0 * MET * scale + energy_rounding(s, potential)
        };
        let moved: DVec3 = s.vertices().map(|i| (at.x[i] - s.state.x[i]) * masses[i]).sum();
        let centre = if s.support == Support::Free { moved / s.component.mass } else { DVec3::ZERO };
        for share in SHARES.into_iter().filter(|&share| share == 0.0 || !s.has_bones()) {
            if !is_too_much(tools, at, report) {
                return;
            }
            for i in s.vertices().filter(|&i| !s.model.dofs.is_pinned(i)) {
                at.x[i] = (s.state.x[i] + centre).lerp(tools.passage.points()[i], share);
            }
            if tools.passage.readmits(at.x, &s.component.vertices) {
                let found = self.project(s, tools, at);
                report.energy_evaluations += found.energy_evaluations;
                report.gradient_evaluations += found.gradient_evaluations;
            } else {
                s.vertices().for_each(|i| at.x[i] = tools.passage.points()[i]);
            }
        }
        s.excess(tools, at.x, at.v, report);
    }
}
