//! From a key path back to the line that wrote it.

use super::error::SceneError;
use super::overrides::Override;
use super::path::KeyPath;
use super::tree::{Node, Origin, Value};

/// Stores for every key of a scene where it was written: the bytes of the file, or the override.
///
/// Stages after parsing (reading meshes, building bodies) use it to report errors:
///
/// ```
/// let text = "[[body]]\nmesh.file.path = \"cow.msh\"\n";
/// let parsed = sinew_scene::format::parse(text, "cow.toml", &[]).unwrap();
/// let error = parsed.locations.error("body.0.mesh.file.path", "there is no such file");
/// assert_eq!(error.line(), Some(2));
/// assert!(error.to_string().starts_with("cow.toml:2:18: `body.0.mesh.file.path`: there is no such file"));
/// ```
#[derive(Clone, Debug)]
pub struct Locations {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) overrides: Vec<Override>,
    pub(super) root: Node,
}

impl Locations {
    /// An error about the value at `key`, a dotted path with 0-based indices (`body.0.material.density`).
    ///
    /// It points at that value, or, if the key is not written, at the nearest table that is.
    pub fn error(&self, key: &str, message: impl Into<String>) -> SceneError {
        self.error_at(&path_of(key), message.into())
    }

    /// Whether an override wrote the value of a dotted key.
    pub fn overrides(&self, key: &str) -> bool {
        self.is_overridden(&path_of(key))
    }

    /// Name of the scene file, as passed to [`parse`](super::parse).
    pub fn source_name(&self) -> &str {
        &self.name
    }

    /// An error about the value at `path`; names the path unless the override already does.
    pub(super) fn error_at(&self, path: &KeyPath, message: String) -> SceneError {
        let origin = self.root.find(&path.0).node.origin;
        let key = path.to_string();
        let obvious = match origin {
            Origin::Override(index) => self.overrides.get(index).is_some_and(|set| set.path() == path),
            Origin::Text { .. } => false,
        };
        let message = if obvious || key.is_empty() { message } else { format!("`{key}`: {message}") };
        self.error_with(origin, key, message)
    }

    /// An error about the key itself at `path`, with a message that already names it.
    pub(super) fn error_at_key(&self, path: &KeyPath, message: String) -> SceneError {
        let found = self.root.find(&path.0);
        let origin = found.key_origin.filter(|_| found.complete).unwrap_or(found.node.origin);
        self.error_with(origin, path.to_string(), message)
    }

    /// Whether an override wrote the value at `path`.
    pub(super) fn is_overridden(&self, path: &KeyPath) -> bool {
        let found = self.root.find(&path.0);
        found.complete && matches!(found.node.origin, Origin::Override(_))
    }

    /// Refuses every number that is not finite, because it is never meaningful in a scene.
    pub(super) fn check_finite(&self) -> Result<(), SceneError> {
        match non_finite(&self.root) {
            None => Ok(()),
            Some((mut steps, value)) => {
                steps.reverse();
                Err(self.error_at(&KeyPath(steps), format!("must be a finite number, is {value}")))
            }
        }
    }

    fn error_with(&self, origin: Origin, key: String, message: String) -> SceneError {
        match origin {
            Origin::Text { start, end } => {
                SceneError::in_text(&self.name, &self.text, start, end, key, message)
            }
            Origin::Override(index) => {
                let argument = self.overrides.get(index).map_or("", Override::as_str);
                SceneError::in_override(argument, key, message)
            }
        }
    }
}

/// The first number that is not finite and the steps that lead to it, innermost first.
fn non_finite(node: &Node) -> Option<(Vec<String>, f64)> {
    fn below(node: &Node, step: impl FnOnce() -> String) -> Option<(Vec<String>, f64)> {
        let (mut steps, value) = non_finite(node)?;
        steps.push(step());
        Some((steps, value))
    }
    match &node.value {
        Value::Float(value) if !value.is_finite() => Some((Vec::new(), *value)),
        Value::Array(items) => items.iter().enumerate().find_map(|(i, item)| below(item, || i.to_string())),
        Value::Table(entries) => entries.iter().find_map(|entry| below(&entry.node, || entry.key.clone())),
        _ => None,
    }
}

fn path_of(key: &str) -> KeyPath {
    KeyPath::parse(key).unwrap_or_else(|_| KeyPath(key.split('.').map(str::to_string).collect()))
}
