//! Columns of the table of runs: number, axes, outcome, values of the report.

use crate::value::Value;
use serde::{Deserialize, Serialize};
use sinew_scene::run::Report;
use std::collections::BTreeMap;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// `true` or `false`.
    Boolean,
    /// Whole numbers.
    Integer,
    /// Double precision.
    Real,
    /// UTF-8.
    Text,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
}

/// What stands in one row of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing: the run failed before, or the value does not exist.
    Missing,
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// Double precision.
    Real(f64),
    /// Text.
    Text(String),
}

impl Cell {
    /// A number, if it is one; `true` is 1.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Boolean(value) => Some(f64::from(u8::from(*value))),
            Self::Integer(value) => Some(*value as f64),
            Self::Real(value) => Some(*value),
            Self::Missing | Self::Text(_) => None,
        }
    }

    /// A value of an axis in a column of some kind.
    pub(crate) fn of_value(value: &Value, kind: Kind) -> Self {
        match (value, kind) {
            (Value::Boolean(value), Kind::Boolean) => Self::Boolean(*value),
            (Value::Integer(value), Kind::Integer) => Self::Integer(*value),
            (_, Kind::Real) => value.number().map_or(Self::Missing, Self::Real),
            _ => Self::Text(value.to_string()),
        }
    }

    /// A value of the report in a column of some kind.
    pub(crate) fn of_json(value: &serde_json::Value, kind: Kind) -> Self {
        let cell = match kind {
            Kind::Boolean => value.as_bool().map(Self::Boolean),
            Kind::Integer => value.as_i64().map(Self::Integer),
            Kind::Real => value.as_f64().map(Self::Real),
            Kind::Text => value.as_str().map(|text| Self::Text(text.to_owned())),
        };
        cell.unwrap_or(Self::Missing)
    }
}

/// The kind of column that holds all of these values.
pub(crate) fn kind_of<'a>(values: impl Iterator<Item = &'a Value>) -> Kind {
    let mut kind = None;
    for value in values {
        let own = match value {
            Value::Boolean(_) => Kind::Boolean,
            Value::Integer(_) => Kind::Integer,
            Value::Real(_) => Kind::Real,
            Value::Text(_) | Value::List(_) => Kind::Text,
        };
        kind = Some(match (kind, own) {
            (None, own) => own,
            (Some(kind), own) if kind == own => kind,
            (Some(Kind::Integer | Kind::Real), Kind::Integer | Kind::Real) => Kind::Real,
            _ => Kind::Text,
        });
    }
    kind.unwrap_or(Kind::Text)
}

/// The values of a report that a table can hold, with their kinds. What depends on the machine or is the same for all runs is left out.
pub(crate) fn report_columns() -> BTreeMap<String, Kind> {
    let report = serde_json::to_value(Report::default()).unwrap_or_default();
    let mut columns = BTreeMap::new();
    flatten(&report, "", &mut columns);
    columns.retain(|name, _| !name.starts_with("time_ms.") && name != "scene" && name != "failure");
    columns
}

fn flatten(value: &serde_json::Value, name: &str, columns: &mut BTreeMap<String, Kind>) {
    use serde_json::Value as Json;
    let kind = match value {
        Json::Object(entries) => {
            for (key, value) in entries {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                flatten(value, &name, columns);
            }
            return;
        }
        Json::Array(_) => return,
        // What a report may lack are numbers, apart from advice.
        Json::Null if name.ends_with("advice") => Kind::Text,
        Json::Null => Kind::Real,
        Json::Bool(_) => Kind::Boolean,
        Json::String(_) => Kind::Text,
        Json::Number(number) if number.is_f64() => Kind::Real,
        Json::Number(_) => Kind::Integer,
    };
    columns.insert(name.to_owned(), kind);
}

/// The value of a report with a dotted name.
pub(crate) fn value_at<'a>(report: &'a serde_json::Value, name: &str) -> &'a serde_json::Value {
    name.split('.').fold(report, |value, key| &value[key])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_has_what_tables_need() {
        let columns = report_columns();
        assert_eq!(columns.get("energy.drift"), Some(&Kind::Real));
        assert_eq!(columns.get("momentum.linear_drift"), Some(&Kind::Real));
        assert_eq!(columns.get("state_hash"), Some(&Kind::Text));
        assert_eq!(columns.get("frames"), Some(&Kind::Integer));
        assert_eq!(columns.get("exploded"), Some(&Kind::Boolean));
        assert_eq!(columns.get("solve.advice"), Some(&Kind::Text));
        assert!(!columns.keys().any(|name| name.contains("time_ms")));
    }

    #[test]
    fn whole_and_decimal_numbers_share_a_column() {
        assert_eq!(kind_of([Value::Integer(1), Value::Real(0.5)].iter()), Kind::Real);
        assert_eq!(kind_of([Value::Integer(1), Value::Boolean(true)].iter()), Kind::Text);
        assert_eq!(kind_of([Value::Integer(1), Value::Integer(2)].iter()), Kind::Integer);
    }
}
