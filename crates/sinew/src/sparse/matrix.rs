//! A symmetric matrix as its lower triangle in compressed columns.

use glam::DVec3;

/// Positions of the entries: built once from (row, column) pairs, then filled repeatedly.
#[derive(Clone, Debug)]
pub(crate) struct SymmetricPattern {
    /// Entries of column j are `column_start[j]..column_start[j + 1]`.
    pub column_start: Vec<usize>,
    /// Row of each entry, ≥ its column, ascending within a column.
    pub rows: Vec<usize>,
}

impl SymmetricPattern {
    /// From pairs in any order, with repetitions, in either triangle. The diagonal is always present.
    pub fn new(n: usize, pairs: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let lower = || pairs.clone().map(|(i, j)| (i.max(j), i.min(j), ())).chain((0..n).map(|i| (i, i, ())));
        let (start, bucket) = bucket_by_column(n, lower);
        let mut column_start = vec![0; n + 1];
        let mut rows: Vec<usize> = Vec::new();
        let mut last_seen = vec![usize::MAX; n];
        for j in 0..n {
            let first = rows.len();
            for &(row, ()) in &bucket[start[j]..start[j + 1]] {
                let row = row as usize;
                if last_seen[row] != j {
                    last_seen[row] = j;
                    rows.push(row);
                }
            }
            rows[first..].sort_unstable();
            column_start[j + 1] = rows.len();
        }
        Self { column_start, rows }
    }

    /// Number of rows.
    pub fn n(&self) -> usize {
        self.column_start.len() - 1
    }

    /// The block of the first `n` rows and columns.
    pub fn leading(&self, n: usize) -> Self {
        let mut column_start = vec![0; n + 1];
        let mut rows = Vec::new();
        for j in 0..n {
            let column = &self.rows[self.column_start[j]..self.column_start[j + 1]];
            rows.extend(column.iter().copied().filter(|&i| i < n));
            column_start[j + 1] = rows.len();
        }
        Self { column_start, rows }
    }

    /// Position of entry (i, j) of either triangle, if it is in the pattern.
    pub fn slot(&self, i: usize, j: usize) -> Option<usize> {
        let (row, column) = if i >= j { (i, j) } else { (j, i) };
        let start = self.column_start[column];
        self.rows[start..self.column_start[column + 1]].binary_search(&row).ok().map(|k| start + k)
    }
}

/// Sorts (row, column, value) triples by column in two passes, keeping their order within a column: a million tetrahedra give ten million
/// triples, too many for a comparison sort. Column j is `start[j]..start[j + 1]`.
fn bucket_by_column<V: Copy + Default, I: Iterator<Item = (usize, usize, V)>>(
    n: usize,
    triples: impl Fn() -> I,
) -> (Vec<usize>, Vec<(u32, V)>) {
    let mut start = vec![0; n + 1];
    for (_, column, _) in triples() {
        start[column + 1] += 1;
    }
    for j in 0..n {
        start[j + 1] += start[j];
    }
    let mut next = start.clone();
    let mut bucket = vec![(0, V::default()); start[n]];
    for (row, column, value) in triples() {
        bucket[next[column]] = (row as u32, value);
        next[column] += 1;
    }
    (start, bucket)
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
        let lower = || entries.iter().map(|&(i, j, v)| (i.max(j) as usize, i.min(j) as usize, v));
        let pattern = SymmetricPattern::new(n, lower().map(|(i, j, _)| (i, j)));
        let (start, bucket) = bucket_by_column(n, lower);
        let mut values = vec![0.0; pattern.rows.len()];
        let mut slot = vec![0; n];
        for j in 0..n {
            for k in pattern.column_start[j]..pattern.column_start[j + 1] {
                slot[pattern.rows[k]] = k;
            }
            for &(row, value) in &bucket[start[j]..start[j + 1]] {
                values[slot[row as usize]] += value;
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
        // The diagonal is always present and is the first entry of its column.
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

    /// Adds to an entry of the lower triangle, if the pattern has it.
    pub fn add_at(&mut self, i: usize, j: usize, value: f64) {
        if let Some(slot) = self.pattern.slot(i, j) {
            self.values[slot] += value;
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
