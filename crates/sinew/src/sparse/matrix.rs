//! A symmetric matrix as its lower triangle in compressed columns.

use glam::DVec3;

/// Where the entries are: built once from (row, column) pairs, then filled again and again.
#[derive(Clone, Debug)]
pub(crate) struct SymmetricPattern {
    /// Entries of column j are `column_start[j]..column_start[j + 1]`.
    pub column_start: Vec<usize>,
    /// Row of each entry, ≥ its column, ascending within a column.
    pub rows: Vec<usize>,
}

impl SymmetricPattern {
    /// From pairs in any order, with repetitions, either triangle. The diagonal is always present.
    pub fn new(n: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut lower: Vec<(usize, usize)> =
            pairs.into_iter().map(|(i, j)| if i >= j { (j, i) } else { (i, j) }).collect();
        lower.extend((0..n).map(|i| (i, i)));
        lower.sort_unstable();
        lower.dedup();
        let mut column_start = vec![0; n + 1];
        for &(column, _) in &lower {
            column_start[column + 1] += 1;
        }
        for j in 0..n {
            column_start[j + 1] += column_start[j];
        }
        Self { column_start, rows: lower.into_iter().map(|(_, row)| row).collect() }
    }

    /// Number of rows.
    pub fn n(&self) -> usize {
        self.column_start.len() - 1
    }

    /// Position of entry (i, j) of either triangle, if it is in the pattern.
    pub fn slot(&self, i: usize, j: usize) -> Option<usize> {
        let (row, column) = if i >= j { (i, j) } else { (j, i) };
        let start = self.column_start[column];
        self.rows[start..self.column_start[column + 1]].binary_search(&row).ok().map(|k| start + k)
    }
}

/// Pattern and values.
#[derive(Clone, Debug)]
pub(crate) struct SymmetricMatrix {
    pub pattern: SymmetricPattern,
    pub values: Vec<f64>,
}

impl SymmetricMatrix {
    /// Sums entries (i, j, value) of the lower triangle or its mirror; each unordered pair counts once.
    pub fn from_entries(n: usize, entries: &[(u32, u32, f64)]) -> Self {
        let pattern = SymmetricPattern::new(n, entries.iter().map(|&(i, j, _)| (i as usize, j as usize)));
        let mut values = vec![0.0; pattern.rows.len()];
        for &(i, j, value) in entries {
            if let Some(slot) = pattern.slot(i as usize, j as usize) {
                values[slot] += value;
            }
        }
        Self { pattern, values }
    }

    /// vᵀ A v for three right-hand sides at once: Σ over the coordinates.
    pub fn quadratic_form(&self, v: &[DVec3]) -> f64 {
        let mut sum = 0.0;
        for j in 0..self.pattern.n() {
            for k in self.pattern.column_start[j]..self.pattern.column_start[j + 1] {
                let i = self.pattern.rows[k];
                let weight = if i == j { 1.0 } else { 2.0 };
                sum += weight * self.values[k] * v[i].dot(v[j]);
            }
        }
        sum
    }

    /// Entry (i, i).
    pub fn diagonal(&self, i: usize) -> f64 {
        // The diagonal is always there and is the first entry of its column.
        self.values[self.pattern.column_start[i]]
    }

    /// y ← A x, three rows per vector.
    pub fn multiply_flat(&self, x: &[DVec3], y: &mut [DVec3]) {
        y.fill(DVec3::ZERO);
        for j in 0..self.pattern.n() {
            for k in self.pattern.column_start[j]..self.pattern.column_start[j + 1] {
                let (i, a) = (self.pattern.rows[k], self.values[k]);
                y[i / 3][i % 3] += a * x[j / 3][j % 3];
                if i != j {
                    y[j / 3][j % 3] += a * x[i / 3][i % 3];
                }
            }
        }
    }

    /// A ← A + shift·I.
    pub fn add_to_diagonal(&mut self, shift: f64) {
        for j in 0..self.pattern.n() {
            // The diagonal is the first entry of its column.
            self.values[self.pattern.column_start[j]] += shift;
        }
    }
}
