//! Small dense systems: Cholesky by faer, and one with pivoting for matrices with redundant rows.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch};
use faer::{MatMut, Par};

/// A = L Lᵀ for matrices of one size; the memory is reused.
pub(crate) struct DenseCholesky {
    n: usize,
    /// The largest n that there is memory for.
    most: usize,
    /// L, column after column; entries above the diagonal are ignored.
    l: Vec<f64>,
    memory: MemBuffer,
}

impl std::fmt::Debug for DenseCholesky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DenseCholesky").field("n", &self.n).finish()
    }
}

impl DenseCholesky {
    pub fn new(n: usize) -> Self {
        let scratch = cholesky_in_place_scratch::<f64>(n, Par::Seq, Default::default());
        Self { n, most: n, l: vec![0.0; n * n], memory: MemBuffer::new(scratch) }
    }

    /// An empty matrix of this size; memory is only asked for where it is larger than all before.
    pub fn clear(&mut self, n: usize) {
        if n > self.most {
            *self = Self::new(n);
        } else {
            self.n = n;
            self.l.clear();
            self.l.resize(n * n, 0.0);
        }
    }

    /// The matrix to be factored, column after column; only the lower triangle is used.
    pub fn matrix(&mut self) -> &mut [f64] {
        &mut self.l
    }

    /// Factors the contents of [`Self::matrix`]; returns whether it was positive definite.
    pub fn factor(&mut self) -> bool {
        if self.n == 0 {
            return true;
        }
        let a = MatMut::from_column_major_slice_mut(&mut self.l, self.n, self.n);
        let stack = MemStack::new(&mut self.memory);
        let factored = cholesky_in_place(a, Default::default(), Par::Seq, stack, Default::default());
        factored.is_ok() && self.l.iter().step_by(self.n + 1).all(|d| *d > 0.0 && d.is_finite())
    }

    /// x ← L⁻¹x.
    pub fn forward(&self, x: &mut [f64]) {
        for j in 0..self.n {
            let column = &self.l[j * self.n..(j + 1) * self.n];
            x[j] /= column[j];
            let pivot = x[j];
            for (x, l) in x[j + 1..].iter_mut().zip(&column[j + 1..]) {
                *x -= pivot * l;
            }
        }
    }

    /// x ← L⁻ᵀx.
    pub fn backward(&self, x: &mut [f64]) {
        for j in (0..self.n).rev() {
            let column = &self.l[j * self.n..(j + 1) * self.n];
            x[j] = (x[j] - dot(&x[j + 1..], &column[j + 1..])) / column[j];
        }
    }

    /// y = Lᵀx.
    pub fn transposed_product(&self, x: &[f64], y: &mut [f64]) {
        for (j, y) in y.iter_mut().enumerate().take(self.n) {
            let column = &self.l[j * self.n..(j + 1) * self.n];
            *y = column[j..].iter().zip(&x[j..]).map(|(l, x)| l * x).sum();
        }
    }

    /// x ← A⁻¹x.
    pub fn solve(&self, x: &mut [f64]) {
        self.forward(x);
        self.backward(x);
    }
}

/// aᵀb in four sums that do not wait for each other.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (wholes, rest) = a.as_chunks::<4>();
    let (others, last) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in wholes.iter().zip(others) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = rest.iter().zip(last).map(|(a, b)| a * b).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

/// Pivots below this share of the first belong to redundant rows.
const REDUNDANT: f64 = 1e-10;

/// Solves K λ = b for a positive semidefinite K, rows × rows. Redundant rows are left out: their λ is zero. Rows should be scaled alike.
/// Overwrites K; `order` is scratch.
pub(crate) fn solve_semidefinite(k: &mut [f64], rows: usize, b: &mut [f64], order: &mut Vec<usize>) {
    order.clear();
    order.extend(0..rows);
    let mut rank = 0;
    let mut first = 0.0;
    while rank < rows {
        let at = |i: usize| k[order[i] * rows + order[i]];
        let best = (rank..rows).fold(rank, |best, i| if at(i) > at(best) { i } else { best });
        let pivot = at(best);
        if rank == 0 {
            first = pivot;
        }
        // A NaN also ends the loop.
        if pivot.is_nan() || pivot <= REDUNDANT * first || pivot <= 0.0 {
            break;
        }
        order.swap(rank, best);
        let p = order[rank];
        let root = pivot.sqrt();
        k[p * rows + p] = root;
        for &i in &order[rank + 1..] {
            k[i * rows + p] /= root;
        }
        for (a, &i) in order[rank + 1..].iter().enumerate() {
            let weight = k[i * rows + p];
            for &j in &order[rank + 1..=rank + 1 + a] {
                let update = weight * k[j * rows + p];
                // Both triangles by pivot order: the later row has the entry.
                k[i * rows + j] -= update;
                if i != j {
                    k[j * rows + i] = k[i * rows + j];
                }
            }
        }
        rank += 1;
    }
    for a in 0..rank {
        let i = order[a];
        let known: f64 = order[..a].iter().map(|&j| k[i * rows + j] * b[j]).sum();
        b[i] = (b[i] - known) / k[i * rows + i];
    }
    for a in (0..rank).rev() {
        let i = order[a];
        let known: f64 = order[a + 1..rank].iter().map(|&j| k[j * rows + i] * b[j]).sum();
        b[i] = (b[i] - known) / k[i * rows + i];
    }
    order[rank..].iter().for_each(|&i| b[i] = 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spd(n: usize) -> Vec<f64> {
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                a[i + j * n] = ((i * 7 + j * 7) as f64).sin() * 0.1 + if i == j { n as f64 } else { 0.0 };
            }
        }
        a
    }

    #[test]
    fn dense_systems_are_solved() {
        let n = 17;
        let a = spd(n);
        let truth: Vec<f64> = (0..n).map(|i| i as f64 - 3.0).collect();
        let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| a[i + j * n] * truth[j]).sum()).collect();
        let mut cholesky = DenseCholesky::new(n);
        cholesky.matrix().copy_from_slice(&a);
        assert!(cholesky.factor());
        cholesky.solve(&mut b);
        assert!(b.iter().zip(&truth).all(|(b, t)| (b - t).abs() < 1e-12));
        cholesky.matrix().copy_from_slice(&a);
        cholesky.matrix()[0] = -1.0;
        assert!(!cholesky.factor());
    }

    #[test]
    fn redundant_rows_are_left_out() {
        // Rows 1, 2 and their sum, which is redundant.
        let rows = [[1.0, 2.0, 0.5], [0.0, 1.0, -1.0], [1.0, 3.0, -0.5]];
        let mut k = vec![0.0; 9];
        for i in 0..3 {
            for j in 0..3 {
                k[i * 3 + j] = (0..3).map(|c| rows[i][c] * rows[j][c]).sum();
            }
        }
        let whole = k.clone();
        let mut b = vec![0.3, -0.7, -0.4];
        let wanted = b.clone();
        solve_semidefinite(&mut k, 3, &mut b, &mut Vec::new());
        for i in 0..3 {
            let found: f64 = (0..3).map(|j| whole[i * 3 + j] * b[j]).sum();
            assert!((found - wanted[i]).abs() < 1e-12, "row {i}: {found}");
        }
        assert!(b.contains(&0.0));
    }
}
