//! XPBD: Gauss–Seidel over compliant constraints \[macklin2016\], for every implicit rule.
//!
//! With E = Σ C²/(2α_c) the minimum of g satisfies x = y + M⁻¹ Σ βuⱼ, uⱼ = ∇Cⱼᵀλⱼ, and C(βx + z) + α̃λ = 0 with
//! α̃ = α_c/(αh²).
//!
//! *Springs and attachments* are scalar constraints, one at a time: Δλ = (−C − α̃λ)/(β²Σ|∇ᵢC|²/mᵢ + α̃), Δxᵢ = β∇ᵢCΔλ/mᵢ, for backward Euler
//! Eqs 17–18 of the paper. Contributions to x along older directions of a rotating spring remain, so the fixed point is near the minimum of
//! g, not at it. (Recomputing them puts it there, but the sweep then diverges for cloth.)
//!
//! *Tetrahedra.* C = F − p has nine components and the constant gradient bₐ, so its multiplier Λ is a stress and no contribution becomes
//! outdated. With k = αh² and the element's stiffness w: the stress that follows a change of F by β²ΔΛ·W, W = Σ bₐbₐᵀ/mₐ, is VP + wβ²ΔΛW, and
//! Λ = −k·(that) gives ΔΛ = −(k·VP + Λ)(I + kwβ²W)⁻¹. In a nearly flat element W is so unequal that this inverse is mostly rounding, which then
//! throws the vertices far away; there the directions of W are separated first (`thin`). A step with such elements also may not end above the g of its
//! start: it gets more sweeps, or becomes shorter.
//!
//! *Rows of contacts* are relaxed after the constraints of each sweep, by mass (`contact/relax.rs`).
//!
//! Constant forces move y: x starts at y − αβh² M⁻¹∇E. The sweep is sequential, so its order, and with it the result, never depends on the
//! number of threads.

use super::line_search::HALVINGS;
use super::thin::Directions;
use super::{SolveReport, is_constant_force};
use crate::contact::relax::Forces;
use crate::energy::{CompliantForm, Constraint, ElementStress};
use crate::math::outer;
use crate::model::Model;
use crate::objective::{Objective, ObjectiveWork};
use glam::{DMat3, DVec3};

/// Determinant of I + kwβ²W over the cube of its trace below which an element is so thin that its inverse would be mostly rounding.
const THIN: f64 = 1e-7;
/// How often the sweeps of a step may be repeated where thin elements need more of them.
const RETRIES: usize = 10;
/// Differences of g below this share of it are rounding.
const ROUNDING: f64 = 1e-12;

/// Multipliers and scratch.
#[derive(Debug)]
pub(crate) struct XpbdWork {
    /// λ of each scalar constraint, for all energies one after the other.
    multipliers: Vec<f64>,
    /// Λ of each tetrahedron.
    stresses: Vec<DMat3>,
    forces: Vec<DVec3>,
    /// Forces of the rows of contacts.
    rows: Forces,
}

impl XpbdWork {
    pub fn new(model: &Model) -> Self {
        let (mut constraints, mut elements) = (0, 0);
        for energy in &model.energies {
            match energy.compliant() {
                Some(CompliantForm::Constraints(list)) => constraints += list.len(),
                Some(CompliantForm::Elements(list)) => elements += list.len(),
                _ => {}
            }
        }
        Self {
            multipliers: vec![0.0; constraints],
            stresses: vec![DMat3::ZERO; elements],
            forces: vec![DVec3::ZERO; model.points()],
            rows: Forces::new(),
        }
    }

    pub fn minimise(
        &mut self,
        objective: &Objective,
        shared: &mut ObjectiveWork,
        iterations: usize,
        x: &mut [DVec3],
    ) -> SolveReport {
        self.start(objective, shared, x);
        objective.point(x, &mut shared.point);
        self.multipliers.fill(0.0);
        self.stresses.fill(DMat3::ZERO);
        let mut thin = false;
        self.rows.clear();
        for _ in 0..iterations {
            thin |= self.sweep(objective, &mut shared.point, x);
        }
        if thin {
            self.tame(objective, shared, iterations, x);
        }
        SolveReport { iterations, ..SolveReport::default() }
    }

    /// One pass over all constraints; says whether a tetrahedron is thin.
    fn sweep(&mut self, objective: &Objective, point: &mut [DVec3], x: &mut [DVec3]) -> bool {
        let mut thin = false;
        let (mut multipliers, mut stresses) = (self.multipliers.iter_mut(), self.stresses.iter_mut());
        for energy in &objective.model.energies {
            match energy.compliant() {
                Some(CompliantForm::Constraints(list)) => {
                    for (j, multiplier) in (0..list.len()).zip(&mut multipliers) {
                        let pose = objective.pose.at(point);
                        project(objective, &list.constraint(j, pose), multiplier, x, point);
                    }
                }
                Some(CompliantForm::Elements(list)) => {
                    for (e, stress) in (0..list.len()).zip(&mut stresses) {
                        let pose = objective.pose.at(point);
                        thin |= relax(objective, &list.element(e, pose), stress, x, point);
                    }
                }
                _ => {}
            }
        }
        let (contacts, beta) = (objective.pose.contacts, objective.rule.beta);
        contacts.relax(objective.model, (objective.contact_weight(), false), &mut self.rows, x, |i, step| {
            point[i] += step * beta;
        });
        thin
    }

    /// Lowers g to its value at the start of the step. A thin element is deformed beyond measure by the least error of its vertices, and a few sweeps may
    /// leave it so; its energy would then grow from step to step. More sweeps are tried first, then shorter steps.
    fn tame(
        &mut self,
        objective: &Objective,
        shared: &mut ObjectiveWork,
        iterations: usize,
        x: &mut [DVec3],
    ) {
        let value = objective.value(objective.start, shared);
        let limit = value + ROUNDING * value.abs();
        for _ in 0..RETRIES {
            if objective.value(x, shared) <= limit {
                return;
            }
            for _ in 0..iterations {
                self.sweep(objective, &mut shared.point, x);
            }
        }
        for _ in 0..HALVINGS {
            if objective.value(x, shared) <= limit {
                return;
            }
            x.iter_mut().zip(objective.start).for_each(|(x, start)| *x = start.midpoint(*x));
        }
        x.copy_from_slice(objective.start);
    }

    /// x ← y − αβh² M⁻¹∇E of the constant forces.
    fn start(&mut self, objective: &Objective, shared: &mut ObjectiveWork, x: &mut [DVec3]) {
        let model = objective.model;
        x.copy_from_slice(objective.y);
        self.forces.fill(DVec3::ZERO);
        let pose = objective.pose.at(objective.start);
        for (index, energy) in model.energies.iter().enumerate() {
            if energy.compliant().is_some_and(|form| is_constant_force(&form)) {
                shared.evaluator.add_gradient_of(model, index, pose, &mut self.forces);
            }
        }
        let scale = objective.rule.alpha * objective.rule.beta * objective.h * objective.h;
        for i in 0..x.len() {
            if !model.dofs.is_pinned(i) {
                x[i] -= self.forces[i] * (scale / model.masses[i]);
            }
        }
    }
}

/// Satisfies one constraint; updates x and βx + z together.
fn project(
    objective: &Objective,
    constraint: &Constraint,
    multiplier: &mut f64,
    x: &mut [DVec3],
    point: &mut [DVec3],
) {
    let beta = objective.rule.beta;
    let inverse_mass = |i: usize| inverse_mass(objective.model, i);
    let compliance = constraint.compliance / (objective.rule.alpha * objective.h * objective.h);
    let gradients = constraint.gradients();
    let weight: f64 = gradients.iter().map(|&(i, g)| g.length_squared() * inverse_mass(i as usize)).sum();
    let denominator = beta * beta * weight + compliance;
    // No free vertex, or no direction to move in.
    if weight <= 0.0 || denominator <= 0.0 {
        return;
    }
    let change = (-constraint.value - compliance * *multiplier) / denominator;
    *multiplier += change;
    for &(i, gradient) in gradients {
        let i = i as usize;
        let step = gradient * (beta * change * inverse_mass(i));
        x[i] += step;
        point[i] += step * beta;
    }
}

/// Brings one tetrahedron into equilibrium with its stress; says whether it is thin.
fn relax(
    objective: &Objective,
    element: &ElementStress,
    multiplier: &mut DMat3,
    x: &mut [DVec3],
    point: &mut [DVec3],
) -> bool {
    let beta = objective.rule.beta;
    let k = objective.rule.alpha * objective.h * objective.h;
    let weights = element.corners.map(|i| inverse_mass(objective.model, i as usize));
    let mut mobility = DMat3::ZERO;
    for (b, w) in element.b.iter().zip(weights) {
        mobility += outer(*b * w, *b);
    }
    let stiffness = k * element.stiffness * beta * beta;
    let response = DMat3::IDENTITY + mobility * stiffness;
    let residual = element.stress * k + *multiplier;
    let trace = response.x_axis.x + response.y_axis.y + response.z_axis.z;
    if response.determinant() > THIN * trace.powi(3) {
        let change = residual * response.inverse() * -1.0;
        *multiplier += change;
        for ((&i, b), w) in element.corners.iter().zip(element.b).zip(weights) {
            let step = change * b * (beta * w);
            x[i as usize] += step;
            point[i as usize] += step * beta;
        }
        false
    } else {
        let directions = Directions::of(&element.b, weights);
        let shares = directions.sizes().map(|size| -1.0 / (1.0 + stiffness * size));
        let pull = residual * directions.frame;
        let change = [0, 1, 2].map(|i| pull.col(i) * shares[i]);
        *multiplier += DMat3::from_cols(change[0], change[1], change[2]) * directions.frame.transpose();
        for (a, (&i, w)) in element.corners.iter().zip(weights).enumerate() {
            let g = directions.rows.map(|row| row[a]);
            let step = (change[0] * g[0] + change[1] * g[1] + change[2] * g[2]) * (beta * w.sqrt());
            x[i as usize] += step;
            point[i as usize] += step * beta;
        }
        // Pins also make W unequal, in elements of any shape.
        let shape = element.b.iter().fold(DMat3::ZERO, |sum, b| sum + outer(*b, *b));
        let trace = shape.x_axis.x + shape.y_axis.y + shape.z_axis.z;
        shape.determinant() <= THIN * trace.powi(3)
    }
}

/// 1/m, or 0 for a pinned vertex.
fn inverse_mass(model: &Model, i: usize) -> f64 {
    if model.dofs.is_pinned(i) { 0.0 } else { 1.0 / model.masses[i] }
}
