//! Solids that bodies collide with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::contact::Friction;
use super::mesh::FileMesh;
use super::motion::{PlacementMotion, Rotation};

/// A kinematic solid: it follows its motion, and contact with bodies does not change that.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Collider {
    /// Name in messages; no two colliders share one. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The solid, in its own frame.
    pub shape: ColliderShape,
    /// Position of the origin of its frame, m. Default: [0, 0, 0].
    #[serde(default)]
    pub position: [f64; 3],
    /// Rotation about its position. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotate: Option<Rotation>,
    /// Friction against bodies. Default: that of the scene's contact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<Friction>,
    /// Restitution against bodies, 0 to 1. Default: that of the scene's contact.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1))]
    pub restitution: Option<f64>,
    /// How it moves. Default: it rests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<PlacementMotion>,
}

/// A solid: exactly one of these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ColliderShape {
    /// Everything behind a plane through the origin.
    Plane(PlaneShape),
    /// A ball about the origin.
    Sphere(SphereShape),
    /// A box about the origin, aligned with the axes.
    Box(BoxShape),
    /// A capsule: a thick segment along y about the origin.
    Capsule(CapsuleShape),
    /// A torus about the y axis.
    Torus(TorusShape),
    /// Stairs that go up along +x from the origin, solid down to y = 0.
    Stairs(StairsShape),
    /// A bowl: the lower half of a hollow ball about the origin, open at the top.
    Bowl(BowlShape),
    /// A closed surface from a mesh file.
    Mesh(FileMesh),
}

/// Everything behind a plane through the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PlaneShape {
    /// Normal out of the solid; any length but 0. Default: up, [0, 1, 0].
    pub normal: [f64; 3],
}

impl Default for PlaneShape {
    fn default() -> Self {
        Self { normal: [0.0, 1.0, 0.0] }
    }
}

/// A ball about the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SphereShape {
    /// Radius, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
}

/// A box about the origin, aligned with the axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxShape {
    /// Extent along x, y, z, m, positive.
    pub size: [f64; 3],
}

/// A capsule: a thick segment along y about the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CapsuleShape {
    /// Radius, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
    /// Length of the segment, without the round ends, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub length: f64,
}

/// A torus about the y axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TorusShape {
    /// Radius from the axis to the centre of the tube, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub major: f64,
    /// Radius of the tube, m, positive and less than `major`.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub minor: f64,
}

/// A bowl: the lower half of a hollow ball about the origin, open at the top. Its surface is made of triangles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BowlShape {
    /// Radius inside, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
    /// Thickness of the wall, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub wall: f64,
    /// Number of segments around it, 3 or greater. Default: 32.
    #[serde(default = "thirty_two")]
    #[schemars(range(min = 3))]
    pub segments: u32,
}

fn thirty_two() -> u32 {
    32
}

/// Stairs that go up along +x from the origin, solid down to y = 0, centred along z.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StairsShape {
    /// Number of steps, 1 to 1000.
    #[schemars(range(min = 1, max = 1000))]
    pub steps: usize,
    /// Height of a step, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub rise: f64,
    /// Depth of a step along x, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub run: f64,
    /// Extent along z, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub width: f64,
}
