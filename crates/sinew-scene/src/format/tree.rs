//! The scene file as a tree of values that store where they were written.
//!
//! Every node and key carries its [`Origin`]: a range of bytes of the file or the number of the override that set it. Errors of later stages
//! find their line through it.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Deepest nesting of tables and arrays. The format needs ten; the bound limits the recursion.
const MAX_DEPTH: usize = 48;

/// Where a key or value was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Bytes `start..end` of the scene file.
    Text { start: usize, end: usize },
    /// The override with this index.
    Override(usize),
}

/// A value and its origin. A table's origin is its header, its braces, or the key that implied it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) value: Value,
    pub(super) origin: Origin,
}

/// A TOML value. Dates are not used in scenes and keep only their text.
#[derive(Clone, Debug)]
pub(super) enum Value {
    String(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    Date(String),
    Array(Vec<Node>),
    /// In the order of the file, so that the first mistake of the file is the one reported.
    Table(Vec<Entry>),
}

/// A key of a table with its value.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) key_origin: Origin,
    pub(super) node: Node,
}

/// Why a text cannot be parsed.
#[derive(Debug)]
pub(super) struct Malformed {
    pub(super) message: String,
    pub(super) span: Option<Range<usize>>,
}

impl From<toml::de::Error> for Malformed {
    fn from(error: toml::de::Error) -> Self {
        let span = error.span();
        let message = match error.message().trim_end() {
            // The parser's message for anything that is not a value, or for nothing at all.
            text if text.starts_with("string values must be quoted") => {
                let missing = span.as_ref().is_some_and(Range::is_empty);
                if missing { "a value is missing" } else { "this is no value; strings must be quoted" }
            }
            text => text,
        };
        Self { message: message.to_string(), span }
    }
}

/// Parses a whole file.
pub(super) fn parse_document(text: &str) -> Result<Node, Malformed> {
    let table = DeTable::parse(text)?.into_inner();
    Ok(Node { value: convert_table(table, 0)?, origin: Origin::Text { start: 0, end: 0 } })
}

/// Parses a single value, as it stands right of `=`.
pub(super) fn parse_value(text: &str) -> Result<Node, Malformed> {
    convert(DeValue::parse(text)?, 0)
}

fn convert(spanned: Spanned<DeValue<'_>>, depth: usize) -> Result<Node, Malformed> {
    let span = spanned.span();
    let malformed = |message: String| Malformed { message, span: Some(span.clone()) };
    if depth > MAX_DEPTH {
        return Err(malformed(format!("tables and arrays are nested more than {MAX_DEPTH} deep")));
    }
    let value = match spanned.into_inner() {
        DeValue::String(s) => Value::String(s.into_owned()),
        DeValue::Integer(i) => Value::Integer(
            i64::from_str_radix(i.as_str(), i.radix())
                .map_err(|_| malformed(format!("the integer {i} does not fit into 64 bits")))?,
        ),
        DeValue::Float(f) => Value::Float(
            f.as_str().parse().map_err(|_| malformed(format!("`{}` is not a number", f.as_str())))?,
        ),
        DeValue::Boolean(b) => Value::Boolean(b),
        DeValue::Datetime(date) => Value::Date(date.to_string()),
        DeValue::Array(array) => {
            Value::Array(array.into_iter().map(|item| convert(item, depth + 1)).collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => convert_table(table, depth)?,
    };
    Ok(Node { value, origin: Origin::Text { start: span.start, end: span.end } })
}

fn convert_table(table: DeTable<'_>, depth: usize) -> Result<Value, Malformed> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        let Range { start, end } = key.span();
        entries.push(Entry {
            key: key.into_inner().into_owned(),
            key_origin: Origin::Text { start, end },
            node: convert(value, depth + 1)?,
        });
    }
    entries.sort_by_key(|entry| match entry.key_origin {
        Origin::Text { start, .. } => start,
        Origin::Override(_) => usize::MAX,
    });
    Ok(Value::Table(entries))
}

/// Finds the entry that the first steps name, and how many steps it takes: usually one, more if the file contains a quoted key with dots
/// (`"energy.drift"`), which takes precedence over the table `energy`.
pub(super) fn entry_of(entries: &[Entry], steps: &[String]) -> Option<(usize, usize)> {
    (1..=steps.len()).rev().find_map(|taken| {
        let key = steps[..taken].join(".");
        entries.iter().position(|entry| entry.key == key).map(|at| (at, taken))
    })
}

/// The result of following a path.
pub(super) struct Found<'a> {
    /// The deepest node on the path that exists.
    pub(super) node: &'a Node,
    /// Origin of its key, if it stands in a table.
    pub(super) key_origin: Option<Origin>,
    /// Whether the whole path exists.
    pub(super) complete: bool,
}

impl Node {
    /// Follows a path as far as it exists.
    pub(super) fn find(&self, steps: &[String]) -> Found<'_> {
        let mut found = Found { node: self, key_origin: None, complete: true };
        let mut rest = steps;
        while let Some(step) = rest.first() {
            let taken = match &found.node.value {
                Value::Table(entries) => entry_of(entries, rest).map(|(at, taken)| {
                    found.key_origin = Some(entries[at].key_origin);
                    found.node = &entries[at].node;
                    taken
                }),
                Value::Array(items) => step.parse().ok().and_then(|at: usize| items.get(at)).map(|item| {
                    found.key_origin = None;
                    found.node = item;
                    1
                }),
                _ => None,
            };
            match taken {
                Some(taken) => rest = &rest[taken..],
                None => {
                    found.complete = false;
                    break;
                }
            }
        }
        found
    }

    /// Marks this node and everything below as written by the override with this index.
    pub(super) fn stamp(&mut self, index: usize) {
        self.origin = Origin::Override(index);
        match &mut self.value {
            Value::Array(items) => items.iter_mut().for_each(|item| item.stamp(index)),
            Value::Table(entries) => entries.iter_mut().for_each(|entry| {
                entry.key_origin = Origin::Override(index);
                entry.node.stamp(index);
            }),
            _ => {}
        }
    }
}
