//! Errors that serde finds in the shape of a scene, kept structured until their position is known.
//!
//! Derived `Deserialize` implementations report unknown keys, wrong types and so on through the functions of [`serde::de::Error`]; a
//! [`Fault`] keeps these reports and collects, on its way out of the nested tables, the path at which it happened.

use std::fmt;

use serde::de::{self, Expected, Unexpected};

use super::error::SceneError;
use super::locations::Locations;
use super::path::KeyPath;
use super::scene::Scene;
use super::tree::Value;
use crate::suggest;

/// Longest part of a user's string that a message repeats, in characters.
const QUOTED: usize = 40;

/// A mistake in the shape of the scene.
#[derive(Debug)]
pub(super) struct Fault {
    what: What,
    /// Innermost step first.
    steps: Vec<String>,
}

#[derive(Debug)]
enum What {
    /// A word that is not among the allowed ones: a key of the table at the path, or the value there.
    Unknown { word: String, allowed: &'static [&'static str] },
    /// The table at the path lacks this key.
    Missing(&'static str),
    /// Anything else about the value at the path.
    Message(String),
}

impl Fault {
    /// The same fault, seen from one level further out.
    pub(super) fn inside(mut self, step: impl Into<String>) -> Self {
        self.steps.push(step.into());
        self
    }

    /// The message for the user, with its position. `is_top` says which keys belong at the top level.
    pub(super) fn locate(self, locations: &Locations, is_top: fn(&str) -> bool) -> SceneError {
        let path = KeyPath(self.steps.into_iter().rev().collect());
        match self.what {
            What::Message(message) => locations.error_at(&path, message),
            What::Missing(key) => {
                let message = format!("missing key `{key}` {}", path.in_table());
                locations.error_at_key(&path.join(key), message)
            }
            What::Unknown { word, allowed } => {
                let found = locations.root.find(&path.0);
                if let (Value::Table(_), true) = (&found.node.value, found.complete) {
                    let hint = if suggest::closest(&word, allowed).is_none() && is_top(&word) {
                        format!("; `{word}` belongs at the top level, above the first [table]")
                    } else {
                        suggest::hint(&word, allowed)
                    };
                    let message = format!("unknown key `{}` {}{hint}", clip(&word), path.in_table());
                    return locations.error_at_key(&path.join(word), message);
                }
                let mut message = format!("unknown value `{}`", clip(&word));
                if let Some(candidate) = suggest::closest(&word, allowed) {
                    message.push_str(&format!("; did you mean `{candidate}`?"));
                }
                message.push_str(&format!(" (one of {})", suggest::list(allowed)));
                locations.error_at(&path, message)
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::Unknown { word, .. } => write!(f, "unknown `{word}`"),
            What::Missing(key) => write!(f, "missing key `{key}`"),
            What::Message(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Fault {}

impl From<What> for Fault {
    fn from(what: What) -> Self {
        Self { what, steps: Vec::new() }
    }
}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        What::Message(message.to_string()).into()
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        What::Message(format!("expected {}, found {}", wanted(expected), given(&found))).into()
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        What::Message(format!("expected {}, found {length} values", wanted(expected))).into()
    }

    fn unknown_field(field: &str, allowed: &'static [&'static str]) -> Self {
        What::Unknown { word: field.to_string(), allowed }.into()
    }

    fn unknown_variant(variant: &str, allowed: &'static [&'static str]) -> Self {
        What::Unknown { word: variant.to_string(), allowed }.into()
    }

    fn missing_field(field: &'static str) -> Self {
        What::Missing(field).into()
    }
}

/// Whether the root of a scene has this key. Settings written below a table's header by mistake are common.
pub(super) fn is_scene_key(key: &str) -> bool {
    serde_json::to_value(Scene::default()).is_ok_and(|root| root.get(key).is_some())
}

/// Rust's names of types in the user's words.
fn wanted(expected: &dyn Expected) -> String {
    let text = expected.to_string();
    match text.as_str() {
        "f64" => "a number".into(),
        "u8" | "u16" | "u32" | "u64" | "usize" => "an integer, 0 or greater".into(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "an integer".into(),
        "a boolean" => "true or false".into(),
        "a sequence" => "an array".into(),
        "a map" => "a table".into(),
        _ if text.starts_with("struct ") => "a table".into(),
        _ => text,
    }
}

/// What the user wrote, in TOML's words.
fn given(found: &Unexpected<'_>) -> String {
    match found {
        Unexpected::Str(s) => format!("the string {:?}", clip(s)),
        Unexpected::Signed(i) => i.to_string(),
        Unexpected::Unsigned(i) => i.to_string(),
        Unexpected::Float(x) => format!("the decimal number {x:?}"),
        Unexpected::Bool(b) => b.to_string(),
        Unexpected::Seq => "an array".into(),
        Unexpected::Map => "a table".into(),
        other => other.to_string(),
    }
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
