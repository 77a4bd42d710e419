//! Symmetric sparse matrices, their Cholesky factorisation (analyse → factor → solve), and the iterative solve that replaces it where a
//! factor would be too large.

mod cholesky;
mod corner;
mod elimination_tree;
mod global_step;
mod matrix;
mod multigrid;
mod ordering;
mod panel;
mod schedule;

pub(crate) use cholesky::{Cholesky, NotPositiveDefinite};
pub(crate) use corner::{Corner, CornerScratch};
pub(crate) use global_step::{Analysis, DirectFactor, GlobalStep, RefilledFactor, TOLERANCE, WeakFactor};
pub use global_step::{GlobalMethod, Precision};
pub(crate) use matrix::{SymmetricMatrix, SymmetricPattern};
pub(crate) use multigrid::Multigrid;
pub(crate) use panel::Unknowns;
