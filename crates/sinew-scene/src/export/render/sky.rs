//! Light of the sky and of the surroundings: how much of it reaches a place, from depth maps in directions that are spread over the sphere.
//!
//! What is in a hollow, under a body or between two of them receives less: ambient occlusion. The share is Σ wₖ lₖ / Σ wₖ over the directions dₖ, with wₖ = max(0, n·dₖ)
//! for the normal n, and lₖ how much is seen from direction k. It is computed in the scene, not in the image, so it does not depend on the camera.

use super::{Bounds, geometry::Geometry, ground::smooth_step, shadow::DepthMap};
use glam::DVec3;
use std::f64::consts::PI;

/// Number of directions.
const DIRECTIONS: usize = 16;
/// Texels along a side of a map.
const SIDE: usize = 128;

/// One depth map for each direction.
#[derive(Debug)]
pub(super) struct Sky {
    maps: Vec<(DVec3, DepthMap)>,
    /// Middle of what is drawn, and its radius, m.
    middle: (DVec3, f64),
}

impl Sky {
    /// The surroundings of what lies within `sight`, a centre and a radius.
    pub fn of(geometry: &Geometry, sight: (DVec3, f64)) -> Self {
        let directions: Vec<DVec3> = (0..DIRECTIONS).map(direction).collect();
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(8));
        let seen = |part: &[DVec3]| -> Vec<(DVec3, DepthMap)> {
            let map = |d: &DVec3| Some((*d, DepthMap::of(geometry, *d, sight, SIDE, 0.04)?));
            part.iter().filter_map(map).collect()
        };
        let maps = std::thread::scope(|scope| {
            let parts = directions.chunks(DIRECTIONS.div_ceil(threads));
            let running: Vec<_> = parts.map(|part| scope.spawn(move || seen(part))).collect();
            running.into_iter().filter_map(|thread| thread.join().ok()).flatten().collect()
        });
        let used = geometry.triangles.iter().flat_map(|triangle| triangle.corners);
        let bounds = Bounds::of(used.map(|corner| &geometry.positions[corner]));
        let middle = bounds.map_or((sight.0, 0.0), |b| (b.centre(), 0.5 * b.diagonal().min(2.0 * sight.1)));
        Self { maps, middle }
    }

    /// The same for a point of the ground. Far from everything all of the light arrives: single directions would draw long, faint shadows there.
    pub fn share_of_ground(&self, point: DVec3, normal: DVec3) -> f64 {
        let (middle, radius) = self.middle;
        let near = 1.0 - smooth_step(0.7 * radius, 1.5 * radius, point.distance(middle));
        if near > 0.0 { 1.0 - near * (1.0 - self.share(point, normal)) } else { 1.0 }
    }

    /// The share of the light around that reaches a surface point with a unit normal, 0–1.
    pub fn share(&self, point: DVec3, normal: DVec3) -> f64 {
        let (mut arriving, mut all) = (0.0, 0.0);
        for (direction, map) in &self.maps {
            let weight = normal.dot(*direction);
            if weight > 0.0 {
                arriving += weight * map.lit(point, normal);
                all += weight;
            }
        }
        if all > 0.0 { arriving / all } else { 1.0 }
    }
}

/// The k-th of points spread evenly over the sphere: a spiral with the golden angle.
fn direction(k: usize) -> DVec3 {
    let y = 1.0 - (2.0 * k as f64 + 1.0) / DIRECTIONS as f64;
    let (s, c) = (k as f64 * PI * (3.0 - 5.0_f64.sqrt())).sin_cos();
    let r = (1.0 - y * y).sqrt();
    DVec3::new(r * c, y, r * s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_balanced() {
        let sum: DVec3 = (0..DIRECTIONS).map(direction).sum();
        assert!(sum.length() < 0.05 * DIRECTIONS as f64, "{sum}");
        assert!((0..DIRECTIONS).all(|k| (direction(k).length() - 1.0).abs() < 1e-12));
    }
}
