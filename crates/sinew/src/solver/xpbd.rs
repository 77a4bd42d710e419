//! XPBD: Gauss–Seidel over compliant constraints \[macklin2016\], for every rule of the table.
//!
//! With E = Σ C²/(2α_c) the minimum of g satisfies x = y + M⁻¹ Σ βuⱼ, uⱼ = ∇Cⱼᵀλⱼ, and C(βx + z) + α̃λ = 0 with
//! α̃ = α_c/(αh²).
//!
//! *Springs.* A visit takes the constraint's old share u out of x and puts the new one in:
//! λ = −(C − β²∇C·M⁻¹u)/(β²Σ|∇ᵢC|²/mᵢ + α̃). Where the gradient has not turned since the last visit, u = ∇Cᵀλ_old and this is
//! the paper's Δλ = (−C − α̃λ)/(… + α̃), its Eq. 18. The paper keeps shares made with older gradients and so stops near
//! the minimum of g, not at it; taking them back makes the minimum the fixed point, as for every other solver.
//!
//! *Tetrahedra.* C = F − p has nine components and the constant gradient bₐ, so its multiplier Λ is a stress and
//! nothing goes stale. With k = αh² and the element's stiffness w: the stress that follows a change of F by
//! β²ΔΛ·W, W = Σ bₐbₐᵀ/mₐ, is VP + wβ²ΔΛW, and Λ = −k·(that) gives ΔΛ = −(k·VP + Λ)(I + kwβ²W)⁻¹.
//!
//! Constant forces move y: x starts at y − αβh² M⁻¹∇E. The sweep is sequential, so its order, and with it the result,
//! never depends on the threads.

use super::{SolveReport, is_constant_force};
use crate::energy::{CompliantForm, Constraint, ElementStress, Pose};
use crate::math::outer;
use crate::model::Model;
use crate::objective::{Objective, ObjectiveWork};
use glam::{DMat3, DVec3};

/// Multipliers and scratch.
#[derive(Debug)]
pub(crate) struct XpbdWork {
    /// u = ∇Cᵀλ of each scalar constraint, for up to four vertices; all energies one after the other.
    shares: Vec<[DVec3; 4]>,
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
            shares: vec![[DVec3::ZERO; 4]; constraints],
            stresses: vec![DMat3::ZERO; elements],
            forces: vec![DVec3::ZERO; model.vertices()],
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
        self.shares.fill([DVec3::ZERO; 4]);
        self.stresses.fill(DMat3::ZERO);
        let point = &mut shared.point;
        for _ in 0..iterations {
            let (mut shares, mut stresses) = (self.shares.iter_mut(), self.stresses.iter_mut());
            for energy in &model.energies {
                match energy.compliant() {
                    Some(CompliantForm::Constraints(list)) => {
                        for (j, share) in (0..list.len()).zip(&mut shares) {
                            let pose = Pose { x: point, targets: objective.targets };
                            project(objective, &list.constraint(j, pose), share, x, point);
                        }
                    }
                    Some(CompliantForm::Elements(list)) => {
                        for (e, stress) in (0..list.len()).zip(&mut stresses) {
                            let pose = Pose { x: point, targets: objective.targets };
                            relax(objective, &list.element(e, pose), stress, x, point);
                        }
                    }
                    _ => {}
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
    constraint: &Constraint,
    share: &mut [DVec3; 4],
    x: &mut [DVec3],
    point: &mut [DVec3],
) {
    let beta = objective.rule.beta;
    let inverse_mass = |i: usize| inverse_mass(objective.model, i);
    let compliance = constraint.compliance / (objective.rule.alpha * objective.h * objective.h);
    let (mut weight, mut overlap) = (0.0, 0.0);
    for (&(i, gradient), old) in constraint.gradients().iter().zip(&*share) {
        weight += gradient.length_squared() * inverse_mass(i as usize);
        overlap += gradient.dot(*old) * inverse_mass(i as usize);
    }
    let denominator = beta * beta * weight + compliance;
    if denominator <= 0.0 {
        return;
    }
    let multiplier = -(constraint.value - beta * beta * overlap) / denominator;
    for (&(i, gradient), share) in constraint.gradients().iter().zip(share) {
        let i = i as usize;
        let new = gradient * multiplier;
        let step = (new - *share) * (beta * inverse_mass(i));
        *share = new;
        x[i] += step;
        point[i] += step * beta;
    }
}

/// Brings one tetrahedron into balance with its stress.
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
