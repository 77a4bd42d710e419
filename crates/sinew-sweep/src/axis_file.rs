//! `[[axis]]` as it is written: a key, or several that get the same value, and one way to list the values.

use crate::value::Value;
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// One axis.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AxisFile {
    /// Keys of the scene that get the value; none with `cases`.
    #[serde(default)]
    pub key: Words,
    /// Name of its column; by default the first key.
    pub name: Option<String>,
    /// The values themselves.
    pub values: Option<Vec<Value>>,
    /// Evenly spaced values.
    pub range: Option<RangeFile>,
    /// Values with equal ratios.
    pub log_range: Option<RangeFile>,
    /// Draws between two values, a new one for each sample.
    pub random: Option<RandomFile>,
    /// Files: a list, or a pattern such as `meshes/*.msh`.
    pub files: Option<Words>,
    /// Names with overrides.
    pub cases: Option<Cases>,
}

impl AxisFile {
    /// The ways to list values that are written.
    pub fn given(&self) -> Vec<&'static str> {
        let all = [
            (self.values.is_some(), "values"),
            (self.range.is_some(), "range"),
            (self.log_range.is_some(), "log_range"),
            (self.random.is_some(), "random"),
            (self.files.is_some(), "files"),
            (self.cases.is_some(), "cases"),
        ];
        all.into_iter().filter(|(given, _)| *given).map(|(_, name)| name).collect()
    }
}

/// `{ from = 0.1, to = 0.5, count = 5 }`, both ends included.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RangeFile {
    pub from: f64,
    pub to: f64,
    pub count: usize,
}

/// `{ from = 1e4, to = 1e6, log = true }`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RandomFile {
    pub from: f64,
    pub to: f64,
    /// Whether the logarithm is uniform.
    #[serde(default)]
    pub log: bool,
    /// Whether whole numbers are drawn, both ends included.
    #[serde(default)]
    pub integer: bool,
}

/// A string, or a list of strings.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Words(pub Vec<String>);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrMore)
    }
}

struct OneOrMore;

impl<'de> Visitor<'de> for OneOrMore {
    type Value = Words;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or an array of strings")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Words, E> {
        Ok(Words(vec![text.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Words, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Words(list))
    }
}

/// Names with their overrides, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Cases(pub Vec<(String, Vec<String>)>);

impl<'de> Deserialize<'de> for Cases {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Cases;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of names, each with an array of KEY=VALUE")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Cases, A::Error> {
        let mut list = Vec::new();
        while let Some(entry) = map.next_entry()? {
            list.push(entry);
        }
        Ok(Cases(list))
    }
}
