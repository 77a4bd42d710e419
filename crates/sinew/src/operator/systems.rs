//! The constant matrices Bᵀ(M + αβ²h²L)B of a model: analysed once, factored once for every αβ²h² in use.
//!
//! All of them have one pattern, so the ordering and the symbolic factor are made once for a simulator. BDF2 needs two
//! matrices, a metric of a correction is often the solver's, and a switch of settings seldom changes αβ²h²: a factor that
//! is still held is found and shared.

use crate::model::Model;
use crate::sparse::{
    Analysis, DirectFactor, GlobalMethod, GlobalStep, NotPositiveDefinite, Precision, SymmetricMatrix,
    WeakFactor,
};
use std::ops::Range;
use std::sync::Arc;

/// Bᵀ(M + factor·L)B.
pub(crate) fn system_matrix(model: &Model, factor: f64) -> SymmetricMatrix {
    let mut entries = Vec::with_capacity(model.laplacian.values.len() + model.points());
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

/// The rows of each articulation in the whole matrix of a model.
pub(crate) fn bone_rows(model: &Model) -> Vec<Range<usize>> {
    let skeleton = &model.skeleton;
    let rows = skeleton.articulations.iter().map(|a| {
        let start = skeleton.bones[a.bones[0]].column as usize;
        start..start + 4 * a.bones.len()
    });
    rows.collect()
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

    /// The analysis of the whole matrix, where it is solved by a factor.
    pub fn analysis(
        &mut self,
        whole: &SymmetricMatrix,
        bones: &[Range<usize>],
    ) -> Result<Option<Arc<Analysis>>, NotPositiveDefinite> {
        Ok(match self.plan(Scope::Whole, whole, bones)? {
            Plan::Direct(analysis) => Some(analysis),
            Plan::Multigrid => None,
        })
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
            None => self.step(key, &system_matrix(model, stiffness_factor), &bone_rows(model)),
        }
    }

    /// A step with this matrix, which is the one that the key describes; `bones` are the rows of each articulation.
    pub fn step(
        &mut self,
        key: SystemKey,
        matrix: &SymmetricMatrix,
        bones: &[Range<usize>],
    ) -> Result<GlobalStep, NotPositiveDefinite> {
        if let Some(factor) = self.known(key) {
            return Ok(GlobalStep::direct(factor));
        }
        let Plan::Direct(analysis) = self.plan(key.scope, matrix, bones)? else {
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

    fn plan(
        &mut self,
        scope: Scope,
        matrix: &SymmetricMatrix,
        bones: &[Range<usize>],
    ) -> Result<Plan, NotPositiveDefinite> {
        if let Some((_, plan)) = self.plans.iter().find(|(known, _)| *known == scope) {
            return Ok(plan.clone());
        }
        // Bones are decided in the middle of a factor.
        let plan = if self.method == GlobalMethod::Multigrid && bones.is_empty() {
            Plan::Multigrid
        } else {
            let analysis = Analysis::with_corners(&matrix.pattern, bones.to_vec())?;
            let wanted = self.method == GlobalMethod::Direct || !bones.is_empty();
            let direct = wanted || analysis.pays(&matrix.pattern);
            if direct { Plan::Direct(Arc::new(analysis)) } else { Plan::Multigrid }
        };
        self.plans.push((scope, plan.clone()));
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::correction::{Correction, CorrectionWork, Fepr};
    use crate::{Acceleration, Body, Budget, Integrator, Settings, Simulator, Solver, SpringLaw};
    use glam::DVec3;

    /// Two vertices and a spring, `copies` times.
    fn model(copies: u32) -> Arc<Model> {
        let mut builder = Model::builder();
        for k in 0..copies {
            let ends = [f64::from(k), f64::from(k) + 0.5].map(|x| DVec3::new(x, 0.0, 0.0));
            let body = Body::new(format!("spring {k}"), ends.to_vec());
            builder.body(body.springs(vec![[0, 1]], SpringLaw::Hookean, 10.0).total_mass(1.0));
        }
        Arc::new(builder.build().unwrap())
    }

    fn projective(iterations: usize, acceleration: Acceleration) -> Solver {
        Solver::ProjectiveDynamics { budget: Budget::fixed(iterations), acceleration }
    }

    #[test]
    fn one_analysis_serves_all_factors() {
        let model = model(1);
        let mut systems = Systems::new(GlobalMethod::Direct);
        let held: Vec<_> =
            [1.0, 4.0 / 9.0, 1.0].map(|factor| systems.whole(&model, factor, Precision::Double)).into();
        assert_eq!((held.len(), systems.plans.len(), systems.factors.len()), (3, 1, 2));
    }

    #[test]
    fn what_nobody_holds_is_forgotten() {
        let model = model(1);
        let mut systems = Systems::new(GlobalMethod::Direct);
        for factor in [1.0, 2.0, 3.0] {
            drop(systems.whole(&model, factor, Precision::Double));
        }
        assert_eq!(systems.factors.len(), 1);
    }

    #[test]
    fn a_correction_uses_the_factor_of_the_solver() {
        for (copies, factors) in [(1, 1), (3, 4)] {
            let model = model(copies);
            let mut systems = Systems::new(GlobalMethod::Direct);
            let h = 0.01;
            let _solver = systems.whole(&model, h * h, Precision::Double).unwrap();
            let fepr = Correction::Fepr(Fepr::default());
            let _correction =
                CorrectionWork::new(&model, &mut systems, &fepr, Integrator::BackwardEuler, h).unwrap();
            assert_eq!(systems.factors.len(), factors, "{copies} components");
        }
    }

    #[test]
    fn a_switch_keeps_the_factors_that_fit() {
        let key = SystemKey { scope: Scope::Whole, stiffness_factor: 1e-4, precision: Precision::Double };
        let settings = Settings { h: 0.01, solver: projective(20, Acceleration::None), ..Settings::plain() };
        let mut simulator = Simulator::new(model(1), settings).unwrap();
        let before = address(simulator.systems(), key);
        let lbfgs = Acceleration::Lbfgs { history: 3, preconditioner: Precision::Double };
        for solver in [projective(7, Acceleration::None), projective(7, lbfgs)] {
            simulator.set_settings(Settings { solver, ..settings }).unwrap();
            assert_eq!(address(simulator.systems(), key), before);
        }
        // BDF2 begins with backward Euler's matrix.
        simulator.set_settings(Settings { integrator: Integrator::Bdf2, ..settings }).unwrap();
        assert_eq!(address(simulator.systems(), key), before);
        assert_eq!(simulator.systems().plans.len(), 1);
    }

    fn address(systems: &Systems, key: SystemKey) -> Option<*const ()> {
        Some(match systems.known(key)? {
            DirectFactor::Double(panels) => Arc::as_ptr(&panels).cast(),
            DirectFactor::Single(panels) => Arc::as_ptr(&panels).cast(),
        })
    }
}
