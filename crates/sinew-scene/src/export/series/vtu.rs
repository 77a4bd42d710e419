//! VTK's `.vtu`, one file a frame, with the data appended in binary, and the `.pvd` that lists them by time for ParaView.

use crate::export::ExportError;
use glam::DVec3;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// The cells of a file: they do not change from frame to frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// Vertices of all cells, one after the other.
    connectivity: Vec<i64>,
    /// One past the last vertex of each cell.
    ends: Vec<i64>,
    types: Vec<u8>,
}

impl Cells {
    /// Adds tetrahedra.
    pub fn add_tets(&mut self, tets: &[[u32; 4]]) {
        tets.iter().for_each(|tet| self.add(tet, 10));
    }

    /// Adds triangles.
    pub fn add_triangles(&mut self, triangles: &[[u32; 3]]) {
        triangles.iter().for_each(|triangle| self.add(triangle, 5));
    }

    /// Adds segments.
    pub fn add_segments(&mut self, segments: &[[u32; 2]]) {
        segments.iter().for_each(|segment| self.add(segment, 3));
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    fn add(&mut self, vertices: &[u32], kind: u8) {
        self.connectivity.extend(vertices.iter().map(|&vertex| i64::from(vertex)));
        self.ends.push(self.connectivity.len() as i64);
        self.types.push(kind);
    }
}

/// Named values of points or cells.
#[derive(Clone, Copy, Debug)]
pub enum Field<'a> {
    /// A vector for each point.
    PointVectors(&'a str, &'a [DVec3]),
    /// A number for each cell.
    CellReals(&'a str, &'a [f64]),
    /// A whole number for each cell.
    CellInts(&'a str, &'a [i32]),
}

/// Writes one frame.
pub fn write_vtu(
    path: &Path,
    points: &[DVec3],
    cells: &Cells,
    fields: &[Field<'_>],
) -> Result<(), ExportError> {
    let mut arrays = Arrays::default();
    let reals = |list: &[DVec3]| list.iter().flat_map(|p| p.to_array()).flat_map(f64::to_le_bytes).collect();
    for field in fields {
        match field {
            Field::PointVectors(name, list) => arrays.add("PointData", name, "Float64", 3, reals(list)),
            Field::CellReals(name, list) => {
                arrays.add(
                    "CellData",
                    name,
                    "Float64",
                    1,
                    list.iter().flat_map(|v| v.to_le_bytes()).collect(),
                );
            }
            Field::CellInts(name, list) => {
                arrays.add("CellData", name, "Int32", 1, list.iter().flat_map(|v| v.to_le_bytes()).collect());
            }
        }
    }
    arrays.add("Points", "Points", "Float64", 3, reals(points));
    let ints = |list: &[i64]| list.iter().flat_map(|v| v.to_le_bytes()).collect();
    arrays.add("Cells", "connectivity", "Int64", 1, ints(&cells.connectivity));
    arrays.add("Cells", "offsets", "Int64", 1, ints(&cells.ends));
    arrays.add("Cells", "types", "UInt8", 1, cells.types.clone());
    arrays.write(path, points.len(), cells.len()).map_err(ExportError::io(path))
}

#[derive(Default)]
struct Arrays<'a> {
    list: Vec<(&'a str, String, Vec<u8>)>,
    offset: usize,
}

impl<'a> Arrays<'a> {
    fn add(&mut self, section: &'a str, name: &str, kind: &str, columns: usize, data: Vec<u8>) {
        // Without the word a row is a number, with it a list of one number.
        let columns = if columns == 1 { String::new() } else { format!(" NumberOfComponents=\"{columns}\"") };
        let tag = format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\"{columns} format=\"appended\" offset=\"{}\"/>",
            self.offset
        );
        self.offset += 8 + data.len();
        self.list.push((section, tag, data));
    }

    fn write(&self, path: &Path, points: usize, cells: usize) -> std::io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        write!(
            out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
             header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{cells}\">\n"
        )?;
        for section in ["PointData", "CellData", "Points", "Cells"] {
            writeln!(out, "<{section}>")?;
            for (_, tag, _) in self.list.iter().filter(|(of, ..)| *of == section) {
                writeln!(out, "{tag}")?;
            }
            writeln!(out, "</{section}>")?;
        }
        write!(out, "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_")?;
        for (.., data) in &self.list {
            out.write_all(&(data.len() as u64).to_le_bytes())?;
            out.write_all(data)?;
        }
        write!(out, "\n</AppendedData>\n</VTKFile>\n")?;
        out.flush()
    }
}

/// Writes the list of frames: time, s, and path relative to the list.
pub fn write_pvd(path: &Path, frames: &[(f64, String)]) -> Result<(), ExportError> {
    let write = || {
        let mut out = BufWriter::new(File::create(path)?);
        writeln!(
            out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>"
        )?;
        for (time, file) in frames {
            writeln!(out, "<DataSet timestep=\"{time:?}\" part=\"0\" file=\"{file}\"/>")?;
        }
        writeln!(out, "</Collection>\n</VTKFile>")?;
        out.flush()
    };
    write().map_err(ExportError::io(path))
}
