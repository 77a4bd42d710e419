//! One projection in progress: where an iterate stands, and how a projection begins and ends.

use super::constants::{MET, NARROW, NOISE, WIDE_ABOVE};
use super::resolved::unresolved;
use super::scale::energy_rounding;
use super::{Arrays, Climb};
use crate::correction::carrier::{Carrier, Split, Sums};
use crate::correction::swing::kept_axes;
use crate::correction::{CorrectionReport, PhasePoint, Situation};
use crate::integrator::Integrator;
use crate::model::Evaluator;
use glam::DVec3;

/// Where an iterate stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub split: Split,
    /// E, J.
    pub energy: f64,
    /// H_total − E − K(vᵣ): what K(w) should be.
    pub need: f64,
    /// K(w) − need.
    pub residual: f64,
}

impl Standing {
    pub fn new(budget: f64, energy: f64, split: Split) -> Self {
        let need = budget - energy - split.rigid_energy;
        Self { split, energy, need, residual: split.deformation_energy - need }
    }

    /// √(need/K(w)): what w has to be multiplied by.
    pub fn alpha(&self) -> f64 {
        (self.need / self.split.deformation_energy).sqrt()
    }

    /// Whether scaling w by at most `width` does it.
    pub fn within(&self, width: f64) -> bool {
        self.need > 0.0 && (self.alpha() - 1.0).abs() <= width
    }
}

/// One projection in progress.
pub(super) struct Projection<'a> {
    pub s: &'a Situation<'a>,
    pub carrier: Carrier,
    /// H_total less what is not returned, as the frame of the supports sees it, J.
    pub budget: f64,
    /// Kinetic energy that was taken out of the budget with what only contacts hold, J.
    pub carried: Option<f64>,
    /// Es, J.
    pub scale: f64,
    /// Longest move of one iteration, in the metric.
    pub radius: f64,
    /// Whether `gradient` holds ∇E at the iterate already.
    pub gradient_is_fresh: bool,
    pub report: CorrectionReport,
}

impl<'a> Projection<'a> {
    pub fn new(s: &'a Situation<'a>, carrier: Carrier, climb: &Climb) -> Self {
        let Climb { scale, budget, report, .. } = *climb;
        Self { s, carrier, budget, carried: None, scale, radius: 0.0, gradient_is_fresh: false, report }
    }

    /// Takes over a candidate; a free body is shifted so that its centre of mass is on the parabola.
    pub fn load(&self, PhasePoint { x, v }: &PhasePoint, a: &mut Arrays) {
        let frame = self.s.frame();
        let mut shift = DVec3::ZERO;
        if self.carrier.is_free() && !self.s.frozen {
            let moment: DVec3 =
                self.s.vertices().map(|i| (x[i] - self.carrier.center) * self.s.model.masses[i]).sum();
            shift = -moment / self.s.component.mass;
        }
        for i in self.s.vertices() {
            a.x[i] = x[i] + shift;
            a.w[i] = v[i] - frame;
        }
        self.s.make_rigid(&mut a.rig, &mut a.x, Some(&mut a.w));
    }

    /// E at `x`, with the value of each batch left in `values`.
    fn weigh(&mut self, evaluator: &mut Evaluator, x: &[DVec3], values: &mut [f64]) -> f64 {
        let pose = self.s.pose.at(x);
        self.report.energy_evaluations += 1;
        evaluator.component_value(self.s.model, self.s.component, pose, values)
    }

    /// As [`Self::measure_iterate`] for a new candidate. Rules that damp nearly always leave something to restore: then ∇E,
    /// which the first iteration needs, comes with E in one pass.
    pub fn measure_candidate(
        &mut self,
        rule: Integrator,
        evaluator: &mut Evaluator,
        a: &mut Arrays,
    ) -> Standing {
        if !rule.damps() {
            return self.measure_iterate(evaluator, a);
        }
        let s = self.s;
        let split = self.carrier.split(s.model, s.component, &a.x, &mut a.w);
        let pose = s.pose.at(&a.x);
        let (values, gradient) = (&mut a.values, &mut a.gradient);
        let energy = evaluator.component_value_and_gradient(s.model, s.component, pose, values, gradient);
        self.report.gradient_evaluations += 1;
        self.gradient_is_fresh = true;
        self.keep_values(a);
        Standing::new(self.budget, energy, split)
    }

    /// Where a supported body lacks energy, carries only the momentum that nothing outside changes: what the rule took from its swing may go back there.
    pub fn free_the_swing(&mut self, standing: &mut Standing, at: &PhasePoint, a: &mut Arrays) {
        let (s, carrier) = (self.s, self.carrier);
        if standing.residual >= 0.0 || !carrier.is_held() {
            return;
        }
        let kept = kept_axes(s, carrier.center, &a.x, standing.split.rigid_energy);
        self.carrier = Carrier::held(carrier.center, kept, carrier.angular);
        self.load(at, a);
        let split = self.carrier.split(s.model, s.component, &a.x, &mut a.w);
        *standing = Standing::new(self.budget, standing.energy, split);
    }

    /// Lowers the budget by what a held body lost to vibration that is not seen.
    pub fn leave_unresolved(&mut self, rule: Integrator, standing: &mut Standing) {
        let Some(seen) = self.s.seen else { return };
        let lost = unresolved(rule, seen, -standing.residual);
        self.report.unresolved = lost;
        self.budget -= lost;
        *standing = Standing::new(self.budget, standing.energy, standing.split);
    }

    /// Splits w at the iterate and weighs the energy there.
    pub fn measure_iterate(&mut self, evaluator: &mut Evaluator, a: &mut Arrays) -> Standing {
        let Arrays { x, w, values, .. } = &mut *a;
        let split = self.carrier.split(self.s.model, self.s.component, x, w);
        let energy = self.weigh(evaluator, x, values);
        self.keep_values(a);
        Standing::new(self.budget, energy, split)
    }

    /// Where the iterate would stand if x moved by −`step`·p and w were scaled.
    pub fn measure_trial(
        &mut self,
        step: f64,
        scale: f64,
        evaluator: &mut Evaluator,
        a: &mut Arrays,
    ) -> Standing {
        let Arrays { x, w, trial_x, direction, values, rig, .. } = a;
        let model = self.s.model;
        let sums = if !self.s.has_bones() {
            Sums::over(model, self.s.component, self.carrier.center, |i| {
                trial_x[i] = x[i] - direction[i] * step;
                (trial_x[i], w[i])
            })
        } else {
            self.s.vertices().for_each(|i| trial_x[i] = x[i] - direction[i] * step);
            self.s.make_rigid(rig, trial_x, None);
            Sums::new(model, self.s.component, self.carrier.center, trial_x, w)
        };
        let energy = self.weigh(evaluator, trial_x, values);
        Standing::new(self.budget, energy, self.carrier.foresee(&sums, scale))
    }

    /// Remembers the energies of the last measurement as those of the iterate.
    pub fn keep_values(&self, a: &mut Arrays) {
        for &k in &self.s.component.energies {
            a.kept_values[k] = a.values[k];
        }
    }

    /// Whether the closed form may finish: w needs little scaling, or r is small, or r is what rounding makes of E.
    pub fn met(&self, standing: &Standing) -> bool {
        let enough = MET * self.scale + energy_rounding(self.s, standing.energy);
        standing.within(NARROW) || standing.residual.abs() <= enough
    }

    /// v = vᵣ + αw at the iterate: the energy is met to rounding.
    pub fn finish(
        &self,
        standing: &Standing,
        a: &Arrays,
        PhasePoint { x, v }: &mut PhasePoint,
        potentials: &mut [f64],
    ) {
        let (alpha, frame) = (self.final_scaling(standing), self.s.frame());
        for i in self.s.vertices() {
            x[i] = a.x[i];
            v[i] = if self.s.model.dofs.is_pinned(i) {
                DVec3::ZERO
            } else {
                self.carrier.rigid_velocity(&standing.split, a.x[i]) + a.w[i] * alpha + frame
            };
        }
        for &k in &self.s.component.energies {
            potentials[k] = a.kept_values[k];
        }
    }

    /// α, where there is something to scale; at most 1.5, so that noise is not blown up.
    pub fn final_scaling(&self, standing: &Standing) -> f64 {
        if standing.split.deformation_energy <= NOISE * self.scale {
            return if standing.need > 0.0 { 1.0 } else { 0.0 };
        }
        if standing.need > 0.0 { standing.alpha().min(WIDE_ABOVE) } else { 0.0 }
    }
}
