//! D_x = M + τh²L: the metric in which a correction of positions is small.
//!
//! \[dinev2018fepr\] measures positions by M alone (τ = 0): corrections then go wherever ∇E points, which is into the
//! stiffest, fastest modes, and the energy that is kept freezes into strain and jitter. With the Projective Dynamics
//! matrix the same energy is restored by slow modes: the motion stays alive.

use crate::model::{Component, Model};
use crate::settings::SettingsError;
use crate::solver::system_matrix;
use crate::sparse::{GlobalStep, SymmetricMatrix};
use glam::DVec3;

/// The metric of one component, factored.
#[derive(Debug)]
pub(crate) struct Metric {
    matrix: SymmetricMatrix,
    step: GlobalStep,
    /// The component's rows of B: (vertex, local reduced index, coefficient).
    rows: Vec<(u32, u32, f64)>,
    scratch: Vec<DVec3>,
    stiffness_factor: f64,
}

impl Metric {
    /// M + `stiffness_factor`·L of each component.
    pub fn for_components(model: &Model, stiffness_factor: f64) -> Result<Vec<Self>, SettingsError> {
        let whole = system_matrix(model, stiffness_factor);
        // Reduced index of the model → (component, index there).
        let mut place = vec![(0, 0); model.dofs.len()];
        let mut rows = vec![Vec::new(); model.components.len()];
        let mut counts = vec![0u32; model.components.len()];
        let mut seen = vec![false; model.dofs.len()];
        for (c, component) in model.components.iter().enumerate() {
            for &i in &component.vertices {
                model.dofs.row(i as usize, |index, coefficient| {
                    let index = index as usize;
                    if !seen[index] {
                        seen[index] = true;
                        place[index] = (c, counts[c]);
                        counts[c] += 1;
                    }
                    rows[c].push((i, place[index].1, coefficient));
                });
            }
        }
        let mut entries = vec![Vec::new(); model.components.len()];
        for j in 0..whole.pattern.n() {
            for k in whole.pattern.column_start[j]..whole.pattern.column_start[j + 1] {
                let ((c, p), (_, q)) = (place[whole.pattern.rows[k]], place[j]);
                entries[c].push((p, q, whole.values[k]));
            }
        }
        let parts = rows.into_iter().zip(entries).zip(counts);
        parts.map(|((rows, entries), n)| Self::new(rows, &entries, n as usize, stiffness_factor)).collect()
    }

    fn new(
        rows: Vec<(u32, u32, f64)>,
        entries: &[(u32, u32, f64)],
        n: usize,
        stiffness_factor: f64,
    ) -> Result<Self, SettingsError> {
        let matrix = SymmetricMatrix::from_entries(n, entries);
        let step = GlobalStep::new(&matrix).map_err(|_| SettingsError::Matrix("the correction's metric"))?;
        Ok(Self { matrix, step, rows, scratch: vec![DVec3::ZERO; n], stiffness_factor })
    }

    /// τh².
    pub fn stiffness_factor(&self) -> f64 {
        self.stiffness_factor
    }

    /// p ← D_x⁻¹ g on the component's vertices; returns gᵀp.
    pub fn solve(&mut self, component: &Component, g: &[DVec3], p: &mut [DVec3]) -> f64 {
        self.scratch.fill(DVec3::ZERO);
        for &(i, local, coefficient) in &self.rows {
            self.scratch[local as usize] += g[i as usize] * coefficient;
        }
        self.step.solve_vectors(&mut self.scratch);
        for &i in &component.vertices {
            p[i as usize] = DVec3::ZERO;
        }
        let mut product = 0.0;
        for &(i, local, coefficient) in &self.rows {
            let step = self.scratch[local as usize] * coefficient;
            p[i as usize] += step;
            product += g[i as usize].dot(step);
        }
        product
    }

    /// dᵀD_x d for a displacement d of the component's free vertices.
    pub fn squared_length(&mut self, model: &Model, d: impl Fn(usize) -> DVec3) -> f64 {
        self.scratch.fill(DVec3::ZERO);
        for &(i, local, _) in &self.rows {
            if let crate::Slot::Free(_) = model.dofs.slots()[i as usize] {
                self.scratch[local as usize] = d(i as usize);
            }
        }
        self.matrix.quadratic_form(&self.scratch)
    }
}
