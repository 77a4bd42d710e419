//! Why a sweep cannot be read, run or stored.

use sinew_scene::export::ExportError;
use sinew_scene::format::SceneError;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What went wrong. A run that fails is no error: it is a row with its reason.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SweepError {
    /// The sweep or its scene is invalid; the message has line and key.
    #[error(transparent)]
    Sweep(#[from] SceneError),
    /// A file could not be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// A file or folder could not be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The folder has the results of something else.
    #[error("{}: {what}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        what: String,
    },
    /// A table cannot be read.
    #[error("{}: {what}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A table could not be made.
    #[error("a table could not be made: {0}")]
    Encode(String),
    /// A trajectory or plot could not be written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// What the user asks of a table is not there.
    #[error("{0}")]
    Ask(String),
    /// What one process hands to another cannot be understood.
    #[error("this sweep was packed by another version of Sinew, or is damaged: {0}")]
    Packed(String),
}

impl SweepError {
    /// Whether the input is at fault, and not the machine.
    pub fn is_input(&self) -> bool {
        !matches!(self, Self::Write { .. } | Self::Encode(_) | Self::Export(_))
    }

    pub(crate) fn read(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Read { path, source }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }
}
