//! Symmetric sparse matrices and their Cholesky factorisation: analyse → factor → solve.

mod cholesky;
mod matrix;

pub(crate) use cholesky::Cholesky;
pub(crate) use matrix::{SymmetricMatrix, SymmetricPattern};
