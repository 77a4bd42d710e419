//! The last corner of a Cholesky factor: the Schur complement of the unknowns that are eliminated last.
//!
//! With A = [A_ff, A_fc; A_cf, A_cc] and c eliminated after f, L_cc L_ccᵀ = A_cc − A_cf A_ff⁻¹ A_fc =: S, the Schur complement: it comes with
//! the factor. In the middle of a solve, between L y = b and Lᵀx = y, L_cc y_c = b_c − A_cf A_ff⁻¹ b_f is the right-hand side that
//! elimination leaves for c; if the caller finds another x_c for it, y_c = L_ccᵀx_c makes the second half of the solve find the matching x_f.
//! Bones are solved that way, see [`crate::skeleton`].

use super::Unknowns;
use crate::simd::{Arithmetic, F64x4, Kernel, LANES, Simd, dispatch};
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
    pub fn remainder(&self, unknowns: &dyn Unknowns, scratch: &mut CornerScratch, remainder: &mut [DVec3]) {
        let CornerScratch { x: y, product } = scratch;
        for (y, &row) in y.iter_mut().zip(&self.order) {
            *y = lanes(unknowns.get((self.rows.start + row as usize) as u32));
        }
        product.fill([0.0; LANES]);
        dispatch(Product { l: &self.l, x: y, product });
        for (product, &row) in product.iter().zip(&self.order) {
            remainder[row as usize] = vector(product);
        }
    }

    /// Makes the second half of the solve end with this x_c: y_c = L_ccᵀ x_c.
    pub fn decide(&self, x: &[DVec3], scratch: &mut CornerScratch, unknowns: &mut dyn Unknowns) {
        let CornerScratch { x: ordered, product } = scratch;
        for (ordered, &row) in ordered.iter_mut().zip(&self.order) {
            *ordered = lanes(x[row as usize]);
        }
        dispatch(TransposedProduct { l: &self.l, x: ordered, product });
        for (product, &row) in product.iter().zip(&self.order) {
            unknowns.set((self.rows.start + row as usize) as u32, vector(product));
        }
    }
}

/// Vectors of a corner in the order of elimination; three of four lanes are used.
#[derive(Clone, Debug)]
pub(crate) struct CornerScratch {
    x: Vec<[f64; LANES]>,
    product: Vec<[f64; LANES]>,
}

impl CornerScratch {
    /// For a corner with this many rows.
    pub fn new(rows: usize) -> Self {
        let zeros = vec![[0.0; LANES]; rows];
        Self { x: zeros.clone(), product: zeros }
    }
}

fn lanes(v: DVec3) -> [f64; LANES] {
    [v.x, v.y, v.z, 0.0]
}

fn vector(lanes: &[f64; LANES]) -> DVec3 {
    DVec3::new(lanes[0], lanes[1], lanes[2])
}

/// Columns that are processed together, so that vectors are read and written once for all of them.
const COLUMNS: usize = 4;

/// product += L x.
struct Product<'a> {
    l: &'a [f64],
    x: &'a [[f64; LANES]],
    product: &'a mut [[f64; LANES]],
}

impl Kernel for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { l, x, product } = self;
        let n = x.len();
        for first in (0..n).step_by(COLUMNS) {
            let count = COLUMNS.min(n - first);
            for j in first..first + count {
                let x = simd.load(&x[j]);
                for i in j..first + count {
                    let sum = simd.splat(l[i + j * n]).mul_add(x, simd.load(&product[i]));
                    sum.store(&mut product[i]);
                }
            }
            if count < COLUMNS {
                break;
            }
            let x: [S::F64; COLUMNS] = [0, 1, 2, 3].map(|c| simd.load(&x[first + c]));
            let below = first + COLUMNS;
            let [a, b, c, d] = [0, 1, 2, 3].map(|c| &l[(first + c) * n + below..(first + c + 1) * n]);
            let rows = product[below..].iter_mut().zip(a).zip(b).zip(c).zip(d);
            for ((((product, a), b), c), d) in rows {
                let sum = simd.splat(*a).mul_add(x[0], simd.load(product));
                let sum = simd.splat(*b).mul_add(x[1], sum);
                let sum = simd.splat(*c).mul_add(x[2], sum);
                simd.splat(*d).mul_add(x[3], sum).store(product);
            }
        }
    }
}

/// product = Lᵀx.
struct TransposedProduct<'a> {
    l: &'a [f64],
    x: &'a [[f64; LANES]],
    product: &'a mut [[f64; LANES]],
}

impl Kernel for TransposedProduct<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { l, x, product } = self;
        let n = x.len();
        for first in (0..n).step_by(COLUMNS) {
            let count = COLUMNS.min(n - first);
            let mut sums = [simd.zero(); COLUMNS];
            for (j, sum) in (first..first + count).zip(&mut sums) {
                for i in j..first + count {
                    *sum = simd.splat(l[i + j * n]).mul_add(simd.load(&x[i]), *sum);
                }
            }
            if count == COLUMNS {
                let below = first + COLUMNS;
                let [a, b, c, d] = [0, 1, 2, 3].map(|c| &l[(first + c) * n + below..(first + c + 1) * n]);
                for ((((x, a), b), c), d) in x[below..].iter().zip(a).zip(b).zip(c).zip(d) {
                    let x = simd.load(x);
                    sums[0] = simd.splat(*a).mul_add(x, sums[0]);
                    sums[1] = simd.splat(*b).mul_add(x, sums[1]);
                    sums[2] = simd.splat(*c).mul_add(x, sums[2]);
                    sums[3] = simd.splat(*d).mul_add(x, sums[3]);
                }
            }
            for (product, sum) in product[first..first + count].iter_mut().zip(sums) {
                sum.store(product);
            }
        }
    }
}
