//! Where points cross triangles, over time and along a segment; and whether a point is in a tetrahedron.
//!
//! A vertex p and the corners a, b, c of a triangle that move linearly are coplanar where the cubic f(t) = (p − a)·((b − a) × (c − a)) is
//! zero; they collide if p is then between a, b and c \[provot1997\]. f is positive in front of the triangle.

use glam::DVec3;

/// Tolerance for hits just outside a triangle, as a share of the triangle, so that no point slips through an edge between two triangles.
const BESIDE: f64 = 1e-6;

/// A vertex crosses a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crossing {
    /// Time of the crossing: 0 at the start of the step, 1 at its end.
    pub time: f64,
    /// The side that the vertex came from: +1 the front, −1 the back.
    pub side: f64,
}

/// A vertex and a triangle that move linearly.
pub(crate) struct Sweep {
    /// p − a, b − a and c − a at the start, and their changes during the step.
    start: [DVec3; 3],
    change: [DVec3; 3],
    f: Cubic,
    /// (b − a) × (c − a) at the start and at the end.
    pub normals: [DVec3; 2],
}

impl Sweep {
    /// For a vertex that moves from `p[0]` to `p[1]` and a triangle that moves from `x[0]` to `x[1]`.
    #[inline]
    pub fn new(p: &[DVec3; 2], x: &[[DVec3; 3]; 2]) -> Self {
        let (q, u, v) = (p[0] - x[0][0], x[0][1] - x[0][0], x[0][2] - x[0][0]);
        let (dq, du, dv) = (p[1] - x[1][0] - q, x[1][1] - x[1][0] - u, x[1][2] - x[1][0] - v);
        let (constant, linear, square) = (u.cross(v), du.cross(v) + u.cross(dv), du.cross(dv));
        let f = Cubic([
            q.dot(constant),
            dq.dot(constant) + q.dot(linear),
            q.dot(square) + dq.dot(linear),
            dq.dot(square),
        ]);
        let normals = [constant, constant + linear + square];
        Self { start: [q, u, v], change: [dq, du, dv], f, normals }
    }

    /// f at the start and at the end: distance to the plane times the length of the normal.
    #[inline]
    pub fn heights(&self) -> [f64; 2] {
        [self.f.0[0], self.f.at(1.0)]
    }

    /// The first crossing; with `front`, only one from the front of the triangle.
    #[inline]
    pub fn crossing(&self, front: bool) -> Option<Crossing> {
        // The curve stays between its Bernstein coefficients, which decides nearly all cases.
        let [c0, c1, c2, c3] = self.f.0;
        let hull = [c0, c0 + c1 / 3.0, c0 + (2.0 * c1 + c2) / 3.0, c0 + c1 + c2 + c3];
        let (above, below) = (hull.iter().all(|&b| b > 0.0), hull.iter().all(|&b| b < 0.0));
        if above || below || !hull.iter().all(|b| b.is_finite()) {
            return None;
        }
        let at = |k: usize, t: f64| self.start[k] + self.change[k] * t;
        self.f.first_change(|time, side| {
            let hit = (side > 0.0 || !front) && between(at(0, time), at(1, time), at(2, time));
            hit.then_some(Crossing { time, side })
        })
    }
}

/// Whether q = αu + βv with 0 ≤ α, β and α + β ≤ 1, up to rounding.
fn between(q: DVec3, u: DVec3, v: DVec3) -> bool {
    let normal = u.cross(v);
    let scale = normal.length_squared();
    let (alpha, beta) = (q.cross(v).dot(normal), u.cross(q).dot(normal));
    let least = -BESIDE * scale;
    scale > 0.0 && alpha >= least && beta >= least && scale - alpha - beta >= least
}

/// The polynomial c₀ + c₁t + c₂t² + c₃t³.
struct Cubic([f64; 4]);

impl Cubic {
    #[inline]
    fn at(&self, t: f64) -> f64 {
        let [c0, c1, c2, c3] = self.0;
        c0 + t * (c1 + t * (c2 + t * c3))
    }

    /// The first accepted root on [0, 1] at which the sign changes; `accept` gets the root and the sign before it.
    fn first_change<A>(&self, accept: impl Fn(f64, f64) -> Option<A>) -> Option<A> {
        let [c0, c1, c2, c3] = self.0;
        // The cubic is monotonic between consecutive entries.
        let [first, second] = turning_points(c1, 2.0 * c2, 3.0 * c3);
        let ends = [0.0, first, second, 1.0];
        let (mut low, mut before) = (0.0, c0);
        for high in ends.into_iter().skip(1) {
            let after = self.at(high);
            // Motion from exactly on the plane downwards counts as from the front: the solid begins there.
            if (before > 0.0 && after <= 0.0)
                || (before < 0.0 && after >= 0.0)
                || (before == 0.0 && after < 0.0)
            {
                let side = if before < 0.0 { -1.0 } else { 1.0 };
                if let Some(found) = accept(self.root(low, high, side), side) {
                    return Some(found);
                }
            }
            (low, before) = (high, after);
        }
        None
    }

    /// The root in [low, high], where the sign changes from `side` to the other: Newton's method, safeguarded by the bracket.
    fn root(&self, mut low: f64, mut high: f64, side: f64) -> f64 {
        let [_, c1, c2, c3] = self.0;
        let mut t = 0.5 * (low + high);
        for _ in 0..60 {
            let value = self.at(t) * side;
            if value > 0.0 {
                low = t
            } else {
                high = t
            }
            let newton = t - value / (side * (c1 + t * (2.0 * c2 + t * 3.0 * c3)));
            let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
            if (next - t).abs() <= 1e-15 {
                return next;
            }
            t = next;
        }
        t
    }
}

/// Roots of a + bt + ct² within (0, 1), ascending; 1 in place of missing ones.
fn turning_points(a: f64, b: f64, c: f64) -> [f64; 2] {
    let discriminant = b * b - 4.0 * a * c;
    if discriminant <= 0.0 {
        return [1.0; 2];
    }
    // This form avoids the difference of nearly equal numbers.
    let q = -0.5 * (b + discriminant.sqrt().copysign(b));
    let inside = |t: f64| if t > 0.0 && t < 1.0 { t } else { 1.0 };
    let (r, s) = (inside(q / c), inside(a / q));
    [r.min(s), r.max(s)]
}

/// The fraction of the segment from `p` to `q` at which it leaves through the triangle's front, if it does.
pub(crate) fn leaving(p: DVec3, q: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let (u, v) = (b - a, c - a);
    let normal = u.cross(v);
    let (below, above) = (normal.dot(p - a), normal.dot(q - a));
    if !(below <= 0.0 && above >= 0.0 && above > below) {
        return None;
    }
    let t = below / (below - above);
    between(p + (q - p) * t - a, u, v).then_some(t)
}

/// Whether a point is in a tetrahedron, faces included; never in a degenerate one. Inverted tetrahedra count like others.
pub(crate) fn in_tetrahedron(p: DVec3, [a, b, c, d]: [DVec3; 4]) -> bool {
    let volume = |a: DVec3, b: DVec3, c: DVec3, d: DVec3| (b - a).cross(c - a).dot(d - a);
    let whole = volume(a, b, c, d);
    // Faces belong to both tetrahedra, so that no point between two is in neither.
    let least = -1e-12 * whole.abs();
    let sign = whole.signum();
    whole != 0.0
        && [volume(p, b, c, d), volume(a, p, c, d), volume(a, b, p, d), volume(a, b, c, p)]
            .iter()
            .all(|part| part * sign >= least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn first_crossing(p: [DVec3; 2], x: [[DVec3; 3]; 2], front: bool) -> Option<Crossing> {
        Sweep::new(&p, &x).crossing(front)
    }

    const TRIANGLE: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::Y];

    #[test]
    fn a_vertex_through_a_resting_triangle() {
        let (above, below) = (DVec3::new(0.2, 0.3, 3.0), DVec3::new(0.2, 0.3, -1.0));
        let down = first_crossing([above, below], [TRIANGLE; 2], true);
        assert_eq!(down, Some(Crossing { time: 0.75, side: 1.0 }));
        assert_eq!(first_crossing([below, above], [TRIANGLE; 2], true), None);
        let up = first_crossing([below, above], [TRIANGLE; 2], false);
        assert_eq!(up, Some(Crossing { time: 0.25, side: -1.0 }));
        let beside = DVec3::new(0.7, 0.0, 0.0);
        assert_eq!(first_crossing([above + beside, below + beside], [TRIANGLE; 2], false), None);
        assert_eq!(first_crossing([above, above * f64::NAN], [TRIANGLE; 2], false), None);
    }

    #[test]
    fn leaving_goes_out_and_not_in() {
        let (above, below) = (DVec3::new(0.2, 0.3, 3.0), DVec3::new(0.2, 0.3, -1.0));
        assert_eq!(leaving(below, above, TRIANGLE), Some(0.25));
        assert_eq!(leaving(above, below, TRIANGLE), None);
    }

    proptest! {
        /// A collision at a chosen time and point of the triangle is found, at that time or earlier.
        #[test]
        fn every_meeting_is_found(
            c in prop::array::uniform20(-1.0f64..1.0),
            t in 0.1f64..0.9,
            (u, v) in (0.05f64..0.45, 0.05f64..0.45),
        ) {
            let point = |k: usize| DVec3::new(c[3 * k], c[3 * k + 1], c[3 * k + 2]);
            let start = [point(0), point(1), point(2)];
            let end = [point(3), point(4), point(5)];
            let at = |t: f64| {
                let x: [DVec3; 3] = std::array::from_fn(|k| start[k].lerp(end[k], t));
                x[0] * (1.0 - u - v) + x[1] * u + x[2] * v
            };
            let velocity = DVec3::new(c[18], c[19], c[0] - c[19]);
            let p = [at(t) - velocity * t, at(t) + velocity * (1.0 - t)];
            // The sign must really change there.
            let f = |t: f64| {
                let x: [DVec3; 3] = std::array::from_fn(|k| start[k].lerp(end[k], t));
                (p[0].lerp(p[1], t) - x[0]).dot((x[1] - x[0]).cross(x[2] - x[0]))
            };
            prop_assume!(f(t - 1e-3) * f(t + 1e-3) < -1e-12);
            let found = first_crossing(p, [start, end], false);
            prop_assert!(found.is_some_and(|c| c.time < t + 1e-6), "{found:?}");
            if let Some(found) = found {
                prop_assert!(f(found.time - 1e-7) * found.side >= 0.0 || f(found.time).abs() < 1e-9);
            }
        }

        #[test]
        fn barycentric_points_are_in_their_tetrahedron(c in prop::array::uniform12(-1.0f64..1.0), w in prop::array::uniform4(-0.3f64..1.0)) {
            let x: [DVec3; 4] = std::array::from_fn(|k| DVec3::new(c[3 * k], c[3 * k + 1], c[3 * k + 2]));
            let sum: f64 = w.iter().sum();
            prop_assume!(sum > 0.1 && (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]).abs() > 1e-3);
            prop_assume!(w.iter().all(|w| w.abs() > 1e-6));
            let p: DVec3 = (0..4).map(|k| x[k] * (w[k] / sum)).sum();
            prop_assert_eq!(in_tetrahedron(p, x), w.iter().all(|&w| w > 0.0));
        }
    }
}
