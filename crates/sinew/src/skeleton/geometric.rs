//! The geometric term of the small problem of an iteration.
//!
//! Rotating a bone bends the path of its points, which gives the *geometric term* sym N − tr(N) 1, N = Σ Gᵢ rᵢᵀ, where G is the gradient at
//! its points and the forces of its joints. Without it, as in the paper, the iteration converges at a rate of 1/cos θ − 1 for a bone that
//! rotates by θ in a step, cycles at 90° and diverges beyond. It is clamped to be positive semidefinite, so that every iteration descends;
//! Newton's method uses all of it.

/// How the geometric term is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Geometric {
    /// Not used: for the metric of a correction, or the iteration of the paper.
    None,
    /// Its positive part.
    Clamped,
    /// Exactly.
    Exact,
}
