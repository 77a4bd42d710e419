//! Why a benchmark did not run.

use thiserror::Error;

/// What went wrong; the message is complete and written for the user.
#[derive(Debug, Error)]
pub enum BenchError {
    /// There is no such benchmark.
    #[error("there is no benchmark `{id}`; {hint}there are: {list}")]
    Unknown {
        /// The requested name.
        id: String,
        /// A suggestion, or empty.
        hint: String,
        /// All names.
        list: String,
    },
    /// The measurement failed.
    #[error("{0}")]
    CannotRun(String),
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The path of the file.
        path: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
}

impl BenchError {
    /// For `map_err` on operations with the file at `path`.
    pub(crate) fn file(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.display().to_string();
        move |source| Self::File { path, source }
    }

    /// Whether the user asked for something that does not exist.
    pub fn is_bad_input(&self) -> bool {
        matches!(self, Self::Unknown { .. })
    }
}
