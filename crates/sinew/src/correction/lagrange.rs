//! Energy as a constraint of the implicit solve [hughes1978]: minimise g(x) subject to H(x, v(x)) = H_total.
//!
//! The velocity is the rule's affine function of x, v = a·x + …, so ∇H = a·Mv + ∇E. From the candidate, the method takes sequential quadratic
//! steps with B = M + αβ²h²L in place of the Hessian of the Lagrangian: dx = −B⁻¹(∇g + λ∇H), λ from the linearised constraint. Where it
//! converges, H is conserved to rounding. Angular momentum is not conserved, and steps that do not converge are counted.

use super::metric::Metric;
use super::{CorrectionReport, PhasePoint, Situation, Tools};
use crate::integrator::{Integrator, Past, Rule, VelocityUpdate};
use crate::model::Model;
use crate::operator::Systems;
use crate::settings::error::SettingsError;
use glam::DVec3;

/// Largest number of iterations in a step.
const ITERATIONS: usize = 60;
/// Residual of H, as a share of H_total and K, at which the constraint counts as met.
const MET: f64 = 1e-12;

/// Buffers, #V each.
#[derive(Debug)]
pub(crate) struct LagrangeWork {
    /// B for the rule with history and, for BDF2, without.
    metrics: Vec<Metric>,
    gradient: Vec<DVec3>,
    objective: Vec<DVec3>,
    towards_minimum: Vec<DVec3>,
    towards_budget: Vec<DVec3>,
    trial_x: Vec<DVec3>,
    trial_v: Vec<DVec3>,
    y: Vec<DVec3>,
}

impl LagrangeWork {
    pub fn new(
        model: &Model,
        systems: &mut Systems,
        integrator: Integrator,
        h: f64,
    ) -> Result<Self, SettingsError> {
        let zeros = || vec![DVec3::ZERO; model.points()];
        let metrics: Result<_, _> =
            integrator.stiffness_factors(h).map(|factor| Metric::new(model, systems, factor)).collect();
        Ok(Self {
            metrics: metrics?,
            gradient: zeros(),
            objective: zeros(),
            towards_minimum: zeros(),
            towards_budget: zeros(),
            trial_x: zeros(),
            trial_v: zeros(),
            y: zeros(),
        })
    }

    pub fn project(
        &mut self,
        s: &Situation,
        tools: &mut Tools,
        PhasePoint { x, v }: &mut PhasePoint,
    ) -> CorrectionReport {
        let mut report = CorrectionReport::default();
        let Some(rule) = s.integrator.rule(s.has_past) else {
            return report;
        };
        let slope = velocity_slope(rule.velocity) / s.h;
        self.predict(s, tools);
        let mut residual = s.excess(tools, x, v, &mut report);
        for _ in 0..ITERATIONS {
            let scale = s.budget.abs() + s.component.kinetic(&s.model.masses, v);
            if residual.abs() <= MET * scale {
                return report;
            }
            report.iterations += 1;
            self.directions(s, tools, &PhasePoint { x, v }, rule, &mut report);
            let metric = &mut self.metrics[usize::from(!s.has_past)];
            metric.solve(s, &[], &self.objective, &mut self.towards_minimum);
            let power = metric.solve(s, &[], &self.gradient, &mut self.towards_budget);
            let along: f64 = s.vertices().map(|i| self.gradient[i].dot(self.towards_minimum[i])).sum();
            let lambda = (residual - along) / power;
            if !lambda.is_finite() {
                break;
            }
            let mut t = 1.0;
            loop {
                for i in s.vertices() {
                    let step = self.towards_minimum[i] + self.towards_budget[i] * lambda;
                    self.trial_x[i] = x[i] - step * t;
                    self.trial_v[i] = v[i] - step * (t * slope);
                }
                let found = s.excess(tools, &self.trial_x, &self.trial_v, &mut report);
                // The energy error must shrink; what the step does to g is left to the next linearisation.
                if found.abs() <= (1.0 - 0.1 * t) * residual.abs() || t < 1e-3 {
                    residual = found;
                    break;
                }
                t *= 0.5;
            }
            for i in s.vertices() {
                x[i] = self.trial_x[i];
                v[i] = self.trial_v[i];
            }
        }
        report.fallbacks = 1;
        report
    }

    /// Computes y of the objective.
    fn predict(&mut self, s: &Situation, tools: &mut Tools) {
        let state = s.state;
        if s.integrator.needs_force() {
            let pose = s.pose.at(&state.x);
            tools.evaluator.component_gradient(s.model, s.component, pose, &mut self.gradient);
        }
        let past = Past {
            x: &state.x,
            v: &state.v,
            stage: None,
            acceleration: (s.has_past && s.integrator.gamma().is_some()).then_some(&state.history.a[..]),
            before: s.has_past.then_some((&state.history.x[..], &state.history.v[..])),
            gradient: &self.gradient,
            masses: &s.model.masses,
            h: s.h,
        };
        s.integrator.predict(past, &mut self.y);
    }

    /// gradient ← ∇H and objective ← ∇g at (x, v).
    fn directions(
        &mut self,
        s: &Situation,
        tools: &mut Tools,
        PhasePoint { x, v }: &PhasePoint,
        rule: Rule,
        report: &mut CorrectionReport,
    ) {
        let Rule { alpha, beta, velocity } = rule;
        let slope = velocity_slope(velocity) / s.h;
        for i in s.vertices() {
            self.trial_x[i] = x[i] * beta + s.state.x[i] * (1.0 - beta);
        }
        let pose = s.pose.at(&self.trial_x);
        tools.evaluator.component_gradient(s.model, s.component, pose, &mut self.objective);
        tools.evaluator.component_gradient(s.model, s.component, s.pose.at(x), &mut self.gradient);
        report.gradient_evaluations += 2;
        for i in s.vertices() {
            let m = s.model.masses[i];
            self.objective[i] = self.objective[i] * (alpha * beta * s.h * s.h) + (x[i] - self.y[i]) * m;
            self.gradient[i] += v[i] * (m * slope);
        }
    }
}

/// h·∂v/∂x of the rule.
fn velocity_slope(update: VelocityUpdate) -> f64 {
    match update {
        VelocityUpdate::Difference => 1.0,
        VelocityUpdate::Backward2 => 1.5,
        VelocityUpdate::Reflection => 2.0,
        VelocityUpdate::Accelerated(rho) => 0.5 * (3.0 - rho) * (1.0 + rho),
        // Refused: see `Correction::check`.
        _ => 1.0,
    }
}
