//! A = L Lᵀ by faer with a fill-reducing ordering, for matrices that change from solve to solve.
//!
//! `analyse` needs only the pattern and `factor` only the values, so each is called as rarely as possible. `factor` and `solve` write into
//! memory that `analyse` reserved. If one matrix serves many solves, its factor is rearranged, see [`super::GlobalStep`].

use super::{SymmetricMatrix, SymmetricPattern};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};
use glam::DVec3;
use std::sync::Arc;

/// A pivot was not positive: the matrix is not positive definite, or not finite.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotPositiveDefinite;

/// Symbolic and numeric factor, with scratch memory for solves.
pub(crate) struct Cholesky {
    symbolic: Arc<SymbolicCholesky<usize>>,
    values: Vec<f64>,
    memory: MemBuffer,
    columns: Vec<f64>,
}

impl std::fmt::Debug for Cholesky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cholesky")
            .field("n", &self.symbolic.nrows())
            .field("stored", &self.values.len())
            .finish()
    }
}

pub(super) fn view(pattern: &SymmetricPattern) -> SymbolicSparseColMatRef<'_, usize> {
    SymbolicSparseColMatRef::new_checked(pattern.n(), pattern.n(), &pattern.column_start, None, &pattern.rows)
}

impl Cholesky {
    /// Ordering and symbolic factorisation, for solves with up to three right-hand sides. Fails only if memory runs out.
    pub fn analyse(pattern: &SymmetricPattern) -> Result<Self, NotPositiveDefinite> {
        let symbolic = factorize_symbolic_cholesky(
            view(pattern),
            Side::Lower,
            SymmetricOrdering::Amd,
            CholeskySymbolicParams::default(),
        )
        .map_err(|_| NotPositiveDefinite)?;
        Ok(Self::with_symbolic(Arc::new(symbolic)))
    }

    /// Allocates memory for a factor that is already analysed.
    pub(super) fn with_symbolic(symbolic: Arc<SymbolicCholesky<usize>>) -> Self {
        let scratch = symbolic
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default())
            .or(symbolic.solve_in_place_scratch::<f64>(3, Par::Seq));
        let values = vec![0.0; symbolic.len_val()];
        let columns = vec![0.0; 3 * symbolic.nrows()];
        Self { symbolic, values, memory: MemBuffer::new(scratch), columns }
    }

    /// Numeric factorisation of a matrix with the analysed pattern.
    pub fn factor(&mut self, matrix: &SymmetricMatrix) -> Result<(), NotPositiveDefinite> {
        if !matrix.values.iter().all(|v| v.is_finite()) {
            return Err(NotPositiveDefinite);
        }
        let a = SparseColMatRef::new(view(&matrix.pattern), &matrix.values);
        self.symbolic
            .factorize_numeric_llt(
                &mut self.values,
                a,
                Side::Lower,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut self.memory),
                Default::default(),
            )
            .map(|_| ())
            .map_err(|_| NotPositiveDefinite)
    }

    /// The entries of the factor, as [`SymbolicCholesky`] lays them out.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// x ← A⁻¹ x for a scalar matrix and three coordinates per row.
    pub fn solve_vectors(&mut self, x: &mut [DVec3]) {
        let n = self.symbolic.nrows();
        for (i, p) in x.iter().enumerate() {
            self.columns[i] = p.x;
            self.columns[n + i] = p.y;
            self.columns[2 * n + i] = p.z;
        }
        let rhs = MatMut::from_column_major_slice_mut(&mut self.columns, n, 3);
        LltRef::new(&self.symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            rhs,
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
        for (i, p) in x.iter_mut().enumerate() {
            *p = DVec3::new(self.columns[i], self.columns[n + i], self.columns[2 * n + i]);
        }
    }

    /// x ← A⁻¹ x for one right-hand side, three numbers per vertex.
    pub fn solve_flat(&mut self, x: &mut [DVec3]) {
        let n = self.symbolic.nrows();
        for (three, p) in self.columns[..n].chunks_exact_mut(3).zip(x.iter()) {
            three.copy_from_slice(&p.to_array());
        }
        let rhs = MatMut::from_column_major_slice_mut(&mut self.columns[..n], n, 1);
        LltRef::new(&self.symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            rhs,
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
        for (three, p) in self.columns[..n].chunks_exact(3).zip(x.iter_mut()) {
            *p = DVec3::new(three[0], three[1], three[2]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path graph: 2 + i on the diagonal, −1 next to it.
    fn path(n: u32) -> SymmetricMatrix {
        let mut entries: Vec<_> = (0..n).map(|i| (i, i, 2.0 + f64::from(i))).collect();
        entries.extend((1..n).map(|i| (i - 1, i, -1.0)));
        SymmetricMatrix::from_entries(n as usize, &entries)
    }

    #[test]
    fn solves_what_it_factored() {
        let a = path(40);
        let mut factor = Cholesky::analyse(&a.pattern).unwrap();
        factor.factor(&a).unwrap();
        let truth: Vec<_> = (0..40).map(|i| DVec3::new(f64::from(i), 1.0, f64::from(i).sin())).collect();
        let mut rhs: Vec<_> = (0..40)
            .map(|i| {
                let mut b = truth[i] * (2.0 + i as f64);
                if i > 0 {
                    b -= truth[i - 1];
                }
                if i < 39 {
                    b -= truth[i + 1];
                }
                b
            })
            .collect();
        factor.solve_vectors(&mut rhs);
        for (a, b) in rhs.iter().zip(&truth) {
            assert!((*a - *b).length() < 1e-12);
        }
    }

    #[test]
    fn indefinite_and_non_finite_matrices_are_refused() {
        let mut a = path(5);
        let mut factor = Cholesky::analyse(&a.pattern).unwrap();
        a.values[0] = -1.0;
        assert!(factor.factor(&a).is_err());
        a.values[0] = f64::NAN;
        assert!(factor.factor(&a).is_err());
    }
}
