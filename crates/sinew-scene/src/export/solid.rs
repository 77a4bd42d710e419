//! Surfaces of simple solids as triangles, fine enough for drawing.

use glam::DVec3;
use std::f64::consts::{FRAC_PI_2, TAU};

/// Number of sides of a round solid, all the way around.
const AROUND: usize = 64;

/// A closed surface. Where a solid has edges, its faces share no points, so that each is drawn flat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solid {
    /// Points, #V, m.
    pub positions: Vec<DVec3>,
    /// Triangles, #F by 3, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Solid {
    /// A ball about the origin.
    pub fn sphere(radius: f64) -> Self {
        Self::revolved(&arc(0.0, 0.0, radius, -FRAC_PI_2, FRAC_PI_2), false)
    }

    /// A box about the origin, with these half side lengths.
    pub fn cuboid(half: DVec3) -> Self {
        let mut solid = Self::default();
        for (normal, u) in [(DVec3::X, DVec3::Y), (DVec3::Y, DVec3::Z), (DVec3::Z, DVec3::X)] {
            for normal in [normal, -normal] {
                let v = normal.cross(u);
                let first = solid.positions.len() as u32;
                let corners = [-u - v, u - v, u + v, v - u];
                solid.positions.extend(corners.map(|corner| half * (normal + corner)));
                solid.triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t| t.map(|i| first + i)));
            }
        }
        solid
    }

    /// A capsule about the origin: a thickened segment along y.
    pub fn capsule(half_length: f64, radius: f64) -> Self {
        let mut profile = arc(0.0, -half_length, radius, -FRAC_PI_2, 0.0);
        profile.extend(arc(0.0, half_length, radius, 0.0, FRAC_PI_2));
        Self::revolved(&profile, false)
    }

    /// A torus about the y axis: `major` from the axis to the centre of the tube, `minor` the tube's radius.
    pub fn torus(major: f64, minor: f64) -> Self {
        let mut profile = arc(major, 0.0, minor, 0.0, TAU);
        profile.pop();
        Self::revolved(&profile, true)
    }

    /// Adds another solid, with its points mapped into this one's frame.
    pub fn add(&mut self, other: &Self, map: impl Fn(DVec3) -> DVec3) {
        let first = self.positions.len() as u32;
        self.positions.extend(other.positions.iter().map(|&p| map(p)));
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|i| first + i)));
    }

    /// The surface of revolution of a profile of points (distance from y, height), upwards on the outside. `closed` joins its ends; otherwise
    /// they lie on the axis.
    fn revolved(profile: &[(f64, f64)], closed: bool) -> Self {
        let mut solid = Self::default();
        let last = profile.len() - 1;
        // Indices of each ring; a ring on the axis is one point.
        let rings: Vec<Vec<u32>> = profile
            .iter()
            .enumerate()
            .map(|(i, &(r, y))| {
                let first = solid.positions.len() as u32;
                if !closed && (i == 0 || i == last) {
                    solid.positions.push(DVec3::new(0.0, y, 0.0));
                    return vec![first; AROUND];
                }
                let angles = (0..AROUND).map(|side| TAU * side as f64 / AROUND as f64);
                solid.positions.extend(angles.map(|a| DVec3::new(r * a.sin(), y, r * a.cos())));
                (first..first + AROUND as u32).collect()
            })
            .collect();
        for i in 0..if closed { rings.len() } else { last } {
            let (below, above) = (&rings[i], &rings[(i + 1) % rings.len()]);
            for side in 0..AROUND {
                let next = (side + 1) % AROUND;
                let quad = [[below[side], below[next], above[next]], [below[side], above[next], above[side]]];
                let flat = |t: &[u32; 3]| t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
                solid.triangles.extend(quad.into_iter().filter(|t| !flat(t)));
            }
        }
        solid
    }
}

/// Points (distance from y, height) of a circular arc about (x, y).
fn arc(x: f64, y: f64, radius: f64, from: f64, to: f64) -> Vec<(f64, f64)> {
    let steps = (((to - from) / TAU * AROUND as f64).round() as usize).max(1);
    let angle = |i: usize| from + (to - from) * i as f64 / steps as f64;
    (0..=steps).map(|i| (x + radius * angle(i).cos(), y + radius * angle(i).sin())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::f64::consts::PI;

    fn volume(solid: &Solid) -> f64 {
        let at = |i: u32| solid.positions[i as usize];
        solid.triangles.iter().map(|&[a, b, c]| at(a).dot(at(b).cross(at(c))) / 6.0).sum()
    }

    #[test]
    fn volumes_are_right_so_triangles_look_outward() {
        let (r, h) = (0.5, 0.7);
        let cases = [
            (Solid::sphere(r), 4.0 / 3.0 * PI * r.powi(3)),
            (Solid::cuboid(DVec3::new(1.0, 2.0, 0.5)), 8.0),
            (Solid::capsule(h, r), 4.0 / 3.0 * PI * r.powi(3) + 2.0 * h * PI * r * r),
            (Solid::torus(2.0, r), 2.0 * PI * PI * 2.0 * r * r),
        ];
        for (solid, expected) in cases {
            assert!((volume(&solid) / expected - 1.0).abs() < 0.01, "{} of {expected}", volume(&solid));
        }
    }

    #[test]
    fn round_solids_are_closed() {
        for solid in [Solid::sphere(1.0), Solid::capsule(1.0, 0.3), Solid::torus(1.0, 0.3)] {
            let mut walked: HashMap<(u32, u32), i32> = HashMap::new();
            for t in &solid.triangles {
                for k in 0..3 {
                    let (a, b) = (t[k], t[(k + 1) % 3]);
                    *walked.entry((a.min(b), a.max(b))).or_default() += if a < b { 1 } else { -1 };
                }
            }
            assert!(walked.values().all(|balance| *balance == 0));
        }
    }
}
