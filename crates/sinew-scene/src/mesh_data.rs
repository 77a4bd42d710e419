//! A mesh as it comes from a file or a generator, before it becomes a body of the engine.

use glam::DVec3;

/// The family of a cloth spring; stiffness is given per family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpringFamily {
    /// Along the edges of the grid or mesh.
    Structural,
    /// Across the diagonals of grid cells.
    Shear,
    /// Over two edges: from a vertex to the next but one.
    Bend,
}

/// One spring between two vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpringEdge {
    /// First vertex.
    pub a: u32,
    /// Second vertex.
    pub b: u32,
    /// Its family.
    pub family: SpringFamily,
}

/// Points and elements. Any of the element lists may be empty; indices are 0-based.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshData {
    /// Vertex positions, #V, in metres (or in the unit of the file; scenes scale them).
    pub points: Vec<DVec3>,
    /// Tetrahedra, #T by 4, positively oriented when they come from a generator.
    pub tets: Vec<[u32; 4]>,
    /// A region label per tetrahedron, #T or empty.
    pub regions: Vec<i32>,
    /// Triangles, #F by 3: the surface of a cloth, or boundary triangles of a file.
    pub triangles: Vec<[u32; 3]>,
    /// Springs (cloth).
    pub springs: Vec<SpringEdge>,
}
