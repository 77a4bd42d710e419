//! A backward-Euler candidate of one component: where to start again when the solver's own is of no use.
//!
//! Quasi-Newton descent on g with the matrix M + h²L and a line search, from xₙ rather than from xₙ + h vₙ: from there it
//! cannot end in the far side of an element that was inverted by the prediction.

use super::FeprWork;
use super::constants::{RESTART_HALVINGS, RESTART_ITERATIONS};
use crate::correction::{CorrectionReport, PhasePoint, Situation, Tools};
use glam::DVec3;

impl FeprWork {
    /// Replaces the candidate by a backward-Euler one; returns whether a finite state was found.
    pub(super) fn restart(
        &mut self,
        s: &Situation,
        tools: &mut Tools,
        at: &mut PhasePoint,
        report: &mut CorrectionReport,
    ) -> bool {
        let metric = self.restart.as_mut().unwrap_or(&mut self.metric);
        let a = &mut self.arrays;
        let (gradient, direction, trial) = (&mut a.gradient, &mut a.direction, &mut a.trial_x);
        let (rig, values) = (&mut a.rig, &mut a.values);
        let PhasePoint { x, v } = at;
        let (model, h) = (s.model, s.h);
        let free = |i: usize| !model.dofs.is_pinned(i);
        let inertia = |x: &[DVec3]| -> f64 {
            s.vertices()
                .map(|i| {
                    let y = s.state.x[i] + s.state.v[i] * h;
                    0.5 * model.masses[i] * x[i].distance_squared(y)
                })
                .sum()
        };
        for i in s.vertices() {
            // Kinematic bones are where they are put.
            x[i] = if free(i) { s.state.x[i] } else { s.predicted[i] };
            trial[i] = x[i];
        }
        let (mut energies, mut gradients) = (1, 0);
        let mut g =
            inertia(x) + h * h * tools.evaluator.component_value(model, s.component, s.pose.at(x), values);
        for _ in 0..RESTART_ITERATIONS {
            tools.evaluator.component_gradient(model, s.component, s.pose.at(x), gradient);
            gradients += 1;
            for i in s.vertices() {
                let y = s.state.x[i] + s.state.v[i] * h;
                gradient[i] =
                    if free(i) { gradient[i] * (h * h) + (x[i] - y) * model.masses[i] } else { DVec3::ZERO };
            }
            s.read_bones(rig, x);
            let decrease = metric.solve_in_contact(s, tools.operators, &rig.frames, gradient, direction);
            if decrease <= 1e-14 * g.abs() || !decrease.is_finite() {
                break;
            }
            let mut t = 1.0;
            let mut accepted = false;
            for _ in 0..RESTART_HALVINGS {
                for i in s.vertices() {
                    trial[i] = x[i] - direction[i] * t;
                }
                s.make_rigid(rig, trial, None);
                let pose = s.pose.at(trial);
                let energy = tools.evaluator.component_value(model, s.component, pose, values);
                let value = inertia(trial) + h * h * energy;
                energies += 1;
                if value <= g - 1e-4 * t * decrease {
                    g = value;
                    accepted = true;
                    break;
                }
                t *= 0.5;
            }
            if !accepted {
                break;
            }
            for i in s.vertices() {
                x[i] = trial[i];
            }
        }
        s.make_rigid(rig, x, None);
        for i in s.vertices() {
            v[i] = if free(i) { (x[i] - s.state.x[i]) / h } else { DVec3::ZERO };
        }
        let frame = s.frame();
        s.vertices().for_each(|i| v[i] -= frame);
        s.make_rigid(rig, x, Some(v));
        s.vertices().filter(|&i| free(i)).for_each(|i| v[i] += frame);
        s.vertices().filter(|&i| !free(i)).for_each(|i| v[i] = DVec3::ZERO);
        let finite = at.is_finite(s);
        if finite {
            report.energy_evaluations += energies;
            report.gradient_evaluations += gradients;
        }
        finite
    }
}
