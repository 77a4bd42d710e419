//! New expressions with a known blend: the fast path.
//!
//! The objective is that of [`fit_activations`](super::fit_activations). What is expensive about it, the columns dx/d(a, jaw), is computed once, at rest, when the face is prepared. A fit then needs two solves in each iteration, one for the exact
//! gradient by the adjoint and one for the sensitivity along the step, and quasi-Newton steps: the Gauss–Newton matrix at rest, improved by BFGS updates \[nocedal2006, §6.1\].

use super::activations::{Pose, fit_activations, objective, regular_slope};
use super::dense::{dot, solve};
use super::{Cost, MM, Observation, Stop, Target, Weights};
use crate::error::FaceError;
use crate::muscles::activation::{Activation, clamped};
use crate::muscles::blend::Blend;
use crate::muscles::element::Point;
use crate::muscles::jaw::Jaw;
use crate::muscles::system::System;
use rayon::prelude::*;

/// Largest change of an activation, and of a length of the jaw in mm, in one iteration.
const CAPS: [f64; 2] = [0.3, 6.0];
/// How far an equilibrium on the way of a fit may be from the true one, and the last one before its exact step, m.
const NEAR: f64 = 1e-5;
const SETTLED: f64 = 2e-6;
/// Weights of activations over the last one, in a fit that takes its time.
const FALLING: [f64; 4] = [100.0, 10.0, 3.0, 1.0];
/// Halvings of a step that does not descend.
const HALVINGS: usize = 6;

/// Derivatives of forces at a pose: by activations of elements, from their decompositions, and by the jaw.
struct Linear {
    points: Vec<Point>,
    jaw: Vec<f64>,
}

/// A face that is ready for fits.
#[derive(Debug)]
pub struct Prepared<'a> {
    system: &'a System,
    blend: &'a Blend,
    seen: &'a Observation,
    rest: Pose,
    /// 2/c JᵀJ at rest, by rows.
    normal: Vec<f64>,
}

impl<'a> Prepared<'a> {
    /// Computes the columns at rest.
    ///
    /// # Errors
    /// [`FaceError::Muscles`] if nothing is observed, or rest is no equilibrium.
    pub fn new(
        system: &'a System,
        blend: &'a Blend,
        seen: &'a Observation,
        muscles: usize,
    ) -> Result<Self, FaceError> {
        if seen.is_empty() {
            return Err(FaceError::Muscles("nothing of the face is observed".into()));
        }
        let rest = Pose::rest(system, blend, muscles)?;
        let drive = rest.drive(system, blend);
        let mut columns = system.sensitivities(&rest.balance, &drive, blend, muscles);
        let (n, count) = (system.unknowns(), 6 * muscles + 5);
        columns[6 * muscles * n..].iter_mut().for_each(|v| *v /= MM);
        let jacobian: Vec<Vec<f64>> =
            (0..count).into_par_iter().map(|k| seen.apply(system, &columns[k * n..(k + 1) * n])).collect();
        let share = 2.0 / seen.len() as f64;
        let row = |i: usize| (0..count).map(|j| share * dot(&jacobian[i], &jacobian[j])).collect::<Vec<_>>();
        let normal: Vec<Vec<f64>> = (0..count).into_par_iter().map(row).collect();
        Ok(Self { system, blend, seen, rest, normal: normal.concat() })
    }

    /// The exact gradient in (a, b in mm), and what it was made from.
    fn gradient(&self, pose: &Pose, target: &Target, w: &Weights) -> (Vec<f64>, Linear) {
        let (system, m) = (self.system, pose.activations.len());
        let share = 2.0 / self.seen.len() as f64;
        let residual = self.seen.residual(&pose.balance.x, target);
        let mut z = self.seen.transpose(system, &residual);
        pose.balance.factor.solve(&mut z);
        let drive = pose.drive(system, self.blend);
        let points = system.decomposed(&pose.balance.x, &drive.activations);
        let pushed = system.pushed_at(&points, &z);
        let mut g = regular_slope(&pose.activations, &pose.jaw, w);
        for (i, q) in pushed.iter().enumerate() {
            for (column, weight) in self.blend.row(i).filter(|(column, _)| *column > 0) {
                let at = 6 * (column as usize - 1);
                (0..6).for_each(|k| g[at + k] += share * weight * q[k]);
            }
        }
        let n = system.unknowns();
        let mut jaw = vec![0.0; 5 * n];
        system.jaw_columns_at(|i| points[i], &drive.jaw, &mut jaw);
        (0..5).for_each(|k| g[6 * m + k] += share * dot(&jaw[k * n..(k + 1) * n], &z) / MM);
        (g, Linear { points, jaw })
    }

    /// The pose a step away, which starts where the sensitivity along the step predicts it; the step becomes what was really done.
    fn moved(&self, pose: &Pose, linear: &Linear, step: &mut [f64]) -> Result<Pose, FaceError> {
        let (n, m) = (self.system.unknowns(), pose.activations.len());
        let activations: Vec<Activation> = (0..m)
            .map(|j| {
                let a = clamped(&std::array::from_fn(|k| pose.activations[j][k] + step[6 * j + k]));
                (0..6).for_each(|k| step[6 * j + k] = a[k] - pose.activations[j][k]);
                a
            })
            .collect();
        let mut lengths = pose.jaw.lengths();
        (0..5).for_each(|k| lengths[k] += step[6 * m + k] / MM);
        let change: Vec<Activation> = (0..m).map(|j| std::array::from_fn(|k| step[6 * j + k])).collect();
        let elements: Vec<Activation> = (0..self.blend.len())
            .map(|i| {
                let mut sum = [0.0; 6];
                for (column, weight) in self.blend.row(i).filter(|(column, _)| *column > 0) {
                    (0..6).for_each(|k| sum[k] += weight * change[column as usize - 1][k]);
                }
                sum
            })
            .collect();
        let mut predicted = vec![0.0; n];
        self.system.push_at(&linear.points, &elements, &mut predicted);
        for k in 0..5 {
            let by = step[6 * m + k] / MM;
            predicted.iter_mut().zip(&linear.jaw[k * n..(k + 1) * n]).for_each(|(p, c)| *p += by * c);
        }
        pose.balance.factor.solve(&mut predicted);
        let mut start = pose.balance.x.clone();
        self.system.add(&predicted, 1.0, &mut start);
        let jaw = Jaw::from_lengths(lengths);
        Pose::near(self.system, self.blend, activations, jaw, (&start, pose), NEAR)
    }

    /// Fits a target, from rest.
    ///
    /// # Errors
    /// [`FaceError::Muscles`] if the target has another number of points than is observed.
    pub fn fit(&self, target: &Target, w: &Weights, stop: &Stop) -> Result<Pose, FaceError> {
        self.fit_from(&self.rest, target, w, stop)
    }

    /// The same for scans of a person, where the fast path may end far from the best fit: Levenberg–Marquardt from rest as well, with a weight of activations that falls to its value as in the fit of several scans, and the better of both. First the jaw and large movements are found, then details; at the
    /// final weight from the start, steps end where they would have to undo each other.
    ///
    /// # Errors
    /// [`FaceError::Muscles`] if the target has another number of points than is observed.
    pub fn fit_thoroughly(&self, target: &Target, w: &Weights, stop: &Stop) -> Result<Pose, FaceError> {
        let fast = self.fit(target, w, stop)?;
        let mut slow = self.rest.clone();
        let mut cost = Cost::default();
        for times in FALLING {
            let weights = Weights { activation: times * w.activation, ..*w };
            slow = fit_activations(self.system, self.blend, self.seen, target, &slow, &weights, stop)?;
            cost.add(&slow.cost);
        }
        slow.cost = cost;
        let (mut best, other) = if slow.objective < fast.objective { (slow, fast) } else { (fast, slow) };
        best.cost.add(&other.cost);
        Ok(best)
    }

    /// The face at rest.
    pub fn rest(&self) -> &Pose {
        &self.rest
    }

    /// Fits a target, from another pose.
    ///
    /// # Errors
    /// [`FaceError::Muscles`] if the target has another number of points than is observed.
    pub fn fit_from(
        &self,
        start: &Pose,
        target: &Target,
        w: &Weights,
        stop: &Stop,
    ) -> Result<Pose, FaceError> {
        if target.points.len() != self.seen.len() {
            let (a, b) = (target.points.len(), self.seen.len());
            return Err(FaceError::Muscles(format!("{}: {a} points, but {b} are observed", target.name)));
        }
        let mut pose = start.clone();
        pose.cost = Cost::default();
        pose.objective = objective(self.seen, target, &pose, w);
        let n = 6 * pose.activations.len() + 5;
        let mut matrix = self.normal.clone();
        self.regularise(&mut matrix, &pose, w);
        let (mut gradient, mut linear) = self.gradient(&pose, target, w);
        pose.cost.solves += 1;
        for _ in 0..stop.iterations {
            let mut step: Vec<f64> = gradient.iter().map(|g| -g).collect();
            if !solve(&mut matrix.clone(), &mut step) {
                break;
            }
            for (k, d) in step.iter_mut().enumerate() {
                let cap = CAPS[usize::from(k >= n - 5)];
                *d = d.clamp(-cap, cap);
            }
            let mut cost = pose.cost;
            cost.iterations += 1;
            let mut better = None;
            for _ in 0..HALVINGS {
                let mut done = step.clone();
                if let Ok(mut next) = self.moved(&pose, &linear, &mut done) {
                    cost.factorisations += next.cost.factorisations;
                    cost.solves += 1 + next.cost.solves;
                    next.objective = objective(self.seen, target, &next, w);
                    if next.objective < pose.objective {
                        better = Some((next, done));
                        break;
                    }
                }
                step.iter_mut().for_each(|d| *d *= 0.5);
            }
            let Some((mut next, done)) = better else {
                pose.cost = cost;
                break;
            };
            let decrease = (pose.objective - next.objective) / pose.objective;
            next.cost = cost;
            pose = next;
            if decrease < stop.decrease {
                break;
            }
            let (after, now) = self.gradient(&pose, target, w);
            pose.cost.solves += 1;
            let change: Vec<f64> = after.iter().zip(&gradient).map(|(a, b)| a - b).collect();
            update(&mut matrix, &done, &change);
            (gradient, linear) = (after, now);
        }
        self.settled(pose, target, w)
    }

    /// The same pose at a precise and stable equilibrium.
    fn settled(&self, pose: Pose, target: &Target, w: &Weights) -> Result<Pose, FaceError> {
        // With the factor at hand to where one exact step is enough.
        let start = pose.balance.x.clone();
        let near = Pose::near(
            self.system,
            self.blend,
            pose.activations.clone(),
            pose.jaw,
            (&start, &pose),
            SETTLED,
        )?;
        let mut last = Pose::at(self.system, self.blend, near.activations, near.jaw, &near.balance.x)?;
        last.cost.add(&near.cost);
        last.cost.add(&pose.cost);
        last.objective = objective(self.seen, target, &last, w);
        Ok(last)
    }

    fn regularise(&self, matrix: &mut [f64], pose: &Pose, w: &Weights) {
        let m = pose.activations.len();
        let n = 6 * m + 5;
        for (j, a) in pose.activations.iter().enumerate() {
            let (_, by) = crate::muscles::activation::determinant(a);
            for k in 0..6 {
                matrix[(6 * j + k) * n + 6 * j + k] += w.activation;
                (0..6).for_each(|l| matrix[(6 * j + k) * n + 6 * j + l] += w.volume * by[k] * by[l]);
            }
        }
        (6 * m..n).for_each(|k| matrix[k * n + k] += w.jaw);
    }
}

/// BFGS: B ← B − Bs sᵀB/(sᵀBs) + y yᵀ/(yᵀs), where y is damped so that B stays positive definite \[powell1978\].
fn update(matrix: &mut [f64], s: &[f64], y: &[f64]) {
    let n = s.len();
    let bs: Vec<f64> = (0..n).map(|i| dot(&matrix[i * n..(i + 1) * n], s)).collect();
    let (sbs, sy) = (dot(s, &bs), dot(s, y));
    if sbs <= 0.0 {
        return;
    }
    let theta = if sy < 0.2 * sbs { 0.8 * sbs / (sbs - sy) } else { 1.0 };
    let y: Vec<f64> = y.iter().zip(&bs).map(|(y, b)| theta * y + (1.0 - theta) * b).collect();
    let sy = dot(s, &y);
    for i in 0..n {
        for j in 0..n {
            matrix[i * n + j] += y[i] * y[j] / sy - bs[i] * bs[j] / sbs;
        }
    }
}
