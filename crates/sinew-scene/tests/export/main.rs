//! Pictures, animations, plots and tables.
//!
//! Figures worth looking at are written to the folder named by SINEW_FIGURES, where that is set, else to a
//! temporary one.

mod files;
mod pictures;
mod plots;
mod rendering;
mod shapes;

use std::path::PathBuf;

/// Where figures go; the guard removes a temporary folder.
pub fn figure_folder() -> (PathBuf, Option<tempfile::TempDir>) {
    match std::env::var_os("SINEW_FIGURES") {
        Some(folder) => (PathBuf::from(folder), None),
        None => {
            let folder = tempfile::tempdir().unwrap();
            (folder.path().to_owned(), Some(folder))
        }
    }
}
