//! What can be wrong with regions, frames and models.

use std::path::PathBuf;
use thiserror::Error;

/// Why lips cannot be corrected, or a face cannot be moved; the message is a complete sentence for the user.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FaceError {
    /// A file could not be read or written.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file has other contents than it should.
    #[error("{}: {what}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A frame does not fit the neutral mesh.
    #[error(
        "{name}: it has {found} vertices, the neutral mesh {expected}: frames must have the topology of the neutral mesh"
    )]
    Topology {
        /// The frame.
        name: String,
        /// Its vertices.
        found: usize,
        /// Those of the neutral mesh.
        expected: usize,
    },
    /// A coordinate is not a number.
    #[error("{name}: vertex {vertex} is not finite ({value})")]
    NotFinite {
        /// The frame.
        name: String,
        /// The vertex, from 0.
        vertex: usize,
        /// Its coordinates.
        value: String,
    },
    /// A region cannot be used.
    #[error("the regions cannot be used: {0}")]
    Regions(String),
    /// Anything else; a complete sentence.
    #[error("{0}")]
    Training(String),
    /// A contour or a camera cannot be used.
    #[error("{0}")]
    Sketch(String),
    /// Flesh, bones or muscles cannot make a face; a complete sentence.
    #[error("{0}")]
    Anatomy(String),
    /// No equilibrium was found, or targets cannot be fitted; a complete sentence.
    #[error("{0}")]
    Muscles(String),
}

impl FaceError {
    pub(crate) fn io(file: &std::path::Path) -> impl Fn(std::io::Error) -> Self + '_ {
        |source| Self::Io { file: file.to_owned(), source }
    }

    /// What a reader of mesh files says; it names the file.
    pub(crate) fn mesh(error: sinew_scene::mesh_io::MeshError) -> Self {
        Self::Training(error.to_string())
    }

    /// What a writer says; it names the file.
    pub(crate) fn export(error: sinew_scene::export::ExportError) -> Self {
        Self::Training(error.to_string())
    }

    pub(crate) fn file(file: &std::path::Path, what: impl Into<String>) -> Self {
        Self::File { file: file.to_owned(), what: what.into() }
    }
}
