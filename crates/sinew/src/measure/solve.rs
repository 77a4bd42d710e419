//! The solve of the global step: (M + h²L) x = b for three right-hand sides.

use crate::model::Model;
use crate::operator::system_matrix;
use crate::settings::SettingsError;
use crate::sparse::{Analysis, Cholesky, DirectFactor, GlobalStep, Precision};
use glam::DVec3;

/// One factor of M + h²L, solved with the engine's kernels and with faer.
#[derive(Debug)]
pub struct GlobalSolve {
    reference: Cholesky,
    double: GlobalStep,
    single: GlobalStep,
    vertices: usize,
    entries: usize,
    bytes: usize,
}

impl GlobalSolve {
    /// Factors the matrix of backward Euler's global step for this model and time step (s).
    pub fn new(model: &Model, h: f64) -> Result<Self, SettingsError> {
        let refused = |_| SettingsError::Matrix("the global step");
        let matrix = system_matrix(model, h * h);
        let analysis = Analysis::new(&matrix.pattern).map_err(refused)?;
        let reference = analysis.cholesky(&matrix).map_err(refused)?;
        let double = analysis.panels(&reference, Precision::Double).map_err(refused)?;
        let single = analysis.panels(&reference, Precision::Single).map_err(refused)?;
        let (entries, bytes) = match &double {
            DirectFactor::Double(panels) => (panels.entries(), panels.bytes_per_solve()),
            DirectFactor::Single(panels) => (panels.entries(), panels.bytes_per_solve()),
        };
        Ok(Self {
            reference,
            double: GlobalStep::direct(double),
            single: GlobalStep::direct(single),
            vertices: matrix.pattern.n(),
            entries,
            bytes,
        })
    }

    /// Length of the vectors to solve for: the free vertices (and four per bone).
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// Entries of the factor that one pass reads, including the zeros that pad its panels.
    pub fn factor_entries(&self) -> usize {
        self.entries
    }

    /// Bytes that one solve reads in double precision: the factor forwards and backwards. Single precision reads about half of that.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Floating-point operations of one solve: a multiplication and an addition per entry, coordinate and direction.
    pub fn flops(&self) -> usize {
        2 * 2 * 3 * self.entries
    }

    /// x ← A⁻¹x by the engine's kernel in double precision.
    pub fn ours(&mut self, x: &mut [DVec3]) {
        // Only an iterative solve can fail.
        let _ = self.double.solve_vectors(x);
    }

    /// x ← A⁻¹x by the engine's kernel in single precision, accurate to about six digits, as for a preconditioner.
    pub fn ours_f32(&mut self, x: &mut [DVec3]) {
        let _ = self.single.solve_vectors(x);
    }

    /// x ← A⁻¹x by faer with the same ordering and factor, sequentially, all three columns at once: its fastest way on one thread.
    pub fn faer(&mut self, x: &mut [DVec3]) {
        self.reference.solve_vectors(x);
    }
}
