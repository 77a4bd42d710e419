//! L-BFGS on top of the Projective Dynamics matrix [liu2017, Alg. 1].
//!
//! The two-loop recursion with H₀ = M + αβ²h²L as initial Hessian learns curvature that the constant matrix misses from the last few steps.
//! This turns the linear convergence of local/global steps into superlinear convergence and serves materials without a projection (St.VK,
//! Neo-Hookean). A backtracking line search makes every iteration a descent of g.

use super::line_search::{HALVINGS, LineSearch, Verdict};
use super::projective::ProjectiveWork;
use super::{Budget, NOT_FINITE, SolveReport};
use crate::math::{add_scaled, dot};
use crate::model::Model;
use crate::objective::{Objective, ObjectiveWork, SolveFailure};
use crate::operator::Operator;
use glam::DVec3;

/// Pairs s = x⁺ − x and t = ∇g⁺ − ∇g in reduced coordinates, in a ring buffer.
#[derive(Debug)]
pub(super) struct LbfgsMemory {
    s: Vec<Vec<DVec3>>,
    t: Vec<Vec<DVec3>>,
    rho: Vec<f64>,
    alpha: Vec<f64>,
    len: usize,
    next: usize,
    trial: Vec<DVec3>,
    trial_gradient: Vec<DVec3>,
    reduced: Vec<DVec3>,
    reduced_trial: Vec<DVec3>,
}

impl LbfgsMemory {
    pub fn new(model: &Model, pairs: usize) -> Self {
        let reduced = vec![DVec3::ZERO; if pairs == 0 { 0 } else { model.dofs.len() }];
        let full = vec![DVec3::ZERO; if pairs == 0 { 0 } else { model.points() }];
        Self {
            s: vec![reduced.clone(); pairs],
            t: vec![reduced.clone(); pairs],
            rho: vec![0.0; pairs],
            alpha: vec![0.0; pairs],
            len: 0,
            next: 0,
            trial: full.clone(),
            trial_gradient: full,
            reduced: reduced.clone(),
            reduced_trial: reduced,
        }
    }

    fn clear(&mut self) {
        self.len = 0;
        self.next = 0;
    }

    /// Pairs from newest to oldest.
    fn newest_first(&self) -> impl DoubleEndedIterator<Item = usize> + use<> {
        let (len, next, capacity) = (self.len, self.next, self.s.len());
        (1..=len).map(move |k| (next + capacity - k) % capacity)
    }

    /// q ← q − Σ αᵢ tᵢ: the first loop.
    fn first_loop(&mut self, q: &mut [DVec3]) {
        for i in self.newest_first() {
            self.alpha[i] = self.rho[i] * dot(&self.s[i], q);
            add_scaled(-self.alpha[i], &self.t[i], q);
        }
    }

    /// q ← q + Σ (αᵢ − βᵢ) sᵢ: the second loop.
    fn second_loop(&mut self, q: &mut [DVec3]) {
        for i in self.newest_first().rev() {
            let beta = self.rho[i] * dot(&self.t[i], q);
            add_scaled(self.alpha[i] - beta, &self.s[i], q);
        }
    }

    /// Stores a pair if it has positive curvature; `step` is the reduced step taken.
    fn remember(&mut self, scale: f64, step: &[DVec3]) {
        let i = self.next;
        for k in 0..step.len() {
            self.s[i][k] = step[k] * scale;
            self.t[i][k] = self.reduced_trial[k] - self.reduced[k];
        }
        let curvature = dot(&self.s[i], &self.t[i]);
        let lengths = (dot(&self.s[i], &self.s[i]) * dot(&self.t[i], &self.t[i])).sqrt();
        if curvature > 1e-12 * lengths {
            self.rho[i] = 1.0 / curvature;
            self.next = (i + 1) % self.s.len();
            self.len = (self.len + 1).min(self.s.len());
        }
    }
}

impl ProjectiveWork {
    /// Runs L-BFGS iterations from the given x.
    pub fn lbfgs(
        &mut self,
        objective: &Objective,
        operator: &mut Operator,
        shared: &mut ObjectiveWork,
        budget: Budget,
        x: &mut [DVec3],
    ) -> Result<SolveReport, SolveFailure> {
        let model = objective.model;
        self.chart.begin(objective, x);
        if !self.keeps_pairs {
            self.lbfgs.clear();
        }
        operator.look_at_contacts(model, objective.pose.contacts, objective.contact_weight(), x);
        let mut g = objective.gradient(x, shared, &mut self.gradient);
        let mut residual;
        let mut spent = 0;
        loop {
            self.chart.reduce(model, &self.gradient, &mut self.lbfgs.reduced);
            residual = self.chart.residual(objective, &self.gradient, &self.lbfgs.reduced);
            if residual <= budget.tolerance || spent == budget.iterations {
                break;
            }
            self.prepare_bones(model, operator)?;
            let slope = self.descent_direction(model, operator)?;
            if !slope.is_finite() {
                return Err(NOT_FINITE);
            }
            let unbalanced = objective.unbalanced(residual, x);
            if slope >= 0.0 || budget.suffices(spent, (-slope).sqrt(), objective.moved(x), unbalanced) {
                break;
            }
            let search = LineSearch { value: g, slope, residual };
            let Some((t, value)) = self.search(&search, objective, shared, x) else { break };
            g = value;
            x.copy_from_slice(&self.lbfgs.trial);
            self.chart.accept();
            self.chart.reduce(model, &self.lbfgs.trial_gradient, &mut self.lbfgs.reduced_trial);
            self.lbfgs.remember(t, &self.direction);
            std::mem::swap(&mut self.gradient, &mut self.lbfgs.trial_gradient);
            spent += 1;
        }
        let last = (dot(&self.direction, &self.direction) / self.direction.len().max(1) as f64).sqrt();
        Ok(SolveReport { last, ..SolveReport::new(objective, x, residual, (spent, budget)) })
    }

    /// Finds an acceptable trial and stores it and its gradient; returns its step length and g.
    fn search(
        &mut self,
        search: &LineSearch,
        objective: &Objective,
        shared: &mut ObjectiveWork,
        x: &[DVec3],
    ) -> Option<(f64, f64)> {
        let mut t = 1.0;
        for _ in 0..HALVINGS {
            let memory = &mut self.lbfgs;
            memory.trial.copy_from_slice(x);
            self.chart.advance(objective.model, t, &self.direction, &mut memory.trial);
            let value = objective.gradient(&memory.trial, shared, &mut memory.trial_gradient);
            // With bones, only coordinates measure the distance to the minimum: at the level of rounding the search ends.
            let bones = self.chart.has_bones();
            let residual = || if bones { f64::INFINITY } else { objective.residual(&memory.trial_gradient) };
            match search.judge(t, value, residual) {
                Verdict::Accept => return Some((t, value)),
                Verdict::Stop => return None,
                Verdict::Halve => t *= 0.5,
            }
        }
        None
    }

    /// direction ← −(L-BFGS inverse Hessian)·∇g; returns its slope dᵀ∇g.
    fn descent_direction(&mut self, model: &Model, operator: &mut Operator) -> Result<f64, SolveFailure> {
        for (d, g) in self.direction.iter_mut().zip(&self.lbfgs.reduced) {
            *d = -*g;
        }
        self.lbfgs.first_loop(&mut self.direction);
        self.solve(model, operator)?;
        self.lbfgs.second_loop(&mut self.direction);
        self.chart.articulated.project(&mut self.direction);
        Ok(dot(&self.direction, &self.lbfgs.reduced))
    }
}
