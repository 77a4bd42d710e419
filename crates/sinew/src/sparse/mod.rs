//! Symmetric sparse matrices and their Cholesky factorisation: analyse → factor → solve.

mod cholesky;
mod matrix;
mod multigrid;

pub(crate) use cholesky::Cholesky;
pub(crate) use matrix::{SymmetricMatrix, SymmetricPattern};
pub(crate) use multigrid::Multigrid;
