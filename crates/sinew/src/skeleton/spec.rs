//! Bones and joints as the user describes them, before they become part of a model.

use crate::ids::BoneId;
use crate::math::outer;
use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// A rigid part of a body: vertices that move as one, x = R(X − c) + t.
///
/// Its mass is that of its vertices. Tetrahedra with all four corners on the bone store no energy, and contribute the exact inertia of their
/// volume.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Name in error messages.
    pub name: String,
    /// Indices of its vertices in the model.
    pub vertices: Vec<usize>,
    /// Whether it is kinematic: the user moves it, forces do not. See [`Controls::move_bone`](crate::Controls::move_bone).
    pub kinematic: bool,
}

impl Bone {
    /// Creates a bone that forces move.
    pub fn new(name: impl Into<String>, vertices: Vec<usize>) -> Self {
        Self { name: name.into(), vertices, kinematic: false }
    }

    /// Makes it kinematic: it stays where it is until [`Controls::move_bone`](crate::Controls::move_bone) moves it.
    pub fn kinematic(mut self) -> Self {
        self.kinematic = true;
        self
    }
}

/// Mass, centre of mass and inertia of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass, kg.
    pub mass: f64,
    /// Initial centre of mass, m.
    pub center: DVec3,
    /// Inertia about the centre of mass, ∫ρ(|r|² I − r rᵀ), kg·m².
    pub inertia: DMat3,
}

impl MassProperties {
    /// A solid sphere of uniform density, kg/m³: m = ⁴⁄₃πr³ρ, I = ⅖mr².
    pub fn sphere(center: DVec3, radius: f64, density: f64) -> Self {
        let mass = density * 4.0 / 3.0 * PI * radius.powi(3);
        Self { mass, center, inertia: DMat3::from_diagonal(DVec3::splat(0.4 * mass * radius * radius)) }
    }

    /// A solid capsule of uniform density, kg/m³: everything within `radius` of the segment between two ends. Its two halves of a sphere, mₛ together, have their centroids ⅜r beyond the ends of
    /// its cylinder of length L and mass m_c: I = ½m_c r² + ⅖mₛr² about the axis, m_c(L²/12 + r²/4) + mₛ(⅖r² + L²/4 + ⅜Lr) across it.
    pub fn capsule(ends: [DVec3; 2], radius: f64, density: f64) -> Self {
        let length = ends[0].distance(ends[1]);
        let square = radius * radius;
        let (cylinder, ball) = (density * PI * square * length, density * 4.0 / 3.0 * PI * radius * square);
        let about = 0.5 * cylinder * square + 0.4 * ball * square;
        let across = cylinder * (length * length / 12.0 + 0.25 * square)
            + ball * (0.4 * square + 0.25 * length * length + 0.375 * length * radius);
        let axis = (ends[1] - ends[0]).normalize_or(DVec3::Y);
        let inertia = DMat3::from_diagonal(DVec3::splat(across)) + outer(axis * (about - across), axis);
        Self { mass: cylinder + ball, center: ends[0].midpoint(ends[1]), inertia }
    }
}

/// A joint between two bones, or between a bone and the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name in error messages.
    pub name: String,
    /// The relative motion that it allows.
    pub kind: JointKind,
    /// The bones that it connects; `None` is the world.
    pub bones: [Option<BoneId>; 2],
    /// Initial position of the point that both share, m.
    pub position: DVec3,
}

/// The relative motion that a joint allows. Angles are those of the second bone relative to the first, zero in the initial state.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum JointKind {
    /// Rotation about a point [li2020, Eq. 6c].
    Ball {
        /// Limits of the rotation; `None`: unlimited.
        limit: Option<SwingTwist>,
    },
    /// Rotation about an axis.
    Hinge {
        /// The axis in the initial state; any length.
        axis: DVec3,
        /// Least and greatest angle, rad, within −π…π; right-handed about the axis.
        range: Option<[f64; 2]>,
    },
    /// No relative motion: the two become one bone.
    Weld,
}

/// Limits of a ball joint: how far the axis may swing, and how far the bone may twist about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwingTwist {
    /// The axis in the initial state; any length.
    pub axis: DVec3,
    /// Greatest angle between the axis in the second bone and that in the first, rad, up to π.
    pub cone: f64,
    /// Greatest twist in either direction, rad, up to π.
    pub twist: f64,
}

impl Joint {
    /// Creates a ball joint without limits.
    pub fn ball(name: impl Into<String>, bones: [Option<BoneId>; 2], position: DVec3) -> Self {
        Self { name: name.into(), kind: JointKind::Ball { limit: None }, bones, position }
    }

    /// Creates a hinge without limits.
    pub fn hinge(name: impl Into<String>, bones: [Option<BoneId>; 2], position: DVec3, axis: DVec3) -> Self {
        Self { name: name.into(), kind: JointKind::Hinge { axis, range: None }, bones, position }
    }

    /// Creates a weld.
    pub fn weld(name: impl Into<String>, bones: [Option<BoneId>; 2], position: DVec3) -> Self {
        Self { name: name.into(), kind: JointKind::Weld, bones, position }
    }
}
