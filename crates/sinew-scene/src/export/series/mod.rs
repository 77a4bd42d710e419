//! Animated surfaces and volumes for other programs: point caches, glTF, USD, VTK series and NumPy arrays.
//!
//! A run is written frame by frame and may be long: what a format needs in another order (all frames of one body, the number of frames first) waits in a
//! [`Spool`], a file beside the result, and is put together at the end. Memory holds one frame.

mod beside;
mod gltf;
mod mdd;
mod npz;
mod pc2;
mod ply;
mod replay;
mod spool;
mod usda;
mod vtu;

pub use beside::{Beside, NodeMove};
pub use gltf::write_gltf;
pub use mdd::write_mdd;
pub use npz::{Array, NpzWriter};
pub use pc2::Pc2Writer;
pub use ply::write_ply;
pub use replay::{Drawn, ReplayPage};
pub use spool::Spool;
pub use usda::write_usda;
pub use vtu::{Cells, Field, write_pvd, write_vtu};

use std::ops::Range;

/// One body of an animation: some of its points, and what connects them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its points among those of all parts.
    pub vertices: Range<usize>,
    /// Triangles, counted from the part's first point.
    pub triangles: Vec<[u32; 3]>,
    /// Segments, counted from the part's first point; what has no triangles is drawn by these.
    pub segments: Vec<[u32; 2]>,
}
