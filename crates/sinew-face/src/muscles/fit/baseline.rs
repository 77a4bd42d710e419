//! The baseline: six numbers for every tetrahedron, as in Phace \[ichim2017\], with the same equilibrium, terms and stopping rules as [`fit_activations`](super::fit_activations).
//!
//! The Jacobian has six columns for every tetrahedron and cannot be formed; the Levenberg–Marquardt system is solved by conjugate gradients, each product with one solve forwards and one back.

use super::dense::dot;
use super::{Cost, MM, Observation, Stop, Target, Weights};
use crate::error::FaceError;
use crate::muscles::activation::{Activation, PASSIVE, clamped, determinant, symmetric};
use crate::muscles::equilibrium::{Balance, Drive, Precision};
use crate::muscles::jaw::Jaw;
use crate::muscles::sensitivity::ByActivation;
use crate::muscles::system::System;
use glam::DVec3;

/// Conjugate gradients end at this relative residual, or after so many products.
const INNER: (f64, usize) = (0.03, 40);
const CAP: f64 = 0.3;

/// A pose with an activation for each element.
#[derive(Clone, Debug)]
pub struct FreePose {
    /// Activations of the elements.
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

impl FreePose {
    /// The face at rest.
    ///
    /// # Errors
    /// [`FaceError::Muscles`] if that has no equilibrium.
    pub fn rest(system: &System) -> Result<Self, FaceError> {
        Self::at(system, vec![PASSIVE; system.elements()], Jaw::default(), &system.points)
    }

    fn at(
        system: &System,
        activations: Vec<Activation>,
        jaw: Jaw,
        start: &[DVec3],
    ) -> Result<Self, FaceError> {
        let drive =
            Drive { activations: activations.iter().map(symmetric).collect(), jaw, forces: Vec::new() };
        let balance = system.equilibrium(&drive, start, &Precision::FIT)?;
        let cost = Cost { iterations: 0, factorisations: balance.factorisations, solves: balance.iterations };
        Ok(Self { activations, jaw, balance, objective: f64::INFINITY, cost })
    }

    fn drive(&self) -> Drive {
        Drive {
            activations: self.activations.iter().map(symmetric).collect(),
            jaw: self.jaw,
            forces: Vec::new(),
        }
    }
}

/// Weights of a term summed over muscles, for a sum over many more elements: the same mean.
fn per_element(w: &Weights, system: &System, muscles: usize) -> Weights {
    let share = muscles.max(1) as f64 / system.elements() as f64;
    Weights { activation: w.activation * share, volume: w.volume * share, ..*w }
}

struct Linear<'a> {
    system: &'a System,
    seen: &'a Observation,
    by: ByActivation,
    /// dx/d(jaw), five columns.
    jaw: Vec<f64>,
    pose: &'a FreePose,
    w: Weights,
    damping: f64,
}

impl Linear<'_> {
    /// dx of a change (six for each element, then five of the jaw in mm).
    fn forward(&self, d: &[f64]) -> Vec<f64> {
        let (n, e) = (self.system.unknowns(), self.system.elements());
        let change: Vec<Activation> = (0..e).map(|i| std::array::from_fn(|k| d[6 * i + k])).collect();
        let mut column = vec![0.0; n];
        self.system.push(&self.by, &change, &mut column);
        self.pose.balance.factor.solve(&mut column);
        for k in 0..5 {
            let by = d[6 * e + k] / MM;
            column.iter_mut().zip(&self.jaw[k * n..(k + 1) * n]).for_each(|(c, j)| *c += by * j);
        }
        column
    }

    /// Its adjoint for a residual.
    fn back(&self, r: &[f64]) -> Vec<f64> {
        let n = self.system.unknowns();
        let mut z = self.seen.transpose(self.system, r);
        let jaw: Vec<f64> = (0..5).map(|k| dot(&self.jaw[k * n..(k + 1) * n], &z) / MM).collect();
        self.pose.balance.factor.solve(&mut z);
        self.system.pushed(&self.by, &z).into_iter().flatten().chain(jaw).collect()
    }

    /// The Gauss–Newton matrix times d.
    fn product(&self, d: &[f64]) -> Vec<f64> {
        let share = 2.0 / self.seen.len() as f64;
        let r = self.seen.apply(self.system, &self.forward(d));
        let mut out = self.back(&r);
        out.iter_mut().for_each(|v| *v *= share);
        let e = self.system.elements();
        for (i, a) in self.pose.activations.iter().enumerate() {
            let (_, by) = determinant(a);
            let along: f64 = (0..6).map(|k| by[k] * d[6 * i + k]).sum();
            for k in 0..6 {
                out[6 * i + k] +=
                    self.w.activation * (1.0 + self.damping) * d[6 * i + k] + self.w.volume * by[k] * along;
            }
        }
        (0..5).for_each(|k| out[6 * e + k] += (self.w.jaw + 1e-4 * self.damping) * d[6 * e + k]);
        out
    }

    fn gradient(&self, residual: &[f64]) -> Vec<f64> {
        let share = 2.0 / self.seen.len() as f64;
        let mut g = self.back(residual);
        g.iter_mut().for_each(|v| *v *= share);
        for (i, a) in self.pose.activations.iter().enumerate() {
            let (det, by) = determinant(a);
            for k in 0..6 {
                g[6 * i + k] += self.w.activation * (a[k] - PASSIVE[k]) + self.w.volume * (det - 1.0) * by[k];
            }
        }
        let e = self.system.elements();
        for (k, length) in self.pose.jaw.lengths().iter().enumerate() {
            g[6 * e + k] += self.w.jaw * MM * length;
        }
        g
    }

    /// Conjugate gradients; the step and the number of products.
    fn solve(&self, gradient: &[f64]) -> (Vec<f64>, usize) {
        let mut x = vec![0.0; gradient.len()];
        let mut r: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let mut p = r.clone();
        let start = dot(&r, &r);
        let mut now = start;
        for k in 0..INNER.1 {
            if now <= INNER.0 * INNER.0 * start {
                return (x, k);
            }
            let q = self.product(&p);
            let alpha = now / dot(&p, &q);
            x.iter_mut().zip(&p).for_each(|(x, p)| *x += alpha * p);
            r.iter_mut().zip(&q).for_each(|(r, q)| *r -= alpha * q);
            let next = dot(&r, &r);
            p.iter_mut().zip(&r).for_each(|(p, r)| *p = r + next / now * *p);
            now = next;
        }
        (x, INNER.1)
    }
}

fn objective(seen: &Observation, target: &Target, pose: &FreePose, w: &Weights) -> f64 {
    let r = seen.residual(&pose.balance.x, target);
    dot(&r, &r) / seen.len() as f64 + super::activations::regular(&pose.activations, &pose.jaw, w)
}

/// Fits a target with an activation for each element; `muscles` is the number of muscles to which the weights belong.
///
/// # Errors
/// [`FaceError::Muscles`] if the target has another number of points than is observed.
pub fn fit_freely(
    system: &System,
    seen: &Observation,
    target: &Target,
    start: &FreePose,
    weights: &Weights,
    stop: &Stop,
    muscles: usize,
) -> Result<FreePose, FaceError> {
    if target.points.len() != seen.len() || seen.is_empty() {
        let (a, b) = (target.points.len(), seen.len());
        return Err(FaceError::Muscles(format!("{}: {a} points, but {b} are observed", target.name)));
    }
    let w = per_element(weights, system, muscles);
    let (n, e) = (system.unknowns(), system.elements());
    let mut pose = start.clone();
    pose.cost = Cost::default();
    pose.objective = objective(seen, target, &pose, &w);
    let mut damping = 1e-4;
    'outer: for _ in 0..stop.iterations {
        let drive = pose.drive();
        let by = system.by_activation(&pose.balance, &drive.activations);
        let mut jaw = vec![0.0; 5 * n];
        system.jaw_columns(&pose.balance, &drive, &mut jaw);
        pose.balance.factor.solve(&mut jaw);
        let mut cost = pose.cost;
        cost.iterations += 1;
        cost.solves += 6;
        let mut linear = Linear { system, seen, by, jaw, pose: &pose, w, damping };
        let gradient = linear.gradient(&seen.residual(&pose.balance.x, target));
        let accepted = loop {
            let (mut step, products) = linear.solve(&gradient);
            cost.solves += 2 * products;
            step[..6 * e].iter_mut().for_each(|d| *d = d.clamp(-CAP, CAP));
            step[6 * e..].iter_mut().for_each(|d| *d = d.clamp(-6.0, 6.0));
            let activations: Vec<Activation> = (0..e)
                .map(|i| clamped(&std::array::from_fn(|k| pose.activations[i][k] + step[6 * i + k])))
                .collect();
            let mut lengths = pose.jaw.lengths();
            (0..5).for_each(|k| lengths[k] += step[6 * e + k] / MM);
            let mut x = pose.balance.x.clone();
            system.add(&linear.forward(&step), 1.0, &mut x);
            cost.solves += 1;
            if let Ok(mut next) = FreePose::at(system, activations, Jaw::from_lengths(lengths), &x) {
                cost.factorisations += next.cost.factorisations;
                cost.solves += next.cost.solves;
                next.objective = objective(seen, target, &next, &w);
                if next.objective < pose.objective {
                    break Some(next);
                }
            }
            linear.damping = (linear.damping * 10.0).max(1e-2);
            if linear.damping > 1e6 {
                break None;
            }
        };
        damping = linear.damping * 0.2;
        let Some(mut next) = accepted else {
            pose.cost = cost;
            break 'outer;
        };
        let decrease = (pose.objective - next.objective) / pose.objective;
        next.cost = cost;
        pose = next;
        if decrease < stop.decrease {
            break;
        }
    }
    Ok(pose)
}
