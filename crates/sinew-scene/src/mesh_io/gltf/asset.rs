//! A glTF file and its buffers: `.glb` in one piece, or `.gltf` with buffers in it (base64) or beside it.
//!
//! A `.glb` has 12 bytes of header (`glTF`, version, length) and chunks of length, type and data: the JSON, then the binary buffer.

use super::document::{Accessor, BufferView, Document};
use crate::mesh_io::binary::{Binary, Scalar};
use crate::mesh_io::error::MeshError;
use crate::mesh_io::source::Source;
use crate::mesh_io::vtk::decode_base64;
use serde_json::Value;
use std::ops::Range;

/// Largest number of values of an accessor that has no data (all are zero).
const MAX_EMPTY: u64 = 1 << 24;
/// Extensions that change how a mesh is stored and are understood all the same.
const HARMLESS: [&str; 4] =
    ["KHR_mesh_quantization", "KHR_materials_", "KHR_texture_", "KHR_lights_punctual"];

/// A glTF file in memory.
pub(crate) struct Asset {
    pub source: Source,
    pub document: Document,
    /// Bytes of the JSON.
    json: Range<usize>,
    buffers: Vec<Contents>,
}

/// The contents of a buffer.
enum Contents {
    /// Bytes of the file itself.
    Here(Range<usize>),
    Loaded(Vec<u8>),
}

impl Asset {
    pub fn parse(mut source: Source) -> Result<Self, MeshError> {
        let (json, blob) = if source.bytes.starts_with(b"glTF") {
            source.binary = true;
            chunks(&source)?
        } else {
            (0..source.bytes.len(), None)
        };
        let document: Document = serde_json::from_slice(&source.bytes[json.clone()]).map_err(|error| {
            let offset = json.start + offset_of(&source.bytes[json.clone()], error.line(), error.column());
            source.malformed(offset, format!("the JSON of the file cannot be read: {error}"))
        })?;
        if !document.asset.version.starts_with("2.") {
            let what = format!("version `{}` of glTF; 2.0 is needed", document.asset.version);
            return Err(source.malformed(json.start, what));
        }
        let foreign = |name: &&String| !HARMLESS.iter().any(|known| name.starts_with(known));
        if let Some(name) = document.extensions_required.iter().find(foreign) {
            let what =
                format!("the file needs the extension {name}, which is not supported: export it without");
            return Err(source.malformed(json.start, what));
        }
        let mut asset = Self { source, document, json, buffers: Vec::new() };
        for index in 0..asset.document.buffers.len() {
            let contents = asset.load_buffer(index, blob.clone())?;
            asset.buffers.push(contents);
        }
        Ok(asset)
    }

    fn load_buffer(&self, index: usize, blob: Option<Range<usize>>) -> Result<Contents, MeshError> {
        let refuse = |what: String| self.refuse(format!("buffer {index} {what}"));
        let Some(uri) = &self.document.buffers[index].uri else {
            return blob.map(Contents::Here).ok_or_else(|| refuse("has no data".into()));
        };
        if let Some(data) = uri.strip_prefix("data:") {
            let encoded = data.split_once(";base64,").map(|(_, text)| text);
            let bytes = encoded.and_then(|text| decode_base64(text.as_bytes()));
            return bytes.map(Contents::Loaded).ok_or_else(|| refuse("is no base64".into()));
        }
        if uri.contains("://") {
            return Err(refuse(format!("is at {uri}; only files beside this one are read")));
        }
        let path = self.source.beside(&unescaped(uri))?;
        Ok(Contents::Loaded(Source::load(&path)?.bytes))
    }

    /// The JSON with all buffers joined to one, and that buffer.
    pub fn in_one_buffer(&self) -> Result<(Value, Vec<u8>), MeshError> {
        let parsed = serde_json::from_slice(&self.source.bytes[self.json.clone()]);
        let mut json: Value = parsed.map_err(|error| self.refuse(error.to_string()))?;
        let (mut all, mut starts) = (Vec::new(), Vec::new());
        for contents in &self.buffers {
            starts.push(all.len() as u64);
            all.extend_from_slice(match contents {
                Contents::Here(range) => &self.source.bytes[range.clone()],
                Contents::Loaded(bytes) => bytes,
            });
            all.resize(all.len().next_multiple_of(4), 0);
        }
        let views = json.get_mut("bufferViews").and_then(Value::as_array_mut);
        for (view, BufferView { buffer, byte_offset, .. }) in
            views.into_iter().flatten().zip(&self.document.buffer_views)
        {
            let start =
                starts.get(*buffer).ok_or_else(|| self.refuse(format!("buffer {buffer} does not exist")))?;
            view["buffer"] = 0.into();
            view["byteOffset"] = (start + byte_offset).into();
        }
        Ok((json, all))
    }

    /// An error of the file as a whole.
    pub fn refuse(&self, what: impl Into<String>) -> MeshError {
        self.source.malformed(0, what)
    }

    /// Real numbers of an accessor with so many components per item; normalised integers become fractions.
    pub fn reals(&self, index: usize, components: usize) -> Result<Vec<f64>, MeshError> {
        self.read(index, components, |kind, normalised, bytes| {
            let value = kind.real(bytes, false);
            match kind {
                _ if !normalised => value,
                Scalar::I8 => (value / 127.0).max(-1.0),
                Scalar::U8 => value / 255.0,
                Scalar::I16 => (value / 32767.0).max(-1.0),
                Scalar::U16 => value / 65535.0,
                _ => value,
            }
        })
    }

    /// Whole numbers of an accessor.
    pub fn ints(&self, index: usize, components: usize) -> Result<Vec<i64>, MeshError> {
        self.read(index, components, |kind, _, bytes| kind.int(bytes, false))
    }

    fn read<T: Clone + Default>(
        &self,
        index: usize,
        components: usize,
        value: impl Fn(Scalar, bool, &[u8]) -> T,
    ) -> Result<Vec<T>, MeshError> {
        let refuse = |what: &str| self.refuse(format!("accessor {index} {what}"));
        let accessor = self.document.accessors.get(index).ok_or_else(|| refuse("does not exist"))?;
        let kind = kind(accessor.component_type).ok_or_else(|| refuse("has numbers of an unknown type"))?;
        if components_of(&accessor.shape) != Some(components) {
            let what = format!("is a list of {}; {components} numbers per item are needed", accessor.shape);
            return Err(refuse(&what));
        }
        let item = kind.size() * components;
        let mut list = match accessor.buffer_view {
            Some(view) => {
                let (bytes, stride) =
                    self.view(view).ok_or_else(|| refuse("has data that is not in the file"))?;
                let stride = stride.unwrap_or(item);
                let place = place(accessor, item, stride, bytes.len());
                let (start, count) = place.ok_or_else(|| refuse("is longer than its data"))?;
                let mut list = Vec::with_capacity(count * components);
                for i in 0..count {
                    let at = &bytes[start + i * stride..start + i * stride + item];
                    list.extend(
                        at.chunks_exact(kind.size()).map(|bytes| value(kind, accessor.normalized, bytes)),
                    );
                }
                list
            }
            None if accessor.count <= MAX_EMPTY => vec![T::default(); accessor.count as usize * components],
            None => return Err(refuse("is too long for a list without data")),
        };
        if let Some(sparse) = &accessor.sparse {
            let damaged = || refuse("has sparse data that is not in the file");
            let (indices, _) = self.view(sparse.indices.buffer_view).ok_or_else(damaged)?;
            let (values, _) = self.view(sparse.values.buffer_view).ok_or_else(damaged)?;
            let index_kind = self::kind(sparse.indices.component_type).ok_or_else(damaged)?;
            let part = |bytes: &'_ [u8], offset: u64, size: usize, i: u64| -> Option<Vec<u8>> {
                let start = usize::try_from(offset.checked_add(i.checked_mul(size as u64)?)?).ok()?;
                Some(bytes.get(start..start.checked_add(size)?)?.to_vec())
            };
            for i in 0..sparse.count {
                let at =
                    part(indices, sparse.indices.byte_offset, index_kind.size(), i).ok_or_else(damaged)?;
                let new = part(values, sparse.values.byte_offset, item, i).ok_or_else(damaged)?;
                let at = usize::try_from(index_kind.int(&at, false)).map_err(|_| damaged())?;
                let row = at.checked_mul(components).and_then(|at| list.get_mut(at..at + components));
                let row = row.ok_or_else(damaged)?;
                for (old, bytes) in row.iter_mut().zip(new.chunks_exact(kind.size())) {
                    *old = value(kind, accessor.normalized, bytes);
                }
            }
        }
        Ok(list)
    }

    /// The bytes of a view, and its stride if it gives one.
    fn view(&self, index: usize) -> Option<(&[u8], Option<usize>)> {
        let BufferView { buffer, byte_offset, byte_length, byte_stride } =
            self.document.buffer_views.get(index)?;
        let bytes = match self.buffers.get(*buffer)? {
            Contents::Here(range) => &self.source.bytes[range.clone()],
            Contents::Loaded(bytes) => bytes,
        };
        let start = usize::try_from(*byte_offset).ok()?;
        let end = start.checked_add(usize::try_from(*byte_length).ok()?)?;
        let stride = byte_stride.map(usize::try_from).transpose().ok()?;
        Some((bytes.get(start..end)?, stride))
    }
}

/// Start and count of an accessor in a view of `length` bytes; `None` if it does not fit.
fn place(accessor: &Accessor, item: usize, stride: usize, length: usize) -> Option<(usize, usize)> {
    let start = usize::try_from(accessor.byte_offset).ok()?;
    let count = usize::try_from(accessor.count).ok()?;
    // Items that overlap could be many more than there are bytes.
    if stride < item {
        return None;
    }
    let end = match count {
        0 => start,
        _ => stride.checked_mul(count - 1)?.checked_add(item)?.checked_add(start)?,
    };
    (end <= length).then_some((start, count))
}

fn kind(number: u32) -> Option<Scalar> {
    Some(match number {
        5120 => Scalar::I8,
        5121 => Scalar::U8,
        5122 => Scalar::I16,
        5123 => Scalar::U16,
        5125 => Scalar::U32,
        5126 => Scalar::F32,
        _ => return None,
    })
}

fn components_of(shape: &str) -> Option<usize> {
    Some(match shape {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT4" => 16,
        _ => return None,
    })
}

/// The JSON, and the binary buffer if there is one.
fn chunks(source: &Source) -> Result<(Range<usize>, Option<Range<usize>>), MeshError> {
    let mut reader = Binary { source, position: 4, big_endian: false };
    let version = reader.int(Scalar::U32, "the version of the container")?;
    if version != 2 {
        return Err(source.malformed(4, format!("version {version} of the container; 2 is needed")));
    }
    reader.count(Scalar::U32, "the length of the file")?;
    let mut next = |what: &str, name: &[u8]| -> Result<Range<usize>, MeshError> {
        let length = reader.count(Scalar::U32, what)?;
        let start = reader.position;
        if reader.take(4, what)? != name {
            return Err(source.malformed(start, format!("expected {what}")));
        }
        let start = reader.position;
        reader.take(length, what)?;
        Ok(start..reader.position)
    };
    let json = next("the chunk with the JSON", b"JSON")?;
    let blob = if json.end + 8 <= source.bytes.len() {
        Some(next("the chunk with the binary data", b"BIN\0")?)
    } else {
        None
    };
    Ok((json, blob))
}

/// The byte at a line and column, both counted from 1.
fn offset_of(text: &[u8], line: usize, column: usize) -> usize {
    let before = text.split_inclusive(|&byte| byte == b'\n').take(line.saturating_sub(1));
    before.map(<[u8]>::len).sum::<usize>() + column.saturating_sub(1)
}

/// A path with its `%20` and the like replaced.
fn unescaped(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(value) if byte == b'%' => {
                bytes.push(value);
                rest = &after[2..];
            }
            _ => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
