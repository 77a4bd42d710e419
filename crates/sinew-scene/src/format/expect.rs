//! Expected results of a run: bounds on values of its report.
//!
//! The keys of the report are dotted. A file may quote them (`"energy.drift" = { max = 1e-3 }`) or nest
//! tables (`[expect.energy]`, then `drift = { max = 1e-3 }`); both become the same flat map. A key such as
//! `energy.min` is told from the bound `min` by its value: a table goes deeper, a scalar is a bound.

use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// Bounds by key of the report, for example `energy.drift`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Expectations(pub BTreeMap<String, Bound>);

/// Bounds on one value of the report. At least one of the three is given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Bound {
    /// The value is at least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The value is at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// The value is exactly this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equals: Option<Scalar>,
}

/// A value of the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a number, true or false, or a string")]
pub enum Scalar {
    /// `true` or `false`.
    Boolean(bool),
    /// A number.
    Number(f64),
    /// A string.
    Text(String),
}

const BOUNDS: &[&str] = &["min", "max", "equals"];

impl<'de> Deserialize<'de> for Expectations {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let group: BTreeMap<String, Item> = deserializer.deserialize_map(GroupVisitor)?;
        let mut flat = BTreeMap::new();
        flatten("", group, &mut flat).map_err(D::Error::custom)?;
        Ok(Self(flat))
    }
}

/// The contents of one key: further keys, or the bound on it.
enum Item {
    Group(BTreeMap<String, Item>),
    Bound(Bound),
}

fn flatten(
    prefix: &str,
    group: BTreeMap<String, Item>,
    flat: &mut BTreeMap<String, Bound>,
) -> Result<(), String> {
    for (key, item) in group {
        let key = if prefix.is_empty() { key } else { format!("{prefix}.{key}") };
        match item {
            Item::Group(group) => flatten(&key, group, flat)?,
            Item::Bound(bound) => {
                if flat.insert(key.clone(), bound).is_some() {
                    return Err(format!("`{key}` is given twice, quoted and as a table"));
                }
            }
        }
    }
    Ok(())
}

/// A table of report keys.
struct GroupVisitor;

impl<'de> Visitor<'de> for GroupVisitor {
    type Value = BTreeMap<String, Item>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of report keys, each with { min, max, equals }")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut group = BTreeMap::new();
        while let Some((key, item)) = map.next_entry::<String, Item>()? {
            group.insert(key, item);
        }
        Ok(group)
    }
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ItemVisitor)
    }
}

/// A table whose values are all tables (a group) or all scalars (a bound).
struct ItemVisitor;

impl<'de> Visitor<'de> for ItemVisitor {
    type Value = Item;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table { min, max, equals } or a table of report keys")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Item, A::Error> {
        let (mut bound, mut bounded) = (Bound::default(), false);
        let mut group = BTreeMap::new();
        while let Some(key) = map.next_key::<String>()? {
            match map.next_value::<Inner>()? {
                Inner::Item(item) => {
                    group.insert(key, item);
                }
                Inner::Scalar(value) => {
                    bounded = true;
                    match (key.as_str(), value) {
                        ("equals", value) => bound.equals = Some(value),
                        ("min", Scalar::Number(x)) => bound.min = Some(x),
                        ("max", Scalar::Number(x)) => bound.max = Some(x),
                        ("min" | "max", _) => {
                            return Err(A::Error::custom(format!("`{key}` must be a number")));
                        }
                        _ => return Err(A::Error::unknown_field(&key, BOUNDS)),
                    }
                }
            }
        }
        match (bounded, group.is_empty()) {
            (true, true) => Ok(Item::Bound(bound)),
            (false, false) => Ok(Item::Group(group)),
            (true, false) => Err(A::Error::custom("mixes bounds with further keys; quote the keys instead")),
            (false, true) => Err(A::Error::custom("expects nothing; give min, max or equals")),
        }
    }
}

/// A value inside such a table.
enum Inner {
    Scalar(Scalar),
    Item(Item),
}

impl<'de> Deserialize<'de> for Inner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(InnerVisitor)
    }
}

struct InnerVisitor;

impl<'de> Visitor<'de> for InnerVisitor {
    type Value = Inner;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, true or false, a string, or a table")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Inner, E> {
        Ok(Inner::Scalar(Scalar::Boolean(value)))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Inner, E> {
        Ok(Inner::Scalar(Scalar::Number(value as f64)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Inner, E> {
        Ok(Inner::Scalar(Scalar::Number(value as f64)))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Inner, E> {
        Ok(Inner::Scalar(Scalar::Number(value)))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Inner, E> {
        Ok(Inner::Scalar(Scalar::Text(value.to_string())))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Inner, A::Error> {
        ItemVisitor.visit_map(map).map(Inner::Item)
    }
}

impl JsonSchema for Expectations {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Expectations".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let bound = generator.subschema_for::<Bound>();
        let nested = generator.subschema_for::<Expectations>();
        json_schema!({
            "description": "Bounds by key of the report; keys are quoted (\"energy.drift\") or nested.",
            "type": "object",
            "additionalProperties": { "anyOf": [bound, nested] }
        })
    }
}
