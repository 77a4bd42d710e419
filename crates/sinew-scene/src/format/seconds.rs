//! A duration as a number of seconds or as a fraction such as `"1/30"`, like frame rates.

use std::fmt;

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::Deserializer;
use serde::de::{Error, Unexpected, Visitor};

/// For `deserialize_with`: seconds.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    deserializer.deserialize_any(Seconds)
}

/// For `schema_with`.
pub(super) fn schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            { "type": "number", "exclusiveMinimum": 0, "maximum": 1 },
            { "type": "string", "pattern": "^\\s*[0-9.eE+-]+\\s*/\\s*[0-9.eE+-]+\\s*$" }
        ]
    })
}

struct Seconds;

impl Visitor<'_> for Seconds {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("seconds as a number or as a fraction such as \"1/30\"")
    }

    fn visit_f64<E: Error>(self, seconds: f64) -> Result<f64, E> {
        Ok(seconds)
    }

    fn visit_i64<E: Error>(self, seconds: i64) -> Result<f64, E> {
        Ok(seconds as f64)
    }

    fn visit_u64<E: Error>(self, seconds: u64) -> Result<f64, E> {
        Ok(seconds as f64)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<f64, E> {
        fraction(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

fn fraction(text: &str) -> Option<f64> {
    let (over, under) = text.split_once('/')?;
    let (over, under): (f64, f64) = (over.trim().parse().ok()?, under.trim().parse().ok()?);
    let seconds = over / under;
    (over.is_finite() && under.is_finite() && seconds.is_finite()).then_some(seconds)
}
