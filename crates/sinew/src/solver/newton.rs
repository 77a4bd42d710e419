//! Newton's method on g, and its single linearised step.
//!
//! Each iteration first tries the exact Hessian, which gives quadratic convergence near the minimum; where that is not positive definite, it
//! uses the sum of element blocks projected to be semi-definite. Both directions descend, and a backtracking line search ensures progress.

use super::discrete_gradient::DiscreteGradientWork;
use super::hessian::HessianAssembler;
use super::line_search::{HALVINGS, LineSearch, Verdict};
use super::{Budget, NOT_FINITE, SolveReport};
use crate::energy::HessianKind;
use crate::model::Model;
use crate::objective::{Objective, ObjectiveWork, SolveFailure};
use crate::settings::error::SettingsError;
use crate::skeleton::solve::{Chart, NewtonBones};
use crate::sparse::Cholesky;
use glam::DVec3;

/// Matrix, factor and scratch.
#[derive(Debug)]
pub(crate) struct NewtonWork {
    pub(super) hessian: HessianAssembler,
    pub(super) cholesky: Cholesky,
    pub(super) gradient: Vec<DVec3>,
    pub(super) trial: Vec<DVec3>,
    trial_gradient: Vec<DVec3>,
    pub(super) reduced: Vec<DVec3>,
    pub(super) direction: Vec<DVec3>,
    pub(super) discrete: DiscreteGradientWork,
    chart: Chart,
    bones: NewtonBones,
}

impl NewtonWork {
    pub fn new(model: &Model) -> Result<Self, SettingsError> {
        let hessian = HessianAssembler::new(model)?;
        let cholesky =
            Cholesky::analyse(&hessian.matrix.pattern).map_err(|_| SettingsError::Matrix("newton"))?;
        let full = vec![DVec3::ZERO; model.points()];
        let reduced = vec![DVec3::ZERO; model.dofs.len()];
        Ok(Self {
            hessian,
            cholesky,
            gradient: full.clone(),
            trial: full.clone(),
            trial_gradient: full,
            reduced: reduced.clone(),
            direction: reduced,
            discrete: DiscreteGradientWork::new(model.points(), model.dofs.len()),
            chart: Chart::new(model),
            bones: NewtonBones::new(model),
        })
    }

    /// direction ← −(∇²g)⁻¹∇g at x, with ∇g already in `gradient` and `reduced`; returns its slope.
    fn direction(
        &mut self,
        objective: &Objective,
        shared: &mut ObjectiveWork,
        x: &[DVec3],
    ) -> Result<f64, SolveFailure> {
        objective.point(x, &mut shared.point);
        self.hessian.assemble(objective, &shared.point, HessianKind::Exact);
        self.hessian.add_contacts(objective, x);
        if self.cholesky.factor(&self.hessian.matrix).is_err() {
            self.hessian.assemble(objective, &shared.point, HessianKind::PositiveSemidefinite);
            self.hessian.add_contacts(objective, x);
            self.cholesky
                .factor(&self.hessian.matrix)
                .map_err(|_| SolveFailure("the projected Hessian could not be factored"))?;
        }
        for (d, g) in self.direction.iter_mut().zip(&self.reduced) {
            *d = -*g;
        }
        if self.chart.has_bones() {
            let (frames, bones) = self.chart.parts();
            self.bones.prepare(objective.model, frames, bones, &mut self.cholesky)?;
            self.bones.solve(objective.model, frames, bones, &mut self.cholesky, &mut self.direction);
        } else {
            self.cholesky.solve_flat(&mut self.direction);
        }
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
        // In contact the rounds have chosen where to start.
        if objective.pose.contacts.is_empty() {
            let resting = objective.value(objective.start, shared);
            let flying = objective.value(objective.y, shared);
            // Bones cannot be at the predicted positions; the closest rigid guess is as good a start as any.
            let start =
                if flying <= resting || self.chart.has_bones() { objective.y } else { objective.start };
            x.copy_from_slice(start);
        }
        hold_pins(objective, x);
        self.chart.begin(objective, x);
        let mut g = objective.gradient(x, shared, &mut self.gradient);
        let mut residual;
        let mut spent = 0;
        loop {
            self.chart.reduce(objective.model, &self.gradient, &mut self.reduced);
            residual = self.chart.residual(objective, &self.gradient, &self.reduced);
            if residual <= budget.tolerance || spent == budget.iterations {
                break;
            }
            let slope = self.direction(objective, shared, x)?;
            if !slope.is_finite() {
                return Err(NOT_FINITE);
            }
            if slope >= 0.0 {
                break;
            }
            let search = LineSearch { value: g, slope, residual };
            let Some(value) = self.search(&search, objective, shared, x) else { break };
            g = value;
            x.copy_from_slice(&self.trial);
            self.chart.accept();
            std::mem::swap(&mut self.gradient, &mut self.trial_gradient);
            spent += 1;
        }
        let squares: f64 = self.direction.iter().map(|d| d.length_squared()).sum();
        let last = (squares / self.direction.len().max(1) as f64).sqrt();
        Ok(SolveReport { last, ..SolveReport::new(objective, x, residual, (spent, budget)) })
    }

    /// Finds an acceptable trial and stores it and its gradient in the scratch; returns its g.
    fn search(
        &mut self,
        search: &LineSearch,
        objective: &Objective,
        shared: &mut ObjectiveWork,
        x: &[DVec3],
    ) -> Option<f64> {
        let mut t = 1.0;
        for _ in 0..HALVINGS {
            self.trial.copy_from_slice(x);
            self.chart.advance(objective.model, t, &self.direction, &mut self.trial);
            let value = objective.gradient(&self.trial, shared, &mut self.trial_gradient);
            // With bones, only coordinates measure the distance to the minimum; at the level of rounding a full Newton step is right.
            let bones = self.chart.has_bones();
            let residual = || if bones { 0.0 } else { objective.residual(&self.trial_gradient) };
            match search.judge(t, value, residual) {
                Verdict::Accept => return Some(value),
                Verdict::Stop => return None,
                Verdict::Halve => t *= 0.5,
            }
        }
        None
    }

    /// One full step from xₙ: linearised backward Euler of \[baraff1998\] where the rule is backward Euler.
    pub fn linearized(
        &mut self,
        objective: &Objective,
        shared: &mut ObjectiveWork,
        x: &mut [DVec3],
    ) -> Result<SolveReport, SolveFailure> {
        x.copy_from_slice(objective.start);
        hold_pins(objective, x);
        self.chart.begin(objective, x);
        objective.gradient(x, shared, &mut self.gradient);
        self.chart.reduce(objective.model, &self.gradient, &mut self.reduced);
        self.direction(objective, shared, x)?;
        self.chart.advance(objective.model, 1.0, &self.direction, x);
        Ok(SolveReport { iterations: 1, ..SolveReport::default() })
    }
}

/// Puts pinned vertices and kinematic bones at their predicted positions.
fn hold_pins(objective: &Objective, x: &mut [DVec3]) {
    for (i, x) in x.iter_mut().enumerate() {
        if objective.model.dofs.is_pinned(i) {
            *x = objective.y[i];
        }
    }
}
