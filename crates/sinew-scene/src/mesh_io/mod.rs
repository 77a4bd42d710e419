//! Mesh files: readers for common formats of tetrahedral and surface meshes, and writers for OBJ and MEDIT.
//!
//! | extension      | format                                       | holds                              |
//! |----------------|----------------------------------------------|------------------------------------|
//! | `.obj`         | Wavefront OBJ                                | polygons, cut into triangles       |
//! | `.mesh`        | MEDIT, ASCII                                 | tetrahedra, triangles, labels      |
//! | `.node` `.ele` | TetGen; naming either file reads both        | tetrahedra, region attribute       |
//! | `.msh`         | Gmsh 2.2 and 4.1, ASCII and binary           | tetrahedra, triangles, tags        |
//! | `.veg`         | VegaFEM                                      | tetrahedra, regions                |
//!
//! Every reader only turns bytes into a `RawMesh`: points and cells with the numbers that the file itself uses, and the byte at which each
//! starts. `check` then decides for all formats whether the mesh is valid, and can still report the line of the offending element.
//!
//! Counts in headers are never trusted: memory grows with the actual contents of the file.

mod check;
mod error;
mod gmsh;
mod medit;
mod obj;
mod orientation;
mod raw;
mod source;
mod tetgen;
mod tokens;
mod vega;

pub use error::{Cell, Defect, MeshError, Place};
pub use medit::write_medit;
pub use obj::write_obj;

use crate::mesh_data::MeshData;
use raw::RawMesh;
use source::Source;
use std::path::Path;

/// The file extensions that [`read`] knows, without the dot.
pub const EXTENSIONS: [&str; 6] = ["obj", "mesh", "node", "ele", "msh", "veg"];

/// How to treat tetrahedra that are inverted or flat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// Return only positively oriented tetrahedra: if a file orders all of them the other way round, they are reversed; any other inverted or
    /// flat tetrahedron is an error. Simulations need this.
    Positive,
    /// Return them as they are in the file, for diagnosis.
    AsInFile,
}

/// A mesh and what was changed while reading it.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshFile {
    /// The mesh.
    pub mesh: MeshData,
    /// Points of the file that belong to no element and were left out: without mass they cannot move.
    pub unused_points: usize,
    /// Triangles of a tetrahedral file that use such a point, and were left out with it.
    pub detached_triangles: usize,
    /// Whether all tetrahedra were negatively oriented and have been reversed.
    pub turned: bool,
    /// Sentences about anything else that was left out.
    pub notes: Vec<String>,
}

/// Reads a mesh that is ready for simulation; the format is chosen by the extension of `path`.
///
/// Tetrahedra come back positively oriented, points that no element uses are removed, and the order of
/// points and elements is that of the file (for Gmsh: that of the node tags). Lengths are in the unit of the file.
///
/// # Errors
/// [`MeshError`] says what is wrong with the file, and where.
pub fn read(path: &Path) -> Result<MeshData, MeshError> {
    read_file(path, Orientation::Positive).map(|file| file.mesh)
}

/// Reads a mesh as [`read`] does, and also reports what was left out or changed.
///
/// # Errors
/// As [`read`]; with [`Orientation::AsInFile`], inverted and flat tetrahedra are not errors.
pub fn read_file(path: &Path, orientation: Orientation) -> Result<MeshFile, MeshError> {
    let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    match extension.as_deref() {
        Some("obj") => read_single(path, orientation, obj::parse),
        Some("mesh") => read_single(path, orientation, medit::parse),
        Some("veg") => read_single(path, orientation, vega::parse),
        Some("msh") => {
            let mut source = Source::load(path)?;
            let raw = gmsh::parse(&mut source)?;
            check::finish(raw, &source, &source, orientation)
        }
        Some("node" | "ele") => {
            let (nodes, elements) = tetgen::load_pair(path)?;
            let raw = tetgen::parse(&nodes, &elements)?;
            check::finish(raw, &nodes, &elements, orientation)
        }
        _ => Err(MeshError::UnknownFormat { file: path.to_owned() }),
    }
}

fn read_single(
    path: &Path,
    orientation: Orientation,
    parse: impl Fn(&Source) -> Result<RawMesh, MeshError>,
) -> Result<MeshFile, MeshError> {
    let source = Source::load(path)?;
    let raw = parse(&source)?;
    check::finish(raw, &source, &source, orientation)
}
