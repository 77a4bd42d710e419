//! External forces: wind and a uniform acceleration.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::motion::Sinusoid;

/// Moving air that pushes surfaces and slows them down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wind {
    /// Velocity of the air, m/s; [0, 0, 0] is still air, which only slows down.
    pub velocity: [f64; 3],
    /// Density of the air times the drag coefficient of surfaces, kg/m³, positive. Default: 1.2.
    #[serde(default = "default_density")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub density: f64,
    /// How the wind changes over time. Default: it is steady.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gusts: Option<Gusts>,
}

fn default_density() -> f64 {
    1.2
}

/// Smooth changes of the wind's speed; the same seed gives the same gusts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gusts {
    /// The speed stays within 1 ± this times the given one, 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    pub strength: f64,
    /// Approximate frequency of gusts, Hz, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub frequency: f64,
    /// Seed of the random numbers. Default: 0.
    #[serde(default)]
    pub seed: u64,
}

/// A uniform acceleration of everything, in addition to gravity: a frame that is shaken, a vehicle that brakes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct UniformAcceleration {
    /// Constant acceleration, m/s². Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constant: Option<[f64; 3]>,
    /// Oscillating acceleration, added to the constant one; its amplitude is in m/s². Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sinusoid: Option<Sinusoid>,
    /// Start time of both, s, 0 or greater. Default: 0.
    #[schemars(range(min = 0))]
    pub start: f64,
    /// End time of both, s, later than the start. Default: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<f64>,
}
