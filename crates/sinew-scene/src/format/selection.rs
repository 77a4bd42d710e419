//! Selections of vertices or elements of a body.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Selects vertices of a body (for pins and attachments) or its elements by their centroids (for overrides). Exactly one of the keys is
/// given. Positions are those of the mesh at rest, after the mesh's own `scale` and `center` and before `initial`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// These vertices (for an override: these elements), counted from 0.
    Indices(Vec<u32>),
    /// Everything in an axis-aligned box, its faces included.
    Box(BoxSelection),
    /// Everything in a ball, its surface included.
    Sphere(SphereSelection),
    /// Everything on a plane, within a tolerance to both sides.
    Plane(PlaneSelection),
    /// Everything; written `all = true`.
    All(#[schemars(extend("const" = true))] bool),
    /// The elements with this label in the mesh file, or their vertices.
    Region(i32),
    /// The vertices of the bone with this name, or the elements that are entirely on it.
    Bone(String),
}

/// An axis-aligned box.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxSelection {
    /// Corner with the smallest coordinates, m.
    pub min: [f64; 3],
    /// Corner with the largest coordinates, m.
    pub max: [f64; 3],
}

/// A ball.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SphereSelection {
    /// Centre, m.
    pub center: [f64; 3],
    /// Radius, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
}

/// A plane with a thickness: every point x with |n·(x − point)| ≤ tolerance, n the unit normal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaneSelection {
    /// A point of the plane, m.
    pub point: [f64; 3],
    /// Normal of the plane; any length but 0.
    pub normal: [f64; 3],
    /// Largest distance from the plane, m, 0 or greater. Default: 1e-6.
    #[serde(default = "default_tolerance")]
    #[schemars(range(min = 0))]
    pub tolerance: f64,
}

fn default_tolerance() -> f64 {
    1e-6
}
