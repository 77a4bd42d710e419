//! Filling holes: a fan around the middle of the loop.

use crate::surface::Loop;
use glam::DVec3;

/// The middle of a loop, and how long it is.
pub(super) fn extent(points: &[DVec3], hole: &Loop) -> (DVec3, f64) {
    let at = |k: usize| points[hole.vertices[k % hole.vertices.len()] as usize];
    let n = hole.vertices.len();
    let middle = (0..n).map(at).sum::<DVec3>() / n as f64;
    (middle, (0..n).map(|k| at(k).distance(at(k + 1))).sum())
}

/// Adds the triangles that close a loop and, for more than three edges, a vertex in its middle.
pub(super) fn fill(points: &mut Vec<DVec3>, triangles: &mut Vec<[u32; 3]>, hole: &Loop) {
    if let [a, b, c] = hole.vertices[..] {
        triangles.push([a, b, c]);
        return;
    }
    let (middle, _) = extent(points, hole);
    let centre = points.len() as u32;
    points.push(middle);
    let n = hole.vertices.len();
    triangles.extend((0..n).map(|k| [hole.vertices[k], hole.vertices[(k + 1) % n], centre]));
}
