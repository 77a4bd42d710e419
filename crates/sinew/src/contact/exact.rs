//! Whether anything penetrates anything, by exact arithmetic.
//!
//! An edge pq crosses a triangle abc if p and q lie on different sides of its plane and the line pq passes abc on one side of all its edges: five
//! signs of determinants, which [`robust`] gives exactly \[shewchuk1997\]. Touching counts. Edges in the plane of the triangle are tested in the
//! plane. Round things and planes are tested by their distances, in which rounding has to be forgiven.

use super::forest::Forest;
use super::lanes::Near;
use super::pair::{Pair, Primitives};
use super::sweep::{Sweep, Times};
use glam::DVec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// What rounding of a distance is forgiven, in units of the larger of the radius and d.
const ROUNDING: f64 = 1e-9;

/// An edge that crosses a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Crossing {
    pub edge: u32,
    pub triangle: u32,
}

/// The exact test, with what it found last.
#[derive(Debug)]
pub(crate) struct Exact {
    forest: Forest,
    sweep: Sweep,
    /// Edges through triangles, sorted.
    pub crossings: Vec<Crossing>,
    /// What is closer to a round thing than its radius, or below a plane; sorted by key.
    pub inside: Vec<Pair>,
}

impl Exact {
    pub fn new(primitives: &Primitives) -> Self {
        let mut sweep = Sweep::new(primitives);
        sweep.reach = 0.0;
        sweep.most = Some(usize::MAX);
        Self { forest: Forest::new(primitives), sweep, crossings: Vec::new(), inside: Vec::new() }
    }

    /// Tests positions `x`; returns how much was found. The same pairs as in [`Sweep`] are left out: those that share a place, that nothing can
    /// move, whose owners do not collide, that cross at rest, and what is not finite.
    pub fn test(&mut self, primitives: &Primitives, x: &[DVec3]) -> usize {
        self.forest.refit(primitives, x, x, 0.0, false);
        self.crossings.clear();
        for &[p, q] in self.forest.meetings() {
            let (a, b) = (self.forest.of(p), self.forest.of(q));
            let ways = [(&a.edges, &b.triangles), (&b.edges, &a.triangles)];
            for (edges, triangles) in ways.into_iter().take(if p == q { 1 } else { 2 }) {
                if edges.is_empty() || triangles.is_empty() {
                    continue;
                }
                edges.cross::<2, 3>(0, (triangles, 0), &Near::BOXES, &mut |i, j| {
                    let ((edge, [k, l, _]), (triangle, corners)) = (edges.item(i), triangles.item(j));
                    let apart = k == l || !primitives.may_meet(&[*k, *l], corners);
                    let crosses = |x: &[DVec3]| {
                        let at = |i: u32| x[i as usize];
                        crosses([at(*k), at(*l)], corners.map(at))
                    };
                    if !apart && crosses(x) && !(p == q && crosses(&primitives.rest)) {
                        self.crossings.push(Crossing { edge, triangle });
                    }
                    true
                });
            }
        }
        self.crossings.sort_unstable();
        // Nothing is too many here.
        let _ = self.sweep.find(primitives, x, x, Times::Single, &mut self.inside);
        self.inside.retain(|pair| {
            let forgiven = ROUNDING * pair.radius.max(pair.distance);
            (pair.radius > 0.0 || pair.count == 2) && pair.closest(x).distance < pair.radius - forgiven
        });
        self.crossings.len() + self.inside.len()
    }
}

/// The sign of the volume of a tetrahedron, exactly.
fn side(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(|DVec3 { x, y, z }| Coord3D { x, y, z });
    orient3d(a, b, c, d)
}

/// Whether a segment meets a triangle.
fn crosses([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> bool {
    let (of_p, of_q) = (side(a, b, c, p), side(a, b, c, q));
    if of_p == 0.0 && of_q == 0.0 {
        return crosses_in_plane([p, q], [a, b, c]);
    }
    if of_p > 0.0 && of_q > 0.0 || of_p < 0.0 && of_q < 0.0 {
        return false;
    }
    let around = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    around.iter().all(|s| *s >= 0.0) || around.iter().all(|s| *s <= 0.0)
}

/// The same where all five points lie in one plane. Leaving out a coordinate is exact; triangles without area have no plane and meet nothing.
fn crosses_in_plane(segment: [DVec3; 2], triangle: [DVec3; 3]) -> bool {
    let normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]).abs();
    if normal == DVec3::ZERO {
        return false;
    }
    let axis = normal.max_position();
    let flat = |p: DVec3| Coord { x: p[(axis + 1) % 3], y: p[(axis + 2) % 3] };
    let [p, q] = segment.map(flat);
    let [a, b, c] = triangle.map(flat);
    let inside = |p| {
        let around = [orient2d(a, b, p), orient2d(b, c, p), orient2d(c, a, p)];
        around.iter().all(|s| *s >= 0.0) || around.iter().all(|s| *s <= 0.0)
    };
    let through = |a, b| {
        // Collinear ones meet only where an end is inside as well.
        let (of_p, of_q) = (orient2d(a, b, p), orient2d(a, b, q));
        let (of_a, of_b) = (orient2d(p, q, a), orient2d(p, q, b));
        of_p * of_q <= 0.0 && of_a * of_b <= 0.0 && (of_p != 0.0 || of_q != 0.0)
    };
    inside(p) || inside(q) || through(a, b) || through(b, c) || through(c, a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::testing::Scene;

    #[test]
    fn segments_and_a_triangle() {
        let triangle = [DVec3::ZERO, DVec3::X, DVec3::Z];
        let at = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
        assert!(crosses([at(0.2, -1.0, 0.2), at(0.2, 1.0, 0.2)], triangle));
        assert!(!crosses([at(0.2, 1e-300, 0.2), at(0.2, 1.0, 0.2)], triangle));
        assert!(crosses([at(0.2, 0.0, 0.2), at(0.2, 1.0, 0.2)], triangle), "touches");
        assert!(!crosses([at(0.6, -1.0, 0.6), at(0.6, 1.0, 0.6)], triangle));
        assert!(crosses([at(-1.0, 0.0, 0.2), at(1.0, 0.0, 0.2)], triangle), "in the plane");
        assert!(crosses([at(0.1, 0.0, 0.1), at(0.2, 0.0, 0.2)], triangle), "within");
        assert!(!crosses([at(-1.0, 0.0, 1.5), at(1.0, 0.0, 1.5)], triangle));
        assert!(!crosses([at(1.5, 0.0, 0.0), at(2.0, 0.0, 0.0)], triangle), "in line with a side");
    }

    #[test]
    fn finds_what_penetrates_and_nothing_else() {
        let scene = Scene::new(0.01)
            .cloth(5, 1.0, DVec3::ZERO, DVec3::X, DVec3::Z)
            .cloth(5, 1.0, DVec3::Y, DVec3::X, DVec3::Z)
            .round(&[DVec3::new(5.0, 0.0, 0.0)], 0.3)
            .plane(DVec3::Y * -1.0, DVec3::Y);
        let Scene { primitives, x, .. } = scene;
        let mut exact = Exact::new(&primitives);
        assert_eq!(exact.test(&primitives, &x), 0);
        let mut through = x.clone();
        through[30].y = -0.1;
        assert!(exact.test(&primitives, &through) > 0 && exact.inside.is_empty());
        let mut below = x.clone();
        below[12].y = -1.1;
        exact.test(&primitives, &below);
        assert_eq!((exact.crossings.len(), exact.inside.len()), (0, 1));
        let mut ball = x.clone();
        ball[50] = DVec3::new(0.1, 0.29, 0.1);
        assert!(exact.test(&primitives, &ball) > 0 && exact.crossings.is_empty());
        ball[50].y = 0.301;
        assert_eq!(exact.test(&primitives, &ball), 0);
        ball[50].y = f64::NAN;
        assert_eq!(exact.test(&primitives, &ball), 0);
    }
}
