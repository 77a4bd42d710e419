//! A rectangular cloth: a grid of vertices with springs along it, across it and over two cells.

use super::{ModelError, check_amount, check_cells, check_length};
use crate::mesh_data::{MeshData, SpringEdge, SpringFamily};
use glam::DVec3;

/// All three families of springs.
pub const ALL_FAMILIES: [SpringFamily; 3] =
    [SpringFamily::Structural, SpringFamily::Shear, SpringFamily::Bend];

/// Which diagonals of a cell are shear springs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Diagonals {
    /// Both.
    #[default]
    Both,
    /// The one along which the cell is cut into triangles; it alternates from cell to cell.
    One,
}

/// A cloth of `size` (metres) along x and z in the plane y = 0, centred at the origin, with `cells`
/// along x and z and the springs of `families`.
///
/// Vertex (i, j) along x, z has the index i·(c₁+1) + j. Springs come family by family:
/// - structural: (i, j) to (i+1, j) and to (i, j+1);
/// - shear: `diagonals` of each cell;
/// - bend: (i, j) to (i+2, j) and to (i, j+2).
///
/// Each cell is two triangles with the normal +y; their diagonal alternates from cell to cell.
///
/// # Errors
/// [`ModelError`] if a size is not positive and finite, there are no cells, or far too many.
pub fn cloth(
    size: [f64; 2],
    cells: [usize; 2],
    families: &[SpringFamily],
    diagonals: Diagonals,
) -> Result<MeshData, ModelError> {
    check_length("the size of the cloth along x", size[0])?;
    check_length("the size of the cloth along z", size[1])?;
    check_cells("the number of cells along x", cells[0])?;
    check_cells("the number of cells along z", cells[1])?;
    // Two triangles and about two springs of each family per cell.
    check_amount("the cloth", &[8, cells[0], cells[1]])?;

    let grid = Grid { cells, diagonals };
    let mut springs = Vec::new();
    for family in ALL_FAMILIES {
        if families.contains(&family) {
            grid.add_springs(family, &mut springs);
        }
    }
    Ok(MeshData { points: grid.points(size), triangles: grid.triangles(), springs, ..MeshData::default() })
}

struct Grid {
    cells: [usize; 2],
    diagonals: Diagonals,
}

impl Grid {
    fn vertex(&self, i: usize, j: usize) -> u32 {
        (i * (self.cells[1] + 1) + j) as u32
    }

    fn points(&self, size: [f64; 2]) -> Vec<DVec3> {
        let along = |index: usize, axis: usize| {
            (2.0 * index as f64 - self.cells[axis] as f64) / (2.0 * self.cells[axis] as f64) * size[axis]
        };
        let point = |(i, j)| DVec3::new(along(i, 0), 0.0, along(j, 1));
        pairs(self.cells[0] + 1, self.cells[1] + 1).map(point).collect()
    }

    fn triangles(&self) -> Vec<[u32; 3]> {
        let cell = |(i, j): (usize, usize)| {
            let [a, b] = [self.vertex(i, j), self.vertex(i, j + 1)];
            let [c, d] = [self.vertex(i + 1, j), self.vertex(i + 1, j + 1)];
            if rises(i, j) { [[a, b, d], [a, d, c]] } else { [[a, b, c], [b, d, c]] }
        };
        pairs(self.cells[0], self.cells[1]).flat_map(cell).collect()
    }

    fn add_springs(&self, family: SpringFamily, springs: &mut Vec<SpringEdge>) {
        match family {
            SpringFamily::Structural => self.add_along_grid(family, 1, springs),
            SpringFamily::Bend => self.add_along_grid(family, 2, springs),
            SpringFamily::Shear => {
                for (i, j) in pairs(self.cells[0], self.cells[1]) {
                    let diagonal = |a, b| SpringEdge { a, b, family };
                    let both = self.diagonals == Diagonals::Both;
                    if both || rises(i, j) {
                        springs.push(diagonal(self.vertex(i, j), self.vertex(i + 1, j + 1)));
                    }
                    if both || !rises(i, j) {
                        springs.push(diagonal(self.vertex(i, j + 1), self.vertex(i + 1, j)));
                    }
                }
            }
        }
    }

    /// Springs over `step` cells along x and along z.
    fn add_along_grid(&self, family: SpringFamily, step: usize, springs: &mut Vec<SpringEdge>) {
        for (i, j) in pairs(self.cells[0] + 1, self.cells[1] + 1) {
            let a = self.vertex(i, j);
            if i + step <= self.cells[0] {
                springs.push(SpringEdge { a, b: self.vertex(i + step, j), family });
            }
            if j + step <= self.cells[1] {
                springs.push(SpringEdge { a, b: self.vertex(i, j + step), family });
            }
        }
    }
}

/// Whether the triangles of a cell meet along (i, j) to (i+1, j+1), or along the other diagonal.
fn rises(i: usize, j: usize) -> bool {
    (i + j).is_multiple_of(2)
}

/// (0, 0), (0, 1), …: the second index runs fastest.
fn pairs(first: usize, second: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..first).flat_map(move |i| (0..second).map(move |j| (i, j)))
}
