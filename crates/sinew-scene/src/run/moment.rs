//! What can be seen of a state: enough to draw it later, in a fifth of the memory.

use glam::DVec3;
use sinew::{Placement, State};

/// The visible part of a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    /// Simulated time, s.
    pub time: f64,
    /// Vertex positions, #V, m.
    pub positions: Vec<DVec3>,
    /// Where the colliders are.
    pub colliders: Vec<Placement>,
    /// Targets of attachments, m.
    pub targets: Vec<DVec3>,
    /// Targets of grabs, m.
    pub grabbed: Vec<DVec3>,
}

impl Moment {
    /// Copies it from a state.
    pub fn of(state: &State) -> Self {
        Self {
            time: state.time(),
            positions: state.positions().to_vec(),
            colliders: state.colliders().to_vec(),
            targets: state.controls().targets().to_vec(),
            grabbed: state.controls().grabs().map(|(_, grab)| grab.target).collect(),
        }
    }
}
