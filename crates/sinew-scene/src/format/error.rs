//! The error type of this module: what is wrong, at which key, and where that key was written.

use std::fmt::Write as _;

use thiserror::Error;

/// Longest part of a source line that an error quotes, in characters.
const EXCERPT_WIDTH: usize = 100;

/// Where the offending key or value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the scene file.
    File {
        /// Name of the file, as passed to [`parse`](super::parse).
        name: String,
        /// Line, counted from 1.
        line: usize,
        /// Column in characters, counted from 1.
        column: usize,
    },
    /// In an override on the command line; holds the whole `KEY=VALUE`.
    Override(String),
}

/// Why a scene cannot be used.
///
/// Its `Display` is a complete message for the user, ready to print: place, message, and for a file the
/// source line with the offending part underlined.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.render())]
pub struct SceneError {
    /// Where it was written.
    pub place: Place,
    /// Dotted path of the key, for example `body.0.material.density`; empty if the text is not TOML.
    pub key: String,
    /// What is wrong, without the place.
    pub message: String,
    /// The source line and its underline, or empty.
    pub(super) excerpt: String,
}

impl SceneError {
    /// Line in the scene file, counted from 1; `None` if an override is at fault.
    pub fn line(&self) -> Option<usize> {
        match self.place {
            Place::File { line, .. } => Some(line),
            Place::Override(_) => None,
        }
    }

    /// Column in the scene file in characters, counted from 1; `None` if an override is at fault.
    pub fn column(&self) -> Option<usize> {
        match self.place {
            Place::File { column, .. } => Some(column),
            Place::Override(_) => None,
        }
    }

    /// Name of the scene file; `None` if an override is at fault.
    pub fn file(&self) -> Option<&str> {
        match &self.place {
            Place::File { name, .. } => Some(name),
            Place::Override(_) => None,
        }
    }

    /// An error in the override `argument` (`KEY=VALUE`).
    pub(super) fn in_override(argument: &str, key: String, message: String) -> Self {
        Self { place: Place::Override(argument.to_string()), key, message, excerpt: String::new() }
    }

    /// An error in `text` at the bytes `start..end`.
    pub(super) fn in_text(
        name: &str,
        text: &str,
        start: usize,
        end: usize,
        key: String,
        message: String,
    ) -> Self {
        let start = floor_char_boundary(text, start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
        let end = floor_char_boundary(text, end).clamp(start, line_end);
        let line = 1 + text[..line_start].matches('\n').count();
        let before = text[line_start..start].trim_start_matches('\u{feff}').chars().count();
        let width = text[start..end].trim_end().chars().count().max(1);
        let content = text[line_start..line_end].trim_start_matches('\u{feff}').trim_end();
        let place = Place::File { name: name.to_string(), line, column: before + 1 };
        Self { place, key, message, excerpt: excerpt(line, content, before, width) }
    }

    fn render(&self) -> String {
        let mut out = match &self.place {
            Place::File { name, line, column } => format!("{name}:{line}:{column}: "),
            Place::Override(argument) => format!("--set {argument}: "),
        };
        out.push_str(&self.message);
        if !self.excerpt.is_empty() {
            let _ = write!(out, "\n{}", self.excerpt);
        }
        out
    }
}

/// The source line above its underline; a long line is cut to the part around the underline.
fn excerpt(line: usize, content: &str, before: usize, width: usize) -> String {
    if content.trim().is_empty() {
        return String::new();
    }
    let length = content.chars().count();
    let first = if length <= EXCERPT_WIDTH { 0 } else { before.saturating_sub(EXCERPT_WIDTH / 2) };
    let shown: String = content.chars().skip(first).take(EXCERPT_WIDTH).map(printable).collect();
    let (head, tail) =
        (if first > 0 { "…" } else { "" }, if first + EXCERPT_WIDTH < length { "…" } else { "" });
    // Tabs stay tabs so that the underline is below the right characters however wide they are drawn.
    let indent: String =
        shown.chars().take(before - first).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let pad = " ".repeat(before.saturating_sub(first + indent.chars().count()) + head.chars().count());
    let carets = "^".repeat(width.min(EXCERPT_WIDTH - (before - first).min(EXCERPT_WIDTH - 1)));
    let number = line.to_string();
    let gutter = " ".repeat(number.len());
    format!("{gutter} |\n{number} | {head}{shown}{tail}\n{gutter} | {pad}{indent}{carets}")
}

/// Replaces control characters: a file may contain anything, and must not control the terminal.
fn printable(c: char) -> char {
    if c.is_control() && c != '\t' { '\u{fffd}' } else { c }
}

fn floor_char_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
