//! Bones and joints that belong to a labelled mesh: which regions form which bone, and what connects them.
//!
//! A [`Rig`] comes with a built-in model or from a `.joint` file ([`read()`], [`write()`]), as in the pipeline of \[li2020, §5\]: the mesh
//! assigns tetrahedra to regions, the rig assigns regions to bones. Positions are in the frame and unit of the mesh, angles in degrees.

mod error;
mod freedom;
mod read;
mod words;
mod write;

pub use error::{RigError, RigFault};
pub use freedom::{FreedomFault, JointFreedom, JointParts, SwingTwistLimit};
pub use read::{parse, read};
pub use write::{to_text, write};

use glam::DVec3;

/// The name of the immovable surroundings in joints. No bone may have this name.
pub const WORLD: &str = "world";

/// Bones and joints of one mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rig {
    /// The bones; their names are distinct.
    pub bones: Vec<RigBone>,
    /// The joints; their names are distinct.
    pub joints: Vec<RigJoint>,
}

/// A bone: the regions of the mesh that are rigid together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RigBone {
    /// Its name.
    pub name: String,
    /// Labels of its tetrahedra, at least one.
    pub regions: Vec<i32>,
}

/// A joint between two bones, or between a bone and the world.
#[derive(Clone, Debug, PartialEq)]
pub struct RigJoint {
    /// Its name.
    pub name: String,
    /// Indices of its bones in [`Rig::bones`]; `None` is the world.
    pub bones: [Option<usize>; 2],
    /// The point that both share, in the frame of the mesh.
    pub position: DVec3,
    /// The relative motion that it allows.
    pub freedom: JointFreedom,
}

/// What is wrong with the name of a bone; `None`: nothing.
pub fn name_fault(name: &str) -> Option<String> {
    if name.trim().is_empty() {
        Some("must not be empty".into())
    } else if name == WORLD {
        Some(format!("`{WORLD}` is what joints call the surroundings; choose another name"))
    } else if name.contains('/') {
        Some("must not contain `/`, which stands between a body and its bone".into())
    } else if name.chars().any(char::is_control) {
        Some("must not contain control characters".into())
    } else {
        None
    }
}
