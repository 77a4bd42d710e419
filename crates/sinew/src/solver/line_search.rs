//! How far to go along a descent direction: Armijo backtracking, and what to do when rounding hides the decrease of g.
//!
//! A step must lower g by a share of the decrease that the slope predicts. Near the minimum, or far from the origin where gravity makes g
//! large, the predicted decrease is below the rounding of g; there the residual, which has no such offset, decides instead.

/// Accept if g(x + td) ≤ g(x) + ARMIJO·t·dᵀ∇g.
const ARMIJO: f64 = 1e-4;
/// Halvings before a search gives up: 2⁻⁴⁰ of a step is rounding.
pub(super) const HALVINGS: usize = 40;
/// A predicted decrease below this share of g cannot be told from rounding, which in sums over many elements is larger than that of one
/// number.
const ROUNDING: f64 = 1e-14;
/// In that case a step must lower the residual to this share.
const PROGRESS: f64 = 0.99;

/// One search along a direction with slope dᵀ∇g < 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineSearch {
    /// g at the start of the search.
    pub value: f64,
    /// dᵀ∇g at the start.
    pub slope: f64,
    /// Residual at the start.
    pub residual: f64,
}

/// What to do with a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Accept,
    Halve,
    /// This direction gives no further decrease.
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
