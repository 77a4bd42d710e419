//! The one triangle of a body that a vertex interacts with during a step, unless the vertex is already inside.
//!
//! It is the triangle that the vertex crosses first. If it crosses none, it is the nearest one within the contact distance, at the start or
//! at the end; of several equally near ones, at an edge or a corner, the one that faces the vertex most.

use super::crossing::{Crossing, Sweep};
use super::meeting::Motion;
use super::surface::Surfaces;
use super::triangle::{Feature, closest_point};
use glam::DVec3;

/// Cosine of the angle between a triangle's normal and the direction to the vertex below which the vertex is next to the triangle rather than
/// above it: beyond the rim of a cloth, or in front of the tip of a needle.
const FACING: f64 = 0.3;

/// Distances that differ by less than this share of the reach count as equal.
const EQUAL: f64 = 1e-6;

/// What has been found so far for one vertex.
#[derive(Debug)]
pub(crate) struct Search<'a> {
    pub surfaces: &'a Surfaces,
    pub vertex: u32,
    /// Its positions at the start and at the end.
    pub way: [DVec3; 2],
    /// Search radius, m.
    pub reach: f64,
    /// Whether the triangles belong to a solid.
    pub solid: bool,
    /// Whether the triangles belong to the vertex's own body.
    pub own: bool,
    crossing: Option<(Crossing, u32)>,
    near: Option<Near>,
}

#[derive(Clone, Copy, Debug)]
struct Near {
    distance: f64,
    /// Cosine between the normal and the direction from the closest point.
    facing: f64,
    triangle: u32,
}

impl<'a> Search<'a> {
    pub fn new(
        surfaces: &'a Surfaces,
        vertex: u32,
        way: [DVec3; 2],
        reach: f64,
        (solid, own): (bool, bool),
    ) -> Self {
        Self { surfaces, vertex, way, reach, solid, own, crossing: None, near: None }
    }

    /// Considers one triangle.
    pub fn consider(&mut self, triangle: u32, motion: Motion) {
        let corners = &self.surfaces.triangles[triangle as usize];
        if self.own && self.surfaces.adjacent(self.vertex, corners) {
            return;
        }
        // Written out: a `map` of a `map` copies through memory, which is a fifth of the time of a detection.
        let [a, b, c] = corners.map(|v| v as usize);
        let (start, end) = (motion.start, motion.end);
        let x = [[start[a], start[b], start[c]], [end[a], end[b], end[c]]];
        let sweep = Sweep::new(&self.way, &x);
        if let Some(crossing) = sweep.crossing(self.solid) {
            let earlier = self.crossing.is_none_or(|(best, t)| (crossing.time, triangle) < (best.time, t));
            if earlier && self.may_touch(triangle) {
                self.crossing = Some((crossing, triangle));
            }
        }
        if self.crossing.is_some() {
            return;
        }
        let heights = sweep.heights();
        for k in 0..2 {
            let (height, normal) = (heights[k], sweep.normals[k]);
            // Farther from the plane than the reach, or behind a triangle of the vertex's own solid, which is the solid's inside.
            let far = height * height > self.reach * self.reach * normal.length_squared();
            if far || (self.own && self.solid && height <= 0.0) {
                continue;
            }
            if let Some(near) = self.nearness(self.way[k], x[k], normal, triangle)
                && self.near.is_none_or(|best| near.is_better(&best, EQUAL * self.reach))
                && self.may_touch(triangle)
            {
                self.near = Some(near);
            }
        }
    }

    fn may_touch(&self, triangle: u32) -> bool {
        !self.own || !self.surfaces.near_at_rest(self.vertex, triangle)
    }

    fn nearness(&self, p: DVec3, x: [DVec3; 3], normal: DVec3, triangle: u32) -> Option<Near> {
        let closest = closest_point(p, x);
        let offset = p - closest.point;
        let squared = offset.length_squared();
        // A NaN is not near either.
        if squared > self.reach * self.reach || squared.is_nan() {
            return None;
        }
        let distance = squared.sqrt();
        let facing = if distance > 0.0 {
            normal.dot(offset) / (normal.length() * distance)
        } else if closest.feature == Feature::Face {
            1.0
        } else {
            FACING
        };
        facing.is_finite().then_some(Near { distance, facing, triangle })
    }

    /// The triangle, and the side on which the vertex belongs.
    pub fn found(&self) -> Option<(u32, f64)> {
        if let Some((crossing, triangle)) = self.crossing {
            return Some((triangle, crossing.side));
        }
        let near = self.near?;
        let side = if self.solid { 1.0 } else { near.facing.signum() };
        (near.facing * side >= FACING).then_some((near.triangle, side))
    }

    /// Time of the crossing or distance, for comparisons.
    #[cfg(test)]
    pub fn measure(&self) -> Option<f64> {
        self.found()?;
        self.crossing.map(|(c, _)| c.time).or(self.near.map(|n| 2.0 + n.distance))
    }
}

impl Near {
    fn is_better(&self, best: &Self, equal: f64) -> bool {
        let nearer = best.distance - self.distance;
        if nearer.abs() > equal {
            return nearer > 0.0;
        }
        let more = self.facing.abs() - best.facing.abs();
        if more == 0.0 { self.triangle < best.triangle } else { more > 0.0 }
    }
}
