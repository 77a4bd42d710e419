//! Blending with backward or forward Euler until the energy fits [dinev2018stab, Alg. 1].
//!
//! e = H − H_total of the base (implicit midpoint in the paper, any rule here). If e > 0, the blend partner is a backward-Euler step from
//! (xₙ, vₙ) that takes the base's positions as its initial guess (line 11 of the paper means the guess, not the start) and one local/global
//! iteration; if e < 0, it is a forward-Euler step. Where that iteration leaves backward Euler above the budget, one from xₙ is tried
//! instead: the linearly implicit step, which damps most. Where even that stays above, the state before the step takes its place in the
//! blend, and a fallback is counted; where forward Euler stays below, too, unless that state is below as well.
//!
//! The blend (1 − α)·base + α·Euler must have |e| ≤ ε times the energy in motion, which, unlike H, gravity cannot make zero. The paper
//! bisects for α. K is a parabola in α and E nearly one, so the root of a parabola through the known values takes two or three trials instead
//! of seven or more; bisection remains as the safeguard.
//!
//! Angular momentum is not kept: backward Euler does not keep it.
//!
//! A blend of two placements of a bone is bent, so the bones of Euler steps and of blends are made rigid and their joints closed. The way from
//! the base to Euler is then curved but has no gaps, which is all that a bracket needs.

use super::metric::Metric;
use super::{CorrectionReport, PhasePoint, Rig, Situation, Tools};
use crate::model::Model;
use crate::operator::Systems;
use crate::settings::error::SettingsError;
use glam::DVec3;

/// Settings of the blend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// Tolerance ε: how far H may stay from its target, as a share of the energy scale.
    pub epsilon: f64,
}

impl Default for Blend {
    /// One per cent, as in the paper.
    fn default() -> Self {
        Self { epsilon: 0.01 }
    }
}

/// Trials of α before the last one is accepted as it is.
const TRIALS: usize = 40;

/// Buffers of the blend, #V each.
#[derive(Debug)]
pub(crate) struct BlendWork {
    /// M + h²L.
    metric: Metric,
    euler_x: Vec<DVec3>,
    euler_v: Vec<DVec3>,
    trial_x: Vec<DVec3>,
    trial_v: Vec<DVec3>,
    gradient: Vec<DVec3>,
    direction: Vec<DVec3>,
    rig: Rig,
}

impl BlendWork {
    pub fn new(model: &Model, systems: &mut Systems, h: f64) -> Result<Self, SettingsError> {
        let zeros = || vec![DVec3::ZERO; model.points()];
        Ok(Self {
            metric: Metric::new(model, systems, h * h)?,
            euler_x: zeros(),
            euler_v: zeros(),
            trial_x: zeros(),
            trial_v: zeros(),
            gradient: zeros(),
            direction: zeros(),
            rig: Rig::new(model),
        })
    }

    pub fn project(
        &mut self,
        settings: &Blend,
        s: &Situation,
        tools: &mut Tools,
        PhasePoint { x, v }: &mut PhasePoint,
    ) -> CorrectionReport {
        let mut report = CorrectionReport::default();
        self.rig.drive(s.model, &s.state.last_controls, &s.state.controls, s.h);
        let tolerance = settings.epsilon * energy_in_motion(s);
        if !s.vertices().all(|i| x[i].is_finite() && v[i].is_finite()) {
            for i in s.vertices() {
                x[i] = s.state.x[i];
                v[i] = s.state.v[i];
            }
            report.fallbacks = 1;
        }
        let error = s.excess(tools, x, v, &mut report);
        if error.abs() <= tolerance {
            return report;
        }
        let misses = |end: f64| end * error > 0.0 && end.abs() > tolerance;
        let mut end = if error > 0.0 {
            self.backward_euler(s, tools, x, &mut report)
        } else {
            self.forward_euler(s, tools, x, &mut report)
        };
        if misses(end) && error > 0.0 {
            self.take_start(s, x);
            let guess = std::mem::take(&mut self.trial_x);
            end = self.backward_euler(s, tools, &guess, &mut report);
            self.trial_x = guess;
        }
        if misses(end) {
            report.fallbacks = 1;
            // Too little energy is no danger, but what goes back for want of it would hang where it is for ever.
            let start = s.excess(tools, &s.state.x, &s.state.v, &mut report);
            if error > 0.0 || !misses(start) {
                end = self.take_back(s, tools, x, &mut report);
            }
        }
        let mut bracket = Bracket::new(error, end, self.slope(s, x, v));
        for _ in 0..TRIALS {
            let alpha = if misses(end) { 1.0 } else { bracket.guess() };
            self.mix(alpha, s, x, v);
            let e = s.excess(tools, &self.trial_x, &self.trial_v, &mut report);
            report.iterations += 1;
            if e.abs() <= tolerance || alpha == 1.0 {
                break;
            }
            bracket.narrow(alpha, e);
        }
        for i in s.vertices() {
            x[i] = self.trial_x[i];
            v[i] = self.trial_v[i];
        }
        report
    }

    /// Uses the state before the step instead of an Euler step; returns its e.
    fn take_back(
        &mut self,
        s: &Situation,
        tools: &mut Tools,
        base: &[DVec3],
        report: &mut CorrectionReport,
    ) -> f64 {
        self.take_start(s, base);
        for i in s.vertices() {
            self.euler_x[i] = self.trial_x[i];
            self.euler_v[i] = s.state.v[i];
        }
        self.measure_euler(s, tools, report)
    }

    /// trial_x ← xₙ, with pins and kinematic bones where the step puts them, and bones that hang on those carried along.
    fn take_start(&mut self, s: &Situation, base: &[DVec3]) {
        for i in s.vertices() {
            self.trial_x[i] = if s.model.dofs.is_pinned(i) { base[i] } else { s.state.x[i] };
        }
        s.make_rigid(&mut self.rig, &mut self.trial_x, None);
    }

    /// Makes the bones of the Euler step rigid; returns its e.
    fn measure_euler(&mut self, s: &Situation, tools: &mut Tools, report: &mut CorrectionReport) -> f64 {
        s.make_rigid(&mut self.rig, &mut self.euler_x, Some(&mut self.euler_v));
        s.excess(tools, &self.euler_x, &self.euler_v, report)
    }

    /// de/dα at the base, with the mean force of the step, M(vₙ − v)/h, in place of ∇E: exact for a converged backward-Euler base, and it
    /// needs no evaluation. It is an initial guess only.
    fn slope(&self, s: &Situation, x: &[DVec3], v: &[DVec3]) -> f64 {
        let along = |i: usize| {
            let force = (s.state.v[i] - v[i]) / s.h;
            s.model.masses[i] * (force.dot(self.euler_x[i] - x[i]) + v[i].dot(self.euler_v[i] - v[i]))
        };
        s.vertices().map(along).sum()
    }

    /// trial ← (1 − α)·base + α·Euler, with rigid bones.
    fn mix(&mut self, alpha: f64, s: &Situation, x: &[DVec3], v: &[DVec3]) {
        for i in s.vertices() {
            self.trial_x[i] = x[i].lerp(self.euler_x[i], alpha);
            self.trial_v[i] = v[i].lerp(self.euler_v[i], alpha);
        }
        s.make_rigid(&mut self.rig, &mut self.trial_x, Some(&mut self.trial_v));
    }

    /// One local/global iteration of backward Euler from (xₙ, vₙ) with the given initial guess; returns its e.
    fn backward_euler(
        &mut self,
        s: &Situation,
        tools: &mut Tools,
        guess: &[DVec3],
        report: &mut CorrectionReport,
    ) -> f64 {
        let (model, h) = (s.model, s.h);
        let pose = s.pose.at(guess);
        tools.evaluator.component_gradient(model, s.component, pose, &mut self.gradient);
        report.gradient_evaluations += 1;
        for i in s.vertices() {
            let y = s.state.x[i] + s.state.v[i] * h;
            self.gradient[i] = self.gradient[i] * (h * h) + (guess[i] - y) * model.masses[i];
        }
        s.read_bones(&mut self.rig, guess);
        self.metric.solve(s, &self.rig.frames, &self.gradient, &mut self.direction);
        for i in s.vertices() {
            self.euler_x[i] = guess[i] - self.direction[i];
        }
        s.make_rigid(&mut self.rig, &mut self.euler_x, None);
        for i in s.vertices() {
            // A kinematic bone moves without having a velocity.
            let moves = !model.dofs.is_pinned(i);
            self.euler_v[i] = if moves { (self.euler_x[i] - s.state.x[i]) / h } else { DVec3::ZERO };
        }
        self.measure_euler(s, tools, report)
    }

    /// Forward Euler from the state after user interaction; returns its e.
    fn forward_euler(
        &mut self,
        s: &Situation,
        tools: &mut Tools,
        base: &[DVec3],
        report: &mut CorrectionReport,
    ) -> f64 {
        let pose = s.pose.at(&s.state.x);
        tools.evaluator.component_gradient(s.model, s.component, pose, &mut self.gradient);
        report.gradient_evaluations += 1;
        for i in s.vertices() {
            let pinned = s.model.dofs.is_pinned(i);
            let pull = if pinned { DVec3::ZERO } else { self.gradient[i] / s.model.masses[i] };
            self.euler_x[i] = if pinned { base[i] } else { s.state.x[i] + s.state.v[i] * s.h };
            self.euler_v[i] = s.state.v[i] - pull * s.h;
        }
        self.measure_euler(s, tools, report)
    }
}

/// K + Σ|E| without gravity at the start of the step: the energy that ε is a share of. H itself does not serve, because gravity can make it
/// zero.
fn energy_in_motion(s: &Situation) -> f64 {
    let batches = s.component.energies.iter().filter(|&&k| !s.component.gravity.contains(&k));
    let elastic: f64 = batches.map(|&k| s.state.ledger.potentials[k].abs()).sum();
    s.component.kinetic(&s.model.masses, &s.state.v) + elastic
}

/// The interval of α in which e changes its sign, and the parabola there.
#[derive(Clone, Copy, Debug)]
struct Bracket {
    /// (α, e) at the base's end and at Euler's end.
    base: (f64, f64),
    euler: (f64, f64),
    /// Second difference of e over the interval: e = ea + slope·(α − a) + bend·(α − a)(α − b).
    bend: f64,
    /// Consecutive trials that left more than half of the interval.
    stalls: usize,
}

impl Bracket {
    /// From e at both ends and its slope at the base.
    fn new(error: f64, end: f64, slope: f64) -> Self {
        Self { base: (0.0, error), euler: (1.0, end), bend: end - error - slope, stalls: 0 }
    }

    fn narrow(&mut self, alpha: f64, e: f64) {
        let ((a, ea), (b, eb)) = (self.base, self.euler);
        // Measured from here on; it is the same for any part of the interval.
        self.bend = (e - ea - (eb - ea) / (b - a) * (alpha - a)) / ((alpha - a) * (alpha - b));
        let side = if e * self.base.1 > 0.0 { &mut self.base } else { &mut self.euler };
        *side = (alpha, e);
        self.stalls = if self.euler.0 - self.base.0 > 0.5 * (b - a) { self.stalls + 1 } else { 0 };
    }

    /// The root of the parabola, or the midpoint where the root is not usable.
    fn guess(&self) -> f64 {
        let ((a, ea), (b, eb)) = (self.base, self.euler);
        let width = b - a;
        let slope = (eb - ea) / width;
        let start = slope - self.bend * width;
        // The first root of ea + start·t + bend·t², in the form that does not cancel.
        let t = 2.0 * ea / (-start + ea.signum() * (start * start - 4.0 * self.bend * ea).sqrt());
        // Keep away from the ends, or the bracket would hardly shrink.
        let useful = t.is_finite() && self.stalls < 2;
        a + if useful { t.clamp(0.02 * width, 0.98 * width) } else { 0.5 * width }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// α and trials until |e| ≤ 1e-3, from a slope that may be wrong.
    fn solve(slope: f64, e: impl Fn(f64) -> f64) -> (f64, usize) {
        let mut bracket = Bracket::new(e(0.0), e(1.0), slope);
        for trial in 1..TRIALS {
            let alpha = bracket.guess();
            if e(alpha).abs() <= 1e-3 {
                return (alpha, trial);
            }
            bracket.narrow(alpha, e(alpha));
        }
        panic!("no root");
    }

    #[test]
    fn a_parabola_is_met_at_once_or_as_soon_as_it_is_known() {
        let e = |a: f64| 1.0 - 4.0 * a + 1.5 * a * a;
        for (slope, expected) in [(-4.0, 1), (-3.0, 2), (5.0, 2)] {
            let (alpha, trials) = solve(slope, e);
            assert!(e(alpha).abs() < 1e-9 && trials == expected, "{slope}: {alpha} {trials}");
        }
    }

    #[test]
    fn a_jump_is_met_by_the_safeguard() {
        for slope in [0.0, -1e9, 1e9, f64::NAN, f64::INFINITY] {
            let (alpha, trials) = solve(slope, |a| if a < 0.9 { 1e6 } else { -1e-3 });
            assert!(alpha >= 0.9 && trials < 20, "{alpha} {trials}");
            let (alpha, trials) = solve(slope, |a| (a - 0.3).powi(3) * -50.0);
            assert!((alpha - 0.3).abs() < 0.04 && trials < 20, "{alpha} {trials}");
        }
    }
}
