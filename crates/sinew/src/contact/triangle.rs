//! The point of a triangle that is closest to a given point, and the feature that it lies on.

use glam::DVec3;

/// A part of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Corner 0, 1 or 2.
    Corner(usize),
    /// The edge from corner k to corner k + 1 (modulo 3).
    Edge(usize),
    /// The interior.
    Face,
}

/// The closest point of a triangle.
#[derive(Clone, Copy, Debug)]
pub struct Closest {
    /// The point, metres.
    pub point: DVec3,
    /// The feature that it lies on.
    pub feature: Feature,
}

/// Finds the closest point by the Voronoi regions of corners, edges and face \[ericson2005, Sec. 5.1.5\].
#[inline]
pub fn closest_point(p: DVec3, [a, b, c]: [DVec3; 3]) -> Closest {
    let corner = |k: usize, point| Closest { point, feature: Feature::Corner(k) };
    let on_edge = |k: usize, from: DVec3, to: DVec3, t: f64| Closest {
        point: from + (to - from) * t,
        feature: Feature::Edge(k),
    };
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return corner(0, a);
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return corner(1, b);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return on_edge(0, a, b, d1 / (d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return corner(2, c);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return on_edge(2, c, a, 1.0 - d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return on_edge(1, b, c, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let inverse = 1.0 / (va + vb + vc);
    let (v, w) = (vb * inverse, vc * inverse);
    Closest { point: a + ab * v + ac * w, feature: Feature::Face }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_sampled_point_is_closer(c in prop::array::uniform12(-1.0f64..1.0)) {
            let v = |k: usize| DVec3::new(c[3 * k], c[3 * k + 1], c[3 * k + 2]);
            let (triangle, p) = ([v(0), v(1), v(2)], v(3));
            let found = closest_point(p, triangle);
            // The three parts of a triangle around one of its own points add up to the whole.
            let doubled = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a).length();
            let parts = (0..3).map(|k| doubled([triangle[k], triangle[(k + 1) % 3], found.point])).sum::<f64>();
            prop_assert!((parts - doubled(triangle)).abs() < 1e-9);
            for i in 0..=20 {
                for j in 0..=20 - i {
                    let (u, w) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
                    let q = triangle[0] * (1.0 - u - w) + triangle[1] * u + triangle[2] * w;
                    prop_assert!(p.distance(q) >= p.distance(found.point) - 1e-9);
                }
            }
        }
    }
}
