//! Blending with backward or forward Euler until the energy fits [dinev2018stab, Alg. 1].
//!
//! e = H − H_total of the base (implicit midpoint in the paper, any rule here). e > 0: a backward-Euler step from (xₙ, vₙ)
//! that takes the base's positions as its initial guess (line 11 of the paper means the guess, not the start) and one
//! local/global iteration; e < 0: a forward-Euler step. The blend (1 − α)·base + α·Euler is bisected for |e| ≤ ε times
//! the energy in motion, which gravity cannot make zero. If one iteration leaves backward Euler above the budget, more
//! are made; where they do not get below it, the state before the step takes its place in the blend, counted as a
//! fallback.
//!
//! Angular momentum is not kept: backward Euler does not keep it.

use super::metric::Metric;
use super::{CorrectionReport, Situation};
use crate::energy::Pose;
use crate::model::{Evaluator, Model};
use crate::settings::SettingsError;
use crate::solver::Systems;
use glam::DVec3;

/// Settings of the blend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// ε: how far H may stay from its target, as a share of the energy scale.
    pub epsilon: f64,
}

impl Default for Blend {
    /// One per cent, as in the paper.
    fn default() -> Self {
        Self { epsilon: 0.01 }
    }
}

/// Bisections of α.
const BISECTIONS: usize = 40;
/// Local/global iterations of backward Euler: one, and more only where one is not enough.
const ITERATIONS: usize = 20;

/// Memory of the blend, #V each.
#[derive(Debug)]
pub(crate) struct BlendWork {
    /// M + h²L of each component.
    metrics: Vec<Metric>,
    euler_x: Vec<DVec3>,
    euler_v: Vec<DVec3>,
    trial_x: Vec<DVec3>,
    trial_v: Vec<DVec3>,
    gradient: Vec<DVec3>,
    direction: Vec<DVec3>,
}

impl BlendWork {
    pub fn new(model: &Model, systems: &mut Systems, h: f64) -> Result<Self, SettingsError> {
        let zeros = || vec![DVec3::ZERO; model.vertices()];
        Ok(Self {
            metrics: Metric::for_components(model, systems, h * h)?,
            euler_x: zeros(),
            euler_v: zeros(),
            trial_x: zeros(),
            trial_v: zeros(),
            gradient: zeros(),
            direction: zeros(),
        })
    }

    pub fn project(
        &mut self,
        settings: &Blend,
        s: &Situation,
        evaluator: &mut Evaluator,
        (x, v): (&mut [DVec3], &mut [DVec3]),
        potentials: &mut [f64],
    ) -> CorrectionReport {
        let mut report = CorrectionReport::default();
        let tolerance = settings.epsilon * energy_in_motion(s);
        if !s.vertices().all(|i| x[i].is_finite() && v[i].is_finite()) {
            for i in s.vertices() {
                x[i] = s.state.x[i];
                v[i] = s.state.v[i];
            }
            report.fallbacks = 1;
        }
        let error = s.excess(evaluator, x, v, potentials, &mut report);
        if error.abs() <= tolerance {
            return report;
        }
        let end = if error > 0.0 {
            self.backward_euler(s, evaluator, x, potentials, &mut report)
        } else {
            self.forward_euler(s, evaluator, potentials, &mut report)
        };
        // Same sign at both ends: no blend meets the budget. The state before the step has the energy it should.
        if end * error > 0.0 && end.abs() > tolerance {
            report.fallbacks = 1;
            self.take_back(s);
        }
        let (mut low, mut high) = (0.0, 1.0);
        let mut alpha = 1.0;
        for _ in 0..BISECTIONS {
            alpha = 0.5 * (low + high);
            self.mix(alpha, s, x, v);
            let e = s.excess(evaluator, &self.trial_x, &self.trial_v, potentials, &mut report);
            report.iterations += 1;
            if e.abs() <= tolerance {
                break;
            }
            if e * error > 0.0 { low = alpha } else { high = alpha }
        }
        self.take(alpha, s, evaluator, (x, v), potentials, report)
    }

    /// The state before the step instead of an Euler step.
    fn take_back(&mut self, s: &Situation) {
        for i in s.vertices() {
            self.euler_x[i] = s.state.x[i];
            self.euler_v[i] = s.state.v[i];
        }
    }

    /// trial ← (1 − α)·base + α·Euler.
    fn mix(&mut self, alpha: f64, s: &Situation, x: &[DVec3], v: &[DVec3]) {
        for i in s.vertices() {
            self.trial_x[i] = x[i].lerp(self.euler_x[i], alpha);
            self.trial_v[i] = v[i].lerp(self.euler_v[i], alpha);
        }
    }

    fn take(
        &mut self,
        alpha: f64,
        s: &Situation,
        evaluator: &mut Evaluator,
        (x, v): (&mut [DVec3], &mut [DVec3]),
        potentials: &mut [f64],
        mut report: CorrectionReport,
    ) -> CorrectionReport {
        self.mix(alpha, s, x, v);
        for i in s.vertices() {
            x[i] = self.trial_x[i];
            v[i] = self.trial_v[i];
        }
        s.excess(evaluator, x, v, potentials, &mut report);
        report
    }

    /// Backward Euler from (xₙ, vₙ), starting at the base's positions; returns its e.
    fn backward_euler(
        &mut self,
        s: &Situation,
        evaluator: &mut Evaluator,
        x: &[DVec3],
        potentials: &mut [f64],
        report: &mut CorrectionReport,
    ) -> f64 {
        let (model, h) = (s.model, s.h);
        for i in s.vertices() {
            self.euler_x[i] = x[i];
        }
        let mut e = f64::INFINITY;
        for _ in 0..ITERATIONS {
            let pose = Pose { x: &self.euler_x, targets: &s.state.requested_targets };
            evaluator.component_gradient(model, s.component, pose, &mut self.gradient);
            report.gradient_evaluations += 1;
            for i in s.vertices() {
                let y = s.state.x[i] + s.state.v[i] * h;
                self.gradient[i] = self.gradient[i] * (h * h) + (self.euler_x[i] - y) * model.masses[i];
            }
            self.metrics[s.index].solve(s.component, &self.gradient, &mut self.direction);
            for i in s.vertices() {
                self.euler_x[i] -= self.direction[i];
                self.euler_v[i] = (self.euler_x[i] - s.state.x[i]) / h;
            }
            e = s.excess(evaluator, &self.euler_x, &self.euler_v, potentials, report);
            if e <= 0.0 {
                break;
            }
        }
        e
    }

    /// Forward Euler from the state after user interaction; returns its e.
    fn forward_euler(
        &mut self,
        s: &Situation,
        evaluator: &mut Evaluator,
        potentials: &mut [f64],
        report: &mut CorrectionReport,
    ) -> f64 {
        let pose = Pose { x: &s.state.x, targets: &s.state.requested_targets };
        evaluator.component_gradient(s.model, s.component, pose, &mut self.gradient);
        report.gradient_evaluations += 1;
        for i in s.vertices() {
            let pinned = s.model.dofs.is_pinned(i);
            let pull = if pinned { DVec3::ZERO } else { self.gradient[i] / s.model.masses[i] };
            self.euler_x[i] = s.state.x[i] + s.state.v[i] * s.h;
            self.euler_v[i] = s.state.v[i] - pull * s.h;
        }
        s.excess(evaluator, &self.euler_x, &self.euler_v, potentials, report)
    }
}

/// K + Σ|E| without gravity at the start of the step: the energy that ε is a share of. H itself would not do, gravity can
/// make it zero.
fn energy_in_motion(s: &Situation) -> f64 {
    let batches = s.component.energies.iter().filter(|&&k| s.component.gravity != Some(k));
    let elastic: f64 = batches.map(|&k| s.state.ledger.potentials[k].abs()).sum();
    s.component.kinetic(&s.model.masses, &s.state.v) + elastic
}
