//! A box as a grid of cells, each cut into tetrahedra.

use super::{ModelError, check_amount, check_cells, check_length};
use crate::mesh_data::MeshData;
use glam::DVec3;

/// How a cell is cut into tetrahedra.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Split {
    /// Five: a regular one in the middle and one at each of four alternating corners, mirrored from cell to
    /// cell so that faces match. Fewest elements; stiffness varies like a checkerboard.
    #[default]
    Five,
    /// Six around the diagonal from the lowest to the highest corner (Kuhn's, or Freudenthal's,
    /// triangulation). All cells alike; the diagonal is a preferred direction.
    Six,
}

impl Split {
    /// Tetrahedra per cell.
    #[must_use]
    pub const fn tets_per_cell(self) -> usize {
        match self {
            Split::Five => 5,
            Split::Six => 6,
        }
    }
}

/// Corners of a cell are bits: 4 for the upper x, 2 for the upper y, 1 for the upper z.
type CellTet = [usize; 4];

const FIVE: [CellTet; 5] = [[0, 5, 6, 3], [4, 5, 6, 0], [2, 6, 3, 0], [1, 3, 5, 0], [7, 5, 3, 6]];

/// Each goes from corner 0 to corner 7 along the three axes in another order.
const SIX: [CellTet; 6] =
    [[0, 4, 6, 7], [0, 2, 3, 7], [0, 1, 5, 7], [0, 6, 2, 7], [0, 5, 4, 7], [0, 3, 1, 7]];

/// A box of `size` (metres) centred at the origin, with `cells` along x, y and z.
///
/// There are (c₀+1)(c₁+1)(c₂+1) vertices; vertex (i, j, k) along x, y, z has the index
/// (i·(c₁+1) + j)·(c₂+1) + k. Cells come in the same order, and the tetrahedra of a cell together.
///
/// # Errors
/// [`ModelError`] if a size is not positive and finite, there are no cells, or far too many.
pub fn tet_box(size: DVec3, cells: [usize; 3], split: Split) -> Result<MeshData, ModelError> {
    for (what, length) in
        ["the size of the box along x", "the size of the box along y", "the size of the box along z"]
            .into_iter()
            .zip(size.to_array())
    {
        check_length(what, length)?;
    }
    for (what, count) in
        ["the number of cells along x", "the number of cells along y", "the number of cells along z"]
            .into_iter()
            .zip(cells)
    {
        check_cells(what, count)?;
    }
    check_amount("the box", &[split.tets_per_cell(), cells[0], cells[1], cells[2]])?;
    Ok(MeshData { points: grid_points(size, cells), tets: grid_tets(cells, split), ..MeshData::default() })
}

fn grid_points(size: DVec3, cells: [usize; 3]) -> Vec<DVec3> {
    let [nx, ny, nz] = cells.map(|count| count + 1);
    // Symmetric about 0 to the last bit.
    let along = |index: usize, axis: usize| {
        (2.0 * index as f64 - cells[axis] as f64) / (2.0 * cells[axis] as f64) * size[axis]
    };
    let mut points = Vec::with_capacity(nx * ny * nz);
    for i in 0..nx {
        for j in 0..ny {
            for k in 0..nz {
                points.push(DVec3::new(along(i, 0), along(j, 1), along(k, 2)));
            }
        }
    }
    points
}

fn grid_tets(cells: [usize; 3], split: Split) -> Vec<[u32; 4]> {
    let [cx, cy, cz] = cells;
    let vertex = |i: usize, j: usize, k: usize| ((i * (cy + 1) + j) * (cz + 1) + k) as u32;
    let mut tets = Vec::with_capacity(cx * cy * cz * split.tets_per_cell());
    for i in 0..cx {
        for j in 0..cy {
            for k in 0..cz {
                let corner = |bits: usize| vertex(i + (bits >> 2 & 1), j + (bits >> 1 & 1), k + (bits & 1));
                match split {
                    Split::Five if (i + j + k) % 2 == 0 => tets.extend(FIVE.map(|tet| tet.map(corner))),
                    // Mirrored along x, which inverts the tetrahedra; swapping two vertices restores their orientation.
                    Split::Five => {
                        tets.extend(FIVE.map(|[a, b, c, d]| [a, b, d, c].map(|bits| corner(bits ^ 4))));
                    }
                    Split::Six => tets.extend(SIX.map(|tet| tet.map(corner))),
                }
            }
        }
    }
    tets
}
