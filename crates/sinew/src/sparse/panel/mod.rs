//! A Cholesky factor rearranged for repeated solves with three right-hand sides.
//!
//! Per supernode, with L₁₁ its diagonal block and L₂₁ what is below, G = [L₁₁⁻¹; −L₂₁L₁₁⁻¹] is stored instead of L. The
//! forward substitution is then t = G·x₁, x₁ ← t₁, x₂ += t₂ and the backward one x₁ ← Gᵀ[x₁; x₂]: products of a matrix
//! with vectors, without the chain of divisions of a triangular solve. The rounding error is that of L Lᵀ, as the
//! diagonal blocks of a well-scaled factor are far from singular \[higham1995\].

mod build;
mod kernel;
mod lanes;
mod solve;
#[cfg(test)]
mod tests;

pub(crate) use solve::{PanelSolver, Unknowns};

use super::corner::Corner;
use super::schedule::Schedule;
use crate::simd::{LANES, LANES_F32};
use lanes::{Lane, Scalar};
use std::sync::Arc;

/// Double precision.
pub(crate) type DoublePanels = PanelFactor<f64, LANES>;
/// Single precision: half of the bytes.
pub(crate) type SinglePanels = PanelFactor<f32, LANES_F32>;

/// G of every supernode, in panels of W rows.
#[derive(Debug)]
pub(crate) struct PanelFactor<T, const W: usize> {
    schedule: Arc<Schedule>,
    /// Lanes of supernode s are `starts[s]..starts[s + 1]`.
    starts: Vec<usize>,
    values: Vec<Lane<T, W>>,
    corners: Arc<[Corner]>,
}

impl<T: Scalar<W>, const W: usize> PanelFactor<T, W> {
    /// Number of stored entries, including the zeros that pad the panels.
    pub fn entries(&self) -> usize {
        W * self.values.len()
    }

    /// Bytes that a solve reads, forwards and backwards: the entries, and their row indices.
    pub fn bytes_per_solve(&self) -> usize {
        2 * (size_of_val(&self.values[..]) + size_of_val(&self.schedule.rows[..]))
    }
}
