//! Symmetric sparse matrices and their Cholesky factorisation: analyse → factor → solve.

mod cholesky;
mod elimination_tree;
mod global_step;
mod matrix;
mod ordering;
mod panel;
mod schedule;

pub(crate) use cholesky::{Cholesky, NotPositiveDefinite};
pub use global_step::Precision;
pub(crate) use global_step::{Analysis, DirectFactor, GlobalStep, WeakFactor};
pub(crate) use matrix::{SymmetricMatrix, SymmetricPattern};
