//! Edges of a tetrahedral mesh.

use crate::mesh_data::{SpringEdge, SpringFamily};

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
