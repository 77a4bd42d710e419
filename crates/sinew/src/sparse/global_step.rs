//! x ← A⁻¹x for the constant matrix A = M + αβ²h²L of the global step.
//!
//! Projective Dynamics, L-BFGS and the metrics of the corrections all end in this one operation. What does it is
//! chosen when the matrix is known; those who call it hold a [`GlobalStep`] and need not know.

use super::cholesky::NotPositiveDefinite;
use super::{Cholesky, SymmetricMatrix};
use glam::DVec3;

/// A way to apply A⁻¹, with the memory that it needs.
#[derive(Debug)]
pub(crate) enum GlobalStep {
    /// A factor of the whole matrix.
    Direct(Cholesky),
}

impl GlobalStep {
    /// Prepares solves with this matrix.
    pub fn new(matrix: &SymmetricMatrix) -> Result<Self, NotPositiveDefinite> {
        let mut cholesky = Cholesky::analyse(&matrix.pattern)?;
        cholesky.factor(matrix)?;
        Ok(Self::Direct(cholesky))
    }

    /// x ← A⁻¹x, three coordinates per row.
    pub fn solve_vectors(&mut self, x: &mut [DVec3]) {
        match self {
            Self::Direct(direct) => direct.solve_vectors(x),
        }
    }
}
