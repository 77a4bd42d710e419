//! A fine surface that tetrahedra carry.
//!
//! A vertex p of the surface lies in a tetrahedron with the corners x̄ₖ at rest: p = Σ wₖ x̄ₖ, Σ wₖ = 1, and later it is at Σ wₖ xₖ. A vertex outside all
//! tetrahedra takes the nearest one, with weights that may be negative: the map of that tetrahedron goes on outside of it. Where several are equally near
//! (they share the nearest corner or edge), the one with the smallest weights is taken, which exaggerates least.

use glam::{DMat3, DVec3};

/// A surface and what carries it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EmbeddedSurface {
    /// Triangles of the surface, counted from its first vertex.
    pub triangles: Vec<[u32; 3]>,
    /// Colours of its vertices, 0xRRGGBB, or none.
    pub tints: Vec<u32>,
    /// What carries each vertex: corners of a tetrahedron (vertex indices of the model) and their weights.
    pub anchors: Vec<([u32; 4], [f64; 4])>,
}

impl EmbeddedSurface {
    /// Finds what carries each of `points` among tetrahedra with rest positions `rest`; `first` is added to their vertex indices.
    pub(super) fn new(
        points: &[DVec3],
        triangles: Vec<[u32; 3]>,
        rest: &[DVec3],
        tets: &[[u32; 4]],
        first: u32,
    ) -> Self {
        let tree = Tree::new(rest, tets);
        let anchor = |p: &DVec3| {
            let (tet, weights) = tree.nearest(*p);
            (tets[tet].map(|vertex| first + vertex), weights)
        };
        Self { triangles, tints: Vec::new(), anchors: points.iter().map(anchor).collect() }
    }

    /// Triangles of the model's own vertices, in one colour; `first` is added to their indices.
    pub(crate) fn own(triangles: &[[u32; 3]], first: u32, tint: u32) -> Self {
        let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        // All that are looked for are there.
        let number = |vertex: u32| used.binary_search(&vertex).unwrap_or(0) as u32;
        let triangles = triangles.iter().map(|t| t.map(number)).collect();
        let anchors = used.iter().map(|&v| ([first + v; 4], [1.0, 0.0, 0.0, 0.0])).collect();
        Self { triangles, tints: vec![tint; used.len()], anchors }
    }

    /// Adds the positions of the surface's vertices, given those of the model's, to `out`.
    pub fn place(&self, x: &[DVec3], out: &mut Vec<DVec3>) {
        let at = |(corners, weights): &([u32; 4], [f64; 4])| {
            corners.iter().zip(weights).map(|(&corner, &w)| x[corner as usize] * w).sum::<DVec3>()
        };
        out.extend(self.anchors.iter().map(at));
    }
}

/// Boxes around tetrahedra: a binary tree by halving along the longest side.
pub(crate) struct Tree<'a> {
    rest: &'a [DVec3],
    tets: &'a [[u32; 4]],
    /// Tetrahedra in the order of the leaves.
    order: Vec<u32>,
    nodes: Vec<Node>,
    /// Distances that differ by less count as equal, m.
    tolerance: f64,
}

struct Node {
    low: DVec3,
    high: DVec3,
    /// Of a leaf, its range in `order`; otherwise the indices of the two halves.
    leaf: bool,
    a: u32,
    b: u32,
}

const LEAF: usize = 4;

impl<'a> Tree<'a> {
    pub fn new(rest: &'a [DVec3], tets: &'a [[u32; 4]]) -> Self {
        let order = (0..tets.len() as u32).collect();
        let mut tree = Self { rest, tets, order, nodes: Vec::new(), tolerance: 0.0 };
        tree.split(0, tets.len());
        if let Some(root) = tree.nodes.first() {
            tree.tolerance = 1e-9 * root.low.distance(root.high);
        }
        tree
    }

    fn corners(&self, tet: u32) -> [DVec3; 4] {
        self.tets[tet as usize].map(|vertex| self.rest[vertex as usize])
    }

    fn split(&mut self, start: usize, end: usize) -> u32 {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &tet in &self.order[start..end] {
            for corner in self.corners(tet) {
                (low, high) = (low.min(corner), high.max(corner));
            }
        }
        let index = self.nodes.len();
        self.nodes.push(Node { low, high, leaf: true, a: start as u32, b: end as u32 });
        if end - start > LEAF {
            let sides = high - low;
            let axis = if sides.x >= sides.y && sides.x >= sides.z {
                0
            } else if sides.y >= sides.z {
                1
            } else {
                2
            };
            let middle = start + (end - start) / 2;
            let (rest, tets) = (self.rest, self.tets);
            let place = |tet: &u32| tets[*tet as usize].iter().map(|&v| rest[v as usize][axis]).sum::<f64>();
            self.order[start..end]
                .select_nth_unstable_by(middle - start, |a, b| place(a).total_cmp(&place(b)).then(a.cmp(b)));
            let a = self.split(start, middle);
            let b = self.split(middle, end);
            let node = &mut self.nodes[index];
            (node.leaf, node.a, node.b) = (false, a, b);
        }
        index as u32
    }

    /// The nearest tetrahedron and the weights of its corners.
    pub fn nearest(&self, p: DVec3) -> (usize, [f64; 4]) {
        let mut best =
            Best { distance: f64::INFINITY, spread: f64::INFINITY, tet: 0, weights: [1.0, 0.0, 0.0, 0.0] };
        self.search(0, p, &mut best);
        (best.tet as usize, best.weights)
    }

    fn search(&self, node: u32, p: DVec3, best: &mut Best) {
        let Some(at) = self.nodes.get(node as usize) else { return };
        if at.leaf {
            for &tet in &self.order[at.a as usize..at.b as usize] {
                let (distance, weights) = distance_and_weights(p, self.corners(tet));
                let spread = weights.iter().map(|w| w.abs()).sum::<f64>();
                let nearer = distance < best.distance - self.tolerance;
                let equal = distance <= best.distance + self.tolerance;
                // The number decides last, so that the order of the tree does not.
                if nearer || equal && (spread, tet) < (best.spread, best.tet) {
                    *best = Best { distance: distance.min(best.distance), spread, tet, weights };
                }
            }
            return;
        }
        let far = |node: u32| {
            let Node { low, high, .. } = self.nodes[node as usize];
            p.distance(p.clamp(low, high))
        };
        let (a, b) = if far(at.a) <= far(at.b) { (at.a, at.b) } else { (at.b, at.a) };
        for child in [a, b] {
            if far(child) <= best.distance + self.tolerance {
                self.search(child, p, best);
            }
        }
    }
}

struct Best {
    distance: f64,
    /// Σ |wₖ|, 1 inside.
    spread: f64,
    tet: u32,
    weights: [f64; 4],
}

/// The distance of a point from a tetrahedron, and the weights of its corners.
pub(crate) fn distance_and_weights(p: DVec3, [a, b, c, d]: [DVec3; 4]) -> (f64, [f64; 4]) {
    let local = DMat3::from_cols(b - a, c - a, d - a).inverse() * (p - a);
    let weights = [1.0 - local.element_sum(), local.x, local.y, local.z];
    if weights.iter().all(|&w| w >= 0.0) {
        return (0.0, weights);
    }
    let faces = [[b, c, d], [a, d, c], [a, b, d], [a, c, b]];
    let nearest = faces.iter().map(|face| p.distance(closest(p, face))).fold(f64::INFINITY, f64::min);
    (nearest, weights)
}

/// The closest point of a triangle: of its plane if that lies inside, otherwise of its edges.
fn closest(p: DVec3, [a, b, c]: &[DVec3; 3]) -> DVec3 {
    let normal = (*b - *a).cross(*c - *a);
    let inside = |from: DVec3, to: DVec3| (to - from).cross(p - from).dot(normal) >= 0.0;
    if inside(*a, *b) && inside(*b, *c) && inside(*c, *a) {
        return p - normal * ((p - *a).dot(normal) / normal.length_squared());
    }
    let on_edge = |from: DVec3, to: DVec3| {
        let way = to - from;
        from + way * ((p - from).dot(way) / way.length_squared()).clamp(0.0, 1.0)
    };
    let candidates = [on_edge(*a, *b), on_edge(*b, *c), on_edge(*c, *a)];
    candidates.into_iter().min_by(|x, y| p.distance(*x).total_cmp(&p.distance(*y))).unwrap_or(*a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models;

    fn cube() -> crate::mesh_data::MeshData {
        models::tet_box(DVec3::ONE, [4, 4, 4], models::Split::Five).unwrap()
    }

    /// Points inside and outside, spread without a pattern.
    fn points() -> Vec<DVec3> {
        let part = |i: u32, k: u32| {
            f64::from(i.wrapping_mul(2654435761).rotate_left(k) >> 8) / f64::from(1 << 24) * 1.6 - 0.8
        };
        (1..400).map(|i| DVec3::new(part(i, 0), part(i, 7), part(i, 15))).collect()
    }

    #[test]
    fn an_affine_motion_carries_the_surface_exactly() {
        let mesh = cube();
        let points = points();
        let surface = EmbeddedSurface::new(&points, Vec::new(), &mesh.points, &mesh.tets, 0);
        let map = DMat3::from_cols(
            DVec3::new(1.1, 0.2, 0.0),
            DVec3::new(-0.3, 0.9, 0.1),
            DVec3::new(0.0, 0.4, 1.3),
        );
        let x: Vec<DVec3> = mesh.points.iter().map(|p| map * *p + DVec3::X).collect();
        let mut placed = Vec::new();
        surface.place(&x, &mut placed);
        for (p, q) in points.iter().zip(placed) {
            assert!(q.distance(map * *p + DVec3::X) < 1e-12);
        }
    }

    #[test]
    fn the_tree_finds_what_a_search_of_all_finds() {
        let mesh = cube();
        let tree = Tree::new(&mesh.points, &mesh.tets);
        for p in points() {
            let (tet, weights) = tree.nearest(p);
            let all = (0..mesh.tets.len() as u32).map(|t| distance_and_weights(p, tree.corners(t)).0);
            let found = distance_and_weights(p, tree.corners(tet as u32)).0;
            assert!((found - all.fold(f64::INFINITY, f64::min)).abs() < 1e-9, "{p}");
            let inside = p.abs().max_element() <= 0.5;
            assert_eq!(inside, weights.iter().all(|&w| w >= -1e-12), "{p}");
        }
    }
}
