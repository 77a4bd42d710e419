//! `$MeshFormat`, the section that describes how all others are written.

use super::cursor::{Cursor, Encoding};
use crate::mesh_io::error::MeshError;
use crate::mesh_io::source::Source;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    V22,
    V41,
}

pub(super) struct Header {
    pub version: Version,
    pub encoding: Encoding,
    /// Position at which the next section starts, or white space before it.
    pub end: usize,
}

pub(super) fn read(source: &Source) -> Result<Header, MeshError> {
    let mut cursor = Cursor { source, position: 0, encoding: Encoding::Text };
    loop {
        match cursor.next_section()? {
            Some(b"MeshFormat") => break,
            Some(b"Comments") => cursor.skip_section(b"Comments")?,
            _ => return Err(source.malformed(0, "a Gmsh file starts with $MeshFormat")),
        }
    }
    let start = cursor.offset();
    let number = cursor.real("the version of the format")?;
    let version = match number {
        2.2 => Version::V22,
        4.1 => Version::V41,
        _ => {
            let what = format!(
                "version {number} of the Gmsh format; 2.2 and 4.1 are supported: save it as one of them"
            );
            return Err(source.malformed(start, what));
        }
    };
    let binary = match cursor.int("the kind of file")? {
        0 => false,
        1 => true,
        other => {
            return Err(
                source.malformed(start, format!("a file of kind {other}; 0 (text) or 1 (binary) is needed"))
            );
        }
    };
    let size_bytes = match (cursor.int("the size of numbers")?, version) {
        (8, _) => 8,
        (4, Version::V41) => 4,
        (other, _) => return Err(source.malformed(start, format!("numbers of {other} bytes; 8 are needed"))),
    };
    if binary {
        cursor.rest_of_line();
        cursor.encoding = Encoding::Binary { little_endian: read_byte_order(&mut cursor)?, size_bytes };
    }
    cursor.end_section("MeshFormat")?;
    Ok(Header { version, encoding: cursor.encoding, end: cursor.position })
}

/// A binary file contains the `int` 1 here.
fn read_byte_order(cursor: &mut Cursor<'_>) -> Result<bool, MeshError> {
    let start = cursor.position;
    match cursor.source.bytes.get(start..start + 4) {
        Some([1, 0, 0, 0]) => {
            cursor.position += 4;
            Ok(true)
        }
        Some([0, 0, 0, 1]) => {
            cursor.position += 4;
            Ok(false)
        }
        _ => {
            Err(cursor.source.malformed(start, "expected the number 1 in binary, which tells the byte order"))
        }
    }
}
