//! The result of a reader: points and cells as the file numbers them, not yet checked.

use super::FileMaterial;
use glam::DVec3;

/// A point, with the number by which cells refer to it.
pub(super) struct RawPoint {
    pub number: i64,
    pub position: DVec3,
    /// Its position in the file, bytes.
    pub offset: usize,
}

/// A cell of `N` vertices.
pub(super) struct RawCell<const N: usize> {
    pub vertices: [i64; N],
    /// The label of its region, if the file gives one.
    pub label: Option<i32>,
    /// Its position in the file, bytes.
    pub offset: usize,
}

/// Cells that were skipped.
pub(super) struct OtherCells {
    /// Their kind, plural.
    pub name: &'static str,
    /// 2 for surface cells, 3 for volume cells.
    pub dimension: u8,
    pub count: u64,
    /// Position of the first one in the file, bytes.
    pub offset: usize,
}

#[derive(Default)]
pub(super) struct RawMesh {
    pub points: Vec<RawPoint>,
    pub tets: Vec<RawCell<4>>,
    pub triangles: Vec<RawCell<3>>,
    pub others: Vec<OtherCells>,
    pub notes: Vec<String>,
    pub materials: Vec<FileMaterial>,
    /// The material of each tetrahedron, #T or empty.
    pub material_of: Vec<Option<u32>>,
}

impl RawMesh {
    /// Counts cells that are skipped. Points and lines are no loss, and need not be counted.
    pub fn pass_over(&mut self, name: &'static str, dimension: u8, count: u64, offset: usize) {
        if count == 0 {
            return;
        }
        match self.others.iter_mut().find(|other| other.name == name) {
            Some(other) => other.count = other.count.saturating_add(count),
            None => self.others.push(OtherCells { name, dimension, count, offset }),
        }
    }
}
