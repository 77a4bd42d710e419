//! A = L Lᵀ where each row of A begins at its first entry: no row of L begins earlier, so a matrix with its entries near the diagonal costs little.

use super::dense::dot;

/// A symmetric matrix by rows, from the first entry of each to the diagonal; the memory is reused.
#[derive(Debug, Default)]
pub(crate) struct Skyline {
    /// First column of each row, and where it is stored.
    first: Vec<usize>,
    at: Vec<usize>,
    values: Vec<f64>,
}

impl Skyline {
    /// A matrix of zeros whose rows begin at these columns, each at most its own row.
    pub fn clear(&mut self, first: impl Iterator<Item = usize>) {
        self.first.clear();
        self.at.clear();
        let mut length = 0;
        for (row, first) in first.enumerate() {
            self.first.push(first);
            self.at.push(length);
            length += row - first + 1;
        }
        self.values.clear();
        self.values.resize(length, 0.0);
    }

    /// Adds to an entry of the lower triangle.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.values[self.at[row] + column - self.first[row]] += value;
    }

    /// Makes L of A; returns whether it was positive definite.
    pub fn factor(&mut self) -> bool {
        for i in 0..self.first.len() {
            let (known, own) = self.values.split_at_mut(self.at[i]);
            let begin = self.first[i];
            for j in begin..i {
                let (first, at) = (self.first[j], self.at[j]);
                let other = &known[at..=at + j - first];
                let from = begin.max(first);
                let sum = dot(&own[from - begin..j - begin], &other[from - first..j - first]);
                own[j - begin] = (own[j - begin] - sum) / other[j - first];
            }
            let (left, pivot) = own.split_at_mut(i - begin);
            let square = pivot[0] - dot(left, left);
            if !(square > 0.0 && square.is_finite()) {
                return false;
            }
            pivot[0] = square.sqrt();
        }
        true
    }

    /// x ← A⁻¹x.
    pub fn solve(&self, x: &mut [f64]) {
        let row = |i: usize| {
            let row = &self.values[self.at[i]..=self.at[i] + i - self.first[i]];
            (self.first[i], &row[..row.len() - 1], row[row.len() - 1])
        };
        for i in 0..self.first.len() {
            let (first, left, pivot) = row(i);
            x[i] = (x[i] - dot(left, &x[first..i])) / pivot;
        }
        for i in (0..self.first.len()).rev() {
            let (first, left, pivot) = row(i);
            x[i] /= pivot;
            let value = x[i];
            x[first..i].iter_mut().zip(left).for_each(|(x, l)| *x -= l * value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_it_was_given() {
        let n = 9;
        let first = |i: usize| [0, 0, 1, 3, 0, 4, 2, 7, 6][i];
        let entry = |i: usize, j: usize| match i == j {
            true => 5.0 + i as f64,
            false if j >= first(i) => (0.3 * (i * 7 + j) as f64).sin(),
            false => 0.0,
        };
        let mut matrix = Skyline::default();
        for _ in 0..2 {
            matrix.clear((0..n).map(first));
            (0..n).for_each(|i| (first(i)..=i).for_each(|j| matrix.add(i, j, entry(i, j))));
            assert!(matrix.factor());
            let x: Vec<f64> = (0..n).map(|i| 1.0 - 0.3 * i as f64).collect();
            let mut y: Vec<f64> =
                (0..n).map(|i| (0..n).map(|j| entry(i.max(j), i.min(j)) * x[j]).sum()).collect();
            matrix.solve(&mut y);
            assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-13), "{y:?}");
        }
        matrix.clear([0, 0].into_iter());
        for (i, j, a) in [(0, 0, 1.0), (1, 0, 2.0), (1, 1, 1.0)] {
            matrix.add(i, j, a);
        }
        assert!(!matrix.factor(), "indefinite");
    }
}
