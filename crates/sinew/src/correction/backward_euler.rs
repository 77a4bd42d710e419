//! A backward-Euler candidate of one component: where to start again when the solver's own is of no use.
//!
//! Quasi-Newton descent on g with the matrix M + h²L and a line search, from xₙ rather than from xₙ + h vₙ: from there it
//! cannot end in the far side of an element that was inverted by the prediction.

use super::Situation;
use super::metric::{Metric, Touching};
use crate::model::Evaluator;
use crate::skeleton::Rig;
use glam::DVec3;

/// Descent steps.
const ITERATIONS: usize = 12;
/// Halvings of a step.
const HALVINGS: usize = 12;

/// Fills `x` and `v` of the component; returns the evaluations of (E, ∇E). `None` if no finite state was found.
pub(super) fn candidate(
    s: &Situation,
    evaluator: &mut Evaluator,
    (metric, touching): (&mut Metric, &mut Touching),
    (x, v): (&mut [DVec3], &mut [DVec3]),
    [gradient, direction, trial]: [&mut [DVec3]; 3],
    rig: &mut Rig,
    values: &mut [f64],
) -> Option<(usize, usize)> {
    let (model, h) = (s.model, s.h);
    let vertices = || s.component.vertices.iter().map(|&i| i as usize);
    let free = |i: usize| !model.dofs.is_pinned(i);
    let inertia = |x: &[DVec3]| -> f64 {
        vertices()
            .map(|i| {
                let y = s.state.x[i] + s.state.v[i] * h;
                0.5 * model.masses[i] * x[i].distance_squared(y)
            })
            .sum()
    };
    for i in vertices() {
        // Bones that are moved by hand are where they are put.
        x[i] = if free(i) { s.state.x[i] } else { s.predicted[i] };
        trial[i] = x[i];
    }
    let mut counts = (1, 0);
    let pose = s.pose.at(x);
    let mut g = inertia(x) + h * h * evaluator.component_value(model, s.component, pose, values);
    for _ in 0..ITERATIONS {
        let pose = s.pose.at(x);
        evaluator.component_gradient(model, s.component, pose, gradient);
        counts.1 += 1;
        for i in vertices() {
            let y = s.state.x[i] + s.state.v[i] * h;
            gradient[i] =
                if free(i) { gradient[i] * (h * h) + (x[i] - y) * model.masses[i] } else { DVec3::ZERO };
        }
        let decrease = metric.solve_touching(s, touching, (rig, x), gradient, direction);
        if decrease <= 1e-14 * g.abs() || !decrease.is_finite() {
            break;
        }
        let mut t = 1.0;
        let mut accepted = false;
        for _ in 0..HALVINGS {
            for i in vertices() {
                trial[i] = x[i] - direction[i] * t;
            }
            s.make_rigid(rig, trial, None);
            let pose = s.pose.at(trial);
            let value = inertia(trial) + h * h * evaluator.component_value(model, s.component, pose, values);
            counts.0 += 1;
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
        for i in vertices() {
            x[i] = trial[i];
        }
    }
    s.make_rigid(rig, x, None);
    for i in vertices() {
        v[i] = if free(i) { (x[i] - s.state.x[i]) / h } else { DVec3::ZERO };
    }
    s.make_rigid(rig, x, Some(v));
    vertices().all(|i| x[i].is_finite() && v[i].is_finite()).then_some(counts)
}
