//! The legacy format: a comment, a title, `ASCII` or `BINARY` (always big-endian), `DATASET`, and sections that each start with a keyword.
//!
//! Cells are `count, vertices…` for each up to version 4, and two arrays (where each starts, and all vertices) from 5.1. Of the attributes only a
//! label of the region is read; reading ends at the first section that is unknown once the cells are there.

use super::cells::{Cells, POLYGON, STRIP, is_label};
use crate::mesh_io::binary::{Binary, Scalar};
use crate::mesh_io::error::MeshError;
use crate::mesh_io::raw::{RawMesh, RawPoint};
use crate::mesh_io::source::Source;
use crate::mesh_io::tokens::Tokens;
use glam::DVec3;

pub(in crate::mesh_io) fn parse(source: &mut Source) -> Result<RawMesh, MeshError> {
    let mut start = Binary { source, position: 0, big_endian: true };
    let first = start.line().unwrap_or_default();
    if !first.starts_with(b"# vtk DataFile") {
        return Err(source.malformed(0, "a VTK file starts with `# vtk DataFile Version`"));
    }
    start.line();
    let here = start.position;
    let binary = match start.line() {
        Some(line) if line.eq_ignore_ascii_case(b"ASCII") => false,
        Some(line) if line.eq_ignore_ascii_case(b"BINARY") => true,
        _ => return Err(source.malformed(here, "expected ASCII or BINARY")),
    };
    let position = start.position;
    source.binary = binary;
    let mut reader = Reader {
        bytes: Binary { source, position, big_endian: true },
        binary,
        mesh: RawMesh::default(),
        cells: Cells { connectivity: Vec::new(), ends: Vec::new(), types: Vec::new(), labels: Vec::new() },
        cells_at: position,
        attributes_of_cells: None,
    };
    reader.read_sections()?;
    let Reader { mut mesh, cells, cells_at, .. } = reader;
    cells.add_to(&mut mesh, 0, source, cells_at)?;
    Ok(mesh)
}

struct Reader<'a> {
    bytes: Binary<'a>,
    binary: bool,
    mesh: RawMesh,
    cells: Cells,
    cells_at: usize,
    /// Inside `CELL_DATA` or `POINT_DATA`, which of them, and the number of rows.
    attributes_of_cells: Option<(bool, u64)>,
}

impl<'a> Reader<'a> {
    fn read_sections(&mut self) -> Result<(), MeshError> {
        loop {
            let start = self.bytes.position;
            let Some(line) = self.bytes.line() else { return Ok(()) };
            if line.is_empty() {
                continue;
            }
            let end = self.bytes.position;
            let mut words = Tokens { source: self.bytes.source, position: start, end };
            let Some(keyword) = words.next() else { continue };
            let word = keyword.bytes.to_ascii_uppercase();
            match word.as_slice() {
                b"DATASET" => self.check_kind(&mut words)?,
                b"POINTS" => self.read_points(&mut words)?,
                b"CELLS" => self.read_cells(&mut words, start)?,
                b"POLYGONS" => {
                    self.read_cells(&mut words, start)?;
                    self.cells.types.resize(self.cells.ends.len(), POLYGON);
                }
                b"TRIANGLE_STRIPS" => {
                    self.read_cells(&mut words, start)?;
                    self.cells.types.resize(self.cells.ends.len(), STRIP);
                }
                b"LINES" | b"VERTICES" => {
                    self.read_cells(&mut words, start)?;
                    self.cells.types.resize(self.cells.ends.len(), 4);
                }
                b"CELL_TYPES" => {
                    let count = words.amount("the number of cells")?;
                    self.cells.types = self.ints(count, Scalar::I32, "cell types")?;
                }
                b"CELL_DATA" | b"POINT_DATA" => {
                    let count = words.amount("the number of rows")?;
                    self.attributes_of_cells = Some((word == b"CELL_DATA", count));
                }
                b"METADATA" => while self.bytes.line().is_some_and(|line| !line.is_empty()) {},
                _ if self.attributes_of_cells.is_some() => {
                    // Attributes that are not understood end the file for us: their length is unknown.
                    if !self.read_attribute(&word, &mut words)? {
                        return Ok(());
                    }
                }
                b"FIELD" => {
                    self.attributes_of_cells = Some((false, 0));
                    self.read_attribute(&word, &mut words)?;
                    self.attributes_of_cells = None;
                }
                _ => {
                    let what =
                        format!("expected POINTS, CELLS, CELL_TYPES or POLYGONS, found {}", keyword.quoted());
                    return Err(self.bytes.source.malformed(keyword.offset, what));
                }
            }
        }
    }

    fn check_kind(&self, words: &mut Tokens<'_>) -> Result<(), MeshError> {
        let kind = words.expect("the kind of the dataset")?;
        if kind.is("UNSTRUCTURED_GRID") || kind.is("POLYDATA") {
            return Ok(());
        }
        let what =
            format!("a dataset of the kind {}; UNSTRUCTURED_GRID or POLYDATA is needed", kind.quoted());
        Err(self.bytes.source.malformed(kind.offset, what))
    }

    fn read_points(&mut self, words: &mut Tokens<'_>) -> Result<(), MeshError> {
        let count = words.amount("the number of points")?;
        let kind = kind_of(words)?;
        for number in 0..count {
            let offset = self.offset();
            let mut position = DVec3::ZERO;
            for axis in 0..3 {
                position[axis] = self.real(kind, "a coordinate")?;
            }
            self.mesh.points.push(RawPoint { number: number as i64, position, offset });
        }
        Ok(())
    }

    fn read_cells(&mut self, words: &mut Tokens<'_>, start: usize) -> Result<(), MeshError> {
        self.cells_at = start;
        let count = words.amount("the number of cells")?;
        let size = words.amount("the number of vertex numbers")?;
        let here = self.bytes.position;
        let next = loop {
            match self.bytes.line() {
                Some([]) => {}
                Some(line) => break line,
                None => break b"",
            }
        };
        if let Some(name) = next.strip_prefix(b"OFFSETS") {
            return self.read_offset_cells(count, size, integers(name));
        }
        self.bytes.position = here;
        let list = self.ints(size, Scalar::I32, "cells")?;
        let mut rest = list.as_slice();
        for index in 0..count {
            let cell = rest.split_first().and_then(|(&length, rest)| {
                let length = usize::try_from(length).ok()?;
                rest.split_at_checked(length)
            });
            let Some((vertices, after)) = cell else {
                let what =
                    format!("cell {index} (counted from 0) is longer than the {size} numbers of the section");
                return Err(self.bytes.source.malformed(start, what));
            };
            self.cells.connectivity.extend_from_slice(vertices);
            self.cells.ends.push(self.cells.connectivity.len() as i64);
            rest = after;
        }
        Ok(())
    }

    /// Version 5.1: `count` starts, one more than there are cells, and `size` vertices.
    fn read_offset_cells(&mut self, count: u64, size: u64, kind: Scalar) -> Result<(), MeshError> {
        let offsets = self.ints(count, kind, "starts of cells")?;
        let here = self.bytes.position;
        let line = loop {
            match self.bytes.line() {
                Some([]) => {}
                Some(line) => break line,
                None => break b"",
            }
        };
        let Some(name) = line.strip_prefix(b"CONNECTIVITY") else {
            return Err(self.bytes.source.malformed(here, "expected CONNECTIVITY"));
        };
        let vertices = self.ints(size, integers(name), "vertex numbers")?;
        let base = self.cells.connectivity.len() as i64;
        self.cells.ends.extend(offsets.iter().skip(1).map(|end| end.saturating_add(base)));
        self.cells.connectivity.extend(vertices);
        Ok(())
    }

    /// Reads or skips an attribute; false if it is unknown.
    fn read_attribute(&mut self, word: &[u8], words: &mut Tokens<'_>) -> Result<bool, MeshError> {
        let (of_cells, rows) = self.attributes_of_cells.unwrap_or_default();
        let name = |words: &mut Tokens<'_>| -> Result<String, MeshError> {
            Ok(String::from_utf8_lossy(words.expect("a name")?.bytes).into_owned())
        };
        match word {
            b"SCALARS" => {
                let name = name(words)?;
                let kind = kind_of(words)?;
                let columns =
                    if words.clone().next().is_some() { words.amount("the number of columns")? } else { 1 };
                let here = self.bytes.position;
                // The name of a table of colours follows, but not in every file.
                if !self.bytes.line().is_some_and(|line| line.starts_with(b"LOOKUP_TABLE")) {
                    self.bytes.position = here;
                }
                self.column(&name, kind, columns, rows, of_cells)?;
            }
            b"VECTORS" | b"NORMALS" => {
                let name = name(words)?;
                let kind = kind_of(words)?;
                self.column(&name, kind, 3, rows, false)?;
            }
            b"TENSORS" => {
                let name = name(words)?;
                let kind = kind_of(words)?;
                self.column(&name, kind, 9, rows, false)?;
            }
            b"FIELD" => {
                name(words)?;
                let arrays = words.amount("the number of arrays")?;
                for _ in 0..arrays {
                    self.read_field_array(of_cells)?;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn read_field_array(&mut self, of_cells: bool) -> Result<(), MeshError> {
        loop {
            let start = self.bytes.position;
            let Some(line) = self.bytes.line() else {
                return Err(self.bytes.source.malformed(start, "expected an array, but the file ends here"));
            };
            if line.is_empty() {
                continue;
            }
            if line == b"METADATA" {
                while self.bytes.line().is_some_and(|line| !line.is_empty()) {}
                continue;
            }
            let mut words = Tokens { source: self.bytes.source, position: start, end: self.bytes.position };
            let name = String::from_utf8_lossy(words.expect("the name of an array")?.bytes).into_owned();
            let columns = words.amount("the number of columns")?;
            let rows = words.amount("the number of rows")?;
            let kind = kind_of(&mut words)?;
            return self.column(&name, kind, columns, rows, of_cells);
        }
    }

    fn column(
        &mut self,
        name: &str,
        kind: Scalar,
        columns: u64,
        rows: u64,
        of_cells: bool,
    ) -> Result<(), MeshError> {
        let count = rows.saturating_mul(columns);
        if of_cells && columns == 1 && is_label(name) && self.cells.labels.is_empty() {
            self.cells.labels = self.ints(count, kind, "labels")?;
        } else if self.binary {
            self.bytes.take(count.saturating_mul(kind.size() as u64), "an attribute")?;
        } else {
            for _ in 0..count {
                self.real(kind, "a value of an attribute")?;
            }
        }
        Ok(())
    }

    fn real(&mut self, kind: Scalar, what: &str) -> Result<f64, MeshError> {
        if self.binary {
            return self.bytes.real(kind, what);
        }
        let mut tokens = self.tokens();
        let value = tokens.real(what)?;
        self.bytes.position = tokens.position;
        Ok(value)
    }

    fn ints(&mut self, count: u64, kind: Scalar, what: &str) -> Result<Vec<i64>, MeshError> {
        if self.binary {
            let all = self.bytes.take(count.saturating_mul(kind.size() as u64), what)?;
            return Ok(all.chunks_exact(kind.size()).map(|bytes| kind.int(bytes, true)).collect());
        }
        let mut tokens = self.tokens();
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(if kind.is_real() { tokens.real(what)? as i64 } else { tokens.int(what)? });
        }
        self.bytes.position = tokens.position;
        Ok(list)
    }

    fn tokens(&self) -> Tokens<'a> {
        let Binary { source, position, .. } = self.bytes;
        Tokens { source, position, end: source.bytes.len() }
    }

    fn offset(&self) -> usize {
        if self.binary { self.bytes.position } else { self.tokens().next_offset() }
    }
}

/// The whole numbers of version 5.1, by the word after OFFSETS or CONNECTIVITY.
fn integers(name: &[u8]) -> Scalar {
    match name.trim_ascii().to_ascii_lowercase().as_slice() {
        b"vtktypeint32" | b"int" => Scalar::I32,
        _ => Scalar::I64,
    }
}

fn kind_of(words: &mut Tokens<'_>) -> Result<Scalar, MeshError> {
    let word = words.expect("the type of the numbers")?;
    Ok(match word.bytes.to_ascii_lowercase().as_slice() {
        b"char" | b"signed_char" => Scalar::I8,
        b"unsigned_char" => Scalar::U8,
        b"short" => Scalar::I16,
        b"unsigned_short" => Scalar::U16,
        b"int" => Scalar::I32,
        b"unsigned_int" => Scalar::U32,
        b"long" | b"vtktypeint64" | b"vtkidtype" => Scalar::I64,
        b"unsigned_long" => Scalar::U64,
        b"float" => Scalar::F32,
        b"double" => Scalar::F64,
        _ => {
            let what = format!("unknown type of numbers {}", word.quoted());
            return Err(words.source.malformed(word.offset, what));
        }
    })
}
