//! Errors in mesh files, and where they are.

use std::fmt;
use std::path::PathBuf;
use thiserror::Error;

/// Why a mesh file could not be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// An error of the operating system.
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
        /// The position in the file.
        place: Place,
        /// What was expected and what was found.
        what: String,
    },
    /// The file follows its format, but does not contain a mesh that can be simulated.
    #[error("{}{place}: {defect}", file.display())]
    Invalid {
        /// The file.
        file: PathBuf,
        /// The position in the file.
        place: Place,
        /// What is wrong with the mesh.
        defect: Defect,
    },
}

/// A position in a file; displayed as a suffix to the file's name.
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

/// Why a well-formed file is not a mesh that can be simulated. Vertex numbers are those of the file.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Defect {
    /// There are neither tetrahedra nor triangles.
    #[error("the file has no tetrahedra and no triangles")]
    NoElements,
    /// There are cells that Sinew does not simulate, and without them nothing, or a surface with holes, would be left.
    #[error(
        "the file has {count} {cells}, and no tetrahedra; only linear tetrahedra and triangles are supported: \
         export the mesh with linear tetrahedra"
    )]
    UnsupportedCells {
        /// The kind of cell, plural.
        cells: &'static str,
        /// Number of cells.
        count: u64,
    },
    /// A coordinate is infinite or NaN.
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
        /// The vertex number that it refers to.
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
    /// Some tetrahedra are inverted and others are not, and neighbours lie on the same side of their common face.
    #[error(
        "{inverted} of {total} tetrahedra are inverted (negative volume), the first is {first}, and reversing them \
         does not help: the mesh folds over itself; repair it"
    )]
    Inverted {
        /// The first inverted element.
        first: Cell,
        /// Number of inverted tetrahedra.
        inverted: usize,
        /// Number of tetrahedra.
        total: usize,
    },
    /// A tetrahedron has no volume.
    #[error("{cell} is flat: its volume is {volume:e} with a longest edge of {edge:e}; remesh or remove it")]
    Flat {
        /// The element.
        cell: Cell,
        /// Its signed volume, in cubed units of the file.
        volume: f64,
        /// Its longest edge, in units of the file.
        edge: f64,
    },
    /// There are more points than 32-bit indices can name.
    #[error("the mesh has {count} points; at most {} are supported", u32::MAX)]
    TooManyPoints {
        /// Number of points of the file.
        count: usize,
    },
}

fn known_extensions() -> String {
    super::EXTENSIONS.map(|extension| format!(".{extension}")).join(", ")
}
