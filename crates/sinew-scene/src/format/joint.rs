//! Joints between bones.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choices::JointKind;

/// A joint between two bones, or between a bone and the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// Name in messages; no two joints share one. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it lets the bones do.
    pub kind: JointKind,
    /// The two that it connects: the name of a bone, with its body where several have one of that name ("arm/hand"); of a rigid body; or
    /// "world". Angles are those of the second against the first, zero at the start.
    pub between: [String; 2],
    /// The point that both share, m, where it is at the start.
    pub position: [f64; 3],
    /// Axis of a hinge, or the one from which the limits of a ball joint are measured, at the start; any length but 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axis: Option<[f64; 3]>,
    /// Greatest angle by which the axis of a ball joint swings out, degrees, above 0 and up to 180. Default: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 180), extend("exclusiveMinimum" = 0))]
    pub cone: Option<f64>,
    /// Greatest twist of a ball joint about its axis either way, degrees, above 0 and up to 180. Default: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 180), extend("exclusiveMinimum" = 0))]
    pub twist: Option<f64>,
    /// Least and greatest angle of a hinge, degrees, within −180 to 180, with 0 between them; right-handed about the axis. Default: all the
    /// way round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
}
