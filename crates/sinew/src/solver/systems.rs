//! The constant matrices Bᵀ(M + αβ²h²L)B of a model: analysed once, factored once for every αβ²h² in use.
//!
//! All of them have one pattern, so the ordering and the symbolic factor are made once for a simulator. BDF2 needs two
//! matrices, a metric of a correction is often the solver's, and a switch of settings seldom changes αβ²h²: whoever asks
//! for a factor that somebody still holds gets the same one.

use crate::model::Model;
use crate::sparse::{
    Analysis, DirectFactor, GlobalMethod, GlobalStep, NotPositiveDefinite, Precision, SymmetricMatrix,
    WeakFactor,
};
use std::sync::Arc;

/// Bᵀ(M + factor·L)B.
pub(crate) fn system_matrix(model: &Model, factor: f64) -> SymmetricMatrix {
    let mut entries = Vec::with_capacity(model.laplacian.values.len() + model.vertices());
    let mut add = |i: usize, j: usize, value: f64| {
        model.dofs.row(i, |p, a| {
            model.dofs.row(j, |q, b| {
                // An off-diagonal entry stands for its mirror image too; within a bone both are needed.
                if i == j && q > p {
                    return;
                }
                let doubled = if i != j && p == q { 2.0 } else { 1.0 };
                entries.push((p, q, doubled * a * b * value));
            });
        });
    };
    for (i, &m) in model.masses.iter().enumerate() {
        add(i, i, m);
    }
    let pattern = &model.laplacian.pattern;
    for j in 0..pattern.n() {
        for k in pattern.column_start[j]..pattern.column_start[j + 1] {
            add(pattern.rows[k], j, factor * model.laplacian.values[k]);
        }
    }
    SymmetricMatrix::from_entries(model.dofs.len(), &entries)
}

/// The rows of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All of the model.
    Whole,
    /// One connected component of several.
    Component(usize),
}

/// Which matrix, and how it is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SystemKey {
    pub scope: Scope,
    /// αβ²h².
    pub stiffness_factor: f64,
    pub precision: Precision,
}

/// How matrices of one pattern are solved.
#[derive(Clone, Debug)]
enum Plan {
    Direct(Arc<Analysis>),
    Multigrid,
}

/// Analyses and factors of one model.
#[derive(Debug)]
pub(crate) struct Systems {
    method: GlobalMethod,
    plans: Vec<(Scope, Plan)>,
    factors: Vec<(SystemKey, WeakFactor)>,
}

impl Systems {
    pub fn new(method: GlobalMethod) -> Self {
        Self { method, plans: Vec::new(), factors: Vec::new() }
    }

    /// A step with the whole matrix of the model.
    pub fn whole(
        &mut self,
        model: &Model,
        stiffness_factor: f64,
        precision: Precision,
    ) -> Result<GlobalStep, NotPositiveDefinite> {
        let key = SystemKey { scope: Scope::Whole, stiffness_factor, precision };
        match self.known(key) {
            Some(factor) => Ok(GlobalStep::direct(factor)),
            None => self.step(key, &system_matrix(model, stiffness_factor)),
        }
    }

    /// A step with this matrix, which is the one that the key describes.
    pub fn step(
        &mut self,
        key: SystemKey,
        matrix: &SymmetricMatrix,
    ) -> Result<GlobalStep, NotPositiveDefinite> {
        if let Some(factor) = self.known(key) {
            return Ok(GlobalStep::direct(factor));
        }
        let Plan::Direct(analysis) = self.plan(key.scope, matrix)? else {
            return GlobalStep::multigrid(matrix);
        };
        let factor = analysis.panels(&analysis.cholesky(matrix)?, key.precision)?;
        self.factors.retain(|(_, factor)| factor.upgrade().is_some());
        self.factors.push((key, factor.downgrade()));
        Ok(GlobalStep::direct(factor))
    }

    fn known(&self, key: SystemKey) -> Option<DirectFactor> {
        self.factors.iter().find(|(known, _)| *known == key)?.1.upgrade()
    }

    fn plan(&mut self, scope: Scope, matrix: &SymmetricMatrix) -> Result<Plan, NotPositiveDefinite> {
        if let Some((_, plan)) = self.plans.iter().find(|(known, _)| *known == scope) {
            return Ok(plan.clone());
        }
        let plan = if self.method == GlobalMethod::Multigrid {
            Plan::Multigrid
        } else {
            let analysis = Analysis::new(&matrix.pattern)?;
            let direct = self.method == GlobalMethod::Direct || analysis.pays(&matrix.pattern);
            if direct { Plan::Direct(Arc::new(analysis)) } else { Plan::Multigrid }
        };
        self.plans.push((scope, plan.clone()));
        Ok(plan)
    }
}
