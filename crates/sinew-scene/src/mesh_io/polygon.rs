//! Polygons as triangles: a fan around the first vertex, which is right for convex ones.

use super::error::MeshError;
use super::raw::{RawCell, RawMesh};
use super::source::Source;

/// Adds a polygon that the file has at `offset`.
pub(super) fn add_fan(
    mesh: &mut RawMesh,
    polygon: &[i64],
    offset: usize,
    source: &Source,
) -> Result<(), MeshError> {
    let [first, rest @ ..] = polygon else {
        return Err(source.malformed(offset, "a face without vertices"));
    };
    if rest.len() < 2 {
        let what = format!("a face with {} vertices; at least 3 are needed", polygon.len());
        return Err(source.malformed(offset, what));
    }
    for pair in rest.windows(2) {
        mesh.triangles.push(RawCell { vertices: [*first, pair[0], pair[1]], label: None, offset });
    }
    Ok(())
}
