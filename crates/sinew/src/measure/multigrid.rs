//! The iterative solve of the global step: (M + h²L) x = b for three right-hand sides.

use crate::model::Model;
use crate::operator::system_matrix;
use crate::settings::SettingsError;
use crate::sparse::{Multigrid, TOLERANCE};
use glam::DVec3;

/// The levels for M + h²L.
#[derive(Debug)]
pub struct MultigridSolve {
    multigrid: Multigrid,
}

impl MultigridSolve {
    /// Uses the tolerance of the engine.
    pub fn new(model: &Model, h: f64) -> Result<Self, SettingsError> {
        Self::with_tolerance(model, h, TOLERANCE)
    }

    /// Builds the levels for backward Euler's global step of this model and time step (s). Solves end when the error is
    /// below `tolerance` of the solution in the energy norm.
    pub fn with_tolerance(model: &Model, h: f64, tolerance: f64) -> Result<Self, SettingsError> {
        let multigrid = Multigrid::new(&system_matrix(model, h * h), tolerance)
            .map_err(|_| SettingsError::Matrix("the global step"))?;
        Ok(Self { multigrid })
    }

    /// Length of the vectors to solve for: the free vertices (and four per bone).
    pub fn vertices(&self) -> usize {
        self.multigrid.n()
    }

    /// x ← A⁻¹x, one entry per free vertex. After an error x is unchanged.
    pub fn solve(&mut self, x: &mut [DVec3]) -> Result<(), &'static str> {
        self.multigrid.solve_vectors(x).map_err(|breakdown| breakdown.why())
    }

    /// Iterations of the last solve.
    pub fn iterations(&self) -> usize {
        self.multigrid.iterations()
    }

    /// Memory in use, bytes.
    pub fn bytes(&self) -> usize {
        self.multigrid.bytes()
    }
}
