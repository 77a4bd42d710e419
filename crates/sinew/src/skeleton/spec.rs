//! Bones and joints as the user describes them, before they become part of a model.

use crate::ids::BoneId;
use glam::{DMat3, DVec3};

/// A rigid part: vertices that move as one, x = R(X − c) + t.
///
/// Its mass is that of its vertices. Tetrahedra with all four corners on the bone store no energy and count with the exact inertia
/// of their volume.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// What errors call it.
    pub name: String,
    /// Vertices of the model.
    pub vertices: Vec<usize>,
    /// Whether it is moved by hand instead of by forces: see [`State::move_bone`](crate::State::move_bone).
    pub kinematic: bool,
}

impl Bone {
    /// A bone that forces move.
    pub fn new(name: impl Into<String>, vertices: Vec<usize>) -> Self {
        Self { name: name.into(), vertices, kinematic: false }
    }

    /// Makes it stay where it is, or go where [`State::move_bone`](crate::State::move_bone) puts it.
    pub fn kinematic(mut self) -> Self {
        self.kinematic = true;
        self
    }
}

/// Mass, centre of mass and inertia of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// kg.
    pub mass: f64,
    /// Centre of mass, where the body starts, m.
    pub center: DVec3,
    /// Inertia about the centre of mass, ∫ρ(|r|² I − r rᵀ), kg·m².
    pub inertia: DMat3,
}

/// A joint between two bones, or between a bone and the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// What errors call it.
    pub name: String,
    /// What it lets the bones do.
    pub kind: JointKind,
    /// What it connects; `None` is the world.
    pub bones: [Option<BoneId>; 2],
    /// The point that both share, where they start, m.
    pub position: DVec3,
}

/// What a joint lets its bones do. Angles are those of the second bone against the first, zero where they start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// Turn about a point [li2020, Eq. 6c].
    Ball {
        /// How far.
        limit: Option<SwingTwist>,
    },
    /// Turn about an axis.
    Hinge {
        /// Where the bones start; any length.
        axis: DVec3,
        /// Least and greatest angle, rad, within −π…π; right-handed about the axis.
        range: Option<[f64; 2]>,
    },
    /// Nothing: the two become one bone.
    Weld,
}

/// Limits of a ball joint: how far the axis may swing out, and how far the bone may twist about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwingTwist {
    /// The axis where the bones start; any length.
    pub axis: DVec3,
    /// Greatest angle between the axis of the second bone and that of the first, rad, up to π.
    pub cone: f64,
    /// Greatest twist either way, rad, up to π.
    pub twist: f64,
}

impl Joint {
    /// A ball joint without limits.
    pub fn ball(name: impl Into<String>, bones: [Option<BoneId>; 2], position: DVec3) -> Self {
        Self { name: name.into(), kind: JointKind::Ball { limit: None }, bones, position }
    }

    /// A hinge without limits.
    pub fn hinge(name: impl Into<String>, bones: [Option<BoneId>; 2], position: DVec3, axis: DVec3) -> Self {
        Self { name: name.into(), kind: JointKind::Hinge { axis, range: None }, bones, position }
    }

    /// A weld.
    pub fn weld(name: impl Into<String>, bones: [Option<BoneId>; 2], position: DVec3) -> Self {
        Self { name: name.into(), kind: JointKind::Weld, bones, position }
    }
}
