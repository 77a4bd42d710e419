//! Checks of the house: rules of CONTRIBUTING.md that a compiler does not know.

mod layers;
mod lengths;
mod links;
mod questions;
mod references;
mod source;

pub use layers::layers;
pub use lengths::file_lengths;
pub use links::links;
pub use questions::questions;
pub use references::references;

use std::fmt;
use std::path::{Path, PathBuf};

/// Something wrong at a place, in the form that editors make clickable.
#[derive(Debug, PartialEq)]
pub struct Finding {
    file: PathBuf,
    line: usize,
    what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.what)
    }
}

/// All files with this extension below a folder, sorted; build folders and hidden ones are left out.
pub fn files_below(folder: &Path, extension: &str) -> std::io::Result<Vec<PathBuf>> {
    let mut files = files_below_any(folder)?;
    files.retain(|file| file.extension().is_some_and(|e| e == extension));
    Ok(files)
}

/// The same, with any extension.
pub fn files_below_any(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let path = entry.path();
            let name = entry.file_name();
            let skipped =
                name == "target" || name == "node_modules" || name.to_string_lossy().starts_with('.');
            if entry.file_type()?.is_dir() {
                if !skipped {
                    folders.push(path);
                }
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The text of a file; an error names it.
fn read(file: &Path) -> std::io::Result<String> {
    std::fs::read_to_string(file)
        .map_err(|error| std::io::Error::new(error.kind(), format!("{}: {error}", file.display())))
}

/// The path as one would name it at the root of the repository.
fn relative(file: &Path, root: &Path) -> PathBuf {
    file.strip_prefix(root).unwrap_or(file).to_path_buf()
}
