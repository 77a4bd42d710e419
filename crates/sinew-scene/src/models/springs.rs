//! Springs for a triangle mesh that is not a grid.

use super::ModelError;
use crate::mesh_data::{SpringEdge, SpringFamily};
use glam::DVec3;

/// An edge, and the vertex of a triangle that lies opposite to it.
type Wing = ([u32; 2], u32);

/// The springs of a triangle mesh: first structural ones along its edges, then bend ones.
///
/// There is one structural spring per edge, and one bend spring per hinge (a pair of triangles that share an edge), between the two vertices
/// opposite to it. Hinges between the same two vertices give a spring each. A mesh has no cells with diagonals, hence no shear springs.
/// Springs are ordered by the edge that they come from, and each has a < b.
///
/// # Errors
/// [`ModelError::MissingVertex`] if a triangle refers beyond `points`.
pub fn surface_springs(points: &[DVec3], triangles: &[[u32; 3]]) -> Result<Vec<SpringEdge>, ModelError> {
    let mut wings: Vec<Wing> = Vec::with_capacity(3 * triangles.len());
    for (index, &triangle) in triangles.iter().enumerate() {
        if let Some(&vertex) = triangle.iter().find(|&&vertex| vertex as usize >= points.len()) {
            return Err(ModelError::MissingVertex { triangle: index, vertex, points: points.len() });
        }
        let [a, b, c] = triangle;
        wings.extend([(sorted(a, b), c), (sorted(b, c), a), (sorted(c, a), b)]);
    }
    wings.sort_unstable();

    let hinges = || wings.chunk_by(|one, other| one.0 == other.0);
    let structural = hinges().map(|hinge| spring(hinge[0].0, SpringFamily::Structural));
    let mut springs: Vec<SpringEdge> = structural.collect();
    for hinge in hinges() {
        for (k, &(_, one)) in hinge.iter().enumerate() {
            // Two triangles back to back on the same three vertices cannot bend.
            let others = hinge[..k].iter().filter(|(_, other)| *other != one);
            springs.extend(others.map(|&(_, other)| spring(sorted(one, other), SpringFamily::Bend)));
        }
    }
    Ok(springs)
}

fn sorted(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

fn spring([a, b]: [u32; 2], family: SpringFamily) -> SpringEdge {
    SpringEdge { a, b, family }
}
