//! Errors in `.joint` files, and where they are.

use std::path::PathBuf;
use thiserror::Error;

/// Why a `.joint` file could not be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RigError {
    /// An error of the operating system.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The file does not follow its format.
    #[error("{}:{line}: {message}", file.display(), line = fault.line, message = fault.message)]
    Malformed {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        fault: RigFault,
    },
}

/// What is wrong with the text of a `.joint` file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct RigFault {
    /// Line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}
