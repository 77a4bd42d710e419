//! Builds panels from faer's factor.

use super::PanelFactor;
use super::kernel::{PANEL, Shape};
use super::lanes::{Lane, Scalar};
use crate::sparse::cholesky::NotPositiveDefinite;
use crate::sparse::corner::Corner;
use crate::sparse::schedule::Schedule;
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_inverse::invert_lower_triangular;
use faer::sparse::linalg::cholesky::supernodal::SupernodalLltRef;
use faer::{Accum, MatMut, MatRef, Par};
use std::sync::Arc;

impl<T: Scalar<W>, const W: usize> PanelFactor<T, W> {
    /// Inverts the diagonal blocks and stores the panels in the order of the solve. A matrix without rows has no factor. Fails if the numbers
    /// are out of the range of T.
    pub(in crate::sparse) fn new(
        schedule: Arc<Schedule>,
        factor: Option<SupernodalLltRef<'_, usize, f64>>,
        corners: Vec<Corner>,
    ) -> Result<Self, NotPositiveDefinite> {
        let mut starts = Vec::with_capacity(schedule.supernodes.len() + 1);
        let mut lanes = 0;
        for node in &schedule.supernodes {
            starts.push(lanes);
            lanes += Shape::<W>::new(node.columns.len(), node.height()).len();
        }
        starts.push(lanes);
        let mut panels =
            Self { schedule, starts, values: Vec::with_capacity(lanes), corners: corners.into() };
        if let Some(factor) = factor {
            panels.refill(factor, &mut Vec::new())?;
        }
        Ok(panels)
    }

    /// Replaces the numbers by those of another factor with the same supernodes; the caller keeps `memory` for the next call.
    pub(in crate::sparse) fn refill(
        &mut self,
        factor: SupernodalLltRef<'_, usize, f64>,
        memory: &mut Vec<f64>,
    ) -> Result<(), NotPositiveDefinite> {
        let Self { schedule, values, .. } = self;
        let largest = schedule.supernodes.iter().map(|s| s.height() * s.columns.len()).max();
        memory.resize(largest.unwrap_or(0), 0.0);
        values.clear();
        for node in &schedule.supernodes {
            let l = factor.supernode(node.source).val();
            let (height, columns) = (node.height(), node.columns.len());
            let g = MatMut::from_column_major_slice_mut(&mut memory[..height * columns], height, columns);
            invert(l, g);
            push_panels(&memory[..height * columns], height, columns, values);
        }
        let finite = values.iter().all(|lane: &Lane<T, W>| lane.0.iter().all(|v| v.to_f64().is_finite()));
        if finite { Ok(()) } else { Err(NotPositiveDefinite) }
    }
}

/// G ← [L₁₁⁻¹; −L₂₁L₁₁⁻¹].
fn invert(l: MatRef<'_, f64>, mut g: MatMut<'_, f64>) {
    let columns = l.ncols();
    g.fill(0.0);
    let (mut top, bottom) = g.split_at_row_mut(columns);
    let (l_top, l_bottom) = l.split_at_row(columns);
    invert_lower_triangular(top.as_mut(), l_top, Par::Seq);
    matmul(bottom, Accum::Replace, l_bottom, top.as_ref(), -1.0, Par::Seq);
}

/// Appends the panels of a column-major matrix, rounded to T.
fn push_panels<T: Scalar<W>, const W: usize>(
    g: &[f64],
    height: usize,
    columns: usize,
    values: &mut Vec<Lane<T, W>>,
) {
    let shape = Shape::<W>::new(columns, height);
    let lane = |row: usize, q: usize| {
        let column = &g[q * height..(q + 1) * height];
        Lane(std::array::from_fn(|w| T::from_f64(column.get(row + w).copied().unwrap_or(0.0))))
    };
    for panel in 0..shape.lanes.div_ceil(PANEL) {
        for first in 0..shape.panel_lanes(panel) {
            for q in shape.strip(panel, first) {
                let lanes = first..shape.panel_lanes(panel);
                values.extend(lanes.map(|j| lane((PANEL * panel + j) * W, q)));
            }
        }
    }
}
