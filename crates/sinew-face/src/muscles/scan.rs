//! A scan as a surface, and the places of it that correspond to places of a face: the nearest ones that face the same way.

use glam::DVec3;
use sinew_scene::surface::{Edges, Tree};
use std::collections::HashSet;

/// Cosine of the largest angle between skin and scan.
const FACING: f64 = 0.3;

/// A scan, m.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// Its points.
    pub points: Vec<DVec3>,
    /// Its triangles: those of the skin, without eyes, teeth and the inside of the mouth.
    pub triangles: Vec<[u32; 3]>,
}

/// The scan, ready for questions.
#[derive(Debug)]
pub(crate) struct Surface {
    tree: Tree,
    corners: Vec<[DVec3; 3]>,
    /// Which edges of each triangle are open, from corner k to the next.
    open: Vec<[bool; 3]>,
}

impl Surface {
    pub fn new(scan: &Scan) -> Self {
        let open: HashSet<(u32, u32)> =
            Edges::new(&scan.triangles).open().map(|(a, b)| (a.min(b), a.max(b))).collect();
        let is_open = |t: &[u32; 3]| {
            [0, 1, 2].map(|k| (t[k], t[(k + 1) % 3])).map(|(a, b)| open.contains(&(a.min(b), a.max(b))))
        };
        Self {
            tree: Tree::new(&scan.points, &scan.triangles),
            corners: scan.triangles.iter().map(|t| t.map(|v| scan.points[v as usize])).collect(),
            open: scan.triangles.iter().map(is_open).collect(),
        }
    }

    /// The nearest place that faces the same way; none beyond `reach`, and none on the border, where the scan ends before the skin does.
    pub fn partner(&self, p: DVec3, normal: DVec3, reach: f64) -> Option<DVec3> {
        let near = self.tree.nearest_within(p, reach)?;
        let [a, b, c] = self.corners[near.triangle];
        let facing = (b - a).cross(c - a).normalize_or_zero().dot(normal);
        let on_border = (0..3).filter(|&k| self.open[near.triangle][k]).any(|k| {
            let (from, to) = ([a, b, c][k], [a, b, c][(k + 1) % 3]);
            (near.point - from).cross(to - from).length() < 1e-9 * (to - from).length()
        });
        (facing > FACING && !on_border).then_some(near.point)
    }

    /// How far a point is from the scan.
    pub fn distance(&self, p: DVec3) -> f64 {
        self.tree.nearest(p).map_or(0.0, |near| near.distance)
    }
}
