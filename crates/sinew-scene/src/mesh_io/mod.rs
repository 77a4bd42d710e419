//! Mesh files: readers for common formats of tetrahedral and surface meshes, and writers ([`write()`]) for some of them.
//!
//! | extension      | format                                       | holds                              |
//! |----------------|----------------------------------------------|------------------------------------|
//! | `.obj`         | Wavefront OBJ                                | polygons, cut into triangles       |
//! | `.ply`         | Stanford PLY, ASCII and binary               | polygons; tetrahedra               |
//! | `.stl`         | STL, ASCII and binary                        | triangles, joined at their corners |
//! | `.off`         | OFF (Geomview), ASCII                        | polygons                           |
//! | `.glb` `.gltf` | glTF 2.0                                     | triangles of all meshes            |
//! | `.smesh` `.poly` | TetGen's input                             | polygons                           |
//! | `.mesh`        | MEDIT, ASCII                                 | tetrahedra, triangles, labels      |
//! | `.node` `.ele` | TetGen; naming either file reads both        | tetrahedra, region attribute       |
//! | `.msh`         | Gmsh 2.2 and 4.1, ASCII and binary           | tetrahedra, triangles, tags        |
//! | `.veg`         | VegaFEM                                      | tetrahedra, regions, materials     |
//! | `.vtk`         | VTK legacy, ASCII and binary                 | tetrahedra, polygons, labels       |
//! | `.vtu` `.vtp`  | VTK XML, all encodings, zlib                 | tetrahedra, polygons, labels       |
//! | `.npz`         | NumPy                                        | tetrahedra, triangles, labels      |
//!
//! Every reader only turns bytes into a `RawMesh`: points and cells with the numbers that the file itself uses, and the byte at which each
//! starts. `check` then decides for all formats whether the mesh is valid, and can still report the line of the offending element.
//!
//! Counts in headers are never trusted: memory grows with the actual contents of the file.

mod binary;
mod check;
mod error;
mod gltf;
mod gmsh;
mod medit;
mod npz;
mod obj;
mod off;
mod orientation;
mod ply;
mod polygon;
mod raw;
mod smesh;
mod source;
mod stl;
mod tetgen;
mod tokens;
mod vega;
mod vtk;
#[cfg(not(target_arch = "wasm32"))]
mod write;

pub use error::{Cell, Defect, MeshError, Place};
pub use gltf::{Figure, FigurePose, MorphClip, NodeTransform};
pub use medit::write_medit;
pub use npz::{NpzArray, read_npz_array, read_npz_strings};
pub use obj::write_obj;
#[cfg(not(target_arch = "wasm32"))]
pub use write::{SOLID_ENDINGS, SURFACE_ENDINGS, writable, write};

use crate::mesh_data::MeshData;
use raw::RawMesh;
use source::Source;
use std::path::Path;

/// The file extensions that [`read`] knows, without the dot.
pub const EXTENSIONS: [&str; 17] = [
    "obj", "ply", "stl", "off", "glb", "gltf", "mesh", "node", "ele", "smesh", "poly", "msh", "veg", "vtk",
    "vtu", "vtp", "npz",
];

/// How to treat tetrahedra that are inverted or flat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// Return only positively oriented tetrahedra: those that the file winds the other way round are reversed. Flat tetrahedra are errors, and so are
    /// neighbours that then lie on the same side of their common face: there the mesh folds over itself. Simulations need this.
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
    /// Sentences about anything else that was left out or changed.
    pub notes: Vec<String>,
    /// Materials that the file gives (VegaFEM).
    pub materials: Vec<FileMaterial>,
    /// The index of each tetrahedron's material, #T or empty.
    pub material_of: Vec<Option<u32>>,
}

/// A linear elastic material of a mesh file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileMaterial {
    /// Its name in the file.
    pub name: String,
    /// Density, kg/m³.
    pub density: f64,
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
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
        Some("obj") => read_single(path, orientation, |source| obj::parse(source)),
        Some("ply") => read_single(path, orientation, ply::parse),
        Some("stl") => read_single(path, orientation, stl::parse),
        Some("off") => read_single(path, orientation, |source| off::parse(source)),
        Some("mesh") => read_single(path, orientation, |source| medit::parse(source)),
        Some("veg") => read_single(path, orientation, |source| vega::parse(source)),
        Some("msh") => read_single(path, orientation, gmsh::parse),
        Some("vtk") => read_single(path, orientation, vtk::parse_legacy),
        Some("vtu" | "vtp") => read_single(path, orientation, |source| vtk::parse_xml(source)),
        Some("npz") => read_single(path, orientation, npz::parse),
        Some("glb" | "gltf") => {
            let (raw, source) = gltf::parse(Source::load(path)?)?;
            check::finish(raw, &source, &source, orientation)
        }
        Some("smesh" | "poly") => {
            let source = Source::load(path)?;
            let (raw, nodes) = smesh::parse(&source, || Source::load(&path.with_extension("node")))?;
            check::finish(raw, nodes.as_ref().unwrap_or(&source), &source, orientation)
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
    parse: impl Fn(&mut Source) -> Result<RawMesh, MeshError>,
) -> Result<MeshFile, MeshError> {
    let mut source = Source::load(path)?;
    let raw = parse(&mut source)?;
    check::finish(raw, &source, &source, orientation)
}
