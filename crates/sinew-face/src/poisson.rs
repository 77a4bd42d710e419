//! Positions from gradients: min Σₜ Aₜ ‖∇v − Fₜ‖² over the inner vertices, the border given.
//!
//! A phantom vertex of its own for every triangle makes the sum split: the tangent part of F determines the vertices, the normal part only the
//! phantom. What is left is the cotangent Laplacian, L v = Σₜ Aₜ ∇φᵢ·Fₜ \[dinev2020, §2.2; sumner2004\], which depends on the neutral mesh
//! alone and is factored once.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};
use glam::DVec3;
use std::collections::BTreeMap;

/// A = L Lᵀ of a symmetric positive definite matrix, for several right-hand sides.
pub(crate) struct Factor {
    symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
}

impl std::fmt::Debug for Factor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Factor").field("n", &self.symbolic.nrows()).finish_non_exhaustive()
    }
}

impl Factor {
    /// Factors the matrix n × n with these entries, (row, column) with row ≥ column; `None` if it is not positive definite.
    pub fn new(n: usize, entries: &BTreeMap<(u32, u32), f64>) -> Option<Self> {
        let (mut start, mut rows, mut values) = (vec![0_usize; n + 1], Vec::new(), Vec::new());
        // Sorted by column, then row.
        let mut columns: Vec<(u32, u32, f64)> = entries.iter().map(|(&(r, c), &v)| (c, r, v)).collect();
        columns.sort_by_key(|&(c, r, _)| (c, r));
        for (c, r, v) in columns {
            start[c as usize + 1] += 1;
            rows.push(r as usize);
            values.push(v);
        }
        (0..n).for_each(|k| start[k + 1] += start[k]);
        if !values.iter().all(|v| v.is_finite()) {
            return None;
        }
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &start, None, &rows);
        let symbolic = factorize_symbolic_cholesky(
            pattern,
            Side::Lower,
            SymmetricOrdering::Amd,
            CholeskySymbolicParams::default(),
        )
        .ok()?;
        let mut factor = vec![0.0; symbolic.len_val()];
        let mut memory =
            MemBuffer::new(symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default()));
        symbolic
            .factorize_numeric_llt(
                &mut factor,
                SparseColMatRef::new(pattern, &values),
                Side::Lower,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Default::default(),
            )
            .ok()?;
        Some(Self { symbolic, values: factor })
    }

    /// x ← A⁻¹ x.
    pub fn solve(&self, x: &mut [DVec3]) {
        let n = self.symbolic.nrows();
        let mut columns = vec![0.0; 3 * n];
        for (i, p) in x.iter().enumerate() {
            (columns[i], columns[n + i], columns[2 * n + i]) = (p.x, p.y, p.z);
        }
        self.solve_columns(&mut columns, 3);
        for (i, p) in x.iter_mut().enumerate() {
            *p = DVec3::new(columns[i], columns[n + i], columns[2 * n + i]);
        }
    }

    /// The same for `count` columns, one after the other.
    pub fn solve_columns(&self, columns: &mut [f64], count: usize) {
        let n = self.symbolic.nrows();
        let mut memory = MemBuffer::new(self.symbolic.solve_in_place_scratch::<f64>(count, Par::Seq));
        LltRef::new(&self.symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(columns, n, count),
            Par::Seq,
            MemStack::new(&mut memory),
        );
    }
}
