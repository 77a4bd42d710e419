//! x ← A⁻¹x for the constant matrix A = M + αβ²h²L of the global step.
//!
//! Projective Dynamics, L-BFGS and the metrics of the corrections all end in this one operation. What does it is
//! chosen when the matrix is known; those who call it hold a [`GlobalStep`] and need not know. A factor is immutable
//! and may be shared; the memory of a solve belongs to each step.

use super::cholesky::NotPositiveDefinite;
use super::ordering::smallest_factor;
use super::panel::{DoublePanels, PanelSolver, SinglePanels};
use super::schedule::Schedule;
use super::{Cholesky, SymmetricMatrix, SymmetricPattern};
use crate::simd::{LANES, LANES_F32};
use faer::sparse::linalg::cholesky::supernodal::SupernodalLltRef;
use faer::sparse::linalg::cholesky::{SymbolicCholesky, SymbolicCholeskyRaw};
use glam::DVec3;
use std::sync::{Arc, Weak};

/// Precision in which a factor is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// `f64`.
    #[default]
    Double,
    /// `f32`: half of the memory traffic, and six digits. Good for a preconditioner.
    Single,
}

/// What depends on the pattern of a matrix alone: ordering, symbolic factor, and who solves what.
#[derive(Debug)]
pub(crate) struct Analysis {
    symbolic: Arc<SymbolicCholesky<usize>>,
    schedule: Arc<Schedule>,
}

impl Analysis {
    /// Fails only where memory does.
    pub fn new(pattern: &SymmetricPattern) -> Result<Self, NotPositiveDefinite> {
        let symbolic = Arc::new(smallest_factor(pattern)?);
        let schedule = match (symbolic.raw(), symbolic.perm()) {
            (SymbolicCholeskyRaw::Supernodal(factor), Some(order)) => Schedule::new(factor, order.arrays().0),
            // Only a matrix without rows has no supernodes.
            _ => Schedule::default(),
        };
        Ok(Self { symbolic, schedule: Arc::new(schedule) })
    }

    /// faer's numeric factor of a matrix with this pattern.
    pub fn cholesky(&self, matrix: &SymmetricMatrix) -> Result<Cholesky, NotPositiveDefinite> {
        let mut cholesky = Cholesky::with_symbolic(self.symbolic.clone());
        cholesky.factor(matrix)?;
        Ok(cholesky)
    }

    /// The same factor, laid out for many solves.
    pub fn panels(
        &self,
        cholesky: &Cholesky,
        precision: Precision,
    ) -> Result<DirectFactor, NotPositiveDefinite> {
        let factor = match self.symbolic.raw() {
            SymbolicCholeskyRaw::Supernodal(supernodes) => {
                Some(SupernodalLltRef::new(supernodes, cholesky.values()))
            }
            SymbolicCholeskyRaw::Simplicial(_) => None,
        };
        let schedule = self.schedule.clone();
        Ok(match precision {
            Precision::Double => DirectFactor::Double(Arc::new(DoublePanels::new(schedule, factor)?)),
            Precision::Single => DirectFactor::Single(Arc::new(SinglePanels::new(schedule, factor)?)),
        })
    }
}

/// A factor in either precision.
#[derive(Clone, Debug)]
pub(crate) enum DirectFactor {
    Double(Arc<DoublePanels>),
    Single(Arc<SinglePanels>),
}

impl DirectFactor {
    /// A reference that does not keep it alive.
    pub fn downgrade(&self) -> WeakFactor {
        match self {
            Self::Double(panels) => WeakFactor::Double(Arc::downgrade(panels)),
            Self::Single(panels) => WeakFactor::Single(Arc::downgrade(panels)),
        }
    }
}

/// A factor that somebody holds, or held.
#[derive(Debug)]
pub(crate) enum WeakFactor {
    Double(Weak<DoublePanels>),
    Single(Weak<SinglePanels>),
}

impl WeakFactor {
    pub fn upgrade(&self) -> Option<DirectFactor> {
        match self {
            Self::Double(panels) => panels.upgrade().map(DirectFactor::Double),
            Self::Single(panels) => panels.upgrade().map(DirectFactor::Single),
        }
    }
}

/// A way to apply A⁻¹, with the memory that it needs.
#[derive(Debug)]
pub(crate) enum GlobalStep {
    /// A factor of the whole matrix.
    Double(PanelSolver<f64, LANES>),
    /// The same in single precision.
    Single(PanelSolver<f32, LANES_F32>),
}

impl GlobalStep {
    /// Solves with a factor that others may share.
    pub fn direct(factor: DirectFactor) -> Self {
        match factor {
            DirectFactor::Double(panels) => Self::Double(PanelSolver::new(panels)),
            DirectFactor::Single(panels) => Self::Single(PanelSolver::new(panels)),
        }
    }

    /// x ← A⁻¹x, three coordinates per row.
    pub fn solve_vectors(&mut self, x: &mut [DVec3]) {
        match self {
            Self::Double(direct) => direct.solve(x),
            Self::Single(direct) => direct.solve(x),
        }
    }
}
