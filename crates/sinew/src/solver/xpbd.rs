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
//! Λ = −k·(that) gives ΔΛ = −(k·VP + Λ)(I + kwβ²W)⁻¹.
//!
//! Constant forces move y: x starts at y − αβh² M⁻¹∇E. The sweep is sequential, so its order, and with it the result, never depends on the
//! number of threads.

use super::{SolveReport, is_constant_force};
use crate::energy::{CompliantForm, Constraint, ElementStress};
use crate::math::outer;
use crate::model::Model;
use crate::objective::{Objective, ObjectiveWork};
use glam::{DMat3, DVec3};

/// Multipliers and scratch.
#[derive(Debug)]
pub(crate) struct XpbdWork {
    /// λ of each scalar constraint, for all energies one after the other.
    multipliers: Vec<f64>,
    /// Λ of each tetrahedron.
    stresses: Vec<DMat3>,
    forces: Vec<DVec3>,
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
        }
    }

    pub fn minimise(
        &mut self,
        objective: &Objective,
        shared: &mut ObjectiveWork,
        iterations: usize,
        x: &mut [DVec3],
    ) -> SolveReport {
        let model = objective.model;
        self.start(objective, shared, x);
        objective.point(x, &mut shared.point);
        self.multipliers.fill(0.0);
        self.stresses.fill(DMat3::ZERO);
        let point = &mut shared.point;
        for _ in 0..iterations {
            let (mut multipliers, mut stresses) = (self.multipliers.iter_mut(), self.stresses.iter_mut());
            for energy in &model.energies {
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
                            relax(objective, &list.element(e, pose), stress, x, point);
                        }
                    }
                    _ => {}
                }
            }
        }
        SolveReport { iterations, ..SolveReport::default() }
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

/// Brings one tetrahedron into equilibrium with its stress.
fn relax(
    objective: &Objective,
    element: &ElementStress,
    multiplier: &mut DMat3,
    x: &mut [DVec3],
    point: &mut [DVec3],
) {
    let beta = objective.rule.beta;
    let k = objective.rule.alpha * objective.h * objective.h;
    let weights = element.corners.map(|i| inverse_mass(objective.model, i as usize));
    let mut mobility = DMat3::ZERO;
    for (b, w) in element.b.iter().zip(weights) {
        mobility += outer(*b * w, *b);
    }
    let response = DMat3::IDENTITY + mobility * (k * element.stiffness * beta * beta);
    let change = (element.stress * k + *multiplier) * response.inverse() * -1.0;
    *multiplier += change;
    for ((&i, b), w) in element.corners.iter().zip(element.b).zip(weights) {
        let step = change * b * (beta * w);
        x[i as usize] += step;
        point[i as usize] += step * beta;
    }
}

/// 1/m, or 0 for a pinned vertex.
fn inverse_mass(model: &Model, i: usize) -> f64 {
    if model.dofs.is_pinned(i) { 0.0 } else { 1.0 / model.masses[i] }
}
