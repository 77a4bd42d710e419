//! The midpoint discrete gradient [gonzalez1996]: an implicit rule that conserves H as far as its equation is solved.
//!
//! M(x − y) + h²/2 D = 0 with D = ∇E(x̄) + s Δ, s = (E(x) − E(xₙ) − ∇E(x̄)·Δ)/|Δ|², Δ = x − xₙ, x̄ = (x + xₙ)/2, and s = 0 for Δ = 0, its
//! limit. There is no objective to minimise: the step is a root of F, found by Newton's method with backtracking on ‖F‖. The Jacobian is the
//! midpoint rule's matrix plus h²/2 s I plus a rank-one term h²/2 Δ ∇sᵀ, which the Sherman–Morrison formula handles.

use super::newton::NewtonWork;
use super::{Budget, NOT_FINITE, SolveReport};
use crate::energy::HessianKind;
use crate::objective::{Objective, ObjectiveWork, SolveFailure};
use glam::DVec3;

/// Largest number of halvings of a step.
const HALVINGS: usize = 30;

/// Scratch of the rank-one term, #V or reduced.
#[derive(Debug)]
pub(super) struct DiscreteGradientWork {
    /// ∇E(x̄).
    middle: Vec<DVec3>,
    /// ∇E(x).
    end: Vec<DVec3>,
    /// ∇s, reduced.
    slope: Vec<DVec3>,
    /// A⁻¹·h²/2 Δ, reduced.
    carried: Vec<DVec3>,
    /// Δ, reduced.
    change: Vec<DVec3>,
}

impl DiscreteGradientWork {
    pub fn new(vertices: usize, reduced: usize) -> Self {
        let zeros = |n| vec![DVec3::ZERO; n];
        Self {
            middle: zeros(vertices),
            end: zeros(vertices),
            slope: zeros(reduced),
            carried: zeros(reduced),
            change: zeros(reduced),
        }
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

impl NewtonWork {
    /// Finds the root, starting from y.
    pub fn discrete_gradient(
        &mut self,
        objective: &Objective,
        shared: &mut ObjectiveWork,
        budget: Budget,
        x: &mut [DVec3],
    ) -> Result<SolveReport, SolveFailure> {
        let model = objective.model;
        let start = objective.pose.at(objective.start);
        let initial = shared.evaluator.value(model, start);
        x.copy_from_slice(objective.y);
        let mut s = self.discrete_residual(objective, shared, initial, x);
        let mut residual = objective.residual(&self.gradient);
        for iteration in 0..budget.iterations {
            if residual <= budget.tolerance {
                return Ok(SolveReport { iterations: iteration, ..SolveReport::default() });
            }
            self.discrete_direction(objective, shared, s, x)?;
            let mut t = 1.0;
            let mut found = None;
            for _ in 0..HALVINGS {
                self.trial.copy_from_slice(x);
                model.dofs.add_expanded(t, &self.direction, &mut self.trial);
                let trial = std::mem::take(&mut self.trial);
                let trial_s = self.discrete_residual(objective, shared, initial, &trial);
                self.trial = trial;
                let size = objective.residual(&self.gradient);
                if size < (1.0 - 1e-4 * t) * residual {
                    found = Some((trial_s, size));
                    break;
                }
                t *= 0.5;
            }
            let Some(better) = found else {
                // Rounding, or a minimum of ‖F‖ that is not a root: both end the search here.
                return Ok(SolveReport { iterations: iteration, ..SolveReport::default() });
            };
            (s, residual) = better;
            x.copy_from_slice(&self.trial);
        }
        Ok(SolveReport { iterations: budget.iterations, ..SolveReport::default() })
    }

    /// gradient ← F(x); returns s. Stores ∇E(x̄) and ∇E(x) in the scratch.
    fn discrete_residual(
        &mut self,
        objective: &Objective,
        shared: &mut ObjectiveWork,
        initial: f64,
        x: &[DVec3],
    ) -> f64 {
        let (model, work) = (objective.model, &mut self.discrete);
        objective.point(x, &mut shared.point);
        shared.evaluator.gradient(model, objective.pose.at(&shared.point), &mut work.middle);
        let energy = shared.evaluator.gradient(model, objective.pose.at(x), &mut work.end);
        let (mut length, mut work_done) = (0.0, 0.0);
        for i in 0..x.len() {
            let change = x[i] - objective.start[i];
            length += change.length_squared();
            work_done += change.dot(work.middle[i]);
        }
        let s = if length > 0.0 { (energy - initial - work_done) / length } else { 0.0 };
        let factor = 0.5 * objective.h * objective.h;
        for i in 0..x.len() {
            let change = x[i] - objective.start[i];
            self.gradient[i] =
                (x[i] - objective.y[i]) * model.masses[i] + (work.middle[i] + change * s) * factor;
        }
        s
    }

    /// direction ← −J⁻¹F.
    fn discrete_direction(
        &mut self,
        objective: &Objective,
        shared: &mut ObjectiveWork,
        s: f64,
        x: &[DVec3],
    ) -> Result<(), SolveFailure> {
        let dofs = &objective.model.dofs;
        let factor = 0.5 * objective.h * objective.h;
        objective.point(x, &mut shared.point);
        // Reduced Δ; with free vertices only, B is a selection and pulling back is the same.
        for i in 0..x.len() {
            self.trial[i] = x[i] - objective.start[i];
        }
        dofs.pull_back(&self.trial, &mut self.discrete.change);
        let length = dot(&self.discrete.change, &self.discrete.change);

        self.hessian.assemble(objective, &shared.point, HessianKind::Exact);
        // H̄Δ = 4/h² (A − M)Δ; ∇s = (∇E(x) − ∇E(x̄) − ½H̄Δ − 2sΔ)/|Δ|².
        self.hessian.matrix.multiply_flat(&self.discrete.change, &mut self.discrete.slope);
        for i in 0..x.len() {
            self.trial[i] = self.discrete.end[i] - self.discrete.middle[i]
                + (x[i] - objective.start[i])
                    * (objective.model.masses[i] * 2.0 / (objective.h * objective.h));
        }
        dofs.pull_back(&self.trial, &mut self.reduced);
        for k in 0..self.reduced.len() {
            let bend = self.discrete.slope[k] * (2.0 / (objective.h * objective.h));
            let total = self.reduced[k] - bend - self.discrete.change[k] * (2.0 * s);
            self.discrete.slope[k] = if length > 0.0 { total / length } else { DVec3::ZERO };
        }

        self.hessian.matrix.add_to_diagonal(factor * s);
        if self.cholesky.factor(&self.hessian.matrix).is_err() {
            self.hessian.assemble(objective, &shared.point, HessianKind::PositiveSemidefinite);
            self.cholesky
                .factor(&self.hessian.matrix)
                .map_err(|_| SolveFailure("the projected Hessian could not be factored"))?;
        }
        dofs.pull_back(&self.gradient, &mut self.direction);
        self.cholesky.solve_flat(&mut self.direction);
        for (c, d) in self.discrete.carried.iter_mut().zip(&self.discrete.change) {
            *c = *d * factor;
        }
        self.cholesky.solve_flat(&mut self.discrete.carried);
        let along = dot(&self.discrete.slope, &self.direction);
        let denominator = 1.0 + dot(&self.discrete.slope, &self.discrete.carried);
        let share = if denominator.abs() > 1e-12 { along / denominator } else { 0.0 };
        for (d, c) in self.direction.iter_mut().zip(&self.discrete.carried) {
            *d = *c * share - *d;
        }
        if self.direction.iter().all(|d| d.is_finite()) { Ok(()) } else { Err(NOT_FINITE) }
    }
}
