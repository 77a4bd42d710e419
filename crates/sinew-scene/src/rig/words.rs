//! The words and numbers of one line of a `.joint` file.

use super::RigFault;
use glam::DVec3;

/// Longest word that a message repeats, in characters.
const QUOTED: usize = 40;

/// A line with contents.
pub(super) struct Line<'a> {
    /// Line number, counted from 1.
    pub number: usize,
    rest: &'a str,
}

/// The lines with contents besides a comment.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Result<Line<'_>, RigFault>> {
    text.lines().enumerate().filter_map(|(index, text)| {
        let line = Line { number: index + 1, rest: text.trim_start() };
        if let Some(bad) = text.chars().find(|c| c.is_control() && *c != '\t') {
            return Some(Err(line.fault(format!("the control character {bad:?} does not belong here"))));
        }
        (!line.is_over()).then_some(Ok(line))
    })
}

impl Line<'_> {
    pub fn fault(&self, message: impl Into<String>) -> RigFault {
        RigFault { line: self.number, message: message.into() }
    }

    /// Whether nothing but a comment is left.
    pub fn is_over(&self) -> bool {
        self.rest.is_empty() || self.rest.starts_with('#')
    }

    /// Refuses any further contents.
    pub fn finish(&self) -> Result<(), RigFault> {
        if self.is_over() {
            Ok(())
        } else {
            Err(self.fault(format!("`{}` is too much here", clip(self.rest))))
        }
    }

    /// The next word, without its quotes.
    pub fn word(&mut self, what: &str) -> Result<String, RigFault> {
        if self.is_over() {
            return Err(self.fault(format!("expected {what}, but the line ends here")));
        }
        if let Some(quoted) = self.rest.strip_prefix('"') {
            return self.quoted(quoted, what);
        }
        let end = self.rest.find(|c: char| c.is_whitespace() || c == '#').unwrap_or(self.rest.len());
        let word = self.rest[..end].to_owned();
        self.rest = self.rest[end..].trim_start();
        Ok(word)
    }

    fn quoted(&mut self, body: &str, what: &str) -> Result<String, RigFault> {
        let mut word = String::new();
        let mut chars = body.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    let after = &self.rest[at + 2..];
                    self.rest = after.trim_start();
                    return Ok(word);
                }
                '\\' => match chars.next() {
                    Some((_, escaped @ ('"' | '\\'))) => word.push(escaped),
                    _ => return Err(self.fault("after a backslash only `\"` and `\\` are possible")),
                },
                c => word.push(c),
            }
        }
        Err(self.fault(format!("the quotes around {what} are not closed")))
    }

    pub fn integer(&mut self, what: &str) -> Result<i64, RigFault> {
        let word = self.word(what)?;
        word.parse()
            .map_err(|_| self.fault(format!("expected {what} (a whole number), found `{}`", clip(&word))))
    }

    /// A finite number.
    pub fn number(&mut self, what: &str) -> Result<f64, RigFault> {
        let word = self.word(what)?;
        let value: f64 = word
            .parse()
            .map_err(|_| self.fault(format!("expected {what} (a number), found `{}`", clip(&word))))?;
        if value.is_finite() {
            Ok(value)
        } else {
            Err(self.fault(format!("expected {what} (a finite number), found `{}`", clip(&word))))
        }
    }

    pub fn vector(&mut self, key: &str) -> Result<DVec3, RigFault> {
        let mut coordinate = |axis: &str| self.number(&format!("the {axis} coordinate of `{key}`"));
        Ok(DVec3::new(coordinate("x")?, coordinate("y")?, coordinate("z")?))
    }
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
