//! A single regular tetrahedron.

use super::{ModelError, check_length};
use crate::mesh_data::MeshData;
use glam::DVec3;

/// A regular tetrahedron with edges of length `edge` (metres), its centroid at the origin.
///
/// Its vertices are alternating corners of a cube with edges of length edge/√2.
///
/// # Errors
/// [`ModelError::BadLength`] unless the edge is positive and finite.
pub fn single_tetrahedron(edge: f64) -> Result<MeshData, ModelError> {
    check_length("the edge of the tetrahedron", edge)?;
    let half = edge / 8.0_f64.sqrt();
    let corners = [[1.0, 1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, 1.0]];
    Ok(MeshData {
        points: corners.map(|corner| half * DVec3::from_array(corner)).to_vec(),
        tets: vec![[0, 1, 2, 3]],
        ..MeshData::default()
    })
}
