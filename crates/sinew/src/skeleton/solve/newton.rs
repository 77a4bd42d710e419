//! Newton's method with bones and joints: the true minimum of [li2020, Eq. 6], which the paper takes from an interior-point solver.
//!
//! The Hessian with respect to flesh and the twelve numbers of each frame is assembled and factored as without bones. Its Schur complement on
//! the frames is now a full matrix Sa, 12 × 12 for each pair of bones, and is computed the slow way: (A⁻¹)_bb column by column, then
//! inverted. S = YᵀSaY plus the exact geometric term makes the iteration quadratic; where S is not positive definite, the clamped term takes
//! its place. With d* = A⁻¹[q_f; 0], elimination leaves Sa d*_b for the bones, and the flesh follows by d = d* + A⁻¹[0; Sa(Ys − d*_b)].

use super::articulated::Articulated;
use crate::math::{DenseCholesky, hat};
use crate::model::Model;
use crate::objective::SolveFailure;
use crate::skeleton::{Articulation, Frame, Geometric};
use crate::sparse::Cholesky;
use glam::{DMat3, DVec3};

/// Sa of every articulation, and scratch.
#[derive(Debug)]
pub(crate) struct NewtonBones {
    /// Scalars, row by row.
    schur: Vec<Vec<f64>>,
    inverses: Vec<DenseCholesky>,
    unit: Vec<DVec3>,
}

impl NewtonBones {
    pub fn new(model: &Model) -> Self {
        let sizes = || model.skeleton.articulations.iter().map(|a| 12 * a.bones.len());
        Self {
            schur: sizes().map(|n| vec![0.0; n * n]).collect(),
            inverses: sizes().map(DenseCholesky::new).collect(),
            unit: vec![DVec3::ZERO; if sizes().next().is_some() { model.dofs.len() } else { 0 }],
        }
    }

    /// Builds and factors S of every articulation for the factored Hessian; [`Articulated::reduce`] must have been called with the gradient.
    pub fn prepare(
        &mut self,
        model: &Model,
        frames: &[Frame],
        bones: &mut Articulated,
        cholesky: &mut Cholesky,
    ) -> Result<(), SolveFailure> {
        for k in 0..bones.parts.len() {
            self.invert(k, bones.parts[k].start, cholesky)?;
            let articulation = &model.skeleton.articulations[bones.parts[k].number];
            let mut factored = Err(SolveFailure(""));
            for geometric in [Geometric::Exact, Geometric::Clamped] {
                self.rotate(k, articulation, frames, bones);
                factored = bones.parts[k].finish(articulation, frames, geometric);
                if factored.is_ok() {
                    break;
                }
                // The forces of joints were overwritten on the way.
                bones.parts[k].forces(articulation, frames);
            }
            factored?;
        }
        Ok(())
    }

    /// Sa = ((A⁻¹)_bb)⁻¹.
    fn invert(&mut self, k: usize, start: usize, cholesky: &mut Cholesky) -> Result<(), SolveFailure> {
        let n = self.schur[k].len().isqrt();
        for i in 0..n {
            self.unit.fill(DVec3::ZERO);
            self.unit[start + i / 3][i % 3] = 1.0;
            cholesky.solve_flat(&mut self.unit);
            let column: &[f64] = bytemuck::cast_slice(&self.unit[start..start + n / 3]);
            self.inverses[k].matrix()[i * n..(i + 1) * n].copy_from_slice(column);
        }
        if !self.inverses[k].factor() {
            return Err(SolveFailure("the frames' matrix is not positive definite"));
        }
        for (i, row) in self.schur[k].chunks_exact_mut(n).enumerate() {
            row.fill(0.0);
            row[i] = 1.0;
            self.inverses[k].solve(row);
        }
        Ok(())
    }

    /// YᵀSaY, Y = −hat(R eₐ) for the columns of R and 1 for t.
    fn rotate(&self, k: usize, articulation: &Articulation, frames: &[Frame], bones: &mut Articulated) {
        let n = self.schur[k].len().isqrt();
        let system = &mut bones.parts[k].system;
        system.clear();
        let block = |i: usize, j: usize| {
            let at = |r: usize, c: usize| self.schur[k][(3 * i + r) * n + 3 * j + c];
            DMat3::from_cols_array_2d(&std::array::from_fn(|c| std::array::from_fn(|r| at(r, c))))
        };
        let lever = |bone: usize| {
            let turn = frames[articulation.bones[bone]].turn;
            [hat(turn.x_axis), hat(turn.y_axis), hat(turn.z_axis)]
        };
        for i in 0..articulation.bones.len() {
            let left = lever(i);
            for j in 0..articulation.bones.len() {
                let right = lever(j);
                let mut turning = DMat3::ZERO;
                let (mut down, mut across) = (DMat3::ZERO, DMat3::ZERO);
                for a in 0..3 {
                    down += left[a] * block(4 * i + a, 4 * j + 3);
                    across -= block(4 * i + 3, 4 * j + a) * right[a];
                    for (b, right) in right.iter().enumerate() {
                        turning -= left[a] * block(4 * i + a, 4 * j + b) * *right;
                    }
                }
                system.add_block((i, 0), (j, 0), &turning);
                system.add_block((i, 0), (j, 1), &down);
                system.add_block((i, 1), (j, 0), &across);
                system.add_block((i, 1), (j, 1), &block(4 * i + 3, 4 * j + 3));
            }
        }
    }

    /// x ← (∇²g)⁻¹x subject to the joints, with x in flesh and coordinates.
    pub fn solve(
        &mut self,
        model: &Model,
        frames: &[Frame],
        bones: &mut Articulated,
        cholesky: &mut Cholesky,
        x: &mut [DVec3],
    ) {
        bones.take_coordinates(x);
        cholesky.solve_flat(x);
        self.unit.fill(DVec3::ZERO);
        for (part, schur) in bones.parts.iter_mut().zip(&self.schur) {
            let rows = part.start..part.start + part.columns.len();
            multiply(schur, &x[rows.clone()], &mut part.remainder);
            part.decide(model, frames, true);
            for (column, x) in part.columns.iter_mut().zip(&x[rows.clone()]) {
                *column -= *x;
            }
            multiply(schur, &part.columns, &mut self.unit[rows]);
        }
        cholesky.solve_flat(&mut self.unit);
        x.iter_mut().zip(&self.unit).for_each(|(x, more)| *x += *more);
        bones.put_coordinates(x);
    }
}

/// y = A x, with x and y as 3-vectors of scalars.
fn multiply(a: &[f64], x: &[DVec3], y: &mut [DVec3]) {
    let x: &[f64] = bytemuck::cast_slice(x);
    let y: &mut [f64] = bytemuck::cast_slice_mut(y);
    for (y, row) in y.iter_mut().zip(a.chunks_exact(x.len())) {
        *y = row.iter().zip(x).map(|(a, x)| a * x).sum();
    }
}
