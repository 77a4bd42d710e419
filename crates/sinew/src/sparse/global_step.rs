//! x ← A⁻¹x for the constant matrix A = M + αβ²h²L of the global step.
//!
//! Projective Dynamics, L-BFGS and the metrics of the corrections all use this one operation. The method is chosen when the matrix is known;
//! callers hold a [`GlobalStep`] and need not know which. A factor is immutable and may be shared; the buffers of a solve belong to each
//! step.

use super::cholesky::NotPositiveDefinite;
use super::corner::Corner;
use super::multigrid::{Breakdown, Multigrid};
use super::ordering::smallest_factor;
use super::panel::{DoublePanels, PanelSolver, SinglePanels, Unknowns};
use super::schedule::Schedule;
use super::{Cholesky, SymmetricMatrix, SymmetricPattern};
use crate::simd::{LANES, LANES_F32};
use faer::sparse::linalg::cholesky::supernodal::SupernodalLltRef;
use faer::sparse::linalg::cholesky::{SymbolicCholesky, SymbolicCholeskyRaw};
use glam::DVec3;
use std::ops::Range;
use std::sync::{Arc, Weak};

/// How to solve the linear system of a global step, and of the metrics of corrections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum GlobalMethod {
    /// A factor while it is small relative to the matrix, multigrid otherwise.
    #[default]
    Auto,
    /// Always a Cholesky factor.
    Direct,
    /// Always conjugate gradients with a multigrid V-cycle.
    Multigrid,
}

/// Error of a multigrid solve in the energy norm, relative to the solution.
///
/// Every iterate of conjugate gradients from zero lowers the quadratic surrogate that the exact solve minimises, so
/// Projective Dynamics descends without a line search at any tolerance. In L-BFGS the product
/// dᵀ∇g = −qᵀH₀(q) − Σ … is negative whatever positive H₀ is, and H₀ may be another one every time. And a metric uses
/// p = D⁻¹g as a direction and gᵀp as pᵀDp, which holds for every iterate. Measured on a cube of 12³ cells, tolerances
/// from 0.5 to 1e-3 leave the error after 5 to 40 iterations of either solver within 0.6 % of what a factor gives.
pub(crate) const TOLERANCE: f64 = 1e-2;
/// A factor with more entries than this for each entry of the matrix (lower triangles both) is slower than multigrid. They are equally fast
/// at about 25; a factor is exact, so it gets the benefit of the doubt. Tetrahedral cubes reach this at 20 000 vertices; cloth, whose factors
/// hardly fill, never does.
const WORTHWHILE_FILL: usize = 30;

/// Precision in which a factor is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// `f64`.
    #[default]
    Double,
    /// `f32`: half of the memory traffic, and six digits. Good for a preconditioner.
    Single,
}

/// Data that depend only on the pattern of a matrix: ordering, symbolic factor, and the schedule of a solve.
#[derive(Clone, Debug)]
pub(crate) struct Analysis {
    symbolic: Arc<SymbolicCholesky<usize>>,
    schedule: Arc<Schedule>,
    corners: Vec<Range<usize>>,
}

impl Analysis {
    /// Fails only if memory runs out.
    pub fn new(pattern: &SymmetricPattern) -> Result<Self, NotPositiveDefinite> {
        Self::with_corners(pattern, Vec::new())
    }

    /// As [`Self::new`]; `corners` are ranges of rows at the end of the matrix that are eliminated after all rows that they are connected
    /// with, so that factors contain their Schur complements, see [`Corner`].
    pub fn with_corners(
        pattern: &SymmetricPattern,
        corners: Vec<Range<usize>>,
    ) -> Result<Self, NotPositiveDefinite> {
        let last = corners.iter().map(Range::len).sum();
        let symbolic = Arc::new(smallest_factor(pattern, last)?);
        let schedule = match (symbolic.raw(), symbolic.perm()) {
            (SymbolicCholeskyRaw::Supernodal(factor), Some(order)) => Schedule::new(factor, order.arrays().0),
            // Only a matrix without rows has no supernodes.
            _ => Schedule::default(),
        };
        Ok(Self { symbolic, schedule: Arc::new(schedule), corners })
    }

    /// The corners of a numeric factor.
    pub fn corners(&self, cholesky: &Cholesky) -> Vec<Corner> {
        let Some(permutation) = self.symbolic.perm() else { return Vec::new() };
        let (_, number) = permutation.arrays();
        let mut corners: Vec<_> = self.corners.iter().map(|rows| Corner::new(rows.clone(), number)).collect();
        self.refill_corners(cholesky, &mut corners);
        corners
    }

    /// Updates the corners from another numeric factor.
    pub fn refill_corners(&self, cholesky: &Cholesky, corners: &mut [Corner]) {
        if let SymbolicCholeskyRaw::Supernodal(supernodes) = self.symbolic.raw() {
            let factor = SupernodalLltRef::new(supernodes, cholesky.values());
            corners.iter_mut().for_each(|corner| corner.refill(supernodes, factor));
        }
    }

    /// Whether a factor is the better choice: the cost of a direct solve grows with its size, the cost of an iteration with the size of the
    /// matrix.
    pub fn pays(&self, pattern: &SymmetricPattern) -> bool {
        self.symbolic.len_val() <= WORTHWHILE_FILL * pattern.rows.len()
    }

    /// faer's numeric factor of a matrix with this pattern.
    pub fn cholesky(&self, matrix: &SymmetricMatrix) -> Result<Cholesky, NotPositiveDefinite> {
        let mut cholesky = Cholesky::with_symbolic(self.symbolic.clone());
        cholesky.factor(matrix)?;
        Ok(cholesky)
    }

    /// The same factor in memory that can be refilled.
    pub fn refilled(&self, cholesky: &Cholesky) -> Result<RefilledFactor, NotPositiveDefinite> {
        let DirectFactor::Double(panels) = self.panels(cholesky, Precision::Double)? else {
            return Err(NotPositiveDefinite);
        };
        Ok(RefilledFactor {
            analysis: self.clone(),
            corners: self.corners(cholesky).into(),
            solver: PanelSolver::new(panels),
            memory: Vec::new(),
        })
    }

    /// The same factor, rearranged for many solves.
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
            Precision::Double => {
                DirectFactor::Double(Arc::new(DoublePanels::new(schedule, factor, self.corners(cholesky))?))
            }
            Precision::Single => {
                DirectFactor::Single(Arc::new(SinglePanels::new(schedule, factor, self.corners(cholesky))?))
            }
        })
    }
}

/// A factor that is recomputed in the same memory, and the buffers of a solve.
#[derive(Debug)]
pub(crate) struct RefilledFactor {
    analysis: Analysis,
    corners: Arc<[Corner]>,
    solver: PanelSolver<f64, LANES>,
    memory: Vec<f64>,
}

impl RefilledFactor {
    /// Replaces it by another numeric factor of the same analysis.
    pub fn refill(&mut self, cholesky: &Cholesky) -> Result<(), NotPositiveDefinite> {
        // Every solve that read them has ended.
        let corners = Arc::get_mut(&mut self.corners).ok_or(NotPositiveDefinite)?;
        self.analysis.refill_corners(cholesky, corners);
        match self.analysis.symbolic.raw() {
            SymbolicCholeskyRaw::Supernodal(supernodes) => {
                let factor = SupernodalLltRef::new(supernodes, cholesky.values());
                self.solver.refill(factor, &mut self.memory)
            }
            SymbolicCholeskyRaw::Simplicial(_) => Ok(()),
        }
    }

    /// x ← A⁻¹x, three coordinates per row.
    pub fn solve_vectors(&mut self, x: &mut [DVec3]) {
        self.solver.solve(x);
    }

    /// As [`GlobalStep::solve_between`].
    pub fn solve_between(&mut self, x: &mut [DVec3], between: &mut dyn FnMut(&mut dyn Unknowns)) {
        self.solver.solve_between(x, between);
    }

    /// Its current corners.
    pub fn corners(&self) -> &Arc<[Corner]> {
        &self.corners
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

/// A weak reference to a factor.
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

/// A way to apply A⁻¹, with its buffers.
#[derive(Debug)]
pub(crate) enum GlobalStep {
    /// A factor of the whole matrix.
    Double(PanelSolver<f64, LANES>),
    /// The same in single precision.
    Single(PanelSolver<f32, LANES_F32>),
    /// An iterative solve without a factor.
    Multigrid(Box<Multigrid>),
}

impl GlobalStep {
    /// Solves with a factor that may be shared.
    pub fn direct(factor: DirectFactor) -> Self {
        match factor {
            DirectFactor::Double(panels) => Self::Double(PanelSolver::new(panels)),
            DirectFactor::Single(panels) => Self::Single(PanelSolver::new(panels)),
        }
    }

    /// Solves iteratively with this matrix.
    pub fn multigrid(matrix: &SymmetricMatrix) -> Result<Self, NotPositiveDefinite> {
        Ok(Self::Multigrid(Box::new(Multigrid::new(matrix, TOLERANCE)?)))
    }

    /// The corners of its factor; `None` for an iterative solve.
    pub fn corners(&self) -> Option<&Arc<[Corner]>> {
        match self {
            Self::Multigrid(_) => None,
            Self::Double(direct) => Some(direct.corners()),
            Self::Single(direct) => Some(direct.corners()),
        }
    }

    /// As [`Self::solve_vectors`], with a factor: between L y = x and Lᵀx = y, `between` may read and change y.
    pub fn solve_between(&mut self, x: &mut [DVec3], between: &mut dyn FnMut(&mut dyn Unknowns)) {
        match self {
            // An iterative solve has no middle; callers do not ask for it.
            Self::Multigrid(_) => {}
            Self::Double(direct) => direct.solve_between(x, between),
            Self::Single(direct) => direct.solve_between(x, between),
        }
    }

    /// x ← A⁻¹x, three coordinates per row. Only an iterative solve can fail; x is then unchanged.
    pub fn solve_vectors(&mut self, x: &mut [DVec3]) -> Result<(), Breakdown> {
        match self {
            Self::Multigrid(multigrid) => return multigrid.solve_vectors(x),
            Self::Double(direct) => direct.solve(x),
            Self::Single(direct) => direct.solve(x),
        }
        Ok(())
    }
}
