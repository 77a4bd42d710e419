//! What a vertex in contact remembers from one step to the next.

use glam::DVec3;

/// The memory of one vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ContactMemory {
    /// What it touches: 0 nothing, k + 1 collider k, −(t + 1) triangle t of a surface (as two's complement).
    pub partner: u64,
    /// Where it sticks: a point of the collider's frame, or weights of the triangle's corners.
    pub anchor: DVec3,
    /// Normal force of the last step, N.
    pub force: f64,
    /// Speed of approach when the contact began, m/s.
    pub approach: f64,
}

/// Whether a remembered partner is a triangle.
pub(super) fn is_triangle(partner: u64) -> bool {
    partner > u64::MAX / 2
}
