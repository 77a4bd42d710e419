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

/// How fast the supports of a component moved in a step; zero if they stood still.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Drive {
    /// m/s.
    pub velocity: DVec3,
    /// Angular velocity, rad/s; known where one bone alone holds the component.
    pub turning: DVec3,
}

impl Drive {
    /// Every number of it.
    pub fn floats_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        let Self { velocity, turning } = self;
        velocity.as_mut().iter_mut().chain(turning.as_mut())
    }
}

impl Carry {
    /// Where a point is carried.
    pub fn apply(&self, x: DVec3) -> DVec3 {
        self.to + self.turn * (x - self.from)
    }
}
