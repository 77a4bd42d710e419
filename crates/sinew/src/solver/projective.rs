//! Projective Dynamics: local projections, one constant matrix \[bouaziz2014\].
//!
//! The local step projects every element and the global step solves (M + αβ²h²L) x = …; written with gradients the
//! pair is x ← x − (M + αβ²h²L)⁻¹ ∇g(x) [liu2017, Eq. 13]. For implicit midpoint this is Eq. 30 of \[dinev2018stab\].
//! The matrix is a scalar one for all three coordinates and is factored once per integrator and time step.

use super::lbfgs::LbfgsMemory;
use super::systems::Systems;
use super::touching::TouchingSystem;
use super::{Acceleration, Budget, SolveFailure, SolveReport};
use crate::model::Model;
use crate::objective::{Objective, ObjectiveWork};
use crate::settings::SettingsError;
use crate::sparse::{GlobalStep, Precision};
use glam::DVec3;

/// Factored matrices and scratch.
#[derive(Debug)]
pub(crate) struct ProjectiveWork {
    /// (αβ²h², factor of M + αβ²h²L): BDF2 has two, its own and backward Euler's for the first step.
    factors: Vec<(f64, GlobalStep)>,
    /// ∇g per vertex.
    pub(super) gradient: Vec<DVec3>,
    /// Reduced direction.
    pub(super) direction: Vec<DVec3>,
    pub(super) lbfgs: LbfgsMemory,
    /// The matrix with contacts in it, one for each of the factors, none without contact.
    touching: Vec<TouchingSystem>,
    /// The one in use.
    touches: Option<usize>,
}

impl ProjectiveWork {
    pub fn new(
        model: &Model,
        systems: &mut Systems,
        factors: impl Iterator<Item = f64>,
        acceleration: Acceleration,
    ) -> Result<Self, SettingsError> {
        let (pairs, precision) = match acceleration {
            Acceleration::None => (0, Precision::Double),
            Acceleration::Lbfgs { history, preconditioner } => (history, preconditioner),
        };
        let mut factored: Vec<(f64, GlobalStep)> = Vec::new();
        for factor in factors {
            if factored.iter().any(|(known, _)| *known == factor) {
                continue;
            }
            let step = systems
                .whole(model, factor, precision)
                .map_err(|_| SettingsError::Matrix("projective-dynamics"))?;
            factored.push((factor, step));
        }
        let mut touching = Vec::new();
        for &(factor, _) in factored.iter().filter(|_| acceleration != Acceleration::None) {
            let system = TouchingSystem::new(model, systems, factor);
            touching.extend(system.map_err(|_| SettingsError::Matrix("projective-dynamics in contact"))?);
        }
        Ok(Self {
            touching,
            touches: None,
            factors: factored,
            gradient: vec![DVec3::ZERO; model.vertices()],
            direction: vec![DVec3::ZERO; model.dofs.len()],
            lbfgs: LbfgsMemory::new(model, pairs),
        })
    }

    /// The factor for this objective.
    pub(super) fn factor(&self, objective: &Objective) -> Result<usize, SolveFailure> {
        let wanted = objective.stiffness_factor();
        let found = self.factors.iter().position(|(factor, _)| *factor == wanted);
        found.ok_or(SolveFailure("no factored matrix fits the integrator"))
    }

    /// Chooses the matrix for what presses at the start of the step and at the first guess.
    pub(super) fn prepare(&mut self, factor: usize, objective: &Objective, x: &[DVec3]) {
        let Objective { model, pose, start, .. } = *objective;
        let system = self.touching.get_mut(factor);
        let touches = !pose.contacts.is_empty() && system.is_some_and(|s| s.prepare(model, pose, start, x));
        self.touches = touches.then_some(factor);
    }

    /// The matrix with contacts in it, if it is in use.
    pub fn touching(&mut self) -> Option<&mut TouchingSystem> {
        self.touching.get_mut(self.touches?)
    }

    /// direction ← A⁻¹ direction.
    pub(super) fn solve(&mut self, factor: usize) -> Result<(), SolveFailure> {
        if let Some(system) = self.touches.and_then(|k| self.touching.get_mut(k)) {
            system.solve_vectors(&mut self.direction);
            return Ok(());
        }
        let solved = self.factors[factor].1.solve_vectors(&mut self.direction);
        solved.map_err(|breakdown| SolveFailure(breakdown.why()))
    }

    /// Plain local/global iterations from the given x.
    pub fn local_global(
        &mut self,
        objective: &Objective,
        shared: &mut ObjectiveWork,
        budget: Budget,
        x: &mut [DVec3],
    ) -> Result<SolveReport, SolveFailure> {
        let factor = self.factor(objective)?;
        let dofs = &objective.model.dofs;
        for iteration in 0..budget.iterations {
            objective.gradient(x, shared, &mut self.gradient);
            if budget.tolerance > 0.0 && objective.residual(&self.gradient) <= budget.tolerance {
                return Ok(SolveReport { iterations: iteration });
            }
            dofs.pull_back(&self.gradient, &mut self.direction);
            self.solve(factor)?;
            dofs.add_expanded(-1.0, &self.direction, x);
        }
        Ok(SolveReport { iterations: budget.iterations })
    }
}
