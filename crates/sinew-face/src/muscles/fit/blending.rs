//! The blend for several poses with their activations fixed: one Gauss–Newton step
//!
//! min over S on the simplex of Σₚ mean|Mxₚ + M dxₚ[S − Sₙ] − tₚ|² + w_s/2 |S − S₀|²,
//!
//! by FISTA with restarts \[beck2009; odonoghue2015\]. The Jacobian is never formed: each product solves once with the factor of a pose. Projection onto the masked simplex is exact, and so is every
//! point of the line search Sₙ + t(S⁺ − Sₙ).

use super::activations::{Pose, regular};
use super::dense::dot;
use super::{Cost, Observation, Target, Weights};
use crate::error::FaceError;
use crate::muscles::activation::Activation;
use crate::muscles::blend::{Blend, project_rows};
use crate::muscles::sensitivity::{ByActivation, blended_change, of_column};
use crate::muscles::system::System;
use rayon::prelude::*;

/// Iterations of FISTA, and of the power method for the Lipschitz constant.
const INNER: usize = 60;
const POWER: usize = 8;

/// What one pose contributes.
struct Part<'a> {
    pose: &'a Pose,
    by: ByActivation,
    residual: Vec<f64>,
}

/// The linearised problem.
struct Problem<'a> {
    system: &'a System,
    seen: &'a Observation,
    blend: &'a Blend,
    first: &'a Blend,
    parts: Vec<Part<'a>>,
    weight: f64,
}

impl Problem<'_> {
    /// JᵀJ d (without `residuals`), or Jᵀ(r + J d); twice the share of a point.
    fn slope(&self, d: &[f64], residuals: bool) -> Vec<f64> {
        let share = 2.0 / self.seen.len() as f64;
        let all: Vec<Vec<f64>> = self
            .parts
            .par_iter()
            .map(|part| {
                let a: &[Activation] = &part.pose.activations;
                let mut column = vec![0.0; self.system.unknowns()];
                self.system.push(&part.by, &blended_change(self.blend, a, d), &mut column);
                part.pose.balance.factor.solve(&mut column);
                let mut r = self.seen.apply(self.system, &column);
                if residuals {
                    r.iter_mut().zip(&part.residual).for_each(|(r, s)| *r += s);
                }
                let mut back = self.seen.transpose(self.system, &r);
                part.pose.balance.factor.solve(&mut back);
                let q = self.system.pushed(&part.by, &back);
                let mut out = vec![0.0; d.len()];
                for (i, q) in q.iter().enumerate() {
                    for at in self.blend.range(i) {
                        out[at] = share * dot(q, of_column(self.blend.columns[at], a));
                    }
                }
                out
            })
            .collect();
        let mut sum = vec![0.0; d.len()];
        all.iter().for_each(|part| sum.iter_mut().zip(part).for_each(|(s, p)| *s += p));
        sum
    }

    fn gradient(&self, d: &[f64]) -> Vec<f64> {
        let mut g = self.slope(d, true);
        for (at, g) in g.iter_mut().enumerate() {
            *g += self.weight * (self.blend.weights[at] + d[at] - self.first.weights[at]);
        }
        g
    }

    /// An upper estimate of the largest curvature.
    fn lipschitz(&self) -> f64 {
        let mut noise = crate::muscles::noise::Noise::new(11);
        let mut d: Vec<f64> = self.blend.weights.iter().map(|_| noise.normal()).collect();
        let mut value = 0.0;
        for _ in 0..POWER {
            let length = dot(&d, &d).sqrt().max(f64::MIN_POSITIVE);
            d.iter_mut().for_each(|v| *v /= length);
            d = self.slope(&d, false);
            value = dot(&d, &d).sqrt();
        }
        1.15 * value + self.weight
    }
}

/// The sum of the objectives of poses that were just computed.
fn total(
    seen: &Observation,
    targets: &[Target],
    poses: &[Pose],
    blend: &Blend,
    first: &Blend,
    w: &Weights,
) -> f64 {
    let fit: f64 = poses
        .iter()
        .zip(targets)
        .map(|(pose, target)| {
            let r = seen.residual(&pose.balance.x, target);
            dot(&r, &r) / seen.len() as f64 + regular(&pose.activations, &pose.jaw, w)
        })
        .sum();
    fit + 0.5 * w.blend * blend.distance(first).powi(2)
}

/// A blend and the poses in it.
type Blended = (Blend, Vec<Pose>);

/// A better blend, and the poses in it; `None` if there is none along the way.
pub(super) fn improve(
    system: &System,
    blend: &Blend,
    first: &Blend,
    seen: &Observation,
    targets: &[Target],
    poses: &[Pose],
    w: &Weights,
) -> Result<(Option<Blended>, Cost), FaceError> {
    let mut cost = Cost { iterations: 1, ..Cost::default() };
    let parts = poses
        .iter()
        .zip(targets)
        .map(|(pose, target)| {
            let drive = pose.drive(system, blend);
            let by = system.by_activation(&pose.balance, &drive.activations);
            Part { pose, by, residual: seen.residual(&pose.balance.x, target) }
        })
        .collect();
    let problem = Problem { system, seen, blend, first, parts, weight: w.blend };
    let step = 1.0 / problem.lipschitz();
    cost.solves += 2 * poses.len() * (POWER + INNER);
    let s = &blend.weights;
    let mut d = vec![0.0; s.len()];
    let (mut ahead, mut t) = (d.clone(), 1.0_f64);
    for _ in 0..INNER {
        let g = problem.gradient(&ahead);
        let mut next: Vec<f64> = (0..s.len()).map(|k| s[k] + ahead[k] - step * g[k]).collect();
        project_rows(&blend.start, &mut next);
        next.iter_mut().zip(s).for_each(|(n, s)| *n -= s);
        // Momentum that works against the descent is thrown away.
        let against: f64 = (0..s.len()).map(|k| (ahead[k] - next[k]) * (next[k] - d[k])).sum();
        if against > 0.0 {
            t = 1.0;
        }
        let after = 0.5 * (1.0 + (1.0 + 4.0 * t * t).sqrt());
        let momentum = (t - 1.0) / after;
        ahead = (0..s.len()).map(|k| next[k] + momentum * (next[k] - d[k])).collect();
        (d, t) = (next, after);
    }
    let before = total(seen, targets, poses, blend, first, w);
    for scale in [1.0, 0.5, 0.25, 0.125] {
        let mut tried = blend.clone();
        tried.weights.iter_mut().zip(&d).for_each(|(s, d)| *s += scale * d);
        tried.project();
        let moved: Result<Vec<Pose>, FaceError> = poses
            .par_iter()
            .map(|pose| Pose::at(system, &tried, pose.activations.clone(), pose.jaw, &pose.balance.x))
            .collect();
        let Ok(moved) = moved else { continue };
        cost.factorisations += moved.iter().map(|pose| pose.cost.factorisations).sum::<usize>();
        cost.solves += moved.iter().map(|pose| pose.cost.solves).sum::<usize>();
        if total(seen, targets, &moved, &tried, first, w) < before {
            return Ok((Some((tried, moved)), cost));
        }
    }
    Ok((None, cost))
}
