//! XPBD: Gauss–Seidel over compliant constraints [macklin2016, Alg. 1], for every rule of the table.
//!
//! With E = Σ C²/(2α_c) the minimum of g satisfies M(x − y) = β∇Cᵀλ and C(βx + z) + α̃λ = 0, α̃ = α_c/(αh²). One
//! constraint at a time: Δλ = (−C − α̃λ)/(β²Σ|∇ᵢC|²/mᵢ + α̃), Δxᵢ = β∇ᵢC Δλ/mᵢ. For backward Euler these are Eqs 17–18 of the
//! paper. Constant forces move y: x starts at y − αβh² M⁻¹∇E. The sweep is sequential, so its order, and with it the
//! result, never depends on the threads.

use super::{SolveReport, is_constant_force};
use crate::energy::{CompliantForm, Pose};
use crate::model::Model;
use crate::objective::{Objective, ObjectiveWork};
use glam::DVec3;

/// Multipliers and scratch.
#[derive(Debug)]
pub(crate) struct XpbdWork {
    /// λ of each constraint, all energies one after the other.
    multipliers: Vec<f64>,
    forces: Vec<DVec3>,
}

impl XpbdWork {
    pub fn new(model: &Model) -> Self {
        let count = model
            .energies
            .iter()
            .map(|e| match e.compliant() {
                Some(CompliantForm::Constraints(list)) => list.len(),
                _ => 0,
            })
            .sum();
        Self { multipliers: vec![0.0; count], forces: vec![DVec3::ZERO; model.vertices()] }
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
        for _ in 0..iterations {
            let mut first = 0;
            for energy in &model.energies {
                if let Some(CompliantForm::Constraints(list)) = energy.compliant() {
                    for j in 0..list.len() {
                        let pose = Pose { x: &shared.point, targets: objective.targets };
                        let constraint = list.constraint(j, pose);
                        let multiplier = &mut self.multipliers[first + j];
                        project(objective, &constraint, multiplier, x, &mut shared.point);
                    }
                    first += list.len();
                }
            }
        }
        SolveReport { iterations }
    }

    /// x ← y − αβh² M⁻¹∇E of the constant forces.
    fn start(&mut self, objective: &Objective, shared: &mut ObjectiveWork, x: &mut [DVec3]) {
        let model = objective.model;
        x.copy_from_slice(objective.y);
        self.forces.fill(DVec3::ZERO);
        let pose = Pose { x: objective.start, targets: objective.targets };
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

/// Satisfies one constraint, keeping x and βx + z in step.
fn project(
    objective: &Objective,
    constraint: &crate::energy::Constraint,
    multiplier: &mut f64,
    x: &mut [DVec3],
    point: &mut [DVec3],
) {
    let model = objective.model;
    let beta = objective.rule.beta;
    let inverse_mass = |i: usize| if model.dofs.is_pinned(i) { 0.0 } else { 1.0 / model.masses[i] };
    let compliance = constraint.compliance / (objective.rule.alpha * objective.h * objective.h);
    let mut weight = 0.0;
    for &(i, gradient) in constraint.gradients() {
        weight += gradient.length_squared() * inverse_mass(i as usize);
    }
    let denominator = beta * beta * weight + compliance;
    // No free vertex, or no direction to move in.
    if weight <= 0.0 || denominator <= 0.0 {
        return;
    }
    let change = (-constraint.value - compliance * *multiplier) / denominator;
    *multiplier += change;
    for &(i, gradient) in constraint.gradients() {
        let i = i as usize;
        let step = gradient * (beta * change * inverse_mass(i));
        x[i] += step;
        point[i] += step * beta;
    }
}
