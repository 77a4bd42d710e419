//! MEDIT `.mesh` in ASCII: a keyword, a count, that many rows; sections in any order, numbers from 1.

use super::error::MeshError;
use super::raw::{RawCell, RawMesh, RawPoint};
use super::source::Source;
use super::tokens::{Token, Tokens, parse_int};
use crate::mesh_data::MeshData;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Volume and surface cells of the format that are not simulated: keyword, name, dimension.
const OTHER_CELLS: [(&str, &str, u8); 12] = [
    ("Quadrilaterals", "quadrilaterals", 2),
    ("TrianglesP2", "6-node (quadratic) triangles", 2),
    ("QuadrilateralsQ2", "9-node (quadratic) quadrilaterals", 2),
    ("Hexahedra", "hexahedra", 3),
    ("HexahedraQ2", "27-node (quadratic) hexahedra", 3),
    ("Prisms", "wedges (prisms)", 3),
    ("Pentahedra", "wedges (prisms)", 3),
    ("Wedges", "wedges (prisms)", 3),
    ("Pyramids", "pyramids", 3),
    ("TetrahedraP2", "10-node (quadratic) tetrahedra", 3),
    ("TetrahedraP3", "20-node (cubic) tetrahedra", 3),
    ("Polyhedra", "polyhedra", 3),
];

pub(super) fn parse(source: &Source) -> Result<RawMesh, MeshError> {
    let mut tokens = source.tokens();
    let header = tokens.expect("the keyword MeshVersionFormatted")?;
    if !header.is("MeshVersionFormatted") {
        let what = format!("a MEDIT file starts with MeshVersionFormatted, found {}", header.quoted());
        return Err(source.malformed(header.offset, what));
    }
    tokens.int("the version of the format")?;

    let mut mesh = RawMesh::default();
    while let Some(keyword) = tokens.next() {
        if keyword.is("End") {
            break;
        } else if keyword.is("Dimension") {
            read_dimension(&mut tokens)?;
        } else if keyword.is("Vertices") {
            read_vertices(&mut tokens, &mut mesh)?;
        } else if keyword.is("Tetrahedra") {
            read_cells(&mut tokens, &mut mesh.tets, "the number of tetrahedra")?;
        } else if keyword.is("Triangles") {
            read_cells(&mut tokens, &mut mesh.triangles, "the number of triangles")?;
        } else if is_word(keyword) {
            if let Some((_, name, dimension)) = OTHER_CELLS.iter().find(|(word, ..)| keyword.is(word)) {
                let count = tokens.amount("the number of cells")?;
                mesh.pass_over(name, *dimension, count, keyword.offset);
            }
            skip_numbers(&mut tokens);
        } else {
            let what = format!(
                "expected a keyword, found {}: the section has more rows than it announces",
                keyword.quoted()
            );
            return Err(source.malformed(keyword.offset, what));
        }
    }
    Ok(mesh)
}

fn read_dimension(tokens: &mut Tokens<'_>) -> Result<(), MeshError> {
    let start = tokens.next_offset();
    match tokens.int("the dimension")? {
        3 => Ok(()),
        other => Err(tokens.source.malformed(start, format!("the mesh has dimension {other}; 3 is needed"))),
    }
}

fn read_vertices(tokens: &mut Tokens<'_>, mesh: &mut RawMesh) -> Result<(), MeshError> {
    let count = tokens.amount("the number of vertices")?;
    for _ in 0..count {
        let offset = tokens.next_offset();
        let number = mesh.points.len() as i64 + 1;
        mesh.points.push(RawPoint { number, position: tokens.coordinates()?, offset });
        tokens.int("the label of the vertex")?;
    }
    Ok(())
}

fn read_cells<const N: usize>(
    tokens: &mut Tokens<'_>,
    cells: &mut Vec<RawCell<N>>,
    what: &str,
) -> Result<(), MeshError> {
    let count = tokens.amount(what)?;
    for _ in 0..count {
        let offset = tokens.next_offset();
        let vertices = tokens.vertices()?;
        let label = tokens.expect("the label of the element")?;
        cells.push(RawCell { vertices, label: Some(parse_label(tokens.source, label)?), offset });
    }
    Ok(())
}

fn parse_label(source: &Source, token: Token<'_>) -> Result<i32, MeshError> {
    let value = parse_int(source, token, "the label of the element")?;
    i32::try_from(value)
        .map_err(|_| source.malformed(token.offset, format!("the label {value} does not fit in 32 bits")))
}

fn is_word(token: Token<'_>) -> bool {
    token.bytes.first().is_some_and(u8::is_ascii_alphabetic)
}

/// Skips to the next keyword, past ridges, corners, normals and other data that remeshers add.
fn skip_numbers(tokens: &mut Tokens<'_>) {
    while tokens.clone().next().is_some_and(|token| !is_word(token)) {
        tokens.next();
    }
}

/// Writes points, tetrahedra with their labels and triangles as a MEDIT file; numbers read back to the same bits.
///
/// # Errors
/// [`MeshError::Io`] if the file cannot be written.
pub fn write_medit(path: &Path, mesh: &MeshData) -> Result<(), MeshError> {
    write(path, mesh).map_err(|source| MeshError::Io { file: path.to_owned(), source })
}

fn write(path: &Path, mesh: &MeshData) -> std::io::Result<()> {
    let mut out = BufWriter::new(std::fs::File::create(path)?);
    writeln!(out, "MeshVersionFormatted 2\nDimension 3\nVertices\n{}", mesh.points.len())?;
    for p in &mesh.points {
        writeln!(out, "{:?} {:?} {:?} 0", p.x, p.y, p.z)?;
    }
    writeln!(out, "Tetrahedra\n{}", mesh.tets.len())?;
    for (i, tet) in mesh.tets.iter().enumerate() {
        let [a, b, c, d] = tet.map(|vertex| u64::from(vertex) + 1);
        writeln!(out, "{a} {b} {c} {d} {}", mesh.regions.get(i).copied().unwrap_or(0))?;
    }
    writeln!(out, "Triangles\n{}", mesh.triangles.len())?;
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| u64::from(vertex) + 1);
        writeln!(out, "{a} {b} {c} 0")?;
    }
    writeln!(out, "End")?;
    out.flush()
}
