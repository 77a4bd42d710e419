//! A symmetric matrix with unit diagonal as full rows: Â = D^-½ A D^-½, D the diagonal of A.
//!
//! Both triangles are stored, so that one thread can compute each row of a product. The diagonal is 1 and is not stored: a Jacobi step needs
//! no division, and entries between −1 and 1 are safe in single precision whatever the units and however stiff the body.

use crate::sparse::SymmetricMatrix;
use std::sync::Arc;

/// Positions of the off-diagonal entries.
#[derive(Clone, Debug, Default)]
pub(super) struct RowPattern {
    /// Entries of row i are `start[i]..start[i + 1]`.
    pub start: Vec<u32>,
    /// Column of each entry, ascending within a row.
    pub columns: Vec<u32>,
}

impl RowPattern {
    /// Number of rows.
    pub fn n(&self) -> usize {
        self.start.len() - 1
    }

    /// Positions of the entries of row `i`.
    pub fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.start[i] as usize..self.start[i + 1] as usize
    }
}

/// Â without its diagonal of ones.
#[derive(Clone, Debug)]
pub(super) struct UnitRows {
    /// Shared with the finest level of the cycle.
    pub pattern: Arc<RowPattern>,
    pub values: Vec<f64>,
}

impl UnitRows {
    /// Â and the scaling D^-½ of each row. `None` if the diagonal is not positive or an entry is not finite.
    pub fn new(matrix: &SymmetricMatrix) -> Option<(Self, Vec<f64>)> {
        let n = matrix.pattern.n();
        let mut scale = Vec::with_capacity(n);
        for i in 0..n {
            let diagonal = matrix.diagonal(i);
            if !(diagonal > 0.0 && diagonal.is_finite()) {
                return None;
            }
            scale.push(1.0 / diagonal.sqrt());
        }
        let columns = &matrix.pattern.column_start;
        // The diagonal is the first entry of its column.
        let below = |j: usize| columns[j] + 1..columns[j + 1];
        let mut start = vec![0u32; n + 1];
        for j in 0..n {
            start[j + 1] += below(j).len() as u32;
            for &i in &matrix.pattern.rows[below(j)] {
                start[i + 1] += 1;
            }
        }
        for i in 0..n {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut pattern = RowPattern { columns: vec![0; start[n] as usize], start };
        let mut values = vec![0.0; pattern.columns.len()];
        let mut put = |i: usize, j: usize, value: f64| {
            let place = next[i] as usize;
            pattern.columns[place] = j as u32;
            values[place] = value;
            next[i] += 1;
        };
        // Column by column, each row first receives the entries left of its diagonal, in order; its own column, which holds the entries right
        // of the diagonal, comes when j = i, after all of those.
        for j in 0..n {
            for k in below(j) {
                let i = matrix.pattern.rows[k];
                let value = matrix.values[k] * scale[i] * scale[j];
                if !value.is_finite() {
                    return None;
                }
                put(i, j, value);
                put(j, i, value);
            }
        }
        Some((Self { pattern: Arc::new(pattern), values }, scale))
    }

    /// (column, value) of the off-diagonal entries of row `i`.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
        let row = self.pattern.row(i);
        self.pattern.columns[row.clone()].iter().map(|&j| j as usize).zip(self.values[row].iter().copied())
    }

    /// max over rows of Σ|Âᵢⱼ|: no eigenvalue is larger (Gershgorin).
    pub fn gershgorin(&self) -> f64 {
        let rows = (0..self.pattern.n()).map(|i| 1.0 + self.row(i).map(|(_, a)| a.abs()).sum::<f64>());
        rows.fold(1.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_both_triangles_in_order() {
        let entries = [(0, 0, 4.0), (1, 1, 1.0), (2, 2, 9.0), (2, 0, -3.0), (1, 2, -1.5)];
        let (rows, scale) = UnitRows::new(&SymmetricMatrix::from_entries(3, &entries)).unwrap();
        assert_eq!(scale, [0.5, 1.0, 1.0 / 3.0]);
        let row = |i| rows.row(i).collect::<Vec<_>>();
        assert_eq!(row(0), [(2, -0.5)]);
        assert_eq!(row(1), [(2, -0.5)]);
        assert_eq!(row(2), [(0, -0.5), (1, -0.5)]);
        assert_eq!(rows.gershgorin(), 2.0);
    }

    #[test]
    fn a_diagonal_that_is_not_positive_is_refused() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(UnitRows::new(&SymmetricMatrix::from_entries(2, &[(0, 0, 1.0), (1, 1, bad)])).is_none());
        }
    }
}
