//! Orientation of tetrahedra: positive means det[x₁−x₀, x₂−x₀, x₃−x₀] > 0, six times the volume.
//!
//! Some programs order vertices the other way round, all or a few; that is a matter of writing, and such tetrahedra are reversed. What no order explains is
//! a mesh that folds over itself: two neighbours that lie on the same side of their common face, so that they still see its corners in the same
//! order when both are positive. Slivers are bad, but they have a volume: only tetrahedra that are flat to the precision of the coordinates are refused.

use super::error::{Cell, Defect};
use crate::mesh_data::MeshData;
use glam::{DMat3, DVec3};
use std::collections::HashSet;

/// A tetrahedron is flat if |volume| ≤ this × (longest edge)³.
const FLAT: f64 = 1e-14;

/// Reverses tetrahedra that are negatively oriented, and returns how many. Otherwise the error names the first offending
/// tetrahedron.
pub(super) fn make_positive(mesh: &mut MeshData) -> Result<usize, (usize, Defect)> {
    let mut inverted = Vec::new();
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
            inverted.push(index);
        }
    }
    let total = mesh.tets.len();
    inverted.iter().for_each(|&index| mesh.tets[index].swap(2, 3));
    // A file that agrees with itself needs no closer look: only where some are reversed and others not may it fold.
    if let Some(&first) = inverted.first()
        && inverted.len() < total
        && folds(&mesh.tets)
    {
        let defect = Defect::Inverted { first: Cell::Tetrahedron(first), inverted: inverted.len(), total };
        return Err((first, defect));
    }
    Ok(inverted.len())
}

/// Whether two tetrahedra see a common face in the same order.
fn folds(tets: &[[u32; 4]]) -> bool {
    const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
    let mut seen = HashSet::new();
    tets.iter().flat_map(|tet| FACES.map(|face| face.map(|k| tet[k]))).any(|[a, b, c]| {
        // The smallest first keeps the order around the face.
        let face = if a < b && a < c {
            [a, b, c]
        } else if b < c {
            [b, c, a]
        } else {
            [c, a, b]
        };
        !seen.insert(face)
    })
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
