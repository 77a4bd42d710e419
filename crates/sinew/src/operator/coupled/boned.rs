//! The part of C that bones contribute.
//!
//! With the flesh eliminated, a force q on flesh and columns of bones leaves r = q_c − A_cf A_ff⁻¹q_f for these columns, and bones move by Y T Yᵀr, T the inverse of their small system under the rows
//! of joints, Y = ∂columns/∂coordinates where they are [li2020, Alg. 1]. So
//!
//! UᵀA⁻¹U = U_fᵀA_ff⁻¹U_f + GᵀT G,  G = Yᵀr(U).
//!
//! r does not change while the rows are the same, and comes with the columns of A_ff⁻¹. Y and T turn with the bones: G and T G are found anew in every iteration of the solver.

use super::columns::Columns;
use super::{Articulated, Footprints, Frame, Line};
use crate::math::dot;
use crate::model::Model;
use crate::operator::systems::bone_rows;
use crate::sparse::{CornerScratch, GlobalStep};
use glam::DVec3;
use std::ops::Range;

/// r, G and T G of all rows that press.
#[derive(Debug)]
pub(super) struct Boned {
    parts: Vec<Part>,
    /// Where the rows of bones begin, and how many there are.
    flesh: usize,
    columns: usize,
    /// r of each footprint for one coordinate, footprint after footprint; memory of a solve before.
    left: Vec<f64>,
    remainder: Vec<DVec3>,
}

/// One articulation.
#[derive(Debug)]
struct Part {
    /// Its rows, from that of the first bone of all.
    rows: Range<usize>,
    coordinates: usize,
    scratch: CornerScratch,
    /// The lines that move it, with their G and T G one after the other.
    lines: Vec<u32>,
    g: Vec<DVec3>,
    tg: Vec<DVec3>,
}

impl Boned {
    pub fn new(model: &Model) -> Self {
        let rows = bone_rows(model);
        let columns: usize = rows.iter().map(Range::len).sum();
        let flesh = model.dofs.len() - columns;
        let articulations = rows.iter().zip(&model.skeleton.articulations);
        let parts = articulations.map(|(rows, articulation)| Part {
            rows: rows.start - flesh..rows.end - flesh,
            coordinates: articulation.coordinates,
            scratch: CornerScratch::new(rows.len()),
            lines: Vec::new(),
            g: Vec::new(),
            tg: Vec::new(),
        });
        Self {
            parts: parts.collect(),
            flesh,
            columns,
            left: Vec::new(),
            remainder: vec![DVec3::ZERO; columns],
        }
    }

    /// Where the rows of bones begin.
    pub fn flesh(&self) -> usize {
        self.flesh
    }

    /// x ← A_ff⁻¹x for the flesh, and what its elimination leaves for the bones in their rows. Returns whether that can be had.
    pub fn solve_flesh(&mut self, constant: &mut GlobalStep, x: &mut [DVec3]) -> bool {
        let Some(corners) = constant.corners().cloned() else { return false };
        let Self { parts, remainder, flesh, .. } = self;
        constant.solve_between(x, &mut |middle| {
            for (Part { rows, scratch, .. }, corner) in parts.iter_mut().zip(corners.iter()) {
                let remainder = &mut remainder[rows.clone()];
                corner.remainder(middle, scratch, remainder);
                // Bones stay where they are.
                rows.clone().for_each(|row| middle.set((*flesh + row) as u32, DVec3::ZERO));
            }
        });
        x[*flesh..].copy_from_slice(remainder);
        true
    }

    /// r of all footprints.
    pub fn gather(&mut self, footprints: &Footprints, columns: &Columns) {
        self.left.clear();
        self.left.resize(footprints.len() * self.columns, 0.0);
        for (k, left) in self.left.chunks_exact_mut(self.columns).enumerate() {
            for &(i, w) in footprints.of(k) {
                match (i as usize).checked_sub(self.flesh) {
                    Some(column) => left[column] += w,
                    None => {
                        let of = columns.of_bones(i);
                        left.iter_mut().zip(of).for_each(|(left, r)| *left += w * f64::from(*r));
                    }
                }
            }
        }
    }

    /// G and T G of all lines, where the bones are.
    pub fn look(&mut self, model: &Model, frames: &[Frame], bones: &mut Articulated, lines: &[Line]) {
        for (k, part) in self.parts.iter_mut().enumerate() {
            part.lines.clear();
            part.g.clear();
            part.tg.clear();
            for (number, line) in (0..).zip(lines) {
                let left = &self.left[line.footprint as usize * self.columns..][part.rows.clone()];
                if left.iter().any(|r| *r != 0.0) {
                    part.lines.push(number);
                    let columns = left.iter().map(|r| line.direction * *r);
                    bones.yields(model, frames, k, columns, (&mut part.g, &mut part.tg));
                }
            }
        }
    }

    /// Adds GᵀT G to the lower triangle of a matrix of this size, column after column.
    pub fn add_compliance(&self, n: usize, matrix: &mut [f64]) {
        for part in &self.parts {
            let g = part.g.chunks_exact(part.coordinates);
            for (at, (&k, g)) in part.lines.iter().zip(g).enumerate() {
                let tg = part.tg.chunks_exact(part.coordinates);
                for (&l, tg) in part.lines[..=at].iter().zip(tg) {
                    matrix[l as usize * n + k as usize] += dot(g, tg);
                }
            }
        }
    }
}
