//! The cells of VTK by their number.

use crate::mesh_io::error::MeshError;
use crate::mesh_io::polygon::add_fan;
use crate::mesh_io::raw::{RawCell, RawMesh};
use crate::mesh_io::source::Source;

/// Cells as both kinds of files have them: the vertices of all, one after the other, where each ends, and their types.
pub(super) struct Cells {
    pub connectivity: Vec<i64>,
    /// One past the last vertex of each cell.
    pub ends: Vec<i64>,
    /// The type of each cell.
    pub types: Vec<i64>,
    /// Labels of regions, a number for each cell, or empty.
    pub labels: Vec<i64>,
}

/// The type of polygons.
pub(super) const POLYGON: i64 = 7;
/// The type of strips of triangles.
pub(super) const STRIP: i64 = 6;

impl Cells {
    /// Adds them to the mesh; `first` is the number of the first point that they count from, `offset` where they are in the file.
    pub fn add_to(
        &self,
        mesh: &mut RawMesh,
        first: i64,
        source: &Source,
        offset: usize,
    ) -> Result<(), MeshError> {
        if self.types.len() != self.ends.len() {
            let what = format!("{} types for {} cells", self.types.len(), self.ends.len());
            return Err(source.malformed(offset, what));
        }
        let labelled = self.labels.len() == self.ends.len();
        let mut start = 0_usize;
        let mut vertices = Vec::new();
        for (index, &end) in self.ends.iter().enumerate() {
            let corners = usize::try_from(end).ok().and_then(|end| self.connectivity.get(start..end));
            let Some(corners) = corners else {
                let what = format!(
                    "cell {index} (counted from 0) ends at {end} of the {} vertex numbers, after a start at {start}",
                    self.connectivity.len()
                );
                return Err(source.malformed(offset, what));
            };
            start += corners.len();
            vertices.clear();
            vertices.extend(corners.iter().map(|vertex| vertex.saturating_add(first)));
            let kind = self.types[index];
            let label = if labelled { i32::try_from(self.labels[index]).ok() } else { None };
            add(mesh, kind, &vertices, label, source, offset)?;
        }
        Ok(())
    }
}

fn add(
    mesh: &mut RawMesh,
    kind: i64,
    vertices: &[i64],
    label: Option<i32>,
    source: &Source,
    offset: usize,
) -> Result<(), MeshError> {
    match kind {
        10 => match <[i64; 4]>::try_from(vertices) {
            Ok(vertices) => mesh.tets.push(RawCell { vertices, label, offset }),
            Err(_) => {
                let what = format!("a tetrahedron of {} vertices", vertices.len());
                return Err(source.malformed(offset, what));
            }
        },
        5 | POLYGON | 9 => add_fan(mesh, vertices, offset, source)?,
        // The last two corners of a pixel are in the order of an image.
        8 => match vertices {
            &[a, b, c, d] => add_fan(mesh, &[a, b, d, c], offset, source)?,
            _ => return Err(source.malformed(offset, format!("a pixel of {} vertices", vertices.len()))),
        },
        STRIP => {
            for (k, corners) in vertices.windows(3).enumerate() {
                let [a, b, c] = [corners[0], corners[1], corners[2]];
                let vertices = if k % 2 == 0 { [a, b, c] } else { [b, a, c] };
                mesh.triangles.push(RawCell { vertices, label: None, offset });
            }
        }
        _ => match name(kind) {
            Some((dimension, name)) => {
                if dimension >= 2 {
                    mesh.pass_over(name, dimension, 1, offset);
                }
            }
            None => return Err(source.malformed(offset, format!("unknown cell type {kind}"))),
        },
    }
    Ok(())
}

/// Dimension and name of cells that are not simulated.
#[rustfmt::skip]
fn name(kind: i64) -> Option<(u8, &'static str)> {
    Some(match kind {
        0..=4 | 21 | 35 | 68 | 75 => (0, "points and lines"),
        11 => (3, "voxels"),
        12 => (3, "hexahedra"),
        13 => (3, "wedges (prisms)"),
        14 => (3, "pyramids"),
        15 | 16 => (3, "prisms of five or six sides"),
        22 | 34 => (2, "6-node (quadratic) triangles"),
        23 | 28 | 30 | 36 => (2, "quadratic quadrilaterals and polygons"),
        24 => (3, "10-node (quadratic) tetrahedra"),
        25 | 29 | 33 => (3, "quadratic hexahedra"),
        26 | 31 | 32 => (3, "quadratic wedges (prisms)"),
        27 | 37 => (3, "quadratic pyramids"),
        41 | 42 => (3, "polyhedra"),
        69 | 76 => (2, "Lagrange or Bézier triangles"),
        70 | 77 => (2, "Lagrange or Bézier quadrilaterals"),
        71 | 78 => (3, "Lagrange or Bézier tetrahedra"),
        72 | 79 => (3, "Lagrange or Bézier hexahedra"),
        73 | 80 => (3, "Lagrange or Bézier wedges (prisms)"),
        74 | 81 => (3, "Lagrange or Bézier pyramids"),
        _ => return None,
    })
}

/// Names of cell data that programs give to labels of regions.
pub(super) fn is_label(name: &str) -> bool {
    [
        "region",
        "regions",
        "label",
        "labels",
        "material",
        "materialids",
        "gmsh:physical",
        "medit:ref",
        "cellentityids",
    ]
    .iter()
    .any(|known| name.eq_ignore_ascii_case(known))
}
