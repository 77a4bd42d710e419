//! Numbers and section marks of a Gmsh file, for text and binary.
//!
//! The two encodings contain the same numbers in the same order, so that the readers of sections need not know which one they read. Section
//! marks (`$Nodes`) are text in both.

use crate::mesh_io::error::MeshError;
use crate::mesh_io::source::Source;
use crate::mesh_io::tokens::Tokens;

/// How numbers are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    Binary {
        little_endian: bool,
        /// Bytes of a `size_t`, 4 or 8.
        size_bytes: usize,
    },
}

pub(super) struct Cursor<'a> {
    pub source: &'a Source,
    pub position: usize,
    pub encoding: Encoding,
}

impl<'a> Cursor<'a> {
    /// The name of the next section, without its dollar; `None` at the end of the file.
    pub fn next_section(&mut self) -> Result<Option<&'a [u8]>, MeshError> {
        self.skip_white_space();
        let start = self.position;
        if start >= self.source.bytes.len() {
            return Ok(None);
        }
        let line = self.rest_of_line();
        match line.strip_prefix(b"$") {
            Some(name) => Ok(Some(name)),
            None => Err(self.source.malformed(start, "expected a section that starts with $")),
        }
    }

    /// Requires `$End` and the name of the section here.
    pub fn end_section(&mut self, name: &str) -> Result<(), MeshError> {
        self.skip_white_space();
        let start = self.position;
        if self.rest_of_line().strip_prefix(b"$End") == Some(name.as_bytes()) {
            return Ok(());
        }
        let what = format!("expected $End{name}: the section holds more or less than it announces");
        Err(self.source.malformed(start, what))
    }

    /// Skips the section that was just opened.
    pub fn skip_section(&mut self, name: &[u8]) -> Result<(), MeshError> {
        let mark = [b"$End", name].concat();
        let rest = &self.source.bytes[self.position..];
        let Some(offset) = rest.windows(mark.len()).position(|window| window == mark) else {
            let what =
                format!("the section ${} has no end: the file is cut off", String::from_utf8_lossy(name));
            return Err(self.source.malformed(self.position, what));
        };
        self.position += offset + mark.len();
        Ok(())
    }

    /// An `int` of the format: 4 bytes.
    pub fn int(&mut self, what: &str) -> Result<i64, MeshError> {
        match self.encoding {
            Encoding::Text => self.in_text(|tokens| tokens.int(what)),
            Encoding::Binary { little_endian, .. } => {
                let bytes = self.take(what)?;
                Ok(i64::from(if little_endian {
                    i32::from_le_bytes(bytes)
                } else {
                    i32::from_be_bytes(bytes)
                }))
            }
        }
    }

    /// An `int` that counts something.
    pub fn int_count(&mut self, what: &str) -> Result<u64, MeshError> {
        let start = self.position;
        let value = self.int(what)?;
        self.not_negative(start, value, what)
    }

    /// A `size_t` of the format, counting something.
    pub fn count(&mut self, what: &str) -> Result<u64, MeshError> {
        let start = self.position;
        let value = self.size(what)?;
        self.not_negative(start, value, what)
    }

    /// A `size_t` of the format that names something. Beyond 2⁶³ it wraps to negative, and names nothing.
    pub fn size(&mut self, what: &str) -> Result<i64, MeshError> {
        match self.encoding {
            Encoding::Text => self.in_text(|tokens| tokens.int(what)),
            Encoding::Binary { little_endian, size_bytes: 4 } => {
                let bytes = self.take(what)?;
                Ok(i64::from(if little_endian {
                    u32::from_le_bytes(bytes)
                } else {
                    u32::from_be_bytes(bytes)
                }))
            }
            Encoding::Binary { little_endian, .. } => {
                let bytes = self.take(what)?;
                Ok(if little_endian { i64::from_le_bytes(bytes) } else { i64::from_be_bytes(bytes) })
            }
        }
    }

    /// A `double`.
    pub fn real(&mut self, what: &str) -> Result<f64, MeshError> {
        match self.encoding {
            Encoding::Text => self.in_text(|tokens| tokens.real(what)),
            Encoding::Binary { little_endian, .. } => {
                let bytes = self.take(what)?;
                Ok(if little_endian { f64::from_le_bytes(bytes) } else { f64::from_be_bytes(bytes) })
            }
        }
    }

    /// A number that is text in both encodings, alone on its line.
    pub fn text_count(&mut self, what: &str) -> Result<u64, MeshError> {
        let count = self.in_text(|tokens| tokens.amount(what))?;
        if self.encoding != Encoding::Text {
            self.rest_of_line();
        }
        Ok(count)
    }

    /// Position of the next number.
    pub fn offset(&self) -> usize {
        match self.encoding {
            Encoding::Text => self.tokens().next_offset(),
            Encoding::Binary { .. } => self.position,
        }
    }

    fn not_negative(&self, start: usize, value: i64, what: &str) -> Result<u64, MeshError> {
        u64::try_from(value).map_err(|_| self.source.malformed(start, format!("{what} is negative: {value}")))
    }

    fn tokens(&self) -> Tokens<'a> {
        Tokens { source: self.source, position: self.position, end: self.source.bytes.len() }
    }

    fn in_text<T>(
        &mut self,
        read: impl FnOnce(&mut Tokens<'a>) -> Result<T, MeshError>,
    ) -> Result<T, MeshError> {
        let mut tokens = self.tokens();
        let value = read(&mut tokens)?;
        self.position = tokens.position;
        Ok(value)
    }

    fn take<const N: usize>(&mut self, what: &str) -> Result<[u8; N], MeshError> {
        let rest = &self.source.bytes[self.position..];
        let Some(bytes) = rest.first_chunk::<N>() else {
            let what = format!("expected {what}, but the file ends {} bytes later", rest.len());
            return Err(self.source.malformed(self.position, what));
        };
        self.position += N;
        Ok(*bytes)
    }

    fn skip_white_space(&mut self) {
        let rest = &self.source.bytes[self.position..];
        self.position += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    /// The rest of the line, without white space around it; the cursor moves past the newline.
    pub fn rest_of_line(&mut self) -> &'a [u8] {
        let rest = &self.source.bytes[self.position..];
        let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        self.position += (length + 1).min(rest.len());
        rest[..length].trim_ascii()
    }
}
