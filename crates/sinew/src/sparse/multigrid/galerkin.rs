//! From one level to the next: P = (I − ωÂ)T and A_c = PᵀÂP \[vanek1996\].
//!
//! T distributes one number per group to its members in the proportions of the smoothest vector, D^½·1 on the finest level, which is nearly
//! in the null space of a Laplacian. One Jacobi step then smooths the jumps between groups, which makes the number of iterations independent
//! of the size. A_c is scaled to unit diagonal like every level, by columns of P.

use super::aggregation::{Aggregates, NONE};
use super::rows::{RowPattern, UnitRows};
use std::sync::Arc;

/// Entries of P below this share of the largest in their row are left out: coarser matrices lose a third of their entries, with hardly any
/// effect on the iteration.
const NEGLIGIBLE: f64 = 0.1;

/// A rectangular matrix in rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Rectangular {
    pub pattern: RowPattern,
    pub values: Vec<f64>,
    pub width: usize,
}

/// The next coarser level: P, its transpose and the coarse matrix.
pub(super) struct Coarsened {
    pub prolongation: Rectangular,
    pub restriction: Rectangular,
    pub matrix: UnitRows,
    /// The smoothest vector there.
    pub smooth: Vec<f64>,
}

/// A row under construction: values by column, and which columns are in use.
struct Accumulator {
    values: Vec<f64>,
    used: Vec<bool>,
    columns: Vec<u32>,
}

impl Accumulator {
    fn new(width: usize) -> Self {
        Self { values: vec![0.0; width], used: vec![false; width], columns: Vec::new() }
    }

    fn add(&mut self, column: u32, value: f64) {
        let k = column as usize;
        if !self.used[k] {
            self.used[k] = true;
            self.values[k] = 0.0;
            self.columns.push(column);
        }
        self.values[k] += value;
    }

    /// Returns the row in ascending order and starts the next.
    fn drain(&mut self, mut entry: impl FnMut(u32, f64)) {
        self.columns.sort_unstable();
        for &column in &self.columns {
            self.used[column as usize] = false;
            entry(column, self.values[column as usize]);
        }
        self.columns.clear();
    }
}

impl Rectangular {
    /// Builds the matrix row by row from what `fill` adds.
    fn from_rows(n: usize, width: usize, mut fill: impl FnMut(usize, &mut Accumulator)) -> Self {
        let mut row = Accumulator::new(width);
        let mut pattern = RowPattern { start: vec![0; n + 1], columns: Vec::new() };
        let mut values = Vec::new();
        for i in 0..n {
            fill(i, &mut row);
            row.drain(|column, value| {
                pattern.columns.push(column);
                values.push(value);
            });
            pattern.start[i + 1] = values.len() as u32;
        }
        Self { pattern, values, width }
    }

    fn row(&self, i: usize) -> impl Iterator<Item = (u32, f64)> {
        let row = self.pattern.row(i);
        self.pattern.columns[row.clone()].iter().copied().zip(self.values[row].iter().copied())
    }

    fn transposed(&self) -> Self {
        let mut start = vec![0u32; self.width + 1];
        for &column in &self.pattern.columns {
            start[column as usize + 1] += 1;
        }
        for i in 0..self.width {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut columns = vec![0; self.values.len()];
        let mut values = vec![0.0; self.values.len()];
        for i in 0..self.pattern.n() {
            for (column, value) in self.row(i) {
                let place = &mut next[column as usize];
                columns[*place as usize] = i as u32;
                values[*place as usize] = value;
                *place += 1;
            }
        }
        Self { pattern: RowPattern { start, columns }, values, width: self.pattern.n() }
    }

    /// Without the entries far below the largest of their row; the remaining entries are scaled so that Σ pᵢⱼ sⱼ stays the same, where s is
    /// the smoothest vector of the coarser level.
    fn truncated(&self, smooth: &[f64]) -> Self {
        Self::from_rows(self.pattern.n(), self.width, |i, row| {
            let largest = self.row(i).map(|(_, p)| p.abs()).fold(0.0, f64::max);
            let kept = || self.row(i).filter(|&(_, p)| p.abs() >= NEGLIGIBLE * largest);
            let whole: f64 = self.row(i).map(|(j, p)| p * smooth[j as usize]).sum();
            let left: f64 = kept().map(|(j, p)| p * smooth[j as usize]).sum();
            // A row that sums to zero has no proportions to keep.
            let scale = if whole * left > 0.0 { whole / left } else { 1.0 };
            kept().for_each(|(j, p)| row.add(j, p * scale));
        })
    }

    fn scale_columns(&mut self, scale: &[f64]) {
        for (value, &column) in self.values.iter_mut().zip(&self.pattern.columns) {
            *value *= scale[column as usize];
        }
    }
}

/// The next level; `damping` is ω, `smooth` is the smoothest vector here. `None` if the matrix turns out not to be positive definite.
pub(super) fn coarsen(
    matrix: &UnitRows,
    groups: &Aggregates,
    smooth: &[f64],
    damping: f64,
) -> Option<Coarsened> {
    let (n, width) = (matrix.pattern.n(), groups.count);
    let mut norms = vec![0.0; width];
    for (&group, &s) in groups.group.iter().zip(smooth) {
        if group != NONE {
            norms[group as usize] += s * s;
        }
    }
    norms.iter_mut().for_each(|norm| *norm = f64::sqrt(*norm));
    let tentative = |j: usize| {
        let group = groups.group[j];
        (group != NONE).then(|| (group, smooth[j] / norms[group as usize]))
    };
    let smoothed = Rectangular::from_rows(n, width, |i, row| {
        if let Some((group, t)) = tentative(i) {
            row.add(group, (1.0 - damping) * t);
        }
        for (j, a) in matrix.row(i) {
            if let Some((group, t)) = tentative(j) {
                row.add(group, -damping * a * t);
            }
        }
    });
    let mut prolongation = smoothed.truncated(&norms);
    let image = Rectangular::from_rows(n, width, |i, row| {
        prolongation.row(i).for_each(|(column, p)| row.add(column, p));
        for (j, a) in matrix.row(i) {
            prolongation.row(j).for_each(|(column, p)| row.add(column, a * p));
        }
    });
    let mut restriction = prolongation.transposed();
    let product = Rectangular::from_rows(width, width, |i, row| {
        for (j, r) in restriction.row(i) {
            image.row(j as usize).for_each(|(column, a)| row.add(column, r * a));
        }
    });
    let (coarse, scale) = unit_diagonal(&product)?;
    prolongation.scale_columns(&scale);
    for (i, scale) in scale.iter().enumerate() {
        let row = restriction.pattern.row(i);
        restriction.values[row].iter_mut().for_each(|value| *value *= scale);
    }
    let smooth = norms.iter().zip(&scale).map(|(norm, scale)| norm / scale).collect();
    Some(Coarsened { prolongation, restriction, matrix: coarse, smooth })
}

/// D^-½ A D^-½ without its diagonal, and D^-½.
fn unit_diagonal(product: &Rectangular) -> Option<(UnitRows, Vec<f64>)> {
    let mut scale = vec![0.0; product.width];
    for (i, scale) in scale.iter_mut().enumerate() {
        let diagonal = product.row(i).find(|&(column, _)| column as usize == i)?.1;
        if !(diagonal > 0.0 && diagonal.is_finite()) {
            return None;
        }
        *scale = 1.0 / diagonal.sqrt();
    }
    let mut pattern = RowPattern { start: vec![0; product.width + 1], columns: Vec::new() };
    let mut values = Vec::new();
    for i in 0..product.width {
        for (column, value) in product.row(i).filter(|&(column, _)| column as usize != i) {
            pattern.columns.push(column);
            values.push(value * scale[i] * scale[column as usize]);
        }
        pattern.start[i + 1] = values.len() as u32;
    }
    Some((UnitRows { pattern: Arc::new(pattern), values }, scale))
}
