//! The last corner of a Cholesky factor: the Schur complement of the unknowns that are eliminated last.
//!
//! With A = [A_ff, A_fc; A_cf, A_cc] and c eliminated after f, L_cc L_ccᵀ = A_cc − A_cf A_ff⁻¹ A_fc =: S, the Schur complement: it comes with
//! the factor. In the middle of a solve, between L y = b and Lᵀx = y, L_cc y_c = b_c − A_cf A_ff⁻¹ b_f is the right-hand side that
//! elimination leaves for c; if the caller finds another x_c for it, y_c = L_ccᵀx_c makes the second half of the solve find the matching x_f.
//! Bones are solved that way, see [`crate::skeleton`].

use super::Unknowns;
use faer::linalg::matmul::matmul;
use faer::sparse::linalg::cholesky::supernodal::{SupernodalLltRef, SymbolicSupernodalCholesky};
use faer::{Accum, MatMut, MatRef, Par};
use glam::DVec3;
use std::ops::Range;

/// One corner.
#[derive(Clone, Debug)]
pub(crate) struct Corner {
    /// Rows of the matrix.
    rows: Range<usize>,
    /// Positions of its rows in the elimination order, ascending, and the rows, from 0.
    numbers: Vec<usize>,
    order: Vec<u32>,
    /// L_cc in the order of elimination, column after column.
    l: Vec<f64>,
    /// S, in the order of the rows, and in the order of elimination.
    schur: Vec<f64>,
    product: Vec<f64>,
}

impl Corner {
    /// `number[i]` is the position of row i of the matrix in the elimination order.
    pub(super) fn new(rows: Range<usize>, number: &[usize]) -> Self {
        let n = rows.len();
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_unstable_by_key(|&i| number[rows.start + i as usize]);
        let numbers = order.iter().map(|&i| number[rows.start + i as usize]).collect();
        Self { rows, numbers, order, l: vec![0.0; n * n], schur: vec![0.0; n * n], product: vec![0.0; n * n] }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// S(i, j), rows counted from the corner's first.
    pub fn schur(&self, i: usize, j: usize) -> f64 {
        self.schur[i + j * self.len()]
    }

    /// Reads L_cc from a factor.
    pub(super) fn refill(
        &mut self,
        supernodes: &SymbolicSupernodalCholesky<usize>,
        factor: SupernodalLltRef<'_, usize, f64>,
    ) {
        let n = self.len();
        self.l.fill(0.0);
        let rank = |number: usize| self.numbers.binary_search(&number).ok();
        for s in 0..supernodes.n_supernodes() {
            let columns = supernodes.supernode_begin()[s]..supernodes.supernode_end()[s];
            let from = self.numbers.partition_point(|&k| k < columns.start);
            if self.numbers.get(from).is_none_or(|&k| k >= columns.end) {
                continue;
            }
            let node = factor.supernode(s);
            let below = columns.clone().chain(node.pattern().iter().copied());
            for (r, i) in below.enumerate().filter_map(|(r, number)| Some((r, rank(number)?))) {
                for (c, j) in columns.clone().enumerate().filter_map(|(c, number)| Some((c, rank(number)?))) {
                    if j <= i {
                        self.l[i + j * n] = node.val()[(r, c)];
                    }
                }
            }
        }
        self.multiply();
    }

    /// S = L Lᵀ.
    fn multiply(&mut self) {
        let n = self.len();
        let l = MatRef::from_column_major_slice(&self.l, n, n);
        let product = MatMut::from_column_major_slice_mut(&mut self.product, n, n);
        matmul(product, Accum::Replace, l, l.transpose(), 1.0, Par::Seq);
        for (j, &column) in self.order.iter().enumerate() {
            for (i, &row) in self.order.iter().enumerate() {
                self.schur[row as usize + column as usize * n] = self.product[i + j * n];
            }
        }
    }

    /// The right-hand side that elimination leaves: L_cc y_c, in the order of the rows.
    pub fn remainder(&self, unknowns: &dyn Unknowns, remainder: &mut [DVec3]) {
        let n = self.len();
        remainder.fill(DVec3::ZERO);
        for (j, column) in self.l.chunks_exact(n.max(1)).enumerate() {
            let y = unknowns.get((self.rows.start + self.order[j] as usize) as u32);
            for (i, l) in column.iter().enumerate().skip(j) {
                remainder[self.order[i] as usize] += y * *l;
            }
        }
    }

    /// Makes the second half of the solve end with this x_c: y_c = L_ccᵀ x_c.
    pub fn decide(&self, x: &[DVec3], unknowns: &mut dyn Unknowns) {
        let n = self.len();
        for (j, column) in self.l.chunks_exact(n.max(1)).enumerate() {
            let terms = column.iter().zip(&self.order).skip(j);
            let y = terms.map(|(l, &row)| x[row as usize] * *l).sum();
            unknowns.set((self.rows.start + self.order[j] as usize) as u32, y);
        }
    }
}
