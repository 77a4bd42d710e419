//! What a projection does when its iteration did not end: from the mildest measure to the last resort.
//!
//! In order: a wider scaling of w; a small deficit that the ledger carries to the next step; a slight slowing of
//! everything, where the support can take it; (in [`fepr`](super::fepr): a new start from a backward-Euler candidate;)
//! the first good point on the way to the witness; any point there below the budget; any point
//! where a support can take what is too much; the witness itself.

use super::carrier::Sums;
use super::fepr::{Arrays, FeprWork, Projection, Standing};
use super::impulse::Parabola;
use super::{CorrectionReport, Situation};
use crate::contact::Support;
use crate::model::Evaluator;
use glam::DVec3;

/// Bounds of a scaling of w that is still a small change.
pub(super) const WIDE_BELOW: f64 = 0.5;
/// See [`WIDE_BELOW`].
pub(super) const WIDE_ABOVE: f64 = 1.5;
/// Deficit, as a share of the energy scale, that may wait for the next step.
const SMALL_DEFICIT: f64 = 0.02;
/// Least factor on all velocities of a supported body.
const SLOWEST: f64 = 0.95;
/// Points on the way to the witness.
const WALK: usize = 5;

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
        if wide(standing) {
            return true;
        }
        if standing.need > 0.0
            && standing.alpha() > WIDE_ABOVE
            && deficit(standing) <= SMALL_DEFICIT * self.scale
        {
            self.report.fallbacks = 1;
            return true;
        }
        self.slow_down(standing, SLOWEST, a)
    }

    /// The factor on all velocities that meets the budget, where a support is there to take the momentum.
    fn slowing(&self, standing: &Standing) -> Option<f64> {
        let kinetic = standing.split.rigid_energy + standing.split.deformation_energy;
        let allowed = standing.need + standing.split.rigid_energy;
        let factor = (allowed / kinetic).sqrt();
        (self.carrier.is_held() && (0.0..=1.0).contains(&factor)).then_some(factor)
    }

    /// A supported body may give momentum to its support: scale vᵣ and w together, by `slowest` at least.
    fn slow_down(&mut self, standing: &mut Standing, slowest: f64, a: &mut Arrays) -> bool {
        let Some(factor) = self.slowing(standing).filter(|&f| f >= slowest) else {
            return false;
        };
        self.report.fallbacks = 1;
        self.carrier.angular *= factor;
        standing.split.omega *= factor;
        standing.split.rigid_energy *= factor * factor;
        standing.split.deformation_energy *= factor * factor;
        for i in self.s.vertices() {
            a.w[i] *= factor;
        }
        standing.need = standing.split.deformation_energy;
        standing.residual = 0.0;
        true
    }

    /// Tries points on the segment from the candidate to the witness; leaves the first good one in the iterate, or the
    /// best one that is below the budget.
    pub(super) fn walk_to_witness(
        &mut self,
        evaluator: &mut Evaluator,
        (x, v): (&[DVec3], &[DVec3]),
        a: &mut Arrays,
    ) -> Option<Standing> {
        let mut least: Option<(f64, f64)> = None;
        let mut mildest: Option<(f64, f64)> = None;
        for k in 1..=WALK {
            let share = k as f64 / (WALK + 1) as f64;
            let found = self.stand_at(share, evaluator, (x, v), a);
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
            return Some(self.stand_at(share, evaluator, (x, v), a));
        }
        // The angular momentum alone needs more energy than there is: the support takes some of it.
        let (share, _) = mildest?;
        let mut found = self.stand_at(share, evaluator, (x, v), a);
        self.slow_down(&mut found, 0.0, a).then_some(found)
    }

    fn stand_at(
        &mut self,
        share: f64,
        evaluator: &mut Evaluator,
        (x, v): (&[DVec3], &[DVec3]),
        a: &mut Arrays,
    ) -> Standing {
        for i in self.s.vertices() {
            a.x[i] = x[i] + (a.witness_x[i] - x[i]) * share;
            a.w[i] = v[i] + (a.witness_v[i] - v[i]) * share;
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

impl FeprWork {
    /// Bodies that push each other apart go on to the candidate with the momenta of the whole, as slowly as it takes, if that has less
    /// energy than where they are.
    fn part(
        &self,
        s: &Situation,
        evaluator: &mut Evaluator,
        report: &mut CorrectionReport,
        (x, v): (&mut [DVec3], &mut [DVec3]),
        potentials: &mut [f64],
    ) -> bool {
        if !s.vertices().all(|i| x[i].is_finite() && v[i].is_finite()) {
            return false;
        }
        let a = &self.arrays;
        let held = s.excess(evaluator, &a.witness_x, &a.witness_v, potentials, report);
        let carrier = Parabola::new(s).carrier();
        let sums = Sums::new(s.model, s.component, carrier.center, x, v);
        s.vertices().for_each(|i| x[i] -= sums.moment / sums.mass);
        let split = carrier.split(s.model, s.component, x, v);
        let pose = s.pose.at(x);
        let energy = evaluator.component_value(s.model, s.component, pose, potentials);
        let need = s.budget - energy - split.rigid_energy;
        if -need >= held {
            return false;
        }
        let factor = (need / split.deformation_energy).clamp(0.0, 1.0).sqrt();
        let factor = if factor.is_finite() { factor } else { 0.0 };
        s.vertices().for_each(|i| v[i] = v[i] * factor + carrier.rigid_velocity(&split, x[i]));
        true
    }

    /// Nothing else is possible: the component keeps its old energy and momenta. One that touches something, and has more energy where it
    /// is than it should, goes on to the candidate if that has less, as slowly as it takes: it must not be stuck where it is.
    pub(super) fn hold(
        &mut self,
        s: &Situation,
        evaluator: &mut Evaluator,
        mut report: CorrectionReport,
        (x, v): (&mut [DVec3], &mut [DVec3]),
        potentials: &mut [f64],
    ) -> CorrectionReport {
        report.fallbacks = 1;
        if s.support == Support::Touched && s.vertices().all(|i| x[i].is_finite() && v[i].is_finite()) {
            let a = &self.arrays;
            let held = s.excess(evaluator, &a.witness_x, &a.witness_v, potentials, &mut report);
            let moved = s.excess(evaluator, x, v, potentials, &mut report);
            let kinetic = s.component.kinetic(&s.model.masses, v);
            if moved - kinetic < held {
                let factor = ((kinetic - moved) / kinetic).clamp(0.0, 1.0).sqrt();
                s.vertices().for_each(|i| v[i] *= if factor.is_finite() { factor } else { 0.0 });
                return report;
            }
        }
        if s.support == Support::Free
            && s.members.len() > 1
            && self.part(s, evaluator, &mut report, (x, v), potentials)
        {
            return report;
        }
        for i in s.vertices() {
            x[i] = self.arrays.witness_x[i];
            v[i] = self.arrays.witness_v[i];
        }
        let pose = s.pose.at(x);
        evaluator.component_value(s.model, s.component, pose, potentials);
        report.energy_evaluations += 1;
        report.holds = 1;
        report
    }
}
