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
    /// The relative motion that it allows.
    pub kind: JointKind,
    /// The two that it connects: the name of a bone, with its body if several have a bone of that name ("arm/hand"); the name of a rigid
    /// body; or "world". Angles are those of the second relative to the first, zero in the initial state.
    pub between: [String; 2],
    /// The point that both share, m, in the initial state.
    pub position: [f64; 3],
    /// Axis of a hinge, or the one from which the limits of a ball joint are measured, in the initial state; any length but 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axis: Option<[f64; 3]>,
    /// Greatest swing of the axis of a ball joint, degrees, above 0 and up to 180. Default: unlimited.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 180), extend("exclusiveMinimum" = 0))]
    pub cone: Option<f64>,
    /// Greatest twist of a ball joint about its axis in either direction, degrees, above 0 and up to 180. Default: unlimited.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 180), extend("exclusiveMinimum" = 0))]
    pub twist: Option<f64>,
    /// Least and greatest angle of a hinge, degrees, within −180 to 180, with 0 between them; right-handed about the axis. Default:
    /// unlimited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
}
