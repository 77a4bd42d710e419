//! Corrections and contact: what a correction moves is filtered like everything else.

use super::{CorrectionReport, CorrectionWork, PhasePoint, Situation, Tools};
use crate::budgets::Support;
use glam::DVec3;

/// Measures a group that a correction has not brought to its budget. Where a surface takes the momentum, it loses what is too much.
fn slow_down(s: &Situation, tools: &mut Tools, at: &mut PhasePoint, report: &mut CorrectionReport) {
    let excess = s.excess(tools, at.x, at.v, report);
    if s.support == Support::Pushed && excess > 0.0 {
        s.slow_to(s.component.kinetic(&s.model.masses, at.v) - excess, at.v);
    }
}

impl CorrectionWork {
    /// Corrects one group. Where it would go into something, it stays where the solver left it, and only its velocities change; returns also whether that happened.
    pub(super) fn correct(
        &mut self,
        mut s: Situation,
        tools: &mut Tools,
        at: &mut PhasePoint,
        candidate: &mut (Vec<DVec3>, Vec<DVec3>),
    ) -> (CorrectionReport, bool) {
        let collides = s.model.contact.law.is_some();
        if collides {
            for i in s.vertices() {
                (candidate.0[i], candidate.1[i]) = (at.x[i], at.v[i]);
            }
        }
        let mut found = self.project(&s, tools, at);
        if !collides || tools.passage.admits(at.x, &s.component.vertices) {
            if matches!(self, Self::LagrangeMultiplier(_)) && found.fallbacks > 0 {
                slow_down(&s, tools, at, &mut found);
            }
            return (found, false);
        }
        // Flesh goes as far as it can, unless that strains it more than there is energy; what has bones stays where the solver left it.
        let mut gone = matches!(self, Self::Fepr(_)) && !s.has_bones() && at.is_finite(&s);
        if gone {
            tools.passage.approach(at.x, &s.component.vertices);
            let kinetic = s.component.kinetic(&s.model.masses, at.v);
            gone = s.excess(tools, at.x, at.v, &mut CorrectionReport::default()) <= kinetic;
            if !gone {
                tools.passage.undo();
            }
        }
        if !gone {
            for i in s.vertices() {
                (at.x[i], at.v[i]) = (candidate.0[i], candidate.1[i]);
            }
        }
        s.frozen = true;
        let report = match self {
            Self::Fepr(work) => {
                let mut report = work.project(&s, tools, at);
                work.retreat(&s, tools, at, &mut report);
                report
            }
            _ => {
                let mut report = CorrectionReport { fallbacks: 1, ..found };
                slow_down(&s, tools, at, &mut report);
                report
            }
        };
        (report, true)
    }

    fn project(&mut self, s: &Situation, tools: &mut Tools, at: &mut PhasePoint) -> CorrectionReport {
        match self {
            Self::None => CorrectionReport::default(),
            Self::Fepr(work) => work.project(s, tools, at),
            Self::FeprPaper(work) => work.project(s, tools, at),
            Self::FeprSqp(work) => work.project(s, tools, at),
            Self::Blend(settings, work) => work.project(settings, s, tools, at),
            Self::VelocityProjection(work) => work.project(s, tools, at),
            Self::LagrangeMultiplier(work) => work.project(s, tools, at),
        }
    }
}
