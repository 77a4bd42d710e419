//! `[expect]`: bounds on values of the report. Their keys are checked before a run, their values after it.

use super::Report;
use crate::format::{Bound, Expectations, Locations, Scalar, SceneError};
use serde_json::Value;

/// Whether one expectation holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Key of the report.
    pub key: String,
    /// Whether the value is within its bound.
    pub holds: bool,
    /// One sentence with the value and the bound.
    pub sentence: String,
}

/// Checks a report, in the order of the keys.
pub fn check(report: &Report, expect: &Expectations) -> Vec<Verdict> {
    let report = serde_json::to_value(report).unwrap_or_default();
    let judge = |(key, bound): (&String, &Bound)| {
        let value = find(&report, key).cloned().unwrap_or_default();
        let holds = within(&value, bound);
        let sentence = format!("{key} is {}, expected {}", shown(&value), wanted(bound));
        Verdict { key: key.clone(), holds, sentence }
    };
    expect.0.iter().map(judge).collect()
}

/// Refuses expectations about values that no report has.
pub(crate) fn check_keys(expect: &Expectations, locations: &Locations) -> Result<(), SceneError> {
    let sample = serde_json::to_value(Report::default()).unwrap_or_default();
    for key in expect.0.keys() {
        if find(&sample, key).is_none_or(Value::is_object) {
            let known = keys(&sample);
            let mut message = "the report has no such value".to_owned();
            if let Some(close) = known
                .iter()
                .map(|name| (strsim::damerau_levenshtein(name, key), name))
                .min()
                .filter(|(distance, _)| *distance <= 3)
            {
                message.push_str(&format!("; did you mean `{}`?", close.1));
            }
            return Err(locations.error(&format!("expect.{key}"), message));
        }
    }
    Ok(())
}

/// The value under a dotted key. `correction` also gives the kind of correction.
fn find<'a>(report: &'a Value, key: &str) -> Option<&'a Value> {
    let found = key.split('.').try_fold(report, |value, part| value.get(part))?;
    Some(found.get("kind").unwrap_or(found))
}

/// All dotted keys with a value of their own.
fn keys(report: &Value) -> Vec<String> {
    let Value::Object(entries) = report else { return Vec::new() };
    let below = |(key, value): (&String, &Value)| match value {
        Value::Object(_) => keys(value).iter().map(|inner| format!("{key}.{inner}")).collect(),
        _ => vec![key.clone()],
    };
    entries.iter().flat_map(below).collect()
}

fn within(value: &Value, bound: &Bound) -> bool {
    let equal = match &bound.equals {
        None => true,
        Some(Scalar::Boolean(b)) => value.as_bool() == Some(*b),
        Some(Scalar::Number(x)) => value.as_f64() == Some(*x),
        Some(Scalar::Text(text)) => value.as_str() == Some(text),
    };
    let above = bound.min.is_none_or(|min| value.as_f64().is_some_and(|x| x >= min));
    let below = bound.max.is_none_or(|max| value.as_f64().is_some_and(|x| x <= max));
    equal && above && below
}

fn wanted(bound: &Bound) -> String {
    let mut parts = Vec::new();
    parts.extend(bound.min.map(|min| format!("at least {min}")));
    parts.extend(bound.max.map(|max| format!("at most {max}")));
    parts.extend(bound.equals.as_ref().map(|scalar| match scalar {
        Scalar::Boolean(b) => b.to_string(),
        Scalar::Number(x) => x.to_string(),
        Scalar::Text(text) => text.clone(),
    }));
    parts.join(" and ")
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "not there (nothing to measure it by)".into(),
        Value::Number(n) => n.as_f64().map_or_else(|| n.to_string(), |x| format!("{x:.6e}")),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(key: &str, bound: Bound) -> bool {
        let mut report = Report { state_hash: "00ff".into(), frames: 7, ..Report::default() };
        report.energy.drift = 0.25;
        report.correction.kind = "none";
        check(&report, &Expectations([(key.to_string(), bound)].into()))[0].holds
    }

    #[test]
    fn bounds_are_inclusive() {
        let range = |min, max| Bound { min: Some(min), max: Some(max), equals: None };
        assert!(verdict("energy.drift", range(0.25, 0.25)));
        assert!(!verdict("energy.drift", range(0.26, 0.5)) && !verdict("energy.drift", range(0.0, 0.24)));
    }

    #[test]
    fn equals_compares_numbers_truths_and_words() {
        let equals = |scalar| Bound { equals: Some(scalar), ..Bound::default() };
        assert!(verdict("frames", equals(Scalar::Number(7.0))));
        assert!(verdict("exploded", equals(Scalar::Boolean(false))));
        assert!(verdict("correction", equals(Scalar::Text("none".into()))));
        assert!(!verdict("state_hash", equals(Scalar::Text("00fe".into()))));
    }

    #[test]
    fn a_value_that_is_not_there_meets_no_bound() {
        let max = Bound { max: Some(1.0), ..Bound::default() };
        assert!(!verdict("momentum.linear_drift", max));
    }
}
