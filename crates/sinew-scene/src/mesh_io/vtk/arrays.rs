//! The arrays of a VTK XML file: as text, as base64 in their tag, or appended at the end of the file (raw or base64), compressed by zlib or not.
//!
//! Binary data starts with its length in bytes. Compressed data starts with the number of blocks, the size of a block, the size of the last one if it
//! is smaller (else 0), and the compressed size of each.

use super::base64::Base64;
use super::tags::Tag;
use crate::mesh_io::binary::Scalar;
use crate::mesh_io::error::MeshError;
use crate::mesh_io::source::Source;
use crate::mesh_io::tokens::Tokens;

/// How the file writes binary data.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub big_endian: bool,
    /// The type of lengths.
    pub length: Scalar,
    pub compressed: bool,
    /// Where appended data starts, and whether it is base64.
    pub appended: Option<(usize, bool)>,
}

/// Whole or real numbers of an array.
pub(super) enum Array {
    Ints(Vec<i64>),
    Reals(Vec<f64>),
}

impl Array {
    pub fn ints(self) -> Vec<i64> {
        match self {
            Self::Ints(list) => list,
            Self::Reals(list) => list.into_iter().map(|value| value as i64).collect(),
        }
    }

    pub fn reals(self) -> Vec<f64> {
        match self {
            Self::Ints(list) => list.into_iter().map(|value| value as f64).collect(),
            Self::Reals(list) => list,
        }
    }
}

/// Reads the array of a `DataArray` tag.
pub(super) fn read(source: &Source, tag: &Tag<'_>, style: &Style) -> Result<Array, MeshError> {
    let kind = kind(source, tag)?;
    let refuse = |what: &str| source.malformed(tag.offset, what);
    let content = |end: &[u8]| {
        let rest = &source.bytes[tag.end.min(source.bytes.len())..];
        let length = rest.windows(end.len()).position(|window| window == end).unwrap_or(rest.len());
        (tag.end, tag.end + length)
    };
    let (mut stream, at) = match tag.get("format").unwrap_or("ascii") {
        "ascii" => {
            let (position, end) = content(b"<");
            return in_text(Tokens { source, position, end }, kind);
        }
        "binary" => {
            let (start, end) = content(b"<");
            (Stream::Base64(Base64::new(&source.bytes[start..end])), start)
        }
        "appended" => {
            let offset = tag.get("offset").and_then(|text| text.parse::<usize>().ok());
            let offset = offset.ok_or_else(|| refuse("appended data without a valid offset"))?;
            let (start, base64) =
                style.appended.ok_or_else(|| refuse("the file has no appended data: it is cut off"))?;
            let start = start.saturating_add(offset);
            let rest = source
                .bytes
                .get(start..)
                .ok_or_else(|| refuse("the offset is beyond the end of the file"))?;
            (if base64 { Stream::Base64(Base64::new(rest)) } else { Stream::Raw(rest) }, start)
        }
        other => return Err(refuse(&format!("unknown format `{other}` of an array"))),
    };
    let short = || source.malformed(at, "the data of this array is cut off, or damaged");
    let bytes = if style.compressed { inflate(&mut stream, style) } else { plain(&mut stream, style) };
    let bytes = bytes.ok_or_else(short)?;
    let numbers = bytes.chunks_exact(kind.size());
    Ok(if kind.is_real() {
        Array::Reals(numbers.map(|bytes| kind.real(bytes, style.big_endian)).collect())
    } else {
        Array::Ints(numbers.map(|bytes| kind.int(bytes, style.big_endian)).collect())
    })
}

fn in_text(tokens: Tokens<'_>, kind: Scalar) -> Result<Array, MeshError> {
    let mut tokens = tokens;
    if kind.is_real() {
        let mut list = Vec::new();
        while tokens.clone().next().is_some() {
            list.push(tokens.real("a number")?);
        }
        return Ok(Array::Reals(list));
    }
    let mut list = Vec::new();
    while tokens.clone().next().is_some() {
        list.push(tokens.int("a number")?);
    }
    Ok(Array::Ints(list))
}

fn kind(source: &Source, tag: &Tag<'_>) -> Result<Scalar, MeshError> {
    Ok(match tag.get("type").unwrap_or_default() {
        "Int8" => Scalar::I8,
        "UInt8" => Scalar::U8,
        "Int16" => Scalar::I16,
        "UInt16" => Scalar::U16,
        "Int32" => Scalar::I32,
        "UInt32" => Scalar::U32,
        "Int64" => Scalar::I64,
        "UInt64" => Scalar::U64,
        "Float32" => Scalar::F32,
        "Float64" => Scalar::F64,
        other => return Err(source.malformed(tag.offset, format!("unknown type `{other}` of an array"))),
    })
}

enum Stream<'a> {
    Raw(&'a [u8]),
    Base64(Base64<'a>),
}

impl Stream<'_> {
    fn take(&mut self, length: usize) -> Option<Vec<u8>> {
        match self {
            Self::Raw(rest) => {
                let (bytes, after) = rest.split_at_checked(length)?;
                *rest = after;
                Some(bytes.to_vec())
            }
            Self::Base64(text) => text.take(length),
        }
    }

    fn length(&mut self, style: &Style) -> Option<usize> {
        let bytes = self.take(style.length.size())?;
        usize::try_from(style.length.int(&bytes, style.big_endian)).ok()
    }
}

fn plain(stream: &mut Stream<'_>, style: &Style) -> Option<Vec<u8>> {
    let length = stream.length(style)?;
    stream.take(length)
}

fn inflate(stream: &mut Stream<'_>, style: &Style) -> Option<Vec<u8>> {
    let blocks = stream.length(style)?;
    let size = stream.length(style)?;
    let last = stream.length(style)?;
    let mut compressed = Vec::new();
    for _ in 0..blocks {
        compressed.push(stream.length(style)?);
    }
    if let Stream::Base64(text) = stream {
        text.restart();
    }
    let mut all = Vec::new();
    for (index, length) in compressed.into_iter().enumerate() {
        let block = stream.take(length)?;
        let expected = if index + 1 == blocks && last > 0 { last } else { size };
        let inflated = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(&block, expected).ok()?;
        if inflated.len() != expected {
            return None;
        }
        all.extend(inflated);
    }
    Some(all)
}
