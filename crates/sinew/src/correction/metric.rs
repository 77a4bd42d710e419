//! D_x = M + τh²L: the metric in which a correction of positions is small.
//!
//! \[dinev2018fepr\] measures positions by M alone (τ = 0): corrections then go wherever ∇E points, which is into the
//! stiffest, fastest modes, and the energy that is kept freezes into strain and jitter. With the Projective Dynamics
//! matrix the same energy is restored by slow modes: the motion stays alive.

use crate::model::{Component, Model};
use crate::settings::SettingsError;
use crate::solver::system_matrix;
use crate::sparse::{Cholesky, SymmetricMatrix};
use glam::DVec3;

/// The metric of one component, factored.
#[derive(Debug)]
pub(crate) struct Metric {
    matrix: SymmetricMatrix,
    factor: Cholesky,
    /// Reduced index of the model → index here; `u32::MAX` for other components.
    local: Vec<u32>,
    scratch: Vec<DVec3>,
    stiffness_factor: f64,
}

impl Metric {
    /// M + `stiffness_factor`·L restricted to a component.
    pub fn new(model: &Model, component: &Component, stiffness_factor: f64) -> Result<Self, SettingsError> {
        let whole = system_matrix(model, stiffness_factor);
        let mut local = vec![u32::MAX; model.dofs.len()];
        let mut count = 0;
        for &i in &component.vertices {
            model.dofs.row(i as usize, |index, _| {
                let slot = &mut local[index as usize];
                if *slot == u32::MAX {
                    *slot = count;
                    count += 1;
                }
            });
        }
        let mut entries = Vec::new();
        for j in 0..whole.pattern.n() {
            for k in whole.pattern.column_start[j]..whole.pattern.column_start[j + 1] {
                let (p, q) = (local[whole.pattern.rows[k]], local[j]);
                if p != u32::MAX && q != u32::MAX {
                    entries.push((p, q, whole.values[k]));
                }
            }
        }
        let matrix = SymmetricMatrix::from_entries(count as usize, &entries);
        let refused = |_| SettingsError::Matrix("the correction's metric");
        let mut factor = Cholesky::analyse(&matrix.pattern).map_err(refused)?;
        factor.factor(&matrix).map_err(refused)?;
        Ok(Self { matrix, factor, local, scratch: vec![DVec3::ZERO; count as usize], stiffness_factor })
    }

    /// τh².
    pub fn stiffness_factor(&self) -> f64 {
        self.stiffness_factor
    }

    /// p ← D_x⁻¹ g on the component's vertices; returns gᵀp.
    pub fn solve(&mut self, model: &Model, component: &Component, g: &[DVec3], p: &mut [DVec3]) -> f64 {
        self.scratch.fill(DVec3::ZERO);
        for &i in &component.vertices {
            let i = i as usize;
            model.dofs.row(i, |index, coefficient| {
                self.scratch[self.local[index as usize] as usize] += g[i] * coefficient;
            });
        }
        self.factor.solve_vectors(&mut self.scratch);
        let mut product = 0.0;
        for &i in &component.vertices {
            let i = i as usize;
            p[i] = DVec3::ZERO;
            model.dofs.row(i, |index, coefficient| {
                p[i] += self.scratch[self.local[index as usize] as usize] * coefficient;
            });
            product += g[i].dot(p[i]);
        }
        product
    }

    /// dᵀD_x d for a displacement of the component's free vertices.
    pub fn squared_length(
        &mut self,
        model: &Model,
        component: &Component,
        d: impl Fn(usize) -> DVec3,
    ) -> f64 {
        self.scratch.fill(DVec3::ZERO);
        for &i in &component.vertices {
            if let crate::Slot::Free(index) = model.dofs.slots()[i as usize] {
                self.scratch[self.local[index as usize] as usize] = d(i as usize);
            }
        }
        self.matrix.quadratic_form(&self.scratch)
    }
}
