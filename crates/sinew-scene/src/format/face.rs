//! Faces that muscles move, and what they do over time.

use super::text_or_table::{or_text, text_or_table};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// Flesh with muscles on a skull and a jaw: a file of `sinew face make`, or the built-in head. Its material comes with it; the scene gives its density.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = or_text)]
pub struct FaceMesh {
    /// Path of the file, relative to the folder of the scene file. Default: the built-in head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// How much fatter (above 1) or thinner (below 1) passive tissue is than at rest, in each direction; from 0.5 to 2. Muscles keep their size. Default: 1.
    #[serde(default = "one")]
    #[schemars(range(min = 0.5, max = 2))]
    pub fat: f64,
    /// How far apart the two sides of the cut of the mouth are at rest, m, 0 to 0.002. With `contact.self` and a smaller `contact.thickness` lips collide; with 0 they are one seam, which does not collide with itself. Default: 0.
    #[serde(default)]
    #[schemars(range(min = 0, max = 0.002))]
    pub lips: f64,
}

fn one() -> f64 {
    1.0
}

/// [`FaceMesh`] written as a table.
#[derive(Deserialize)]
#[serde(rename = "FaceMesh", deny_unknown_fields)]
struct FaceTable {
    path: Option<String>,
    #[serde(default = "one")]
    fat: f64,
    #[serde(default)]
    lips: f64,
}

impl From<FaceTable> for FaceMesh {
    fn from(FaceTable { path, fat, lips }: FaceTable) -> Self {
        Self { path, fat, lips }
    }
}

impl<'de> Deserialize<'de> for FaceMesh {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text_or_table::<D, Self, FaceTable>(
            deserializer,
            "the path of a face or a table { path, fat, lips }",
            |path| Self { path: Some(path), fat: 1.0, lips: 0.0 },
        )
    }
}

/// What a face shows at a time; activations and jaw are linear between two of them, constant before the first and after the last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Expression {
    /// Time since the start of the simulation, s, 0 or greater; each later than the one before.
    #[schemars(range(min = 0))]
    pub time: f64,
    /// Expressions by name, such as `smile` or `jawOpen`, with their strengths, 0 to 1. Default: none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub show: BTreeMap<String, f64>,
    /// Muscles by name with the length of their fibres over that at rest, 0.25 to 3; a name without a side means both. Default: none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub contract: BTreeMap<String, f64>,
    /// The jaw. Default: at rest.
    #[serde(skip_serializing_if = "JawPose::is_rest")]
    pub jaw: JawPose,
}

/// A pose of the jaw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JawPose {
    /// Opening about the hinge, degrees. Default: 0.
    pub open: f64,
    /// Turn to the left of the face, degrees. Default: 0.
    pub turn: f64,
    /// Displacement, m. Default: none.
    pub offset: [f64; 3],
}

impl JawPose {
    /// Whether it is where the mesh has it.
    pub fn is_rest(&self) -> bool {
        *self == Self::default()
    }
}
