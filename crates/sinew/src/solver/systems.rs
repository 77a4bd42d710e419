//! The constant matrices Bᵀ(M + αβ²h²L)B of a model: analysed once, factored once for every αβ²h² in use.
//!
//! All of them have one pattern, so the ordering and the symbolic factor are made once for a simulator. BDF2 needs two
//! matrices, a metric of a correction is often the solver's, and a switch of settings seldom changes αβ²h²: whoever asks
//! for a factor that somebody still holds gets the same one.

use crate::model::Model;
use crate::sparse::{
    Analysis, DirectFactor, GlobalStep, NotPositiveDefinite, Precision, SymmetricMatrix, WeakFactor,
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

/// Analyses and factors of one model.
#[derive(Debug, Default)]
pub(crate) struct Systems {
    analyses: Vec<(Scope, Arc<Analysis>)>,
    factors: Vec<(SystemKey, WeakFactor)>,
}

impl Systems {
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
        let analysis = self.analysis(key.scope, matrix)?;
        let factor = analysis.panels(&analysis.cholesky(matrix)?, key.precision)?;
        self.factors.retain(|(_, factor)| factor.upgrade().is_some());
        self.factors.push((key, factor.downgrade()));
        Ok(GlobalStep::direct(factor))
    }

    fn known(&self, key: SystemKey) -> Option<DirectFactor> {
        self.factors.iter().find(|(known, _)| *known == key)?.1.upgrade()
    }

    fn analysis(
        &mut self,
        scope: Scope,
        matrix: &SymmetricMatrix,
    ) -> Result<Arc<Analysis>, NotPositiveDefinite> {
        if let Some((_, analysis)) = self.analyses.iter().find(|(known, _)| *known == scope) {
            return Ok(analysis.clone());
        }
        let analysis = Arc::new(Analysis::new(&matrix.pattern)?);
        self.analyses.push((scope, analysis.clone()));
        Ok(analysis)
    }
}
