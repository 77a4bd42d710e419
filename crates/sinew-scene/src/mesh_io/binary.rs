//! Numbers in binary, with bounds checked and positions for errors.

use super::error::MeshError;
use super::source::Source;

/// The type of a number in a binary file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Scalar {
    /// Bytes of one number.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    pub fn is_real(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// The number at the start of `bytes`, which has at least [`Scalar::size`] of them; 0 if it has fewer.
    pub fn real(self, bytes: &[u8], big_endian: bool) -> f64 {
        match self {
            Self::F32 => f64::from(f32::from_bits(word(bytes, 4, big_endian) as u32)),
            Self::F64 => f64::from_bits(word(bytes, 8, big_endian)),
            Self::U64 => word(bytes, 8, big_endian) as f64,
            _ => self.int(bytes, big_endian) as f64,
        }
    }

    /// As [`Scalar::real`], for whole numbers. Real numbers are cut, and what exceeds 2⁶³ names nothing and becomes negative.
    pub fn int(self, bytes: &[u8], big_endian: bool) -> i64 {
        let word = |size| word(bytes, size, big_endian);
        match self {
            Self::I8 => i64::from(word(1) as i8),
            Self::U8 => i64::from(word(1) as u8),
            Self::I16 => i64::from(word(2) as i16),
            Self::U16 => i64::from(word(2) as u16),
            Self::I32 => i64::from(word(4) as i32),
            Self::U32 => i64::from(word(4) as u32),
            Self::I64 | Self::U64 => word(8) as i64,
            Self::F32 | Self::F64 => self.real(bytes, big_endian) as i64,
        }
    }
}

fn word(bytes: &[u8], size: usize, big_endian: bool) -> u64 {
    let bytes = bytes.get(..size).unwrap_or_default();
    let push = |word: u64, &byte: &u8| word << 8 | u64::from(byte);
    if big_endian { bytes.iter().fold(0, push) } else { bytes.iter().rev().fold(0, push) }
}

/// Reads numbers one after the other.
#[derive(Clone)]
pub(super) struct Binary<'a> {
    pub source: &'a Source,
    pub position: usize,
    pub big_endian: bool,
}

impl<'a> Binary<'a> {
    /// The next bytes; `what` names them in the error if the file is too short.
    pub fn take(&mut self, length: u64, what: &str) -> Result<&'a [u8], MeshError> {
        let rest = self.rest();
        match usize::try_from(length).ok().and_then(|length| rest.get(..length)) {
            Some(bytes) => {
                self.position += bytes.len();
                Ok(bytes)
            }
            None => {
                let left = rest.len();
                let what = format!("expected {what} ({length} bytes), but the file ends {left} bytes later");
                Err(self.source.malformed(self.position, what))
            }
        }
    }

    pub fn int(&mut self, kind: Scalar, what: &str) -> Result<i64, MeshError> {
        Ok(kind.int(self.take(kind.size() as u64, what)?, self.big_endian))
    }

    pub fn real(&mut self, kind: Scalar, what: &str) -> Result<f64, MeshError> {
        Ok(kind.real(self.take(kind.size() as u64, what)?, self.big_endian))
    }

    /// A number that counts something.
    pub fn count(&mut self, kind: Scalar, what: &str) -> Result<u64, MeshError> {
        let start = self.position;
        let value = self.int(kind, what)?;
        u64::try_from(value).map_err(|_| self.source.malformed(start, format!("{what} is negative: {value}")))
    }

    fn rest(&self) -> &'a [u8] {
        self.source.bytes.get(self.position..).unwrap_or_default()
    }

    /// The rest of the line, without white space around it; continues after the newline. `None` at the end of the file.
    pub fn line(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        self.position += (length + 1).min(rest.len());
        Some(rest[..length].trim_ascii())
    }
}
