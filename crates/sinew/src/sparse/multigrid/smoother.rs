//! The smoother: a polynomial of the matrix that is small where the coarser level cannot help \[adams2003\].
//!
//! x ← x + q(Â)(b − Âx) with q(λ) = k₁ − k₂λ multiplies the error by e(λ) = 1 − λq(λ), chosen as the Chebyshev polynomial T₂ on [ρ/κ, ρ],
//! where ρ is the largest eigenvalue of Â. A polynomial needs only products: it is parallel by rows, gives the same bits in any order, and is
//! symmetric, so that the cycle can precondition conjugate gradients. Gauss–Seidel would need colouring and a second memory layout for that.

use super::rows::UnitRows;

/// κ: the smoother must by itself damp eigenvalues from ρ/κ to ρ.
const SPREAD: f64 = 8.0;
/// Steps of the power method, and how far it may remain below the largest eigenvalue.
const POWER_STEPS: usize = 12;
const MARGIN: f64 = 1.1;

/// k₁ and k₂.
#[derive(Clone, Copy, Debug)]
pub(super) struct Smoother {
    pub constant: f32,
    pub linear: f32,
}

impl Smoother {
    /// For a matrix whose largest eigenvalue is `largest`.
    pub fn new(largest: f64) -> Self {
        let lowest = largest / SPREAD;
        let (middle, half) = (0.5 * (largest + lowest), 0.5 * (largest - lowest));
        // e(λ) = T₂((middle − λ)/half) / T₂(middle/half), T₂(t) = 2t² − 1.
        let at_zero = 2.0 * (middle / half).powi(2) - 1.0;
        let linear = 2.0 / (half * half * at_zero);
        Self { constant: (2.0 * middle * linear) as f32, linear: linear as f32 }
    }
}

/// The largest eigenvalue of Â, slightly over- rather than underestimated.
pub(super) fn largest_eigenvalue(matrix: &UnitRows) -> f64 {
    let n = matrix.pattern.n();
    // It alternates irregularly, like the vector in question; no randomness is needed.
    let mut x: Vec<f64> = (0..n)
        .map(|i| {
            let spread = (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
            spread as f64 / (1u64 << 24) as f64 - 0.5
        })
        .collect();
    let mut y = vec![0.0; n];
    let mut estimate = 1.0;
    for _ in 0..POWER_STEPS {
        let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm == 0.0 {
            break;
        }
        for (i, y) in y.iter_mut().enumerate() {
            *y = (x[i] + matrix.row(i).map(|(j, a)| a * x[j]).sum::<f64>()) / norm;
        }
        std::mem::swap(&mut x, &mut y);
        estimate = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    }
    (MARGIN * estimate).min(matrix.gershgorin())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_damped_where_it_must_be_and_nowhere_amplified() {
        let Smoother { constant, linear } = Smoother::new(2.0);
        let error = |l: f64| 1.0 - f64::from(constant) * l + f64::from(linear) * l * l;
        for k in 1..=220 {
            let l = 0.01 * f64::from(k);
            assert!(error(l).abs() < 1.0, "λ = {l}: {}", error(l));
            assert!(!(0.25..=2.0).contains(&l) || error(l).abs() < 0.45, "λ = {l}: {}", error(l));
        }
    }
}
