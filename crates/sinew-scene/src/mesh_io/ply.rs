//! PLY (Stanford), text and binary of either byte order.
//!
//! The header lists elements, and the properties of each: a number, or a list that starts with its length. Of `vertex` the properties x, y, z matter,
//! of `face` (or `tristrips`) the list of vertices; `tetrahedra`, which some programs add, has a list of four. Everything else is skipped.

use super::binary::{Binary, Scalar};
use super::error::MeshError;
use super::polygon::add_fan;
use super::raw::{RawCell, RawMesh, RawPoint};
use super::source::Source;
use super::tokens::Tokens;
use glam::DVec3;

pub(super) fn parse(source: &mut Source) -> Result<RawMesh, MeshError> {
    let header = read_header(source)?;
    source.binary = header.encoding != Encoding::Text;
    let bytes = Binary {
        source,
        position: header.end,
        big_endian: header.encoding == Encoding::Binary { big_endian: true },
    };
    let mut rows = Rows { bytes, text: header.encoding == Encoding::Text };
    let mut mesh = RawMesh::default();
    for element in &header.elements {
        read_element(element, &mut rows, &mut mesh)?;
    }
    Ok(mesh)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Text,
    Binary { big_endian: bool },
}

struct Header {
    encoding: Encoding,
    elements: Vec<Element>,
    /// Position of the first row.
    end: usize,
}

struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
}

struct Property {
    name: String,
    /// The type of the length, if it is a list.
    length: Option<Scalar>,
    kind: Scalar,
}

fn read_header(source: &Source) -> Result<Header, MeshError> {
    let mut reader = Binary { source, position: 0, big_endian: false };
    if reader.line() != Some(b"ply") {
        return Err(source.malformed(0, "a PLY file starts with the line `ply`"));
    }
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    loop {
        let start = reader.position;
        let Some(line) = reader.line() else {
            return Err(source.malformed(start, "the header has no end_header: the file is cut off"));
        };
        let mut words = Tokens { source, position: start, end: start + line.len() };
        // White space before a word would shorten the line at its end.
        words.end = reader.position;
        let Some(keyword) = words.next() else { continue };
        match keyword.bytes {
            b"end_header" => break,
            b"comment" | b"obj_info" => {}
            b"format" => {
                let name = words.expect("the encoding")?;
                encoding = Some(match name.bytes {
                    b"ascii" => Encoding::Text,
                    b"binary_little_endian" => Encoding::Binary { big_endian: false },
                    b"binary_big_endian" => Encoding::Binary { big_endian: true },
                    _ => {
                        let what = format!("unknown encoding {}", name.quoted());
                        return Err(source.malformed(name.offset, what));
                    }
                });
            }
            b"element" => {
                let name =
                    String::from_utf8_lossy(words.expect("the name of the element")?.bytes).into_owned();
                let count = words.amount("the number of rows")?;
                elements.push(Element { name, count, properties: Vec::new() });
            }
            b"property" => {
                let Some(element) = elements.last_mut() else {
                    return Err(source.malformed(start, "a property before the first element"));
                };
                element.properties.push(read_property(&mut words)?);
            }
            _ => {
                let what = format!("expected element, property or end_header, found {}", keyword.quoted());
                return Err(source.malformed(keyword.offset, what));
            }
        }
    }
    let Some(encoding) = encoding else {
        return Err(source.malformed(0, "the header has no line `format`"));
    };
    Ok(Header { encoding, elements, end: reader.position })
}

fn read_property(words: &mut Tokens<'_>) -> Result<Property, MeshError> {
    let mut length = None;
    if words.clone().next().is_some_and(|word| word.is("list")) {
        words.next();
        length = Some(read_kind(words)?);
    }
    let kind = read_kind(words)?;
    let name = String::from_utf8_lossy(words.expect("the name of the property")?.bytes).into_owned();
    Ok(Property { name, length, kind })
}

fn read_kind(words: &mut Tokens<'_>) -> Result<Scalar, MeshError> {
    let word = words.expect("the type of the property")?;
    Ok(match word.bytes {
        b"char" | b"int8" => Scalar::I8,
        b"uchar" | b"uint8" => Scalar::U8,
        b"short" | b"int16" => Scalar::I16,
        b"ushort" | b"uint16" => Scalar::U16,
        b"int" | b"int32" => Scalar::I32,
        b"uint" | b"uint32" => Scalar::U32,
        b"float" | b"float32" => Scalar::F32,
        b"double" | b"float64" => Scalar::F64,
        _ => {
            return Err(words
                .source
                .malformed(word.offset, format!("unknown type of numbers {}", word.quoted())));
        }
    })
}

/// The rows after the header.
struct Rows<'a> {
    bytes: Binary<'a>,
    text: bool,
}

impl Rows<'_> {
    fn real(&mut self, kind: Scalar) -> Result<f64, MeshError> {
        match self.text {
            true => self.in_text(|tokens| tokens.real("a number")),
            false => self.bytes.real(kind, "a number"),
        }
    }

    fn int(&mut self, kind: Scalar) -> Result<i64, MeshError> {
        match self.text {
            true => self.in_text(|tokens| tokens.int("a vertex number")),
            false => self.bytes.int(kind, "a vertex number"),
        }
    }

    fn length(&mut self, kind: Scalar) -> Result<u64, MeshError> {
        match self.text {
            true => self.in_text(|tokens| tokens.amount("the length of a list")),
            false => self.bytes.count(kind, "the length of a list"),
        }
    }

    fn in_text<T>(
        &mut self,
        read: impl FnOnce(&mut Tokens<'_>) -> Result<T, MeshError>,
    ) -> Result<T, MeshError> {
        let Binary { source, position, .. } = self.bytes;
        let mut tokens = Tokens { source, position, end: source.bytes.len() };
        let value = read(&mut tokens)?;
        self.bytes.position = tokens.position;
        Ok(value)
    }

    fn offset(&self) -> usize {
        match self.text {
            true => {
                let Binary { source, position, .. } = self.bytes;
                Tokens { source, position, end: source.bytes.len() }.next_offset()
            }
            false => self.bytes.position,
        }
    }
}

fn read_element(element: &Element, rows: &mut Rows<'_>, mesh: &mut RawMesh) -> Result<(), MeshError> {
    if element.properties.is_empty() {
        // Rows of nothing: there may be any number of them.
        return Ok(());
    }
    if element.name == "vertex" && !["x", "y", "z"].iter().all(|axis| element.has(axis)) {
        let start = rows.offset();
        return Err(rows.bytes.source.malformed(start, "vertices without properties x, y and z"));
    }
    let mut list = Vec::new();
    for _ in 0..element.count {
        let offset = rows.offset();
        let mut position = DVec3::ZERO;
        list.clear();
        for property in &element.properties {
            match property.length {
                Some(kind) => {
                    let wanted = property.is_vertex_list();
                    for _ in 0..rows.length(kind)? {
                        if wanted {
                            list.push(rows.int(property.kind)?);
                        } else {
                            rows.real(property.kind)?;
                        }
                    }
                }
                None => {
                    let value = rows.real(property.kind)?;
                    if let Some(axis) = ["x", "y", "z"].iter().position(|&axis| axis == property.name) {
                        position[axis] = value;
                    }
                }
            }
        }
        let source = rows.bytes.source;
        match element.name.as_str() {
            "vertex" => {
                let number = mesh.points.len() as i64;
                mesh.points.push(RawPoint { number, position, offset });
            }
            "face" => add_fan(mesh, &list, offset, source)?,
            "tristrips" => add_strips(mesh, &list, offset),
            "tetrahedra" | "tetrahedron" | "tet" => match <[i64; 4]>::try_from(list.as_slice()) {
                Ok(vertices) => mesh.tets.push(RawCell { vertices, label: None, offset }),
                Err(_) => {
                    let what = format!("a tetrahedron of {} vertices", list.len());
                    return Err(source.malformed(offset, what));
                }
            },
            _ => {}
        }
    }
    Ok(())
}

impl Element {
    fn has(&self, name: &str) -> bool {
        self.properties.iter().any(|property| property.name == name && property.length.is_none())
    }
}

impl Property {
    fn is_vertex_list(&self) -> bool {
        ["vertex_indices", "vertex_index"].contains(&self.name.as_str())
    }
}

/// Strips of triangles that share edges, one after the other; −1 starts a new one.
fn add_strips(mesh: &mut RawMesh, list: &[i64], offset: usize) {
    for strip in list.split(|&vertex| vertex == -1) {
        for (k, corners) in strip.windows(3).enumerate() {
            let [a, b, c] = [corners[0], corners[1], corners[2]];
            // Strips name a vertex twice to turn; that is no triangle.
            if a != b && b != c && c != a {
                let vertices = if k % 2 == 0 { [a, b, c] } else { [b, a, c] };
                mesh.triangles.push(RawCell { vertices, label: None, offset });
            }
        }
    }
}
