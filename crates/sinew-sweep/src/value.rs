//! One value of an axis, as it is written in a sweep.

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::{Serialize, Serializer};
use std::fmt;

/// A TOML value without tables and dates.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A decimal number.
    Real(f64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Value>),
}

impl Value {
    /// As TOML, for an override of a scene.
    pub fn toml(&self) -> String {
        match self {
            Self::Boolean(value) => value.to_string(),
            Self::Integer(value) => value.to_string(),
            // The shortest form that reads back as the same number.
            Self::Real(value) => format!("{value:?}"),
            // JSON's escapes are TOML's, except for those of DEL, which JSON writes as it is.
            Self::Text(text) => {
                serde_json::Value::from(text.as_str()).to_string().replace('\u{7f}', "\\u007f")
            }
            Self::List(items) => {
                format!("[{}]", items.iter().map(Self::toml).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// A number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Real(value) => Some(*value),
            _ => None,
        }
    }
}

/// As people read it: strings without quotes.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            other => f.write_str(&other.toml()),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Boolean(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => serializer.serialize_i64(*value),
            Self::Real(value) => serializer.serialize_f64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a string, true or false, or an array of these")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Boolean(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        i64::try_from(value)
            .map(Value::Integer)
            .map_err(|_| E::custom("the number does not fit into 64 bits"))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Real(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_scene::format::Override;

    #[test]
    fn every_value_is_an_override_again() {
        let nasty = Value::Text("a\"b\\c\u{7f}\n = ü".into());
        let list = Value::List(vec![Value::Integer(1), Value::Real(1e-7), Value::Boolean(true), nasty]);
        for value in [list, Value::Real(1e300), Value::Real(-0.1), Value::Text("none".into())] {
            Override::parse(&format!("a.b={}", value.toml())).unwrap();
        }
    }
}
