//! Conjugate gradients for Âx = b, three right-hand sides at once \[hestenes1952\].
//!
//! The coordinates share only the matrix: each has its own step lengths, as if it were solved alone, but every pass over the matrix serves
//! all three. The progress in the energy norm is known at no cost: ‖x_k‖²_A = Σ αⱼ rⱼᵀzⱼ, and the remaining error is the sum of the steps not
//! yet taken. These shrink geometrically, so the last ones predict the rest: with q the larger of s_k/s_{k−1} and s_{k−1}/s_{k−2}, because a
//! larger step may follow a small one, the error after step k is about √(s_k q/(1−q)). The iteration ends when that is below `tolerance` of
//! ‖x_k‖_A. The energy norm is the one in which Projective Dynamics descends.

use super::cycle::Cycle;
use super::rows::UnitRows;
use crate::parallel;
use glam::DVec3;

/// Iterations before a solve gives up; a normal one needs 3 to 30.
const MOST: usize = 300;

/// Why a solve failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breakdown {
    /// The right-hand side is not finite.
    NotFinite,
    /// A direction has negative curvature.
    Indefinite,
    /// The solve used too many iterations.
    Stalled,
}

impl Breakdown {
    /// The reason, as part of a sentence.
    pub fn why(self) -> &'static str {
        match self {
            Self::NotFinite => "the gradient is not finite",
            Self::Indefinite => "the matrix of the global step is not positive definite",
            Self::Stalled => "multigrid does not converge on the global step; use solver.global = \"direct\"",
        }
    }
}

/// Vectors of the iteration, #rows each, and partial sums.
#[derive(Debug)]
pub(super) struct ConjugateGradients {
    /// Residual b − Âx.
    pub r: Vec<DVec3>,
    /// Solution.
    pub x: Vec<DVec3>,
    z: Vec<DVec3>,
    p: Vec<DVec3>,
    q: Vec<DVec3>,
    partial: Vec<DVec3>,
}

impl ConjugateGradients {
    pub fn new(n: usize) -> Self {
        let zeros = vec![DVec3::ZERO; n];
        Self {
            r: zeros.clone(),
            x: zeros.clone(),
            z: zeros.clone(),
            p: zeros.clone(),
            q: zeros,
            partial: vec![DVec3::ZERO; parallel::chunks(n)],
        }
    }

    pub fn bytes(&self) -> usize {
        5 * size_of::<DVec3>() * self.r.len()
    }

    /// Adds to `x` the solution for the residual in `r`; returns the number of iterations.
    pub fn solve(
        &mut self,
        matrix: &UnitRows,
        cycle: &mut Cycle,
        tolerance: f64,
    ) -> Result<usize, Breakdown> {
        let mut previous = DVec3::ZERO;
        let (mut gained, mut last_step, mut last_ratio) = (0.0, 0.0, 0.0_f64);
        for iteration in 0..MOST {
            let largest = self.largest_residual();
            if !largest.is_finite() {
                return Err(Breakdown::NotFinite);
            }
            if largest == 0.0 {
                return Ok(iteration);
            }
            cycle.apply(&self.r, largest, &mut self.z);
            let product = self.residual_product();
            self.turn(quotient(product, previous));
            let curvature = self.multiply(matrix);
            if curvature.min(product).min_element() < 0.0 || !(curvature + product).is_finite() {
                return Err(Breakdown::Indefinite);
            }
            let alpha = quotient(product, curvature);
            self.advance(alpha);
            previous = product;

            let step = alpha.dot(product);
            gained += step;
            // Before there are two steps to compare, assume the worst.
            let ratio = (step / last_step).min(0.9);
            let rate = ratio.max(last_ratio);
            if step * rate <= (1.0 - rate) * tolerance * tolerance * gained {
                return Ok(iteration + 1);
            }
            if iteration > 0 {
                last_ratio = ratio;
            }
            last_step = step;
        }
        Err(Breakdown::Stalled)
    }

    /// max |rᵢ|, or a value that is not finite if there is one.
    fn largest_residual(&mut self) -> f64 {
        parallel::map_chunks(&mut self.r, &mut self.partial, |_, chunk| {
            // A sum with a non-finite term is not finite; a maximum would lose it.
            let sum: DVec3 = chunk.iter().map(|r| r.abs()).sum();
            if sum.is_finite() {
                chunk.iter().fold(DVec3::ZERO, |largest, r| largest.max(r.abs()))
            } else {
                DVec3::NAN
            }
        });
        let finite = self.partial.iter().all(|p| p.is_finite());
        let largest = self.partial.iter().fold(DVec3::ZERO, |a, b| a.max(*b)).max_element();
        if finite { largest } else { f64::NAN }
    }

    /// rᵀz by coordinate.
    fn residual_product(&mut self) -> DVec3 {
        let r = &self.r;
        parallel::map_chunks(&mut self.z, &mut self.partial, |first, chunk| {
            chunk.iter().zip(&r[first..]).map(|(z, r)| *z * *r).sum()
        });
        self.partial.iter().sum()
    }

    /// p ← z + βp.
    fn turn(&mut self, beta: DVec3) {
        let z = &self.z;
        parallel::for_chunks(&mut self.p, |first, chunk| {
            for (p, z) in chunk.iter_mut().zip(&z[first..]) {
                *p = *z + *p * beta;
            }
        });
    }

    /// q ← Âp; returns pᵀq by coordinate.
    fn multiply(&mut self, matrix: &UnitRows) -> DVec3 {
        let p = &self.p[..];
        parallel::map_chunks(&mut self.q, &mut self.partial, |first, chunk| {
            let mut product = DVec3::ZERO;
            for (k, q) in chunk.iter_mut().enumerate() {
                let row = matrix.pattern.row(first + k);
                let own = p[first + k];
                let mut sum = own;
                for (&j, &a) in matrix.pattern.columns[row.clone()].iter().zip(&matrix.values[row]) {
                    sum += p[j as usize] * a;
                }
                *q = sum;
                product += sum * own;
            }
            product
        });
        self.partial.iter().sum()
    }

    /// x ← x + αp, r ← r − αq.
    fn advance(&mut self, alpha: DVec3) {
        let (p, q) = (&self.p, &self.q);
        parallel::for_chunks(&mut self.x, |first, chunk| {
            chunk.iter_mut().zip(&p[first..]).for_each(|(x, p)| *x += *p * alpha);
        });
        parallel::for_chunks(&mut self.r, |first, chunk| {
            chunk.iter_mut().zip(&q[first..]).for_each(|(r, q)| *r -= *q * alpha);
        });
    }
}

/// a/b by coordinate, 0 where b is 0: that coordinate is already solved.
fn quotient(a: DVec3, b: DVec3) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|k| if b[k] > 0.0 { a[k] / b[k] } else { 0.0 }))
}
