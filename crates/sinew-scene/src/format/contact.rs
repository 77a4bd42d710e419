//! The contact law: `[contact]`, and friction as one number or two.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::choices::{ResponseKind, StartKind};

/// How bodies collide with colliders, each other and themselves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Contact {
    /// Distance at which surfaces rest on each other, m, positive. Default: 0.005 of the body's size.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub thickness: Option<f64>,
    /// Friction, unless a body or a collider has its own. Default: 0.
    pub friction: Friction,
    /// Coefficient of restitution, speed of separation over speed of approach, 0 to 1, unless a body or a collider has its own. Default: 1.
    #[schemars(range(min = 0, max = 1))]
    pub restitution: f64,
    /// Whether bodies collide with each other. Default: true.
    pub bodies: bool,
    /// Whether bodies collide with themselves. Default: false.
    #[serde(rename = "self")]
    pub own: bool,
    /// What is done about surfaces that start inside each other. Default: untangle.
    pub start: StartKind,
    /// Whether every step ends with an exact test for surfaces that cross; a step that fails it is an error. Default: false.
    pub verify: bool,
    /// Of older scenes, without effect: contacts have no stiffness any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub stiffness: Option<f64>,
    /// Of older scenes, without effect: contacts have no potential any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<ResponseKind>,
}

impl Default for Contact {
    fn default() -> Self {
        Self {
            thickness: None,
            friction: Friction::default(),
            restitution: 1.0,
            bodies: true,
            own: false,
            start: StartKind::default(),
            verify: false,
            stiffness: None,
            response: None,
        }
    }
}

/// Friction and restitution of one body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BodyContact {
    /// Friction of its surface. Default: that of the scene's contact, or of the collider that it touches. Two surfaces that have their own agree on the geometric mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<Friction>,
    /// Restitution of its surface, 0 to 1. Default: that of the scene's contact, or of the collider that it touches. Two surfaces that have their own agree on the geometric mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1))]
    pub restitution: Option<f64>,
}

impl BodyContact {
    /// Whether the body has nothing of its own.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Coulomb friction: one coefficient, or one for sticking and one for sliding surfaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(into = "FrictionPair")]
pub struct Friction {
    /// Coefficient of surfaces that stick.
    pub sticking: f64,
    /// Coefficient of surfaces that slide, at most that of surfaces that stick.
    pub sliding: f64,
}

/// Friction in full.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FrictionPair {
    /// Coefficient of surfaces that stick, 0 or greater.
    #[serde(rename = "static")]
    #[schemars(range(min = 0))]
    sticking: f64,
    /// Coefficient of surfaces that slide, 0 or greater and at most that of surfaces that stick.
    #[serde(rename = "kinetic")]
    #[schemars(range(min = 0))]
    sliding: f64,
}

impl From<Friction> for FrictionPair {
    fn from(Friction { sticking, sliding }: Friction) -> Self {
        Self { sticking, sliding }
    }
}

impl<'de> Deserialize<'de> for Friction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Not an untagged enum: that would lose the positions of the values in the file.
        deserializer.deserialize_any(NumberOrPair)
    }
}

struct NumberOrPair;

impl<'de> Visitor<'de> for NumberOrPair {
    type Value = Friction;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a table { static, kinetic }")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Friction, E> {
        Ok(Friction { sticking: value, sliding: value })
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Friction, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Friction, E> {
        self.visit_f64(value as f64)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Friction, A::Error> {
        let FrictionPair { sticking, sliding } = Deserialize::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Friction { sticking, sliding })
    }
}

impl JsonSchema for Friction {
    fn schema_name() -> Cow<'static, str> {
        "Friction".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let pair = generator.subschema_for::<FrictionPair>();
        json_schema!({
            "description": "Coulomb friction: one coefficient, or { static, kinetic }.",
            "anyOf": [{ "type": "number", "minimum": 0 }, pair]
        })
    }
}
