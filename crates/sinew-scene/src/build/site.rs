//! A position in the scene that is being built, for error messages.

use crate::format::{Locations, SceneError};

/// A dotted key and the file that it belongs to.
#[derive(Clone, Debug)]
pub(super) struct Site<'a> {
    locations: &'a Locations,
    path: String,
}

impl<'a> Site<'a> {
    pub fn root(locations: &'a Locations) -> Self {
        Self { locations, path: String::new() }
    }

    /// The value under a key; the key may be dotted itself.
    pub fn key(&self, key: &str) -> Self {
        let path = if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) };
        Self { locations: self.locations, path }
    }

    /// The element of an array.
    pub fn index(&self, index: usize) -> Self {
        self.key(&index.to_string())
    }

    /// The dotted key.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// An error about the value here, or about its absence.
    pub fn error(&self, message: impl Into<String>) -> SceneError {
        self.locations.error(&self.path, message)
    }

    /// Whether an override wrote the value here.
    pub fn is_overridden(&self) -> bool {
        self.locations.overrides(&self.path)
    }
}
