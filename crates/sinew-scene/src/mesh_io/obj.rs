//! Wavefront OBJ: surfaces, read as triangles and written.
//!
//! We have our own reader because a simulated surface needs what a renderer does not: double precision, the file's order of vertices, and one
//! vertex where faces meet, whatever their texture coordinates, normals, groups and objects. Materials are ignored. Polygons are cut into a
//! fan around their first vertex, which is right for convex ones.

use super::error::MeshError;
use super::polygon::add_fan;
use super::raw::{RawMesh, RawPoint};
use super::source::Source;
use super::tokens::{Token, Tokens, parse_int};
use glam::DVec3;
use std::io::{BufWriter, Write};
use std::path::Path;

pub(super) fn parse(source: &Source) -> Result<RawMesh, MeshError> {
    let mut mesh = RawMesh::default();
    let mut polygon = Vec::new();
    for mut line in source.lines() {
        let Some(keyword) = line.next() else { continue };
        match keyword.bytes {
            b"v" => {
                let number = mesh.points.len() as i64 + 1;
                // A fourth number is a weight, and further ones are a colour: neither moves the point.
                mesh.points.push(RawPoint { number, position: line.coordinates()?, offset: keyword.offset });
            }
            b"f" => {
                read_polygon(&mut line, mesh.points.len(), &mut polygon)?;
                add_fan(&mut mesh, &polygon, keyword.offset, source)?;
            }
            _ => {}
        }
    }
    Ok(mesh)
}

/// Reads the corners `v`, `v/vt`, `v//vn` or `v/vt/vn` to the end of the line.
fn read_polygon(line: &mut Tokens<'_>, points: usize, polygon: &mut Vec<i64>) -> Result<(), MeshError> {
    polygon.clear();
    let source = line.source;
    for corner in line {
        let length = corner.bytes.iter().position(|&byte| byte == b'/').unwrap_or(corner.bytes.len());
        let token = Token { bytes: &corner.bytes[..length], offset: corner.offset };
        let number = parse_int(source, token, "a vertex number")?;
        polygon.push(if number < 0 { from_the_end(source, token, number, points)? } else { number });
    }
    Ok(())
}

/// −1 is the last vertex before the face.
fn from_the_end(source: &Source, token: Token<'_>, number: i64, points: usize) -> Result<i64, MeshError> {
    let count = points as i64;
    if number < -count {
        let what =
            format!("vertex {number} counts back from the {count} vertices above, and there are too few");
        return Err(source.malformed(token.offset, what));
    }
    Ok(count + 1 + number)
}

/// Writes points and triangles (0-based) as an OBJ file, with 9 significant digits.
///
/// # Errors
/// [`MeshError::Io`] if the file cannot be written.
pub fn write_obj(path: &Path, points: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), MeshError> {
    write(path, points, triangles).map_err(|source| MeshError::Io { file: path.to_owned(), source })
}

fn write(path: &Path, points: &[DVec3], triangles: &[[u32; 3]]) -> std::io::Result<()> {
    let mut out = BufWriter::new(std::fs::File::create(path)?);
    for point in points {
        writeln!(out, "v {:.8e} {:.8e} {:.8e}", point.x, point.y, point.z)?;
    }
    for triangle in triangles {
        let [a, b, c] = triangle.map(|vertex| u64::from(vertex) + 1);
        writeln!(out, "f {a} {b} {c}")?;
    }
    out.flush()
}
