//! How moving supports carry a component along.

use crate::ledger::Cause;
use glam::{DMat3, DVec3};

/// How the supports of a component carry it along in a step: the rigid motion x ↦ to + turn·(x − from).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carry {
    pub turn: DMat3,
    pub from: DVec3,
    pub to: DVec3,
    /// V, the velocity of the frame, m/s.
    pub velocity: DVec3,
    /// Who moves the supports.
    pub cause: Cause,
}

impl Carry {
    /// Where a point is carried.
    pub fn apply(&self, x: DVec3) -> DVec3 {
        self.to + self.turn * (x - self.from)
    }
}
