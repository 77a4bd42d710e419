//! Symmetric sparse matrices and their Cholesky factorisation: analyse → factor → solve.

mod cholesky;
mod global_step;
mod matrix;

pub(crate) use cholesky::Cholesky;
pub(crate) use global_step::GlobalStep;
pub(crate) use matrix::{SymmetricMatrix, SymmetricPattern};
