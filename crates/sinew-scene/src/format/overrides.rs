//! `--set KEY=VALUE`: changing one value of a scene without editing its file.

use super::error::SceneError;
use super::path::KeyPath;
use super::tree::{self, Entry, Node, Origin, Value};

/// One parsed override of the command line.
///
/// KEY is dotted (`solver.iterations`), with 0-based indices into arrays (`body.0.material.young`) and quotes where a key contains dots.
/// VALUE is read as a TOML value; text that is not one, such as `none` or `1/30`, is taken as a string, so that `correction.kind=none` needs
/// no quotes.
///
/// ```
/// use sinew_scene::format::{Override, parse};
/// let scene = "[[body]]\nmesh.ball = { radius = 1, cells = 6 }\n";
/// let set = [Override::parse("body.0.mesh.ball.cells=8").unwrap(), Override::parse("h=1/60").unwrap()];
/// assert_eq!(parse(scene, "ball.toml", &set).unwrap().scene.h, 1.0 / 60.0);
/// ```
#[derive(Clone, Debug)]
pub struct Override {
    text: String,
    path: KeyPath,
    value: Node,
}

impl Override {
    /// Parses `KEY=VALUE`.
    pub fn parse(text: &str) -> Result<Self, SceneError> {
        let fail = |message: String| SceneError::in_override(text, String::new(), message);
        let equals = unquoted_equals(text)
            .ok_or_else(|| fail("expected KEY=VALUE, for example solver.iterations=20".into()))?;
        let path = KeyPath::parse(&text[..equals]).map_err(fail)?;
        let written = text[equals + 1..].trim();
        let value = match tree::parse_value(written) {
            Ok(node) => node,
            // A value that opens a bracket or a quote is meant as TOML: report what is wrong with it.
            Err(bad) if written.starts_with(['[', '{', '"', '\'']) => return Err(fail(bad.message)),
            Err(_) => Node { value: Value::String(written.to_string()), origin: Origin::Override(0) },
        };
        Ok(Self { text: text.to_string(), path, value })
    }

    /// The override as it was given, `KEY=VALUE`.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn path(&self) -> &KeyPath {
        &self.path
    }

    /// Puts the value into the tree. Creates missing tables; `index` is the number of this override, which the new values carry as their
    /// origin.
    pub(super) fn apply(&self, root: &mut Node, index: usize) -> Result<(), SceneError> {
        let mut value = self.value.clone();
        value.stamp(index);
        let mut node = root;
        let mut rest = self.path.0.as_slice();
        while let Some(step) = rest.first() {
            let done = self.path.0.len() - rest.len();
            match &mut node.value {
                Value::Table(entries) => {
                    let (at, taken) = tree::entry_of(entries, rest).unwrap_or_else(|| {
                        entries.push(Entry {
                            key: step.clone(),
                            key_origin: Origin::Override(index),
                            node: Node { value: Value::Table(Vec::new()), origin: Origin::Override(index) },
                        });
                        (entries.len() - 1, 1)
                    });
                    node = &mut entries[at].node;
                    rest = &rest[taken..];
                }
                Value::Array(items) => {
                    let length = items.len();
                    let item = step.parse::<usize>().ok().and_then(|at| items.get_mut(at));
                    node = item.ok_or_else(|| self.no_element(done, step, length))?;
                    rest = &rest[1..];
                }
                _ => return Err(self.fail(format!("`{}` is a single value, not a table", self.prefix(done)))),
            }
        }
        *node = value;
        Ok(())
    }

    fn no_element(&self, done: usize, step: &str, length: usize) -> SceneError {
        let array = self.prefix(done);
        self.fail(match (step.parse::<usize>(), length) {
            (Err(_), _) => {
                format!("`{array}` is an array: `{step}` must be an index, for example `{array}.0`")
            }
            (Ok(_), 0) => format!("`{array}` is empty"),
            (Ok(_), 1) => format!("`{array}` has only element 0"),
            (Ok(_), _) => format!("`{array}` has only elements 0 to {}", length - 1),
        })
    }

    fn prefix(&self, steps: usize) -> KeyPath {
        KeyPath(self.path.0[..steps].to_vec())
    }

    fn fail(&self, message: String) -> SceneError {
        SceneError::in_override(&self.text, self.path.to_string(), message)
    }
}

/// Position of the first `=` that is not inside quotes.
fn unquoted_equals(text: &str) -> Option<usize> {
    let mut quote = None;
    text.char_indices().find_map(|(at, c)| {
        match (quote, c) {
            (None, '=') => return Some(at),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
        None
    })
}
