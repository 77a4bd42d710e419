//! Edges and boundary of a tetrahedral mesh.

use crate::mesh_data::{SpringEdge, SpringFamily};

/// The faces of a positively oriented tetrahedron, seen anticlockwise from outside.
const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// The edges of a tetrahedral mesh, each once, as structural springs with a < b, sorted by (a, b).
#[must_use]
pub fn tet_edges(tets: &[[u32; 4]]) -> Vec<SpringEdge> {
    let pairs = |tet: &[u32; 4]| EDGES.map(|[i, j]| (tet[i].min(tet[j]), tet[i].max(tet[j])));
    let mut edges: Vec<(u32, u32)> = tets.iter().flat_map(pairs).collect();
    edges.sort_unstable();
    edges.dedup();
    edges.into_iter().map(|(a, b)| SpringEdge { a, b, family: SpringFamily::Structural }).collect()
}

/// The faces that belong to one tetrahedron only, oriented outward if the tetrahedra are oriented positively,
/// in the order of the tetrahedra.
#[must_use]
pub fn boundary_triangles(tets: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let faces_of = |(index, tet): (usize, &[u32; 4])| {
        let tet = *tet;
        (0..4).map(move |face| (sorted(FACES[face].map(|corner| tet[corner])), index, face))
    };
    let mut faces: Vec<([u32; 3], usize, usize)> = tets.iter().enumerate().flat_map(faces_of).collect();
    faces.sort_unstable();
    let mut single: Vec<(usize, usize)> = faces
        .chunk_by(|one, other| one.0 == other.0)
        .filter(|group| group.len() == 1)
        .map(|group| (group[0].1, group[0].2))
        .collect();
    single.sort_unstable();
    single.into_iter().map(|(tet, face)| FACES[face].map(|corner| tets[tet][corner])).collect()
}

fn sorted(mut face: [u32; 3]) -> [u32; 3] {
    face.sort_unstable();
    face
}
