//! Newton's method on g, and its single linearised step.
//!
//! Each iteration first tries the exact Hessian, which gives quadratic convergence near the minimum; where that is
//! not positive definite, the sum of element blocks projected to be semi-definite takes its place. Both directions
//! descend, and a backtracking line search does the rest.

use super::hessian::HessianAssembler;
use super::{Budget, SolveFailure, SolveReport};
use crate::energy::HessianKind;
use crate::model::Model;
use crate::objective::{Objective, ObjectiveWork};
use crate::settings::SettingsError;
use crate::sparse::Cholesky;
use glam::DVec3;

const ARMIJO: f64 = 1e-4;
const HALVINGS: usize = 50;
/// A decrease below this share of g cannot be told from rounding.
const ROUNDING: f64 = 1e-15;

/// Matrix, factor and scratch.
#[derive(Debug)]
pub(crate) struct NewtonWork {
    hessian: HessianAssembler,
    cholesky: Cholesky,
    gradient: Vec<DVec3>,
    trial: Vec<DVec3>,
    trial_gradient: Vec<DVec3>,
    reduced: Vec<DVec3>,
    direction: Vec<DVec3>,
}

impl NewtonWork {
    pub fn new(model: &Model) -> Result<Self, SettingsError> {
        let hessian = HessianAssembler::new(model)?;
        let cholesky =
            Cholesky::analyse(&hessian.matrix.pattern).map_err(|_| SettingsError::Matrix("newton"))?;
        let full = vec![DVec3::ZERO; model.vertices()];
        let reduced = vec![DVec3::ZERO; model.dofs.len()];
        Ok(Self {
            hessian,
            cholesky,
            gradient: full.clone(),
            trial: full.clone(),
            trial_gradient: full,
            reduced: reduced.clone(),
            direction: reduced,
        })
    }

    /// direction ← −(∇²g)⁻¹∇g at x, with ∇g already in `gradient`; returns its slope.
    fn direction(
        &mut self,
        objective: &Objective,
        shared: &mut ObjectiveWork,
        x: &[DVec3],
    ) -> Result<f64, SolveFailure> {
        objective.point(x, &mut shared.point);
        self.hessian.assemble(objective, &shared.point, HessianKind::Exact);
        if self.cholesky.factor(&self.hessian.matrix).is_err() {
            self.hessian.assemble(objective, &shared.point, HessianKind::PositiveSemidefinite);
            self.cholesky
                .factor(&self.hessian.matrix)
                .map_err(|_| SolveFailure("the projected Hessian could not be factored"))?;
        }
        objective.model.dofs.pull_back(&self.gradient, &mut self.reduced);
        for (d, g) in self.direction.iter_mut().zip(&self.reduced) {
            *d = -*g;
        }
        self.cholesky.solve_flat(&mut self.direction);
        Ok(self.direction.iter().zip(&self.reduced).map(|(d, g)| d.dot(*g)).sum())
    }

    /// Iterates from the better of xₙ and y.
    pub fn minimise(
        &mut self,
        objective: &Objective,
        shared: &mut ObjectiveWork,
        budget: Budget,
        x: &mut [DVec3],
    ) -> Result<SolveReport, SolveFailure> {
        let dofs = &objective.model.dofs;
        let resting = objective.value(objective.start, shared);
        let flying = objective.value(objective.y, shared);
        x.copy_from_slice(if flying <= resting { objective.y } else { objective.start });
        let mut g = objective.gradient(x, shared, &mut self.gradient);
        for iteration in 0..budget.iterations {
            if objective.residual(&self.gradient) <= budget.tolerance {
                return Ok(SolveReport { iterations: iteration });
            }
            let slope = self.direction(objective, shared, x)?;
            if slope >= 0.0 || !slope.is_finite() {
                return Ok(SolveReport { iterations: iteration });
            }
            let mut t = 1.0;
            let mut accepted = None;
            for _ in 0..HALVINGS {
                self.trial.copy_from_slice(x);
                dofs.add_expanded(t, &self.direction, &mut self.trial);
                let value = objective.gradient(&self.trial, shared, &mut self.trial_gradient);
                if value <= g + ARMIJO * t * slope || self.polishes(objective, value, g, t * slope) {
                    accepted = Some(value);
                    break;
                }
                if (t * slope).abs() <= ROUNDING * g.abs() {
                    break;
                }
                t *= 0.5;
            }
            let Some(value) = accepted else {
                return Ok(SolveReport { iterations: iteration });
            };
            g = value;
            x.copy_from_slice(&self.trial);
            std::mem::swap(&mut self.gradient, &mut self.trial_gradient);
        }
        Ok(SolveReport { iterations: budget.iterations })
    }

    /// Near the minimum g no longer tells two points apart, the gradient still does: a step that halves it counts.
    fn polishes(&self, objective: &Objective, value: f64, g: f64, decrease: f64) -> bool {
        let indistinguishable = (value - g).abs() <= 1e-12 * g.abs() && decrease.abs() <= 1e-12 * g.abs();
        indistinguishable
            && objective.residual(&self.trial_gradient) <= 0.5 * objective.residual(&self.gradient)
    }

    /// One full step from xₙ: linearised backward Euler of \[baraff1998\] where the rule is backward Euler.
    pub fn linearized(
        &mut self,
        objective: &Objective,
        shared: &mut ObjectiveWork,
        x: &mut [DVec3],
    ) -> Result<SolveReport, SolveFailure> {
        x.copy_from_slice(objective.start);
        objective.gradient(x, shared, &mut self.gradient);
        self.direction(objective, shared, x)?;
        objective.model.dofs.add_expanded(1.0, &self.direction, x);
        Ok(SolveReport { iterations: 1 })
    }
}
