//! The blending matrix S: how much of each tetrahedron is passive tissue (column 0) and how much is each muscle \[dinev2020, §4.2.4, §4.2.5\].
//!
//! Rows lie on the simplex, and only muscles within the neighbourhood of a tetrahedron may be in its row.

use rayon::prelude::*;

/// S by rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blend {
    /// Where rows begin, #T + 1.
    pub(crate) start: Vec<u32>,
    /// Columns of the entries, rising within a row; the first of each row is 0, passive tissue.
    pub(crate) columns: Vec<u32>,
    /// Their weights.
    pub(crate) weights: Vec<f64>,
}

impl Blend {
    /// Of rows of (column, weight), which need not be sorted; passive tissue is added where it is missing.
    pub fn from_rows(rows: impl IntoIterator<Item = Vec<(u32, f64)>>) -> Self {
        let mut blend = Self { start: vec![0], ..Self::default() };
        for mut row in rows {
            if row.iter().all(|(column, _)| *column != 0) {
                row.push((0, 0.0));
            }
            row.sort_by_key(|(column, _)| *column);
            blend.columns.extend(row.iter().map(|(column, _)| column));
            blend.weights.extend(row.iter().map(|(_, weight)| weight));
            blend.start.push(blend.columns.len() as u32);
        }
        blend.project();
        blend
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the entries of a row are.
    pub(crate) fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.start[row] as usize..self.start[row + 1] as usize
    }

    /// Columns and weights of a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.range(row).map(|k| (self.columns[k], self.weights[k]))
    }

    /// The weight of passive tissue in a row.
    pub fn passive(&self, row: usize) -> f64 {
        self.weights[self.start[row] as usize]
    }

    /// Puts each row on the simplex: the nearest point of it.
    pub(crate) fn project(&mut self) {
        project_rows(&self.start, &mut self.weights);
    }

    /// Number of entries.
    pub fn entries(&self) -> usize {
        self.weights.len()
    }

    /// S + h·dS, wherever that is: for tests of derivatives.
    pub fn moved(&self, ds: &[f64], h: f64) -> Self {
        let weights = self.weights.iter().zip(ds).map(|(w, d)| w + h * d).collect();
        Self { weights, ..self.clone() }
    }

    /// Gives passive tissue what muscles leave; if they are more than everything, they are scaled down.
    pub(crate) fn rescale(&mut self) {
        for row in 0..self.len() {
            let range = self.range(row);
            let muscles: f64 = self.weights[range.start + 1..range.end].iter().sum();
            let scale = 1.0 / muscles.max(1.0);
            self.weights[range.start + 1..range.end].iter_mut().for_each(|w| *w *= scale);
            self.weights[range.start] = (1.0 - muscles).max(0.0);
        }
        self.project();
    }

    /// Largest distance of a row's sum from 1, and least weight.
    pub fn faults(&self) -> (f64, f64) {
        let sums = (0..self.len()).map(|row| (self.weights[self.range(row)].iter().sum::<f64>() - 1.0).abs());
        (sums.fold(0.0, f64::max), self.weights.iter().copied().fold(f64::INFINITY, f64::min))
    }

    /// ‖S − other‖ of the same pattern.
    pub fn distance(&self, other: &Self) -> f64 {
        self.weights.iter().zip(&other.weights).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }
}

/// Nearest points on the simplex of all rows.
pub(crate) fn project_rows(start: &[u32], weights: &mut [f64]) {
    let mut rest = weights;
    let mut rows = Vec::with_capacity(start.len());
    for pair in start.windows(2) {
        let (row, after) = rest.split_at_mut((pair[1] - pair[0]) as usize);
        rows.push(row);
        rest = after;
    }
    rows.into_par_iter().with_min_len(1024).for_each(project_row);
}

/// The nearest point w ≥ 0, Σ w = 1: all weights lose the same, down to zero \[held1974\].
fn project_row(row: &mut [f64]) {
    if row.len() == 1 {
        row[0] = 1.0;
        return;
    }
    let mut sorted: Vec<f64> = row.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let (mut sum, mut loss) = (0.0, 0.0);
    for (k, value) in sorted.iter().enumerate() {
        sum += value;
        let candidate = (sum - 1.0) / (k + 1) as f64;
        if *value > candidate {
            loss = candidate;
        }
    }
    row.iter_mut().for_each(|w| *w = (*w - loss).max(0.0));
    // Rounding of a few units in the last place.
    let sum: f64 = row.iter().sum();
    row.iter_mut().for_each(|w| *w /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::muscles::noise::Noise;

    #[test]
    fn projections_are_nearest_and_on_the_simplex() {
        let mut noise = Noise::new(5);
        for n in 2..7 {
            let point: Vec<f64> = (0..n).map(|_| 2.0 * noise.normal()).collect();
            let mut on = point.clone();
            project_row(&mut on);
            assert!((on.iter().sum::<f64>() - 1.0).abs() < 1e-15 && on.iter().all(|w| *w >= 0.0));
            // The way back makes no acute angle with the way to any corner.
            for corner in 0..n {
                let slope: f64 =
                    (0..n).map(|i| (point[i] - on[i]) * (if i == corner { 1.0 } else { 0.0 } - on[i])).sum();
                assert!(slope < 1e-12);
            }
        }
    }
}
