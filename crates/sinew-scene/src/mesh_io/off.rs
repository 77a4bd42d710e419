//! OFF (Geomview): the word `OFF`, the numbers of points, faces and edges, then a row for each.
//!
//! Letters before the word announce what else a row of a point has: `ST` texture coordinates, `C` a colour, `N` a normal. They follow the
//! coordinates and are skipped, as are the colours of faces. Points of four coordinates (`4OFF`) and of any number (`nOFF`) are refused.

use super::error::MeshError;
use super::polygon::add_fan;
use super::raw::{RawMesh, RawPoint};
use super::source::Source;

pub(super) fn parse(source: &Source) -> Result<RawMesh, MeshError> {
    let mut lines = source.lines();
    let mut header = lines.row("the word OFF")?;
    let word = header.expect("the word OFF")?;
    let kind = word.bytes.strip_suffix(b"OFF");
    match kind {
        Some(kind) if kind.iter().all(|letter| b"STCN".contains(letter)) => {}
        Some(_) => {
            let what = format!("points as in {} are not supported; save the file as OFF", word.quoted());
            return Err(source.malformed(word.offset, what));
        }
        None => {
            let what = format!("an OFF file starts with OFF, found {}", word.quoted());
            return Err(source.malformed(word.offset, what));
        }
    }
    if header.clone().next().is_some_and(|next| next.is("BINARY")) {
        return Err(source.malformed(word.offset, "binary OFF is not supported; save the file as text"));
    }
    // The counts follow on the same line or on the next.
    let mut counts = match header.clone().next() {
        Some(_) => header,
        None => lines.row("the numbers of points, faces and edges")?,
    };
    let points = counts.amount("the number of points")?;
    let faces = counts.amount("the number of faces")?;
    let mut mesh = RawMesh::default();
    for number in 0..points {
        let mut row = lines.row(format_args!("point {} of {points}", number + 1))?;
        let offset = row.next_offset();
        mesh.points.push(RawPoint { number: number as i64, position: row.coordinates()?, offset });
    }
    let mut polygon = Vec::new();
    for number in 0..faces {
        let mut row = lines.row(format_args!("face {} of {faces}", number + 1))?;
        let offset = row.next_offset();
        let corners = row.amount("the number of corners")?;
        polygon.clear();
        for _ in 0..corners {
            polygon.push(row.int("a vertex number")?);
        }
        add_fan(&mut mesh, &polygon, offset, source)?;
    }
    if let Some(row) = lines.next() {
        let what = format!("the header announces {points} points and {faces} faces, but the file goes on");
        return Err(source.malformed(row.next_offset(), what));
    }
    Ok(mesh)
}
