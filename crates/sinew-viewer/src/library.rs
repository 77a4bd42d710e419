//! Which scenes and files a page may open.

use std::path::PathBuf;

/// The built-in scenes, and what lies below one folder.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// Nothing outside of it is read; `None`: no files at all.
    folder: Option<PathBuf>,
}

impl Library {
    /// The built-in scenes alone.
    pub fn builtin() -> Self {
        Self::default()
    }

    /// With the files below a folder.
    pub fn with_folder(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()) }
    }
}
