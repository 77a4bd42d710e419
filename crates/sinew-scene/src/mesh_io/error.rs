//! What can be wrong with a mesh file, and where.

use std::fmt;
use std::path::PathBuf;
use thiserror::Error;

/// Why a mesh file could not be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The operating system refused.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The extension is none of [`super::EXTENSIONS`].
    #[error("{}: unknown mesh format; the extension must be one of {}", file.display(), known_extensions())]
    UnknownFormat {
        /// The file.
        file: PathBuf,
    },
    /// The file does not follow its format.
    #[error("{}{place}: {what}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Where in it.
        place: Place,
        /// What was expected and what stands there.
        what: String,
    },
    /// The file follows its format, but holds no mesh that can be simulated.
    #[error("{}{place}: {defect}", file.display())]
    Invalid {
        /// The file.
        file: PathBuf,
        /// Where in it.
        place: Place,
        /// What is wrong with the mesh.
        defect: Defect,
    },
}

/// A place in a file; displayed as a suffix to the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of a text file, counted from 1.
    Line(usize),
    /// A byte of a binary file, counted from 0.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => Ok(()),
            Place::Line(line) => write!(f, ":{line}"),
            Place::Byte(byte) => write!(f, " at byte {byte}"),
        }
    }
}

/// The name of one element in messages: its kind, and its position among its kind in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A triangle, counted from 0.
    Triangle(usize),
    /// A tetrahedron, counted from 0.
    Tetrahedron(usize),
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Triangle(index) => write!(f, "triangle {index} (counted from 0)"),
            Cell::Tetrahedron(index) => write!(f, "tetrahedron {index} (counted from 0)"),
        }
    }
}

/// A well-formed file that is not a mesh to simulate. Vertex numbers are those of the file.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Defect {
    /// Neither tetrahedra nor triangles.
    #[error("the file has no tetrahedra and no triangles")]
    NoElements,
    /// Cells that Sinew does not simulate, where leaving them out would leave a hole.
    #[error(
        "the file has {count} {cells}; only linear tetrahedra and triangles are supported: \
         export the mesh with linear tetrahedra"
    )]
    UnsupportedCells {
        /// The kind of cell, plural.
        cells: &'static str,
        /// How many.
        count: u64,
    },
    /// A coordinate is infinite or not a number.
    #[error("vertex {vertex} has the coordinates ({}, {}, {}), which are not all finite", position[0], position[1], position[2])]
    NotFinite {
        /// The vertex.
        vertex: i64,
        /// Its coordinates.
        position: [f64; 3],
    },
    /// Two vertices share a number.
    #[error("vertex number {vertex} is given twice")]
    DuplicateVertex {
        /// The number.
        vertex: i64,
    },
    /// An element refers to a vertex that the file does not have.
    #[error(
        "{cell} refers to vertex {vertex}, which does not exist: vertices are numbered {first} to {last}"
    )]
    MissingVertex {
        /// The element.
        cell: Cell,
        /// The number it refers to.
        vertex: i64,
        /// The lowest vertex number of the file.
        first: i64,
        /// The highest vertex number of the file.
        last: i64,
    },
    /// An element names a vertex twice.
    #[error("{cell} has vertex {vertex} twice")]
    RepeatedVertex {
        /// The element.
        cell: Cell,
        /// The vertex.
        vertex: i64,
    },
    /// Some tetrahedra are inverted and others are not.
    #[error(
        "{inverted} of {total} tetrahedra are inverted (negative volume), the first is {first}: \
         the mesh folds over itself; repair it or orient its elements alike"
    )]
    Inverted {
        /// The first inverted element.
        first: Cell,
        /// How many are inverted.
        inverted: usize,
        /// How many tetrahedra there are.
        total: usize,
    },
    /// A tetrahedron without volume.
    #[error("{cell} is flat: its volume is {volume:e} with a longest edge of {edge:e}; remesh or remove it")]
    Flat {
        /// The element.
        cell: Cell,
        /// Its signed volume, cubed units of the file.
        volume: f64,
        /// Its longest edge, units of the file.
        edge: f64,
    },
    /// More points than 32-bit indices can name.
    #[error("the mesh has {count} points; at most {} are supported", u32::MAX)]
    TooManyPoints {
        /// How many the file has.
        count: usize,
    },
}

fn known_extensions() -> String {
    super::EXTENSIONS.map(|extension| format!(".{extension}")).join(", ")
}
