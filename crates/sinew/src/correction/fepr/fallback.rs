//! What a projection does when its iteration did not end: from the mildest measure to the last resort.
//!
//! For a projection that almost met its budget ([`MENDING`]): a wider scaling of w; a small deficit that the ledger carries to the next step; a slight
//! slowing of everything, where the support, or the friction of a surface, can take it. On the way to the witness: the first good point; any point below the budget; any point where
//! a support can take what is too much. At last the witness itself.

use super::constants::{SLOWEST, SMALL_DEFICIT, WALK, WIDE_ABOVE, WIDE_BELOW};
use super::projection::{Projection, Standing};
use super::{Arrays, FeprWork};
use crate::budgets::Support;
use crate::correction::carrier::Sums;
use crate::correction::impulse::Parabola;
use crate::correction::{CorrectionReport, PhasePoint, Situation, Tools};
use crate::model::Evaluator;
use glam::DVec3;

/// What mends a projection that almost met its budget, the mildest first.
const MENDING: [Mend; 3] = [Mend::Widen, Mend::CarryDeficit, Mend::SlowDown];

#[derive(Clone, Copy, Debug)]
enum Mend {
    /// Scale w further than usual.
    Widen,
    /// Let a small deficit wait for the next step.
    CarryDeficit,
    /// Slow everything down a little.
    SlowDown,
}

/// Whether w can be scaled to meet the energy without being a large change.
fn wide(standing: &Standing) -> bool {
    standing.need > 0.0 && (WIDE_BELOW..=WIDE_ABOVE).contains(&standing.alpha())
}

/// H that is missing even at the widest scaling.
fn deficit(standing: &Standing) -> f64 {
    standing.need - WIDE_ABOVE * WIDE_ABOVE * standing.split.deformation_energy
}

impl Projection<'_> {
    /// Mends an iterate that is almost good. Returns whether it may be finished.
    pub(super) fn salvage(&mut self, standing: &mut Standing, a: &mut Arrays) -> bool {
        MENDING.into_iter().any(|mend| match mend {
            Mend::Widen => wide(standing),
            Mend::CarryDeficit => self.carry_deficit(standing),
            Mend::SlowDown => self.slow_down(standing, SLOWEST, a),
        })
    }

    fn carry_deficit(&mut self, standing: &Standing) -> bool {
        let small = standing.need > 0.0
            && standing.alpha() > WIDE_ABOVE
            && deficit(standing) <= SMALL_DEFICIT * self.scale;
        if small {
            self.report.fallbacks = 1;
        }
        small
    }

    /// The factor on all velocities that meets the budget, where a support is there to take the momentum.
    fn slowing(&self, standing: &Standing) -> Option<f64> {
        let kinetic = standing.split.rigid_energy + standing.split.deformation_energy;
        let allowed = standing.need + standing.split.rigid_energy;
        let factor = (allowed / kinetic).sqrt();
        (self.carrier.is_held() && (0.0..=1.0).contains(&factor)).then_some(factor)
    }

    /// A supported body may give momentum to its support: scale vᵣ and w together, by `slowest` at least.
    pub(super) fn slow_down(&mut self, standing: &mut Standing, slowest: f64, a: &mut Arrays) -> bool {
        let Some(factor) = self.slowing(standing).filter(|&f| f >= slowest) else {
            return false;
        };
        self.report.fallbacks = 1;
        self.slow_by(factor, standing, a);
        true
    }

    /// Where K(vᵣ) alone is more than there is, scaling w cannot help. By as little as counts as met it is taken out of everything, if the support can take it.
    pub(super) fn round_down(&mut self, standing: &mut Standing, a: &mut Arrays) {
        if standing.need < 0.0
            && let Some(factor) = self.slowing(standing)
        {
            self.slow_by(factor, standing, a);
        }
    }

    /// Scales vᵣ and w together.
    fn slow_by(&mut self, factor: f64, standing: &mut Standing, a: &mut Arrays) {
        self.carrier.angular *= factor;
        standing.split.omega *= factor;
        standing.split.rigid_energy *= factor * factor;
        standing.split.deformation_energy *= factor * factor;
        for i in self.s.vertices() {
            a.w[i] *= factor;
        }
        standing.need = standing.split.deformation_energy;
        standing.residual = 0.0;
    }

    /// Tries points on the segment from the candidate to the witness; leaves the first good one in the iterate, or the
    /// best one that is below the budget.
    pub(super) fn walk_to_witness(
        &mut self,
        evaluator: &mut Evaluator,
        from: &PhasePoint,
        a: &mut Arrays,
    ) -> Option<Standing> {
        let mut least: Option<(f64, f64)> = None;
        let mut mildest: Option<(f64, f64)> = None;
        for k in 1..=WALK {
            let share = k as f64 / (WALK + 1) as f64;
            let found = self.stand_at(share, evaluator, from, a);
            if wide(&found) {
                return Some(found);
            }
            if let Some(factor) = self.slowing(&found)
                && mildest.is_none_or(|(_, f)| factor > f)
            {
                mildest = Some((share, factor));
            }
            // Any excess velocity can be taken out; what is missing stays missing.
            if found.need > 0.0 && found.need.is_finite() {
                let missing = deficit(&found).max(0.0);
                if least.is_none_or(|(_, m)| missing < m) {
                    least = Some((share, missing));
                }
            }
        }
        if let Some((share, _)) = least {
            return Some(self.stand_at(share, evaluator, from, a));
        }
        // The angular momentum alone needs more energy than there is: the support takes some of it.
        let (share, _) = mildest?;
        let mut found = self.stand_at(share, evaluator, from, a);
        self.slow_down(&mut found, 0.0, a).then_some(found)
    }

    fn stand_at(
        &mut self,
        share: f64,
        evaluator: &mut Evaluator,
        PhasePoint { x, v }: &PhasePoint,
        a: &mut Arrays,
    ) -> Standing {
        let frame = self.s.frame();
        for i in self.s.vertices() {
            a.x[i] = x[i] + (a.witness_x[i] - x[i]) * share;
            a.w[i] = v[i] + (a.witness_v[i] - v[i]) * share - frame;
        }
        self.s.make_rigid(&mut a.rig, &mut a.x, Some(&mut a.w));
        if self.carrier.is_free() {
            let masses = &self.s.model.masses;
            let moment: DVec3 = self.s.vertices().map(|i| (a.x[i] - self.carrier.center) * masses[i]).sum();
            let shift = moment / self.s.component.mass;
            for i in self.s.vertices() {
                a.x[i] -= shift;
            }
        }
        self.measure_iterate(evaluator, a)
    }
}

impl Situation<'_> {
    /// Takes a small excess of energy out of all velocities, as seen from the frame of the surface, and stays where the solver left it.
    pub(super) fn ease_off(
        &self,
        tools: &mut Tools,
        at: &mut PhasePoint,
        report: &mut CorrectionReport,
    ) -> bool {
        let frame = self.frame();
        let moving = self.vertices().filter(|&i| !self.model.dofs.is_pinned(i));
        let kinetic: f64 =
            moving.map(|i| 0.5 * self.model.masses[i] * (at.v[i] - frame).length_squared()).sum();
        let excess = self.excess(tools, at.x, at.v, report);
        let allowed = kinetic - excess;
        // What lacks energy is not eased off.
        let enough = excess >= 0.0 && at.is_finite(self) && allowed >= SLOWEST * SLOWEST * kinetic;
        if enough {
            self.slow_to(allowed, at.v);
        }
        enough
    }
}

impl FeprWork {
    /// Bodies that push each other apart go on to the candidate with the momenta of the whole, as slowly as it takes, if that has less
    /// energy than where they are.
    fn part(
        &self,
        s: &Situation,
        tools: &mut Tools,
        at: &mut PhasePoint,
        report: &mut CorrectionReport,
    ) -> bool {
        if !at.is_finite(s) {
            return false;
        }
        let PhasePoint { x, v } = at;
        let a = &self.arrays;
        let held = s.excess(tools, &a.witness_x, &a.witness_v, report);
        let carrier = Parabola::new(s).carrier();
        let sums = Sums::new(s.model, s.component, carrier.center, x, v);
        s.vertices().for_each(|i| x[i] -= sums.moment / sums.mass);
        let split = carrier.split(s.model, s.component, x, v);
        let pose = s.pose.at(x);
        let energy = tools.evaluator.component_value(s.model, s.component, pose, tools.potentials);
        let need = s.budget - energy - split.rigid_energy;
        if -need >= held {
            return false;
        }
        let factor = (need / split.deformation_energy).clamp(0.0, 1.0).sqrt();
        let factor = if factor.is_finite() { factor } else { 0.0 };
        s.vertices().for_each(|i| v[i] = v[i] * factor + carrier.rigid_velocity(&split, x[i]));
        true
    }

    /// Nothing else is possible: the component keeps its old energy and momenta. One that is in contact, and has more energy where it
    /// is than it should, goes on to the candidate if that has less, as slowly as it takes: it must not be stuck where it is.
    ///
    /// A body whose supports move is carried along as it is. Where even that has more energy than there is, whoever moves the supports puts it in.
    pub(super) fn hold(
        &mut self,
        s: &Situation,
        budget: f64,
        tools: &mut Tools,
        at: &mut PhasePoint,
        report: &mut CorrectionReport,
    ) {
        if s.support == Support::Pushed && at.is_finite(s) {
            let a = &self.arrays;
            let held = s.excess(tools, &a.witness_x, &a.witness_v, report);
            let moved = s.excess(tools, at.x, at.v, report);
            let kinetic = s.component.kinetic(&s.model.masses, at.v);
            if moved - kinetic < held {
                let factor = ((kinetic - moved) / kinetic).clamp(0.0, 1.0).sqrt();
                s.vertices().for_each(|i| at.v[i] *= if factor.is_finite() { factor } else { 0.0 });
                return;
            }
        }
        if s.support == Support::Free && s.members.len() > 1 && self.part(s, tools, at, report) {
            return;
        }
        for i in s.vertices() {
            at.x[i] = self.arrays.witness_x[i];
            at.v[i] = self.arrays.witness_v[i];
        }
        let pose = s.pose.at(at.x);
        let energy = tools.evaluator.component_value(s.model, s.component, pose, tools.potentials);
        report.energy_evaluations += 1;
        report.holds = 1;
        if s.carry.is_some() {
            report.driven = s.slow_to(budget - energy, at.v);
        }
    }
}
