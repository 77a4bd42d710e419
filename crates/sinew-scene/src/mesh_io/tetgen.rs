//! TetGen's `.node` and `.ele`: points in one file, tetrahedra in its sibling.
//!
//! Each starts with a header of counts and has a row per item, which begins with its number. Rows are numbered from 0 or from 1, depending on
//! the first point. Point attributes and boundary markers are skipped; the first attribute of a tetrahedron is its region.

use super::error::MeshError;
use super::raw::{RawCell, RawMesh, RawPoint};
use super::source::{Lines, Source};
use super::tokens::Tokens;
use std::path::Path;

/// Loads `name.node` and `name.ele`, whichever of them `path` names.
pub(super) fn load_pair(path: &Path) -> Result<(Source, Source), MeshError> {
    // The named file keeps its spelling; its sibling follows in upper or lower case.
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let upper = extension.chars().next().is_some_and(|c| c.is_ascii_uppercase());
    if extension.eq_ignore_ascii_case("node") {
        let sibling = path.with_extension(if upper { "ELE" } else { "ele" });
        Ok((Source::load(path)?, Source::load(&sibling)?))
    } else {
        let sibling = path.with_extension(if upper { "NODE" } else { "node" });
        Ok((Source::load(&sibling)?, Source::load(path)?))
    }
}

pub(super) fn parse(nodes: &Source, elements: &Source) -> Result<RawMesh, MeshError> {
    let mut mesh = RawMesh::default();
    read_points(nodes, &mut mesh)?;
    read_tets(elements, &mut mesh)?;
    Ok(mesh)
}

fn read_points(source: &Source, mesh: &mut RawMesh) -> Result<(), MeshError> {
    let mut lines = source.lines();
    let mut header = lines.row("a header with the number of points")?;
    let count = header.amount("the number of points")?;
    let offset = header.next_offset();
    let dimension = header.int("the dimension")?;
    if dimension != 3 {
        return Err(source.malformed(offset, format!("the points have dimension {dimension}; 3 is needed")));
    }
    for index in 0..count {
        let mut row = lines.row(format_args!("point {} of {count}", index + 1))?;
        let offset = row.next_offset();
        let number = row.int("the number of the point")?;
        mesh.points.push(RawPoint { number, position: row.coordinates()?, offset });
    }
    refuse_more(lines, count)
}

fn read_tets(source: &Source, mesh: &mut RawMesh) -> Result<(), MeshError> {
    let mut lines = source.lines();
    let mut header = lines.row("a header with the number of tetrahedra")?;
    let offset = header.next_offset();
    let count = header.amount("the number of tetrahedra")?;
    match header.int("the number of nodes per tetrahedron")? {
        4 => {}
        10 => {
            mesh.pass_over("10-node (quadratic) tetrahedra", 3, count, offset);
            return Ok(());
        }
        other => {
            return Err(source.malformed(offset, format!("elements of {other} nodes; tetrahedra have 4")));
        }
    }
    let has_region = header.clone().next().is_some() && header.amount("the number of attributes")? > 0;
    for index in 0..count {
        let mut row = lines.row(format_args!("tetrahedron {} of {count}", index + 1))?;
        let offset = row.next_offset();
        row.int("the number of the tetrahedron")?;
        let vertices = row.vertices()?;
        let label = if has_region { Some(read_region(&mut row)?) } else { None };
        mesh.tets.push(RawCell { vertices, label, offset });
    }
    refuse_more(lines, count)
}

/// TetGen allows any number as an attribute, and writes regions as whole ones, sometimes as `2.0`.
fn read_region(row: &mut Tokens<'_>) -> Result<i32, MeshError> {
    let offset = row.next_offset();
    let value = row.real("the region attribute")?;
    if value.fract() != 0.0 || value.abs() > f64::from(i32::MAX) {
        return Err(row
            .source
            .malformed(offset, format!("the region attribute {value} is not a whole number")));
    }
    Ok(value as i32)
}

fn refuse_more(mut lines: Lines<'_>, count: u64) -> Result<(), MeshError> {
    match lines.next() {
        None => Ok(()),
        Some(row) => {
            let what = format!("the header announces {count} rows, but the file goes on");
            Err(row.source.malformed(row.next_offset(), what))
        }
    }
}
