//! Questions about a triangle surface: what is near, what is inside, where is it open, where does it cross itself.

mod crossing;
mod edges;
mod tree;
mod winding;

pub use crossing::crossings;
pub use edges::{Edges, Loop, components};
pub use tree::{Hint, Nearest, Tree};
pub use winding::Winding;

use glam::DVec3;

/// The corners of a triangle.
pub(crate) fn corners(points: &[DVec3], triangle: [u32; 3]) -> [DVec3; 3] {
    triangle.map(|vertex| points[vertex as usize])
}

/// Half the cross product of two edges: the normal, as long as the area.
pub(crate) fn area_vector([a, b, c]: [DVec3; 3]) -> DVec3 {
    0.5 * (b - a).cross(c - a)
}

/// The volume that the triangles enclose, positive if they face outwards: ⅙ Σ a · (b × c), about a point of the surface for accuracy.
pub fn enclosed_volume(points: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
    let Some(about) = triangles.first().map(|t| points[t[0] as usize]) else { return 0.0 };
    let of = |&triangle: &[u32; 3]| {
        let [a, b, c] = corners(points, triangle).map(|p| p - about);
        a.dot(b.cross(c)) / 6.0
    };
    triangles.iter().map(of).sum()
}

#[cfg(test)]
pub(crate) mod tests_support {
    use glam::DVec3;

    /// A closed sphere of radius 1 with `n` rows of faces between its poles.
    pub fn sphere(n: usize) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let around = 2 * n;
        let mut points = vec![DVec3::Y];
        for i in 1..n {
            let tilt = std::f64::consts::PI * i as f64 / n as f64;
            for j in 0..around {
                let turn = std::f64::consts::TAU * j as f64 / around as f64;
                points.push(DVec3::new(tilt.sin() * turn.cos(), tilt.cos(), tilt.sin() * turn.sin()));
            }
        }
        points.push(-DVec3::Y);
        let at = |i: usize, j: usize| match i {
            0 => 0,
            i if i == n => points.len() as u32 - 1,
            i => (1 + (i - 1) * around + j % around) as u32,
        };
        let mut triangles = Vec::new();
        for i in 0..n {
            for j in 0..around {
                let (a, b, c, d) = (at(i, j), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1));
                if a != b {
                    triangles.push([a, b, d]);
                }
                if c != d {
                    triangles.push([a, d, c]);
                }
            }
        }
        (points, triangles)
    }
}
