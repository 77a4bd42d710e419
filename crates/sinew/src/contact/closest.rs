//! Closest points of a vertex and a triangle, of two edges, and of a vertex and a plane.
//!
//! The result is a normal n from B to A and weights w, positive on A and negative on B, with z = Σ w_k x_k the difference of the closest points,
//! distance = |z| and n = z / |z|. Whatever n is, n · x separates the sides by
//!
//! separation(n) = min_A n·x − max_B n·x ≤ distance,
//!
//! with equality for the n of the closest points. That is a certificate which needs no accuracy of the closest points; the filter uses nothing
//! else. Where the closest points are badly defined (slivers, nearly parallel edges) every candidate is tried.

use super::pair::{Pair, PairKind};
use glam::DVec3;

/// Squared sine of an angle below which edges count as nearly parallel, and triangles as slivers: every candidate is then tried.
const NEARLY_PARALLEL: f64 = 1e-8;
/// Squared ratio of distance and size below which a difference of closest points has too few digits for a direction.
const TINY: f64 = 1e-10;
/// Squared sine below which the interior of a triangle or of two edges is no candidate at all.
const PARALLEL: f64 = 1e-24;

/// The closest points of the two sides of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closest {
    /// Between the primitives, without radii, metres. Signed for a plane.
    pub distance: f64,
    /// Unit, from B to A.
    pub normal: DVec3,
    /// Positive on A, negative on B; each side sums to ±1.
    pub weights: [f64; 4],
}

impl Pair {
    /// The closest points at the positions `x` of all places.
    pub fn closest(&self, x: &[DVec3]) -> Closest {
        self.closest_of(self.points(x))
    }

    /// The closest points of the pair with its places at `q`.
    pub fn closest_of(&self, q: [DVec3; 4]) -> Closest {
        match self.key.kind {
            PairKind::VertexTriangle => {
                with_weights(q, vertex_triangle(q), |q| (q[2] - q[1]).cross(q[3] - q[1]))
            }
            PairKind::EdgeEdge => with_weights(q, edge_edge(q), |q| (q[1] - q[0]).cross(q[3] - q[2])),
            PairKind::VertexPlane | PairKind::Push => {
                let distance = self.normal.dot(q[0] - q[1]);
                Closest { distance, normal: self.normal, weights: [1.0, -1.0, 0.0, 0.0] }
            }
        }
    }

    /// How far n separates the two sides, without radii: min_A n·x − max_B n·x.
    #[inline]
    pub fn separation(&self, n: DVec3, q: &[DVec3; 4]) -> f64 {
        // Relative to one of the points, so that places far from the origin lose no digits.
        let h = [0.0, n.dot(q[1] - q[0]), n.dot(q[2] - q[0]), n.dot(q[3] - q[0])];
        if self.split == 1 { h[0] - h[1].max(h[2]).max(h[3]) } else { h[0].min(h[1]) - h[2].max(h[3]) }
    }
}

/// The distance of a vertex and a triangle or of two edges alone, which costs less.
#[inline]
pub(crate) fn distance(kind: PairKind, q: [DVec3; 4]) -> f64 {
    let weights = if kind == PairKind::EdgeEdge { edge_edge(q) } else { vertex_triangle(q) };
    difference(&q, &weights).length()
}

/// The closest of several candidates. Which one of equals does not matter: closest points need not be unique, their difference is.
struct Best {
    q: [DVec3; 4],
    square: f64,
    weights: [f64; 4],
}

impl Best {
    fn new(q: [DVec3; 4]) -> Self {
        Self { q, square: f64::INFINITY, weights: [1.0, 0.0, -1.0, 0.0] }
    }

    #[inline]
    fn offer(&mut self, weights: [f64; 4]) {
        let square = difference(&self.q, &weights).length_squared();
        if square < self.square {
            (self.square, self.weights) = (square, weights);
        }
    }
}

/// Σ w x. Differences first: Σ w = 0, so that any point may be the origin.
#[inline]
fn difference(q: &[DVec3; 4], w: &[f64; 4]) -> DVec3 {
    (q[1] - q[0]) * w[1] + (q[2] - q[0]) * w[2] + (q[3] - q[0]) * w[3]
}

/// Distance and normal of given weights. `across` is perpendicular to both sides: the normal where the closest points are inside both and so close that their difference has lost its digits.
#[inline]
fn with_weights(q: [DVec3; 4], w: [f64; 4], across: impl Fn([DVec3; 4]) -> DVec3) -> Closest {
    let z = difference(&q, &w);
    let distance = z.length();
    let inside = w.iter().all(|&w| w != 0.0);
    let size = (q[1] - q[0]).length_squared().max((q[3] - q[0]).length_squared());
    let normal = if distance > 0.0 && !(inside && distance * distance < TINY * size) {
        z / distance
    } else {
        let n = across(q).try_normalize().unwrap_or(DVec3::Y);
        if n.dot(z) < 0.0 { -n } else { n }
    };
    Closest { distance, normal, weights: w }
}

/// The share of the way from a to b at which the segment is closest to p.
#[inline]
fn on_segment(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    let ab = b - a;
    let square = ab.length_squared();
    if square > 0.0 { ((p - a).dot(ab) / square).clamp(0.0, 1.0) } else { 0.0 }
}

/// By the Voronoi regions of corners, edges and face \[ericson2005, Sec. 5.1.5\]; slivers by their edges as well.
fn vertex_triangle(q: [DVec3; 4]) -> [f64; 4] {
    let [p, a, b, c] = q;
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let n = ab.cross(ac);
    let (square, scale) = (n.length_squared(), ab.length_squared() * ac.length_squared());
    if square <= NEARLY_PARALLEL * scale || scale == 0.0 {
        let mut best = Best::new(q);
        for k in 0..3 {
            let (i, j) = (1 + k, 1 + (k + 1) % 3);
            let t = on_segment(p, q[i], q[j]);
            let mut w = [1.0, 0.0, 0.0, 0.0];
            w[i] = t - 1.0;
            w[j] = -t;
            best.offer(w);
        }
        if square > PARALLEL * scale {
            let (v, w) = (ap.cross(ac).dot(n) / square, ab.cross(ap).dot(n) / square);
            if v > 0.0 && w > 0.0 && v + w < 1.0 {
                best.offer([1.0, v + w - 1.0, -v, -w]);
            }
        }
        return best.weights;
    }
    let of = |w: [f64; 3]| [1.0, -w[0], -w[1], -w[2]];
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return of([1.0, 0.0, 0.0]);
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return of([0.0, 1.0, 0.0]);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return of([1.0 - t, t, 0.0]);
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return of([0.0, 0.0, 1.0]);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return of([1.0 - t, 0.0, t]);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return of([0.0, 1.0 - t, t]);
    }
    let inverse = 1.0 / (va + vb + vc);
    let (v, w) = (vb * inverse, vc * inverse);
    of([1.0 - v - w, v, w])
}

/// By the common perpendicular, clamped to both edges \[ericson2005, Sec. 5.1.9\]; nearly parallel ones by their four ends as well.
fn edge_edge(q: [DVec3; 4]) -> [f64; 4] {
    let (u, v, r) = (q[1] - q[0], q[3] - q[2], q[0] - q[2]);
    let n = u.cross(v);
    let (uu, vv, square) = (u.length_squared(), v.length_squared(), n.length_squared());
    let of = |s: f64, t: f64| [1.0 - s, s, t - 1.0, -t];
    if square > NEARLY_PARALLEL * uu * vv {
        // By the cross product, not by uu·vv − (u·v)²: it keeps twice the digits.
        let mut s = (v.cross(r).dot(n) / square).clamp(0.0, 1.0);
        let mut t = v.dot(r + u * s) / vv;
        if !(0.0..=1.0).contains(&t) {
            t = t.clamp(0.0, 1.0);
            s = (u.dot(v * t - r) / uu).clamp(0.0, 1.0);
        }
        return of(s, t);
    }
    let mut best = Best::new(q);
    // Each end against the other edge, with one division per edge.
    let inverse = |square: f64| if square > 0.0 { 1.0 / square } else { 0.0 };
    let (over_u, over_v) = (inverse(uu), inverse(vv));
    let (on_u, on_v) =
        (|p: DVec3| (u.dot(p) * over_u).clamp(0.0, 1.0), |p: DVec3| (v.dot(p) * over_v).clamp(0.0, 1.0));
    best.offer(of(0.0, on_v(r)));
    best.offer(of(1.0, on_v(r + u)));
    best.offer(of(on_u(-r), 0.0));
    best.offer(of(on_u(v - r), 1.0));
    if square > PARALLEL * uu * vv {
        let (s, t) = (v.cross(r).dot(n) / square, u.cross(r).dot(n) / square);
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            best.offer(of(s, t));
        }
    }
    best.weights
}

#[cfg(test)]
mod tests;
