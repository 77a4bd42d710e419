//! TetGen's `.smesh` (and `.poly`): points, then polygons of the surface; holes and regions follow and are not needed for a surface.
//!
//! If the list of points is empty, they are in the `.node` of the same name. A row of a polygon in `.smesh` is its number of corners, the corners, and
//! perhaps a marker. In `.poly` a facet is several polygons; the first is taken, and a facet with holes is refused.

use super::error::MeshError;
use super::polygon::add_fan;
use super::raw::{RawMesh, RawPoint};
use super::source::{Lines, Source};
use super::tokens::Tokens;

/// The points and faces; points from `nodes` if the file itself has none.
pub(super) fn parse(
    source: &Source,
    nodes: impl FnOnce() -> Result<Source, MeshError>,
) -> Result<(RawMesh, Option<Source>), MeshError> {
    let mut mesh = RawMesh::default();
    let mut lines = source.lines();
    let mut sibling = None;
    if read_points(&mut lines, source, &mut mesh)? == 0 {
        let nodes = nodes()?;
        read_points(&mut nodes.lines(), &nodes, &mut mesh)?;
        sibling = Some(nodes);
    }
    let mut header = lines.row("the number of facets")?;
    let count = header.amount("the number of facets")?;
    let is_poly = source.path.extension().is_some_and(|e| e.eq_ignore_ascii_case("poly"));
    for number in 0..count {
        let mut row = lines.row(format_args!("facet {} of {count}", number + 1))?;
        if is_poly {
            let offset = row.next_offset();
            let polygons = row.amount("the number of polygons")?;
            let holes = if row.clone().next().is_some() { row.amount("the number of holes")? } else { 0 };
            if polygons != 1 || holes != 0 {
                let what = format!(
                    "a facet of {polygons} polygons and {holes} holes; only simple polygons are supported"
                );
                return Err(source.malformed(offset, what));
            }
            row = lines.row("a polygon")?;
        }
        read_polygon(row, &mut mesh)?;
    }
    Ok((mesh, sibling))
}

fn read_points(lines: &mut Lines<'_>, source: &Source, mesh: &mut RawMesh) -> Result<u64, MeshError> {
    let mut header = lines.row("a header with the number of points")?;
    let count = header.amount("the number of points")?;
    let offset = header.next_offset();
    if header.clone().next().is_some() && header.int("the dimension")? != 3 {
        return Err(source.malformed(offset, "the points have another dimension than 3"));
    }
    for index in 0..count {
        let mut row = lines.row(format_args!("point {} of {count}", index + 1))?;
        let offset = row.next_offset();
        let number = row.int("the number of the point")?;
        mesh.points.push(RawPoint { number, position: row.coordinates()?, offset });
    }
    Ok(count)
}

fn read_polygon(mut row: Tokens<'_>, mesh: &mut RawMesh) -> Result<(), MeshError> {
    let offset = row.next_offset();
    let corners = row.amount("the number of corners")?;
    let mut polygon = Vec::new();
    for _ in 0..corners {
        polygon.push(row.int("a vertex number")?);
    }
    add_fan(mesh, &polygon, offset, row.source)
}
