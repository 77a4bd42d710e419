//! Balls and rods, tessellated according to their size in the image.

use super::{
    Radius, View,
    geometry::{Geometry, Triangle},
};
use glam::DVec3;
use std::f64::consts::{PI, TAU};

impl Radius {
    /// The radius at a point of the world, m; `None` if there is nothing to draw.
    fn metres_at(self, point: DVec3, view: &View, samples: f64) -> Option<f64> {
        let radius = match self {
            Self::Metres(metres) => metres,
            Self::Pixels(pixels) => pixels * samples * view.sample_size_at(point),
        };
        (point.is_finite() && radius.is_finite() && radius > 0.0).then_some(radius)
    }
}

/// Sides of a polygon that looks round at this radius in samples: its error stays below a third of one.
fn sides(radius: f64, point: DVec3, view: &View) -> usize {
    let samples = radius / view.sample_size_at(point);
    ((PI * (1.5 * samples).sqrt()).ceil()).clamp(6.0, 48.0) as usize
}

/// Adds a ball: rings of latitude around y.
pub(super) fn add_ball(
    geometry: &mut Geometry,
    surface: usize,
    centre: DVec3,
    radius: Radius,
    view: &View,
    samples: f64,
) {
    let Some(radius) = radius.metres_at(centre, view, samples) else { return };
    let around = sides(radius, centre, view);
    let rings = around.div_ceil(2).max(4);
    let first = geometry.positions.len();
    for ring in 0..=rings {
        let (sin, cos) = (PI * ring as f64 / rings as f64).sin_cos();
        for side in 0..around {
            let (s, c) = (TAU * side as f64 / around as f64).sin_cos();
            let normal = DVec3::new(sin * s, cos, sin * c);
            geometry.positions.push(centre + radius * normal);
            geometry.normals.push(normal);
        }
    }
    for ring in 0..rings {
        add_band(geometry, surface, first + ring * around, first + (ring + 1) * around, around);
    }
}

/// Adds a cylinder without caps; balls at the ends cover them.
pub(super) fn add_rod(
    geometry: &mut Geometry,
    surface: usize,
    ends: [DVec3; 2],
    radius: Radius,
    view: &View,
    samples: f64,
) {
    let [Some(ra), Some(rb)] = ends.map(|end| radius.metres_at(end, view, samples)) else { return };
    let Some(axis) = (ends[1] - ends[0]).try_normalize() else { return };
    let (u, v) = axis.any_orthonormal_pair();
    let around = sides(ra, ends[0], view).max(sides(rb, ends[1], view));
    let first = geometry.positions.len();
    for (end, r) in ends.into_iter().zip([ra, rb]) {
        for side in 0..around {
            let (s, c) = (TAU * side as f64 / around as f64).sin_cos();
            let normal = c * u + s * v;
            geometry.positions.push(end + r * normal);
            geometry.normals.push(normal);
        }
    }
    add_band(geometry, surface, first, first + around, around);
}

/// Joins two rings of `around` points each, which start at `a` and `b`.
fn add_band(geometry: &mut Geometry, surface: usize, a: usize, b: usize, around: usize) {
    for side in 0..around {
        let next = (side + 1) % around;
        for corners in [[a + side, b + side, b + next], [a + side, b + next, a + next]] {
            geometry.triangles.push(Triangle { corners, surface });
        }
    }
}
