//! Prescribed motions: displacements and rotations over time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rotation, counter-clockwise when the axis points at the viewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rotation {
    /// Axis; any length but 0.
    pub axis: [f64; 3],
    /// Angle, degrees.
    pub degrees: f64,
}

/// Displacement over time; if both are given, they add up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Motion {
    /// Displacements at given times, linear in between, constant before the first and after the last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keyframes: Vec<Keyframe>,
    /// An oscillation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sinusoid: Option<Sinusoid>,
}

/// A displacement at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Keyframe {
    /// Time since the start of the simulation, s, 0 or greater; each later than the one before.
    #[schemars(range(min = 0))]
    pub time: f64,
    /// Displacement, m.
    pub offset: [f64; 3],
}

/// The displacement (or acceleration) amplitude · sin(360° · frequency · (t − start) + phase) while start ≤ t ≤ stop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sinusoid {
    /// Amplitude, m; for an acceleration, m/s².
    pub amplitude: [f64; 3],
    /// Frequency, Hz, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub frequency: f64,
    /// Phase, degrees. Default: 0.
    #[serde(default)]
    pub phase: f64,
    /// Start time, s. Default: 0.
    #[serde(default)]
    pub start: f64,
    /// End time, s, later than the start. Default: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<f64>,
}

/// Motion of a collider or a kinematic bone; if several are given, they add up. Rotations are about a collider's position, or a bone's pivot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PlacementMotion {
    /// Displacements and rotations at given times, interpolated linearly, constant before the first and after the last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keyframes: Vec<PlacementKeyframe>,
    /// An oscillation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sinusoid: Option<Sinusoid>,
    /// Constant angular velocity, rad/s. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spin: Option<[f64; 3]>,
}

/// A displacement and a rotation at a time. Between two rotations about the same axis the angle changes linearly, so that 0 to 720 degrees
/// are two turns; between different axes the rotation takes the shorter way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlacementKeyframe {
    /// Time since the start of the simulation, s, 0 or greater; each later than the one before.
    #[schemars(range(min = 0))]
    pub time: f64,
    /// Displacement, m. Default: none.
    #[serde(default)]
    pub offset: [f64; 3],
    /// Rotation. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotate: Option<Rotation>,
}
