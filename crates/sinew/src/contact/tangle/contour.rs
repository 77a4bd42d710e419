//! The contour in which two surfaces cross, and how it becomes shorter.
//!
//! Where an edge with the unit direction E crosses a triangle with the unit normal N, the contour goes on into every triangle at the edge, along the unit vector R of their common line. When the edge
//! moves against the triangle by u, the contour changes its length by −G·u, \[volino2006\]
//!
//! G = Σ (R − 2 (E·R)/(E·N) N),
//!
//! summed over the triangles at the edge. Pushing the edge along G draws a fold or a border out of the other surface, without asking which side of it is right.

use super::Push;
use crate::contact::exact::Crossing;
use crate::contact::pair::{PairKey, PairKind, Primitives};
use glam::DVec3;

/// Which triangles lie at a side, and which edge it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides {
    /// The triangles of each side, (ends, triangle), sorted.
    ends: Vec<([u32; 2], u32)>,
    triangles: Vec<u32>,
    /// The edges, (ends, edge), sorted.
    edges: Vec<([u32; 2], u32)>,
}

fn undirected(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

fn sides([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [undirected(a, b), undirected(b, c), undirected(c, a)]
}

impl Sides {
    /// Reads the primitives, once.
    pub fn fill(&mut self, primitives: &Primitives) {
        if !self.edges.is_empty() {
            return;
        }
        self.edges.extend((0..).zip(&primitives.edges).map(|(k, e)| (undirected(e[0], e[1]), k)));
        self.edges.sort_unstable();
        let each = (0..).zip(&primitives.triangles);
        self.ends.extend(each.flat_map(|(k, t)| sides(*t).map(|ends| (ends, k))));
        self.ends.sort_unstable();
        self.triangles.extend(self.ends.iter().map(|side| side.1));
    }

    /// The triangles at an edge.
    pub fn at(&self, [a, b]: [u32; 2]) -> &[u32] {
        let ends = undirected(a, b);
        let first = self.ends.partition_point(|side| side.0 < ends);
        let last = self.ends.partition_point(|side| side.0 <= ends);
        &self.triangles[first..last]
    }

    /// The edges of a triangle; flat ones of colliders are none.
    pub fn of(&self, primitives: &Primitives, triangle: u32) -> [Option<u32>; 3] {
        sides(primitives.triangles[triangle as usize])
            .map(|ends| self.edges.binary_search_by_key(&ends, |edge| edge.0).ok().map(|k| self.edges[k].1))
    }

    /// The pairs of an edge and a triangle that must meet before these two cross.
    pub fn keys(&self, primitives: &Primitives, edge: u32, triangle: u32) -> [Option<PairKey>; 5] {
        let ends = primitives.edges[edge as usize];
        let [p, q] = ends.map(|a| Some(PairKey { kind: PairKind::VertexTriangle, a, b: triangle }));
        let meet = |other: u32| PairKey { kind: PairKind::EdgeEdge, a: edge.min(other), b: edge.max(other) };
        let [a, b, c] = self.of(primitives, triangle).map(|side| side.map(meet));
        [p, q, a, b, c]
    }

    /// The push for a crossing: along `part`, if that is known, or along G.
    pub fn push(
        &self,
        primitives: &Primitives,
        x: &[DVec3],
        crossing: &Crossing,
        part: Option<DVec3>,
    ) -> Option<Push> {
        let edge = primitives.edges[crossing.edge as usize];
        let corners = primitives.triangles[crossing.triangle as usize];
        let ([p, q], [a, b, c]) = (edge.map(|i| x[i as usize]), corners.map(|i| x[i as usize]));
        let n = (b - a).cross(c - a).try_normalize()?;
        let along = (q - p).try_normalize()?;
        let (of_p, of_q) = (n.dot(p - a), n.dot(q - a));
        let share = of_p / (of_p - of_q);
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 };
        let at = p.lerp(q, share);
        let gradient = || {
            let mut sum = DVec3::ZERO;
            for &t in self.at(edge) {
                let t = primitives.triangles[t as usize];
                let [k, l, m] = t.map(|i| x[i as usize]);
                let opposite = t.iter().find(|i| !edge.contains(i)).map_or(at, |&i| x[i as usize]) - at;
                let Some(r) = n.cross((l - k).cross(m - k)).try_normalize() else { continue };
                let inward = opposite - along * along.dot(opposite);
                let r = if r.dot(inward) < 0.0 { -r } else { r };
                sum += r - n * (2.0 * along.dot(r) / along.dot(n));
            }
            sum.is_finite().then_some(sum)?.try_normalize()
        };
        let normal = part.or_else(gradient)?;
        let mut pair = primitives.unclipped(PairKey {
            kind: PairKind::VertexTriangle,
            a: edge[0],
            b: crossing.triangle,
        });
        // A row has four places: the two corners that are nearest stand for the triangle.
        let areas = [(b - at).cross(c - at), (c - at).cross(a - at), (a - at).cross(b - at)]
            .map(|s| n.dot(s).max(0.0));
        let mut heavy = [0, 1, 2];
        heavy.sort_by(|&i, &j| areas[j].total_cmp(&areas[i]).then(i.cmp(&j)));
        let [first, second, _] = heavy;
        let sum = areas[first] + areas[second];
        let (l, r) = if sum > 0.0 { (areas[first] / sum, areas[second] / sum) } else { (0.5, 0.5) };
        pair.places = [edge[0], edge[1], corners[first], corners[second]];
        (pair.split, pair.count) = (2, 4);
        Some(Push { pair, weights: [1.0 - share, share, -l, -r], normal, by: pair.distance, firm: false })
    }
}
