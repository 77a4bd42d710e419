//! Rigid parts of a soft body, and rigid bodies.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::motion::PlacementMotion;
use super::selection::Selection;

/// A bone: vertices that move as one. Without a selection it is the bone of this name that comes with the mesh or its joint file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bone {
    /// Its name, by which joints refer to it; no two bones of a body share one.
    pub name: String,
    /// Its vertices are those of the tetrahedra with this label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<i32>,
    /// Its vertices are those of the tetrahedra with one of these labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regions: Option<Vec<i32>>,
    /// Its vertices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub select: Option<Selection>,
    /// Whether it is kinematic: it stays where it starts, or follows its motion, whatever forces act on it. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kinematic: bool,
    /// How it moves from its initial placement; only if kinematic. Default: it rests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<PlacementMotion>,
    /// The point about which its motion rotates it, m, in the initial state. Default: its centre of mass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pivot: Option<[f64; 3]>,
}

/// Whether a body is rigid, and what its inertia is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Rigid {
    /// It is deformable.
    #[default]
    No,
    /// It is rigid, with the inertia of its mesh.
    Yes,
    /// It is rigid, with this inertia; a mesh, if there is one, serves only for drawing and contact.
    Given(GivenInertia),
}

impl Rigid {
    /// Whether the body is rigid.
    pub fn is_rigid(&self) -> bool {
        *self != Self::No
    }

    /// Whether the body is deformable.
    pub fn is_soft(&self) -> bool {
        !self.is_rigid()
    }

    /// The inertia, if it is given explicitly.
    pub fn given(&self) -> Option<&GivenInertia> {
        match self {
            Self::Given(inertia) => Some(inertia),
            Self::No | Self::Yes => None,
        }
    }
}

/// Mass, centre of mass and inertia.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenInertia {
    /// Mass, kg, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub mass: f64,
    /// Centre of mass before `initial` applies, m. Default: [0, 0, 0].
    #[serde(default)]
    pub center: [f64; 3],
    /// Inertia about the centre of mass, kg·m²: about the axes x, y, z if these are principal; or xx, yy, zz, xy, xz, yz; or three rows of
    /// three.
    pub inertia: Vec<f64>,
}

impl Serialize for Rigid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::No => serializer.serialize_bool(false),
            Self::Yes => serializer.serialize_bool(true),
            Self::Given(inertia) => inertia.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Rigid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Not an untagged enum: that would lose the positions of the values in the file.
        deserializer.deserialize_any(FlagOrInertia)
    }
}

struct FlagOrInertia;

impl<'de> Visitor<'de> for FlagOrInertia {
    type Value = Rigid;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false or a table { mass, center, inertia }")
    }

    fn visit_bool<E: Error>(self, rigid: bool) -> Result<Rigid, E> {
        Ok(if rigid { Rigid::Yes } else { Rigid::No })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Rigid, A::Error> {
        Ok(Rigid::Given(Deserialize::deserialize(MapAccessDeserializer::new(map))?))
    }
}

impl JsonSchema for Rigid {
    fn schema_name() -> Cow<'static, str> {
        "Rigid".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let inertia = generator.subschema_for::<GivenInertia>();
        json_schema!({
            "description": "Whether the body is one rigid bone: true, false, or its inertia { mass, center, inertia }.",
            "anyOf": [{ "type": "boolean" }, inertia]
        })
    }
}
