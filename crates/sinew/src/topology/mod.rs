//! What of a model belongs together: bodies as the user gave them, and connected components.

mod component;

pub(crate) use component::Component;

use glam::DVec3;
use std::ops::Range;

/// A body inside a model: its share of the vertices.
#[derive(Clone, Debug)]
pub struct BodyInfo {
    /// Its name.
    pub name: String,
    /// Its vertices.
    pub vertices: Range<usize>,
    /// Number of tetrahedra and springs.
    pub elements: usize,
    /// Triangles of its surface, outward oriented for solids, indices of the whole model.
    pub surface: Vec<[u32; 3]>,
    /// Its tetrahedra, indices of the whole model.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Whether it never deforms.
    pub rigid: bool,
    /// Its springs, indices of the whole model.
    pub springs: Vec<[u32; 2]>,
    /// Mass points of the bones that it begins with a vertex of, or is.
    pub(crate) mass_points: Vec<u32>,
}

/// What belongs together.
#[derive(Debug)]
pub(crate) struct Topology {
    pub bodies: Vec<BodyInfo>,
    pub components: Vec<Component>,
    /// The component of each vertex and mass point.
    pub labels: Vec<u32>,
    /// Number of vertices of bodies; the mass points of bones follow them.
    pub vertices: usize,
    /// Rest places, m.
    pub rest: Vec<DVec3>,
    /// Extent of the largest body at rest, m: the scale of lengths.
    pub size: f64,
    /// The vertices that attachments hold, in the order of the targets.
    pub attached: Vec<u32>,
}
