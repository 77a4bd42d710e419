//! Activations and jaw for a given blend: Levenberg–Marquardt on
//!
//! mean|Mx − t|² + w_a/2 |a − a_I|² + w_v/2 Σ(det S(a) − 1)² + w_b/2 |b|²
//!
//! with x the equilibrium \[dinev2020, Eq. 4.4\]. The Jacobian is M·dx/d(a, b) with the exact Hessian; the next equilibrium starts where the sensitivities predict it.

use super::dense::{dot, solve};
use super::{Cost, MM, Observation, Stop, Target, Weights};
use crate::error::FaceError;
use crate::muscles::activation::{Activation, PASSIVE, clamped, determinant};
use crate::muscles::blend::Blend;
use crate::muscles::equilibrium::{Balance, Drive, Precision};
use crate::muscles::jaw::Jaw;
use crate::muscles::system::System;
use glam::DVec3;
use rayon::prelude::*;

/// Largest change of an activation, and of a length of the jaw in mm, in one iteration.
const CAPS: [f64; 2] = [0.3, 6.0];
/// Damping at the start, and its factors after a failure and a success.
const DAMPING: [f64; 3] = [1e-4, 10.0, 0.2];

/// A fitted pose.
#[derive(Clone, Debug)]
pub struct Pose {
    /// Activations of the muscles.
    pub activations: Vec<Activation>,
    /// The jaw.
    pub jaw: Jaw,
    /// The equilibrium.
    pub balance: Balance,
    /// The objective.
    pub objective: f64,
    /// What it cost.
    pub cost: Cost,
}

impl Pose {
    /// The face at rest.
    ///
    /// # Errors
    /// [`FaceError::Muscles`] if that has no equilibrium.
    pub fn rest(system: &System, blend: &Blend, muscles: usize) -> Result<Self, FaceError> {
        Self::at(system, blend, vec![PASSIVE; muscles], Jaw::default(), &system.points)
    }

    /// The equilibrium of activations and jaw near a start.
    ///
    /// # Errors
    /// [`FaceError::Muscles`] if there is none.
    pub fn at(
        system: &System,
        blend: &Blend,
        activations: Vec<Activation>,
        jaw: Jaw,
        start: &[DVec3],
    ) -> Result<Self, FaceError> {
        let drive = drive(system, blend, &activations, jaw);
        let balance = system.equilibrium(&drive, start, &Precision::FIT)?;
        let cost = Cost { iterations: 0, factorisations: balance.factorisations, solves: balance.iterations };
        Ok(Self { activations, jaw, balance, objective: f64::INFINITY, cost })
    }

    /// The same in a hurry, on the way of a fit: about `left` m away, with the factor of a pose nearby.
    pub(super) fn near(
        system: &System,
        blend: &Blend,
        activations: Vec<Activation>,
        jaw: Jaw,
        (start, from): (&[DVec3], &Self),
        left: f64,
    ) -> Result<Self, FaceError> {
        let drive = drive(system, blend, &activations, jaw);
        let balance = system.follow(&drive, start, &from.balance.factor, left)?;
        let cost = Cost { iterations: 0, factorisations: balance.factorisations, solves: balance.iterations };
        Ok(Self { activations, jaw, balance, objective: f64::INFINITY, cost })
    }

    /// What drives it.
    pub fn drive(&self, system: &System, blend: &Blend) -> Drive {
        drive(system, blend, &self.activations, self.jaw)
    }
}

fn drive(system: &System, blend: &Blend, activations: &[Activation], jaw: Jaw) -> Drive {
    Drive { activations: system.blended(blend, activations), jaw, forces: Vec::new() }
}

/// The terms that do not depend on x.
pub(super) fn regular(a: &[Activation], jaw: &Jaw, w: &Weights) -> f64 {
    let far: f64 = a.iter().flat_map(|a| (0..6).map(move |k| (a[k] - PASSIVE[k]).powi(2))).sum();
    let volume: f64 = a.iter().map(|a| (determinant(a).0 - 1.0).powi(2)).sum();
    let moved: f64 = jaw.lengths().iter().map(|b| (MM * b).powi(2)).sum();
    0.5 * (w.activation * far + w.volume * volume + w.jaw * moved)
}

/// The derivative of [`regular`] by (a, b in mm).
pub(super) fn regular_slope(a: &[Activation], jaw: &Jaw, w: &Weights) -> Vec<f64> {
    let mut slope = Vec::with_capacity(6 * a.len() + 5);
    for a in a {
        let (det, by) = determinant(a);
        slope.extend((0..6).map(|k| w.activation * (a[k] - PASSIVE[k]) + w.volume * (det - 1.0) * by[k]));
    }
    slope.extend(jaw.lengths().iter().map(|length| w.jaw * MM * length));
    slope
}

pub(super) fn objective(seen: &Observation, target: &Target, pose: &Pose, w: &Weights) -> f64 {
    let residual = seen.residual(&pose.balance.x, target);
    dot(&residual, &residual) / seen.len() as f64 + regular(&pose.activations, &pose.jaw, w)
}

/// Improves a pose until it fits a target.
///
/// # Errors
/// [`FaceError::Muscles`] if the target has another number of points than is observed.
pub fn fit_activations(
    system: &System,
    blend: &Blend,
    seen: &Observation,
    target: &Target,
    start: &Pose,
    weights: &Weights,
    stop: &Stop,
) -> Result<Pose, FaceError> {
    if target.points.len() != seen.len() || seen.is_empty() {
        let (a, b) = (target.points.len(), seen.len());
        return Err(FaceError::Muscles(format!("{}: {a} points, but {b} are observed", target.name)));
    }
    let mut pose = start.clone();
    pose.cost = Cost::default();
    pose.objective = objective(seen, target, &pose, weights);
    let (m, mut damping) = (pose.activations.len(), DAMPING[0]);
    let n = 6 * m + 5;
    'outer: for _ in 0..stop.iterations {
        let drive = pose.drive(system, blend);
        let columns = system.sensitivities(&pose.balance, &drive, blend, m);
        pose.cost.iterations += 1;
        pose.cost.solves += n;
        let (normal, slope) = normal_equations(system, seen, target, &pose, &columns, weights);
        loop {
            let mut matrix = normal.clone();
            (0..n).for_each(|k| matrix[k * n + k] *= 1.0 + damping);
            let mut step: Vec<f64> = slope.iter().map(|g| -g).collect();
            if !solve(&mut matrix, &mut step) {
                damping *= DAMPING[1];
                continue;
            }
            let next = step_to(system, blend, &pose, &columns, &mut step);
            pose.cost.factorisations += next.as_ref().map_or(0, |next| next.cost.factorisations);
            pose.cost.solves += next.as_ref().map_or(0, |next| next.cost.solves);
            if let Ok(mut next) = next {
                next.objective = objective(seen, target, &next, weights);
                if next.objective < pose.objective {
                    let decrease = (pose.objective - next.objective) / pose.objective;
                    next.cost = pose.cost;
                    pose = next;
                    damping *= DAMPING[2];
                    if decrease < stop.decrease {
                        break 'outer;
                    }
                    break;
                }
            }
            damping *= DAMPING[1];
            if damping > 1e6 {
                break 'outer;
            }
        }
    }
    Ok(pose)
}

/// The pose after a step, which is capped in place.
fn step_to(
    system: &System,
    blend: &Blend,
    pose: &Pose,
    columns: &[f64],
    step: &mut [f64],
) -> Result<Pose, FaceError> {
    let (n, m) = (system.unknowns(), pose.activations.len());
    for (k, d) in step.iter_mut().enumerate() {
        let cap = if k < 6 * m { CAPS[0] } else { CAPS[1] };
        *d = d.clamp(-cap, cap);
    }
    let activations: Vec<Activation> =
        (0..m).map(|j| clamped(&std::array::from_fn(|k| pose.activations[j][k] + step[6 * j + k]))).collect();
    let mut lengths = pose.jaw.lengths();
    (0..5).for_each(|k| lengths[k] += step[6 * m + k] / MM);
    // What really changes, after clamping.
    let mut predicted = vec![0.0; n];
    let mut add = |column: usize, by: f64| {
        if by != 0.0 {
            predicted.iter_mut().zip(&columns[column * n..(column + 1) * n]).for_each(|(p, c)| *p += by * c);
        }
    };
    for j in 0..m {
        (0..6).for_each(|k| add(6 * j + k, activations[j][k] - pose.activations[j][k]));
    }
    (0..5).for_each(|k| add(6 * m + k, step[6 * m + k] / MM));
    let mut start = pose.balance.x.clone();
    system.add(&predicted, 1.0, &mut start);
    Pose::at(system, blend, activations, Jaw::from_lengths(lengths), &start)
}

/// Gauss–Newton matrix and gradient in (a, b in mm).
fn normal_equations(
    system: &System,
    seen: &Observation,
    target: &Target,
    pose: &Pose,
    columns: &[f64],
    w: &Weights,
) -> (Vec<f64>, Vec<f64>) {
    let (n, m) = (system.unknowns(), pose.activations.len());
    let count = 6 * m + 5;
    let residual = seen.residual(&pose.balance.x, target);
    let jacobian: Vec<Vec<f64>> = (0..count)
        .into_par_iter()
        .map(|k| {
            let mut column = seen.apply(system, &columns[k * n..(k + 1) * n]);
            if k >= 6 * m {
                column.iter_mut().for_each(|v| *v /= MM);
            }
            column
        })
        .collect();
    let share = 2.0 / seen.len() as f64;
    let rows: Vec<Vec<f64>> = (0..count)
        .into_par_iter()
        .map(|i| {
            (0..count).map(|j| if j <= i { share * dot(&jacobian[i], &jacobian[j]) } else { 0.0 }).collect()
        })
        .collect();
    let mut matrix: Vec<f64> = rows.concat();
    let mut slope = regular_slope(&pose.activations, &pose.jaw, w);
    slope.iter_mut().zip(&jacobian).for_each(|(s, column)| *s += share * dot(column, &residual));
    for (j, a) in pose.activations.iter().enumerate() {
        let (_, by) = determinant(a);
        for k in 0..6 {
            let at = 6 * j + k;
            matrix[at * count + at] += w.activation;
            for l in 0..=k {
                matrix[at * count + 6 * j + l] += w.volume * by[k] * by[l];
            }
        }
    }
    (6 * m..count).for_each(|at| matrix[at * count + at] += w.jaw);
    (matrix, slope)
}
