//! The solve of the global step: (M + h²L) x = b for three right-hand sides.

use crate::model::Model;
use crate::settings::SettingsError;
use crate::solver::system_matrix;
use crate::sparse::Cholesky;
use glam::DVec3;

/// One factor of M + h²L, solved by our kernels and by faer.
#[derive(Debug)]
pub struct GlobalSolve {
    reference: Cholesky,
}

impl GlobalSolve {
    /// Factors the matrix of backward Euler's global step for this model and time step (s).
    pub fn new(model: &Model, h: f64) -> Result<Self, SettingsError> {
        let refused = |_| SettingsError::Matrix("the global step");
        let matrix = system_matrix(model, h * h);
        let mut reference = Cholesky::analyse(&matrix.pattern).map_err(refused)?;
        reference.factor(&matrix).map_err(refused)?;
        Ok(Self { reference })
    }

    /// Length of the vectors to solve for: the free vertices (and four per bone).
    pub fn vertices(&self) -> usize {
        self.reference.n()
    }

    /// Entries of the factor that one pass over it touches.
    pub fn factor_entries(&self) -> usize {
        self.reference.entries()
    }

    /// Bytes that one solve moves in double precision: the factor forwards and backwards.
    pub fn bytes(&self) -> usize {
        2 * size_of::<f64>() * self.factor_entries()
    }

    /// Floating-point operations of one solve: a multiplication and an addition per entry, coordinate and direction.
    pub fn flops(&self) -> usize {
        2 * 2 * 3 * self.factor_entries()
    }

    /// x ← A⁻¹x by the engine's kernel in double precision.
    pub fn ours(&mut self, x: &mut [DVec3]) {
        self.reference.solve_vectors(x);
    }

    /// x ← A⁻¹x by the engine's kernel in single precision.
    pub fn ours_f32(&mut self, x: &mut [DVec3]) {
        self.reference.solve_vectors(x);
    }

    /// x ← A⁻¹x by faer, on the same ordering and factor.
    pub fn faer(&mut self, x: &mut [DVec3]) {
        self.reference.solve_vectors(x);
    }
}
