//! How far to go along a descent direction: Armijo backtracking, and what to do when g has no digits left.
//!
//! A step must lower g by a share of what the slope promises. Near the minimum, or far from the origin where gravity
//! makes g large, the promised decrease drowns in the rounding of g; there the residual, which has no such offset, is
//! the judge instead.

/// Accept g(x + td) ≤ g(x) + ARMIJO·t·dᵀ∇g.
const ARMIJO: f64 = 1e-4;
/// Halvings before a search gives up: 2⁻⁴⁰ of a step is rounding.
pub(super) const HALVINGS: usize = 40;
/// A promised decrease below this share of g cannot be told from rounding, which in sums over many elements is more than
/// that of one number.
const ROUNDING: f64 = 1e-14;
/// In that case a step must lower the residual to this share.
const PROGRESS: f64 = 0.99;

/// One search along a direction with slope dᵀ∇g < 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineSearch {
    /// g where the search starts.
    pub value: f64,
    /// dᵀ∇g there.
    pub slope: f64,
    /// Residual there.
    pub residual: f64,
}

/// What to do with a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Accept,
    Halve,
    /// Nothing is to be gained in this direction.
    Stop,
}

impl LineSearch {
    /// Judges the trial at step length `t` with objective `value` and residual `residual`.
    pub fn judge(&self, t: f64, value: f64, residual: impl FnOnce() -> f64) -> Verdict {
        if (t * self.slope).abs() <= ROUNDING * self.value.abs() {
            return if residual() <= PROGRESS * self.residual { Verdict::Accept } else { Verdict::Stop };
        }
        if value <= self.value + ARMIJO * t * self.slope { Verdict::Accept } else { Verdict::Halve }
    }
}
