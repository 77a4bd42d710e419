//! Dotted key paths such as `body.0.material.young`: in errors and in `--set`.
//!
//! A step is a key of a table or, inside an array, the 0-based index of an element; which of the two it
//! is follows from the value it is applied to. Keys may be quoted as in TOML. Only the keys of `[expect]`
//! hold dots, and there a dot means the same quoted or not: `expect."energy.drift".max` is read as
//! `expect.energy.drift.max`, and [`entry_of`](super::tree::entry_of) finds either spelling in the file.

use std::fmt;

/// Longest path that is accepted. The format itself is never deeper than ten.
const MAX_STEPS: usize = 32;

/// A path from the root of the scene file to one of its values. Empty: the root itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KeyPath(pub(super) Vec<String>);

impl KeyPath {
    /// Parses the dotted form; the error is a sentence for the user.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut steps = Vec::new();
        let mut rest = text.trim();
        loop {
            let (step, after) = next_step(rest)?;
            steps.extend(step.split('.').map(str::to_string));
            if steps.len() > MAX_STEPS {
                return Err(format!("the key has more than {MAX_STEPS} parts"));
            }
            match after.trim_start().strip_prefix('.') {
                Some(more) => rest = more.trim_start(),
                None if after.trim().is_empty() => return Ok(Self(steps)),
                None => return Err(format!("expected `.` before `{}` in the key", after.trim())),
            }
        }
    }

    /// This path with one more step.
    pub(super) fn join(&self, step: impl Into<String>) -> Self {
        let mut steps = self.0.clone();
        steps.push(step.into());
        Self(steps)
    }

    /// Names the table at this path the way it is written in a file: `in [body.material]`, without indices.
    pub(super) fn in_table(&self) -> String {
        let names = self.0.iter().filter(|step| !is_index(step));
        let joined = names.map(|step| quoted(step)).collect::<Vec<_>>().join(".");
        if joined.is_empty() { "at the top level".into() } else { format!("in [{joined}]") }
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(".")?;
            }
            f.write_str(&quoted(step))?;
        }
        Ok(())
    }
}

/// Splits the first step, quoted or bare, from the rest.
fn next_step(text: &str) -> Result<(&str, &str), String> {
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let body = &text[1..];
        let end = body.find(quote).ok_or_else(|| format!("the quote {quote} in the key is not closed"))?;
        return Ok((&body[..end], &body[end + 1..]));
    }
    let end = text.find(|c: char| c == '.' || c.is_whitespace()).unwrap_or(text.len());
    if end == 0 {
        return Err("the key has an empty part".into());
    }
    Ok((&text[..end], &text[end..]))
}

fn is_index(step: &str) -> bool {
    !step.is_empty() && step.bytes().all(|b| b.is_ascii_digit())
}

fn quoted(step: &str) -> String {
    let bare = !step.is_empty() && step.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    if bare { step.to_string() } else { format!("{step:?}") }
}
