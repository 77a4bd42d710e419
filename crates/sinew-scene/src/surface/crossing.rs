//! Where a surface crosses itself: pairs of triangles of which an edge of one passes through the other, decided exactly.
//!
//! Triangles that lie in the same plane do not cross; faces that are there twice are another finding.

use super::{Tree, corners};
use glam::DVec3;
use robust::{Coord3D, orient3d};

/// Up to `limit` pairs of triangles that cross, smaller number first, in order.
pub fn crossings(points: &[DVec3], triangles: &[[u32; 3]], tree: &Tree, limit: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut near = Vec::new();
    for (k, &triangle) in triangles.iter().enumerate() {
        let own = corners(points, triangle);
        let (low, high) = (own[0].min(own[1]).min(own[2]), own[0].max(own[1]).max(own[2]));
        near.clear();
        tree.touching(low, high, |other| {
            if other > k {
                near.push(other);
            }
        });
        near.sort_unstable();
        for &other in &near {
            if cross(points, triangle, triangles[other]) {
                found.push((k, other));
                if found.len() == limit {
                    return found;
                }
            }
        }
    }
    found
}

fn cross(points: &[DVec3], a: [u32; 3], b: [u32; 3]) -> bool {
    // Neighbours along an edge can only fold, not cross.
    if a.iter().filter(|v| b.contains(v)).count() >= 2 {
        return false;
    }
    passes(points, a, b) || passes(points, b, a)
}

/// Whether an edge of `a` passes through the inside of `b`; edges that end at a corner of `b` do not count.
fn passes(points: &[DVec3], a: [u32; 3], b: [u32; 3]) -> bool {
    let face = corners(points, b);
    [(a[0], a[1]), (a[1], a[2]), (a[2], a[0])].into_iter().any(|(from, to)| {
        !b.contains(&from) && !b.contains(&to) && pierces(points[from as usize], points[to as usize], face)
    })
}

fn pierces(p: DVec3, q: DVec3, [a, b, c]: [DVec3; 3]) -> bool {
    let (above, below) = (side(a, b, c, p), side(a, b, c, q));
    if above * below >= 0.0 {
        return false;
    }
    let turns = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    turns.iter().all(|&turn| turn > 0.0) || turns.iter().all(|&turn| turn < 0.0)
}

/// The sign is exact.
fn side(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let coord = |p: DVec3| Coord3D { x: p.x, y: p.y, z: p.z };
    let turn = orient3d(coord(a), coord(b), coord(c), coord(d));
    if turn == 0.0 { 0.0 } else { turn.signum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossing_triangles_are_found_and_touching_ones_are_not() {
        let points = [
            DVec3::new(0.0, 0.0, 0.0),
            DVec3::new(1.0, 0.0, 0.0),
            DVec3::new(0.0, 1.0, 0.0),
            DVec3::new(0.2, 0.2, -1.0),
            DVec3::new(0.2, 0.2, 1.0),
            DVec3::new(2.0, 2.0, 1.0),
            DVec3::new(0.2, 0.2, 0.0),
        ];
        let found = |triangles: &[[u32; 3]]| {
            let tree = Tree::new(&points, triangles);
            crossings(&points, triangles, &tree, 10)
        };
        assert_eq!(found(&[[0, 1, 2], [3, 4, 5]]), [(0, 1)]);
        assert_eq!(found(&[[0, 1, 2], [6, 4, 5]]), []);
        assert_eq!(found(&[[0, 1, 2], [0, 4, 5]]), []);
    }
}
