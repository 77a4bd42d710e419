//! The XML formats: `.vtu` (UnstructuredGrid) and `.vtp` (PolyData). Several pieces are joined.

use super::arrays::{self, Style};
use super::cells::{Cells, POLYGON, STRIP, is_label};
use super::tags::{self, Tag};
use crate::mesh_io::binary::Scalar;
use crate::mesh_io::error::MeshError;
use crate::mesh_io::raw::{RawMesh, RawPoint};
use crate::mesh_io::source::Source;
use glam::DVec3;

pub(in crate::mesh_io) fn parse(source: &Source) -> Result<RawMesh, MeshError> {
    let mut style = None;
    let mut sections: Vec<&str> = Vec::new();
    let mut arrays = Vec::new();
    let mut pieces = 0;
    let mut position = 0;
    let mut appended = None;
    while let Some(tag) = tags::next(source, position)? {
        position = tag.end;
        match tag.name {
            "VTKFile" => style = Some(style_of(source, &tag)?),
            "Piece" => pieces += 1,
            "AppendedData" => {
                appended = appended_data(source, &tag)?;
                // What follows may be raw bytes.
                break;
            }
            "Points" | "Cells" | "Polys" | "Strips" | "CellData" | "PointData" | "Lines" | "Verts" => {
                sections.push(tag.name);
            }
            "/Points" | "/Cells" | "/Polys" | "/Strips" | "/CellData" | "/PointData" | "/Lines"
            | "/Verts" => {
                sections.pop();
            }
            "DataArray" => {
                let section = sections.last().copied().unwrap_or_default();
                arrays.push((pieces, section, tag));
            }
            _ => {}
        }
    }
    let Some(mut style) = style else {
        return Err(source.malformed(0, "a VTK XML file has a tag <VTKFile>"));
    };
    style.appended = appended;
    let mut mesh = RawMesh::default();
    let mut rest = arrays.as_slice();
    while let Some((piece, ..)) = rest.first() {
        let length = rest.iter().take_while(|(other, ..)| other == piece).count();
        read_piece(source, &rest[..length], &style, &mut mesh)?;
        rest = &rest[length..];
    }
    Ok(mesh)
}

fn style_of(source: &Source, tag: &Tag<'_>) -> Result<Style, MeshError> {
    let kind = tag.get("type").unwrap_or_default();
    if kind != "UnstructuredGrid" && kind != "PolyData" {
        let what = format!("a file of the type `{kind}`; UnstructuredGrid or PolyData is needed");
        return Err(source.malformed(tag.offset, what));
    }
    let compressor = tag.get("compressor").unwrap_or_default();
    if !["", "vtkZLibDataCompressor"].contains(&compressor) {
        let what =
            format!("data compressed by `{compressor}`; only zlib is supported: save it without compression");
        return Err(source.malformed(tag.offset, what));
    }
    let length = if tag.get("header_type") == Some("UInt64") { Scalar::U64 } else { Scalar::U32 };
    let big_endian = tag.get("byte_order") == Some("BigEndian");
    Ok(Style { big_endian, length, compressed: !compressor.is_empty(), appended: None })
}

/// Appended data starts after an underscore.
fn appended_data(source: &Source, tag: &Tag<'_>) -> Result<Option<(usize, bool)>, MeshError> {
    let rest = source.bytes.get(tag.end..).unwrap_or_default();
    let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    if rest.get(blank) != Some(&b'_') {
        return Err(source.malformed(tag.end, "appended data starts with an underscore"));
    }
    Ok(Some((tag.end + blank + 1, tag.get("encoding") != Some("raw"))))
}

type Listed<'a> = (usize, &'a str, Tag<'a>);

fn read_piece(
    source: &Source,
    arrays: &[Listed<'_>],
    style: &Style,
    mesh: &mut RawMesh,
) -> Result<(), MeshError> {
    let first = mesh.points.len() as i64;
    let find = |wanted: &str, name: Option<&str>| {
        let of_name = |tag: &Tag<'_>| name.is_none_or(|name| tag.get("Name") == Some(name));
        arrays.iter().find(|(_, section, tag)| *section == wanted && of_name(tag)).map(|(.., tag)| tag)
    };
    if let Some(tag) = find("Points", None) {
        let list = arrays::read(source, tag, style)?.reals();
        if tag.get("NumberOfComponents") != Some("3") || list.len() % 3 != 0 {
            return Err(source.malformed(tag.offset, "points need three components"));
        }
        for p in list.chunks_exact(3) {
            let number = mesh.points.len() as i64;
            mesh.points.push(RawPoint { number, position: DVec3::new(p[0], p[1], p[2]), offset: tag.offset });
        }
    }
    for section in ["Cells", "Polys", "Strips"] {
        let Some(at) = find(section, Some("connectivity")) else { continue };
        let ints = |name: &str| match find(section, Some(name)) {
            Some(tag) => Ok(arrays::read(source, tag, style)?.ints()),
            None => Err(source.malformed(at.offset, format!("cells without an array `{name}`"))),
        };
        let (connectivity, ends) = (ints("connectivity")?, ints("offsets")?);
        let types = match section {
            "Cells" => ints("types")?,
            "Strips" => vec![STRIP; ends.len()],
            _ => vec![POLYGON; ends.len()],
        };
        let mut labels = Vec::new();
        if section == "Cells" {
            let label = arrays.iter().find(|(_, section, tag)| {
                *section == "CellData"
                    && tag.get("Name").is_some_and(is_label)
                    && tag.get("NumberOfComponents").is_none_or(|n| n == "1")
            });
            if let Some((.., tag)) = label {
                labels = arrays::read(source, tag, style)?.ints();
            }
        }
        if ends.is_empty() {
            continue;
        }
        Cells { connectivity, ends, types, labels }.add_to(mesh, first, source, at.offset)?;
    }
    Ok(())
}
