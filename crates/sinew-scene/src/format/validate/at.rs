//! A position in the scene that is being checked, and common checks.

use super::super::error::SceneError;
use super::super::locations::Locations;
use super::super::path::KeyPath;

pub(super) type Verdict = Result<(), SceneError>;

/// A table (or array) of the scene; checks name the keys inside it.
#[derive(Clone)]
pub(super) struct At<'a> {
    locations: &'a Locations,
    path: KeyPath,
}

impl<'a> At<'a> {
    pub(super) fn root(locations: &'a Locations) -> Self {
        Self { locations, path: KeyPath::default() }
    }

    /// The value under a key.
    pub(super) fn key(&self, key: &str) -> At<'a> {
        At { locations: self.locations, path: self.path.join(key) }
    }

    /// The element of an array.
    pub(super) fn index(&self, index: usize) -> At<'a> {
        self.key(&index.to_string())
    }

    /// An error about the value here.
    pub(super) fn error(&self, message: impl Into<String>) -> SceneError {
        self.locations.error_at(&self.path, message.into())
    }

    /// An error about a missing key, with a message that names it.
    pub(super) fn missing(&self, key: &str, message: String) -> SceneError {
        self.locations.error_at_key(&self.path.join(key), message)
    }

    /// Refuses the value under `key` with this message unless `holds`.
    pub(super) fn require(&self, key: &str, holds: bool, message: impl FnOnce() -> String) -> Verdict {
        if holds { Ok(()) } else { Err(self.key(key).error(message())) }
    }

    pub(super) fn positive(&self, key: &str, value: f64) -> Verdict {
        self.require(key, value > 0.0, || format!("must be positive, is {value}"))
    }

    pub(super) fn non_negative(&self, key: &str, value: f64) -> Verdict {
        self.require(key, value >= 0.0, || format!("must not be negative, is {value}"))
    }

    /// Inclusive on both ends.
    pub(super) fn within(&self, key: &str, value: f64, low: f64, high: f64) -> Verdict {
        self.require(key, (low..=high).contains(&value), || {
            format!("must be between {low} and {high}, is {value}")
        })
    }

    /// Exclusive on both ends.
    pub(super) fn inside(&self, key: &str, value: f64, low: f64, high: f64) -> Verdict {
        self.require(key, value > low && value < high, || {
            format!("must be greater than {low} and less than {high}, is {value}")
        })
    }

    /// Checks a count; inclusive on both ends.
    pub(super) fn count(&self, key: &str, value: usize, low: usize, high: usize) -> Verdict {
        self.require(key, (low..=high).contains(&value), || {
            format!("must be between {low} and {high}, is {value}")
        })
    }

    /// Checks a direction: a vector whose length is not too small to divide by.
    pub(super) fn direction(&self, key: &str, value: [f64; 3]) -> Verdict {
        let length = glam::DVec3::from(value).length();
        self.require(key, length > 0.0 && length.is_finite(), || {
            format!("must have a direction, is [{}, {}, {}]", value[0], value[1], value[2])
        })
    }

    /// Checks each extent of a shape, named by its index.
    pub(super) fn all_positive(&self, key: &str, values: &[f64]) -> Verdict {
        let at = self.key(key);
        values.iter().enumerate().try_for_each(|(i, &value)| at.positive(&i.to_string(), value))
    }

    /// Refuses `first` and `second` together; blames an override if one of them is one.
    pub(super) fn exclusive(&self, first: (&str, bool), second: (&str, bool), why: &str) -> Verdict {
        if !(first.1 && second.1) {
            return Ok(());
        }
        let blamed = if self.locations.is_overridden(&self.path.join(first.0)) { first.0 } else { second.0 };
        let other = if blamed == first.0 { second.0 } else { first.0 };
        Err(self.key(blamed).error(format!("cannot be combined with `{other}`: {why}")))
    }
}
