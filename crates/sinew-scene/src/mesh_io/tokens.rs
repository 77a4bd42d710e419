//! Words and numbers of a text file, with their positions.

use super::error::MeshError;
use super::source::Source;
use glam::DVec3;

/// Tokens between `position` and `end`, separated by white space. `#` starts a comment that runs to the end of its line.
#[derive(Clone)]
pub(super) struct Tokens<'a> {
    pub source: &'a Source,
    pub position: usize,
    pub end: usize,
}

/// A token and the offset of its first byte.
#[derive(Clone, Copy)]
pub(super) struct Token<'a> {
    pub bytes: &'a [u8],
    pub offset: usize,
}

impl<'a> Token<'a> {
    /// The token, quoted for a message.
    pub fn quoted(&self) -> String {
        let shown = String::from_utf8_lossy(&self.bytes[..self.bytes.len().min(40)]);
        let dots = if self.bytes.len() > 40 { "…" } else { "" };
        format!("`{}{dots}`", shown.escape_debug())
    }

    pub fn is(&self, word: &str) -> bool {
        self.bytes.eq_ignore_ascii_case(word.as_bytes())
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let bytes = &self.source.bytes[..self.end];
        loop {
            match bytes.get(self.position)? {
                b'#' => self.position = end_of_comment(bytes, self.position),
                byte if is_separator(*byte) => self.position += 1,
                _ => break,
            }
        }
        let offset = self.position;
        let is_end = |byte: &u8| is_separator(*byte) || *byte == b'#';
        self.position = bytes[offset..].iter().position(is_end).map_or(bytes.len(), |length| offset + length);
        Some(Token { bytes: &bytes[offset..self.position], offset })
    }
}

fn end_of_comment(bytes: &[u8], start: usize) -> usize {
    bytes[start..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |length| start + length)
}

/// A backslash also separates: it is only at the end of a continued line.
fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'\\'
}

impl<'a> Tokens<'a> {
    /// The next token; `what` names it in the error if there is none.
    pub fn expect(&mut self, what: &str) -> Result<Token<'a>, MeshError> {
        let start = self.position;
        self.next().ok_or_else(|| {
            let at_end_of_file = self.end >= self.source.bytes.len();
            let where_ = if at_end_of_file { "the file ends" } else { "the line ends" };
            // An error in a line points at that line; one at the end of the file points at its last line.
            let offset = if at_end_of_file { self.end } else { start };
            self.source.malformed(offset, format!("expected {what}, but {where_} here"))
        })
    }

    /// The next token as a whole number.
    pub fn int(&mut self, what: &str) -> Result<i64, MeshError> {
        let token = self.expect(what)?;
        parse_int(self.source, token, what)
    }

    /// The next token as a count.
    pub fn amount(&mut self, what: &str) -> Result<u64, MeshError> {
        let token = self.expect(what)?;
        let value = parse_int(self.source, token, what)?;
        u64::try_from(value)
            .map_err(|_| self.source.malformed(token.offset, format!("{what} is negative: {value}")))
    }

    /// The next token as a real number; infinities and NaN pass here, and the check of the mesh finds them.
    pub fn real(&mut self, what: &str) -> Result<f64, MeshError> {
        let token = self.expect(what)?;
        parse_number(self.source, token, what)
    }

    /// The next three tokens as coordinates.
    pub fn coordinates(&mut self) -> Result<DVec3, MeshError> {
        Ok(DVec3::new(
            self.real("an x coordinate")?,
            self.real("a y coordinate")?,
            self.real("a z coordinate")?,
        ))
    }

    /// Position of the next token, or the end.
    pub fn next_offset(&self) -> usize {
        self.clone().next().map_or(self.end, |token| token.offset)
    }

    /// The next `N` tokens as vertex numbers.
    pub fn vertices<const N: usize>(&mut self) -> Result<[i64; N], MeshError> {
        let mut vertices = [0; N];
        for vertex in &mut vertices {
            *vertex = self.int("a vertex number")?;
        }
        Ok(vertices)
    }
}

pub(super) fn parse_int(source: &Source, token: Token<'_>, what: &str) -> Result<i64, MeshError> {
    let text = std::str::from_utf8(token.bytes).ok();
    text.and_then(|text| text.parse().ok())
        .ok_or_else(|| source.malformed(token.offset, expected(what, "a whole number", token)))
}

pub(super) fn parse_number(source: &Source, token: Token<'_>, what: &str) -> Result<f64, MeshError> {
    let text = std::str::from_utf8(token.bytes).ok();
    text.and_then(parse_real).ok_or_else(|| source.malformed(token.offset, expected(what, "a number", token)))
}

fn parse_real(text: &str) -> Option<f64> {
    // Fortran programs write the exponent with a D.
    text.parse().ok().or_else(|| text.replace(['d', 'D'], "e").parse().ok())
}

fn expected(what: &str, kind: &str, token: Token<'_>) -> String {
    format!("expected {what} ({kind}), found {}", token.quoted())
}
