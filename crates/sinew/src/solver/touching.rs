//! The global matrix of a step in contact: M + αβ²h²(L + K), K the stiffness of the contacts that press.
//!
//! Contacts are as stiff as the body or stiffer, and the constant matrix knows nothing of them: L-BFGS would spend its
//! iterations on learning where the floor is. So where something presses, its stiffness goes on the diagonal and the matrix is
//! factored anew, with the ordering, the symbolic factor and the memory of the constant one. The diagonal is the same for all
//! three coordinates, so it also holds vertices back along the surface; that is a matter of speed, not of the result.

use super::systems::Systems;
use crate::energy::Pose;
use crate::model::Model;
use crate::sparse::{Cholesky, NotPositiveDefinite, RefilledFactor, SymmetricMatrix};
use glam::DVec3;

/// A matrix that is factored again whenever other vertices press.
#[derive(Debug)]
pub(crate) struct TouchingSystem {
    /// M + αβ²h²L.
    constant: SymmetricMatrix,
    matrix: SymmetricMatrix,
    cholesky: Cholesky,
    factor: RefilledFactor,
    stiffness_factor: f64,
    /// (vertex, stiffness) on the diagonal, as last factored.
    pressing: Vec<(u32, f64)>,
    found: Vec<(u32, f64)>,
}

impl TouchingSystem {
    /// For a model with contacts whose global step is direct; `None` otherwise.
    pub fn new(
        model: &Model,
        systems: &mut Systems,
        stiffness_factor: f64,
    ) -> Result<Option<Self>, NotPositiveDefinite> {
        if model.contact.is_none() {
            return Ok(None);
        }
        let constant = super::system_matrix(model, stiffness_factor);
        let Some(analysis) = systems.analysis(&constant)? else { return Ok(None) };
        let cholesky = analysis.cholesky(&constant)?;
        let factor = analysis.refilled(&cholesky)?;
        let matrix = constant.clone();
        let (pressing, found) = (Vec::new(), Vec::new());
        Ok(Some(Self { constant, matrix, cholesky, factor, stiffness_factor, pressing, found }))
    }

    /// Looks at what presses at one of the places; returns whether the matrix has it and is to be used.
    pub fn prepare(&mut self, model: &Model, pose: Pose, places: [&[DVec3]; 2]) -> bool {
        self.found.clear();
        for i in pose.contacts.touched() {
            // Only free vertices have a row of their own.
            let crate::Slot::Free(_) = model.dofs.slots()[i as usize] else { continue };
            let stiffness = places.map(|x| {
                let block = pose.contacts.stiffness_at(i, x);
                block.x_axis.x + block.y_axis.y + block.z_axis.z
            });
            let stiffness = stiffness[0].max(stiffness[1]);
            if stiffness > 0.0 {
                self.found.push((i, stiffness));
            }
        }
        if self.found.is_empty() {
            return false;
        }
        if self.found == self.pressing {
            return true;
        }
        self.pressing.clone_from(&self.found);
        self.matrix.values.copy_from_slice(&self.constant.values);
        for &(i, stiffness) in &self.pressing {
            if let crate::Slot::Free(row) = model.dofs.slots()[i as usize] {
                self.matrix.add_to_diagonal_of(row as usize, self.stiffness_factor * stiffness);
            }
        }
        let factored = self.cholesky.factor(&self.matrix).and_then(|()| self.factor.refill(&self.cholesky));
        if factored.is_err() {
            self.pressing.clear();
        }
        factored.is_ok()
    }

    /// x ← A⁻¹x, in reduced coordinates.
    pub fn solve_vectors(&mut self, x: &mut [DVec3]) {
        self.factor.solve_vectors(x);
    }
}
