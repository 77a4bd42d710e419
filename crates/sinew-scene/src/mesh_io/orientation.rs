//! Orientation of tetrahedra: positive means det[x₁−x₀, x₂−x₀, x₃−x₀] > 0, six times the volume.
//!
//! Some programs order all vertices the other way round; that is a convention, and the tetrahedra are reversed. A file in which only some are
//! inverted is a mesh that folds over itself, which no convention explains. Slivers are bad, but they have a volume: only tetrahedra that are
//! flat to the precision of the coordinates are refused.

use super::error::{Cell, Defect};
use crate::mesh_data::MeshData;
use glam::{DMat3, DVec3};

/// A tetrahedron is flat if |volume| ≤ this × (longest edge)³.
const FLAT: f64 = 1e-14;

/// Reverses the tetrahedra if all are negatively oriented, and returns whether it did. Otherwise the error names the first offending
/// tetrahedron.
pub(super) fn make_positive(mesh: &mut MeshData) -> Result<bool, (usize, Defect)> {
    let mut inverted = 0;
    let mut first_inverted = None;
    for (index, tet) in mesh.tets.iter().enumerate() {
        let corners = tet.map(|vertex| mesh.points[vertex as usize]);
        let volume = signed_volume(corners);
        let edge = longest_edge(corners);
        // Written so that a volume that overflowed to infinity or NaN fails too.
        let solid = volume.is_finite() && volume.abs() > FLAT * edge.powi(3);
        if !solid {
            return Err((index, Defect::Flat { cell: Cell::Tetrahedron(index), volume, edge }));
        }
        if volume < 0.0 {
            inverted += 1;
            first_inverted.get_or_insert(index);
        }
    }
    let total = mesh.tets.len();
    match first_inverted {
        None => Ok(false),
        Some(_) if inverted == total => {
            mesh.tets.iter_mut().for_each(|tet| tet.swap(2, 3));
            Ok(true)
        }
        Some(index) => Err((index, Defect::Inverted { first: Cell::Tetrahedron(index), inverted, total })),
    }
}

fn signed_volume([a, b, c, d]: [DVec3; 4]) -> f64 {
    DMat3::from_cols(b - a, c - a, d - a).determinant() / 6.0
}

fn longest_edge(corners: [DVec3; 4]) -> f64 {
    let mut longest = 0.0_f64;
    for (k, &a) in corners.iter().enumerate() {
        for &b in &corners[..k] {
            longest = longest.max(a.distance(b));
        }
    }
    longest
}
