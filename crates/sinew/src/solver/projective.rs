//! Projective Dynamics: local projections, one constant matrix \[bouaziz2014\].
//!
//! The local step projects every element and the global step solves (M + αβ²h²L) x = …; written with gradients the
//! pair is x ← x − (M + αβ²h²L)⁻¹ ∇g(x) [liu2017, Eq. 13]. For implicit midpoint this is Eq. 30 of \[dinev2018stab\].
//! The matrix is a scalar one for all three coordinates and is factored once per integrator and time step.

use super::chart::Chart;
use super::lbfgs::LbfgsMemory;
use super::systems::Systems;
use super::touching::TouchingSystem;
use super::{Acceleration, Budget, SolveFailure, SolveReport};
use crate::model::Model;
use crate::objective::{Objective, ObjectiveWork};
use crate::settings::SettingsError;
use crate::skeleton::Geometric;
use crate::sparse::{GlobalStep, Precision};
use glam::DVec3;

/// Turn of a bone, rad, above which even the last of the iterations is watched.
const FAST: f64 = 0.1;
/// Shortest share of a step that is tried.
const SHORTEST: f64 = 1e-3;
/// Rise of g, as a share of it, that is rounding.
const ROUNDING: f64 = 1e-13;
const NO_FACTOR: SolveFailure = SolveFailure("bones need a factored matrix");

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
    pub(super) chart: Chart,
    /// x before a step of plain iterations; empty without bones.
    base: Vec<DVec3>,
}

/// Pairs for the steps in which a hand holds something, where plain ones are asked for.
const HANDS_HISTORY: usize = 5;

impl ProjectiveWork {
    pub fn new(
        model: &Model,
        systems: &mut Systems,
        factors: impl Iterator<Item = f64>,
        acceleration: Acceleration,
    ) -> Result<Self, SettingsError> {
        let (pairs, precision) = match acceleration {
            Acceleration::None => (if model.hands { HANDS_HISTORY } else { 0 }, Precision::Double),
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
        let chart = Chart::new(model);
        Ok(Self {
            base: vec![DVec3::ZERO; if chart.has_bones() { model.points() } else { 0 }],
            chart,
            touching,
            touches: None,
            factors: factored,
            gradient: vec![DVec3::ZERO; model.points()],
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

    /// Builds what bones need for solves with the matrix in use.
    pub(super) fn prepare_bones(
        &mut self,
        model: &Model,
        factor: usize,
        geometric: Geometric,
    ) -> Result<(), SolveFailure> {
        let (frames, bones) = self.chart.parts();
        if bones.is_empty() {
            return Ok(());
        }
        if let Some(system) = self.touches.and_then(|k| self.touching.get_mut(k)) {
            return system.prepare_bones(model, frames, bones, geometric);
        }
        let Some(corners) = self.factors[factor].1.corners() else { return Err(NO_FACTOR) };
        bones.prepare(model, frames, corners, geometric)
    }

    /// direction ← H₀⁻¹ direction.
    pub(super) fn solve(&mut self, model: &Model, factor: usize) -> Result<(), SolveFailure> {
        let (frames, bones) = self.chart.parts();
        let direction = &mut self.direction;
        match self.touches.and_then(|k| self.touching.get_mut(k)) {
            Some(system) if bones.is_empty() => system.solve_vectors(direction),
            Some(system) => system.solve_with_bones(model, frames, bones, direction, true),
            None => {
                let step = &mut self.factors[factor].1;
                if bones.is_empty() {
                    let solved = step.solve_vectors(direction);
                    return solved.map_err(|breakdown| SolveFailure(breakdown.why()));
                }
                bones.solve(model, frames, step, direction, true);
            }
        }
        Ok(())
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
        if self.chart.has_bones() {
            return self.local_global_with_bones(objective, shared, (factor, budget), x);
        }
        let dofs = &objective.model.dofs;
        for iteration in 0..budget.iterations {
            objective.gradient(x, shared, &mut self.gradient);
            if budget.tolerance > 0.0 && objective.residual(&self.gradient) <= budget.tolerance {
                return Ok(SolveReport { iterations: iteration });
            }
            dofs.pull_back(&self.gradient, &mut self.direction);
            self.solve(objective.model, factor)?;
            dofs.add_expanded(-1.0, &self.direction, x);
        }
        Ok(SolveReport { iterations: budget.iterations })
    }

    /// The same with bones [li2020, Alg. 1]. Flesh alone descends by itself; a bone that turns far may overshoot, so g is watched: it comes with the
    /// gradient that the next iteration needs anyway.
    fn local_global_with_bones(
        &mut self,
        objective: &Objective,
        shared: &mut ObjectiveWork,
        (factor, budget): (usize, Budget),
        x: &mut [DVec3],
    ) -> Result<SolveReport, SolveFailure> {
        self.chart.begin(objective, x);
        let (mut gradient, mut base) = (std::mem::take(&mut self.gradient), std::mem::take(&mut self.base));
        let report = self.descend(objective, shared, (factor, budget), x, (&mut gradient, &mut base));
        (self.gradient, self.base) = (gradient, base);
        report
    }

    fn descend(
        &mut self,
        objective: &Objective,
        shared: &mut ObjectiveWork,
        (factor, budget): (usize, Budget),
        x: &mut [DVec3],
        (gradient, base): (&mut [DVec3], &mut [DVec3]),
    ) -> Result<SolveReport, SolveFailure> {
        let model = objective.model;
        let mut g = objective.gradient(x, shared, gradient);
        for iteration in 0..budget.iterations {
            self.chart.reduce(model, gradient, &mut self.direction);
            let met = budget.tolerance > 0.0
                && self.chart.residual(objective, gradient, &self.direction) <= budget.tolerance;
            self.direction.iter_mut().for_each(|d| *d = -*d);
            if met {
                return Ok(SolveReport { iterations: iteration });
            }
            self.prepare_bones(model, factor, Geometric::Clamped)?;
            self.solve(model, factor)?;
            base.copy_from_slice(x);
            let last = iteration + 1 == budget.iterations;
            let unseen = last && self.chart.articulated.fastest(model, &self.direction) < FAST;
            let mut t = 1.0;
            loop {
                self.chart.advance(model, t, &self.direction, x);
                if unseen {
                    break;
                }
                let found = objective.gradient(x, shared, gradient);
                if found <= g + ROUNDING * g.abs() {
                    g = found;
                    break;
                }
                x.copy_from_slice(base);
                if t < SHORTEST {
                    return Ok(SolveReport { iterations: iteration });
                }
                t *= 0.5;
            }
            self.chart.accept();
        }
        Ok(SolveReport { iterations: budget.iterations })
    }
}
