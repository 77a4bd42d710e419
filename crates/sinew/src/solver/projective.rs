//! Projective Dynamics: local projections, one constant matrix \[bouaziz2014\].
//!
//! The local step projects every element and the global step solves (M + αβ²h²L) x = …; written with gradients the pair is
//! x ← x − (M + αβ²h²L)⁻¹ ∇g(x) [liu2017, Eq. 13]. For implicit midpoint this is Eq. 30 of \[dinev2018stab\]. One scalar matrix serves all three
//! coordinates; it is factored once per integrator and time step.

use super::lbfgs::LbfgsMemory;
use super::{Acceleration, Budget, SolveReport};
use crate::model::Model;
use crate::objective::{Objective, ObjectiveWork, SolveFailure};
use crate::operator::{Operator, Purpose, WithBones};
use crate::skeleton::solve::Chart;
use glam::DVec3;

/// Rotation of a bone, rad, above which even the last iteration is checked.
const FAST: f64 = 0.1;
/// Smallest fraction of a step that is tried.
const SHORTEST: f64 = 1e-3;
/// An increase of g below this share of it is rounding.
const ROUNDING: f64 = 1e-13;

/// Scratch.
#[derive(Debug)]
pub(crate) struct ProjectiveWork {
    /// ∇g per vertex.
    pub(super) gradient: Vec<DVec3>,
    /// Reduced direction.
    pub(super) direction: Vec<DVec3>,
    pub(super) lbfgs: LbfgsMemory,
    /// Whether L-BFGS goes on with the pairs of the last solve: the two stages of a step have nearly the same Hessian.
    pub(super) keeps_pairs: bool,
    pub(super) chart: Chart,
    /// x before a step of plain iterations; empty in a model without bones.
    base: Vec<DVec3>,
}

/// Number of L-BFGS pairs for steps with an active grab or in contact, where plain iterations are requested.
const GRAB_HISTORY: usize = 5;

impl ProjectiveWork {
    pub fn new(model: &Model, acceleration: Acceleration) -> Self {
        let pairs = match acceleration {
            Acceleration::None if model.forces.grabs || model.contact.law.is_some() => GRAB_HISTORY,
            Acceleration::None => 0,
            Acceleration::Lbfgs { history, .. } => history,
        };
        let chart = Chart::new(model);
        Self {
            base: vec![DVec3::ZERO; if chart.has_bones() { model.points() } else { 0 }],
            chart,
            keeps_pairs: false,
            gradient: vec![DVec3::ZERO; model.points()],
            direction: vec![DVec3::ZERO; model.dofs.len()],
            lbfgs: LbfgsMemory::new(model, pairs),
        }
    }

    /// Prepares the bones for solves with the operator.
    pub(super) fn prepare_bones(
        &mut self,
        model: &Model,
        operator: &mut Operator,
    ) -> Result<(), SolveFailure> {
        let (frames, bones) = self.chart.parts();
        operator.prepare_bones(&mut WithBones { model, frames, bones, purpose: Purpose::Step })
    }

    /// direction ← H₀⁻¹ direction.
    pub(super) fn solve(&mut self, model: &Model, operator: &mut Operator) -> Result<(), SolveFailure> {
        let (frames, bones) = self.chart.parts();
        operator.solve(&mut WithBones { model, frames, bones, purpose: Purpose::Step }, &mut self.direction)
    }

    /// Plain local/global iterations from the given x.
    pub fn local_global(
        &mut self,
        objective: &Objective,
        operator: &mut Operator,
        shared: &mut ObjectiveWork,
        budget: Budget,
        x: &mut [DVec3],
    ) -> Result<SolveReport, SolveFailure> {
        if self.chart.has_bones() {
            return self.local_global_with_bones(objective, operator, shared, budget, x);
        }
        let dofs = &objective.model.dofs;
        // Measured before the last step: the gradient after it would cost another pass over the elements.
        let mut residual = f64::INFINITY;
        for iteration in 0..budget.iterations {
            objective.gradient(x, shared, &mut self.gradient);
            if budget.tolerance > 0.0 || iteration + 1 == budget.iterations {
                residual = objective.residual(&self.gradient);
                if residual <= budget.tolerance {
                    return Ok(SolveReport::new(objective, x, residual, (iteration, budget)));
                }
            }
            dofs.pull_back(&self.gradient, &mut self.direction);
            self.solve(objective.model, operator)?;
            dofs.add_expanded(-1.0, &self.direction, x);
        }
        Ok(SolveReport::new(objective, x, residual, (budget.iterations, budget)))
    }

    /// The same with bones [li2020, Alg. 1]. Flesh alone always descends; a bone that rotates far may overshoot, so g is checked: it comes
    /// with the gradient that the next iteration needs anyway.
    fn local_global_with_bones(
        &mut self,
        objective: &Objective,
        operator: &mut Operator,
        shared: &mut ObjectiveWork,
        budget: Budget,
        x: &mut [DVec3],
    ) -> Result<SolveReport, SolveFailure> {
        self.chart.begin(objective, x);
        let model = objective.model;
        let mut g = objective.gradient(x, shared, &mut self.gradient);
        let mut residual = f64::INFINITY;
        for iteration in 0..budget.iterations {
            self.chart.reduce(model, &self.gradient, &mut self.direction);
            residual = self.chart.residual(objective, &self.gradient, &self.direction);
            let report = SolveReport::new(objective, x, residual, (iteration, budget));
            self.direction.iter_mut().for_each(|d| *d = -*d);
            if residual <= budget.tolerance {
                return Ok(report);
            }
            self.prepare_bones(model, operator)?;
            self.solve(model, operator)?;
            self.base.copy_from_slice(x);
            let last = iteration + 1 == budget.iterations;
            let unseen = last && self.chart.articulated.fastest(model, &self.direction) < FAST;
            let mut t = 1.0;
            loop {
                self.chart.advance(model, t, &self.direction, x);
                if unseen {
                    break;
                }
                let found = objective.gradient(x, shared, &mut self.gradient);
                if found <= g + ROUNDING * g.abs() {
                    g = found;
                    break;
                }
                x.copy_from_slice(&self.base);
                if t < SHORTEST {
                    return Ok(report);
                }
                t *= 0.5;
            }
            self.chart.accept();
        }
        Ok(SolveReport::new(objective, x, residual, (budget.iterations, budget)))
    }
}
