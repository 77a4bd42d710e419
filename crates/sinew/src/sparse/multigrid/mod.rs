//! A⁻¹ without a factor: conjugate gradients preconditioned by one multigrid V-cycle.
//!
//! A Cholesky factor of a solid with n vertices holds O(n^4/3) numbers, and each solve reads all of them. Here memory and time are
//! O(n): the matrix, a coarser copy of it with a tenth of the rows, one coarser still, … (smoothed aggregation,
//! \[vanek1996\]), and a number of iterations that does not depend on n.
//!
//! ```text
//! rows → aggregation → galerkin → … → cycle        set up once
//!        translations, conjugate_gradients          every solve
//! ```
//!
//! Everything works on Â = D^-½AD^-½ with unit diagonal. A solve allocates nothing, and the bits do not depend on the number of threads.

mod aggregation;
mod conjugate_gradients;
mod cycle;
mod galerkin;
mod rows;
mod smoother;
mod translations;

#[cfg(test)]
mod tests;

pub(crate) use conjugate_gradients::Breakdown;

use super::SymmetricMatrix;
use super::cholesky::NotPositiveDefinite;
use crate::parallel;
use conjugate_gradients::ConjugateGradients;
use cycle::Cycle;
use glam::DVec3;
use rows::UnitRows;
use translations::Translations;

/// The iterative way to apply A⁻¹.
#[derive(Debug)]
pub(crate) struct Multigrid {
    matrix: UnitRows,
    /// D^-½.
    scale: Vec<f64>,
    translations: Translations,
    cycle: Cycle,
    iteration: ConjugateGradients,
    tolerance: f64,
    iterations: usize,
}

impl Multigrid {
    /// Builds the levels; solves end when the error is below `tolerance` of the solution in the energy norm.
    pub fn new(matrix: &SymmetricMatrix, tolerance: f64) -> Result<Self, NotPositiveDefinite> {
        let (matrix, scale) = UnitRows::new(matrix).ok_or(NotPositiveDefinite)?;
        let smooth: Vec<f64> = scale.iter().map(|s| 1.0 / s).collect();
        let cycle = Cycle::new(&matrix, smooth.clone()).ok_or(NotPositiveDefinite)?;
        Ok(Self {
            translations: Translations::new(&matrix, smooth),
            iteration: ConjugateGradients::new(scale.len()),
            cycle,
            matrix,
            scale,
            tolerance,
            iterations: 0,
        })
    }

    /// x ← A⁻¹x, three coordinates per row. After an error `x` is unchanged.
    pub fn solve_vectors(&mut self, x: &mut [DVec3]) -> Result<(), Breakdown> {
        let (scale, given) = (&self.scale, &*x);
        let it = &mut self.iteration;
        parallel::for_chunks(&mut it.r, |first, chunk| {
            for (k, r) in chunk.iter_mut().enumerate() {
                *r = given[first + k] * scale[first + k];
            }
        });
        it.x.fill(DVec3::ZERO);
        self.translations.correct(&mut it.x, &mut it.r);
        self.iterations = it.solve(&self.matrix, &mut self.cycle, self.tolerance)?;
        self.translations.correct(&mut it.x, &mut it.r);
        let solution = &it.x;
        parallel::for_chunks(x, |first, chunk| {
            for (k, x) in chunk.iter_mut().enumerate() {
                *x = solution[first + k] * scale[first + k];
            }
        });
        Ok(())
    }

    /// Number of rows.
    pub fn n(&self) -> usize {
        self.scale.len()
    }

    /// Iterations of the last solve.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// Approximate memory in use, bytes.
    pub fn bytes(&self) -> usize {
        let matrix = 4 * self.matrix.pattern.start.len() + 12 * self.matrix.values.len();
        let vectors = self.iteration.bytes() + self.translations.bytes() + 8 * self.scale.len();
        matrix + vectors + self.cycle.bytes()
    }
}
