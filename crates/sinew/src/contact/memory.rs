//! What a vertex in contact remembers from one step to the next.

use super::shape::Shape;
use glam::DVec3;

/// What one vertex remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ContactMemory {
    /// What it is in contact with: 0 nothing, k + 1 collider k, −(t + 1) triangle t of a surface (as two's complement).
    pub partner: u64,
    /// Where it sticks: a point in the collider's frame, or barycentric weights of the triangle's corners.
    pub anchor: DVec3,
    /// The face of a collider that it pushed against, n·p = o in the collider's frame: (n, o). Past the middle of a thin collider the nearest
    /// face is the wrong one.
    pub face: (DVec3, f64),
    /// Normal force of the last step, N.
    pub force: f64,
    /// Speed of approach when the contact began, m/s.
    pub approach: f64,
}

/// Whether a remembered partner is a triangle.
pub(super) fn is_triangle(partner: u64) -> bool {
    partner > u64::MAX / 2
}

/// How far outside a collider's outline, as a share of its depth, a vertex that was pushed through it may come out.
const BESIDE: f64 = 0.1;

impl ContactMemory {
    /// The vectors, as saved states store them.
    pub fn vectors_mut(&mut self) -> [&mut DVec3; 2] {
        [&mut self.anchor, &mut self.face.0]
    }

    /// The scalars, as saved states store them.
    pub fn scalars_mut(&mut self) -> [&mut f64; 3] {
        [&mut self.face.1, &mut self.force, &mut self.approach]
    }

    /// Whether all its numbers are finite, so that it can be saved.
    pub fn is_finite(&self) -> bool {
        let (normal, offset) = self.face;
        self.anchor.is_finite()
            && normal.is_finite()
            && [offset, self.force, self.approach].iter().all(|value| value.is_finite())
    }

    /// Whether a point in the collider's frame, `distance` away from its surface, is below the remembered face: inside, or out on the other
    /// side, but not past its rim.
    pub fn is_below_face(&self, shape: &Shape, p: DVec3, distance: f64) -> bool {
        let (normal, offset) = self.face;
        let depth = offset - normal.dot(p);
        let above = p + normal * depth;
        self.force > 0.0
            && depth > 0.0
            && (distance < 0.0 || shape.proximity(above).distance <= BESIDE * depth)
    }
}
