//! The factor of the small system: S = L Lᵀ in the coordinates of an articulation, ω of its bones and l of its free roots.
//!
//! Where S is a rotated constant matrix, translations were eliminated once and for all ([`JointedFrames`]), and only the block of the ω is
//! factored. Other matrices are factored whole.

use super::articulation::Articulation;
use super::bone::Frame;
use super::jointed::JointedFrames;
use crate::math::DenseCholesky;
use glam::{DMat3, DVec3};
use std::sync::Arc;

/// A factor, and the memory for either way.
#[derive(Debug)]
pub(super) struct Factor {
    /// Of the whole of S.
    pub whole: DenseCholesky,
    turning: Turning,
    /// Where S is rotated from.
    jointed: Option<Arc<JointedFrames>>,
}

/// The block of the ω that remains when the translations are eliminated.
#[derive(Debug)]
struct Turning {
    cholesky: DenseCholesky,
    /// Orientations of the bones.
    turns: Vec<DMat3>,
    /// Scratch: vectors of the axes, three for each bone, and of the ω.
    axes: Vec<DVec3>,
}

impl Factor {
    pub fn new(articulation: &Articulation) -> Self {
        let bones = articulation.bones.len();
        let turning = Turning {
            cholesky: DenseCholesky::new(3 * bones),
            turns: vec![DMat3::IDENTITY; bones],
            axes: vec![DVec3::ZERO; 3 * bones],
        };
        Self { whole: DenseCholesky::new(3 * articulation.coordinates), turning, jointed: None }
    }

    /// Whether only the block of the ω is factored.
    pub fn is_turning(&self) -> bool {
        self.jointed.is_some()
    }

    /// From here on, the whole of S is factored.
    pub fn take_whole(&mut self) {
        self.jointed = None;
    }

    /// S by rotation: with N = R_j Σ R_kᵀ, Σ the block of Sa', the block of bones j and k is tr(N) 1 − Nᵀ.
    pub fn rotate(&mut self, articulation: &Articulation, frames: &[Frame], jointed: &Arc<JointedFrames>) {
        let Turning { cholesky, turns, .. } = &mut self.turning;
        for (turn, &bone) in turns.iter_mut().zip(&articulation.bones) {
            *turn = frames[bone].turn;
        }
        let n = 3 * turns.len();
        let matrix = cholesky.matrix();
        for (j, left) in turns.iter().enumerate() {
            let rows = [0, 1, 2].map(|a| jointed.row(3 * j + a));
            for (k, right) in turns[..=j].iter().enumerate() {
                let column =
                    |c: usize| DVec3::new(rows[0][3 * k + c], rows[1][3 * k + c], rows[2][3 * k + c]);
                let sigma = DMat3::from_cols(column(0), column(1), column(2));
                // Row r of −Nᵀ is column r of N, negated.
                let turned = *left * sigma;
                let n_column = |r: usize| turned * right.transpose().col(r);
                let columns = [n_column(0), n_column(1), n_column(2)];
                let trace = columns[0].x + columns[1].y + columns[2].z;
                for c in 0..3 {
                    let at = (3 * k + c) * n + 3 * j;
                    for r in 0..3 {
                        matrix[at + r] = -columns[r][c];
                    }
                    matrix[at + c] += trace;
                }
            }
        }
        self.jointed = Some(Arc::clone(jointed));
    }

    /// Adds a block to the ω of bone k.
    pub fn add_turning(&mut self, k: usize, block: &DMat3) {
        let n = self.turning.axes.len();
        for (c, entries) in block.to_cols_array_2d().iter().enumerate() {
            let at = (3 * k + c) * n + 3 * k;
            let column = &mut self.turning.cholesky.matrix()[at..at + 3];
            column.iter_mut().zip(entries).for_each(|(to, value)| *to += value);
        }
    }

    /// Factors what was filled in. Returns whether it is positive definite.
    pub fn factor(&mut self) -> bool {
        if self.is_turning() { self.turning.cholesky.factor() } else { self.whole.factor() }
    }

    /// x ← L⁻¹x.
    pub fn forward(&mut self, x: &mut [f64]) {
        let Some(jointed) = &self.jointed else { return self.whole.forward(x) };
        let Turning { cholesky, turns, axes } = &mut self.turning;
        let (omegas, roots) = x.split_at_mut(axes.len());
        jointed.forward(bytemuck::cast_slice_mut(roots), axes);
        let vectors: &mut [DVec3] = bytemuck::cast_slice_mut(omegas);
        for ((omega, turn), axes) in vectors.iter_mut().zip(&*turns).zip(axes.chunks_exact(3)) {
            *omega -= turn.x_axis.cross(axes[0]) + turn.y_axis.cross(axes[1]) + turn.z_axis.cross(axes[2]);
        }
        cholesky.forward(omegas);
    }

    /// x ← L⁻ᵀx.
    pub fn backward(&mut self, x: &mut [f64]) {
        let Some(jointed) = &self.jointed else { return self.whole.backward(x) };
        let (omegas, roots) = x.split_at_mut(self.turning.axes.len());
        self.turning.cholesky.backward(omegas);
        self.turning.move_axes(omegas);
        jointed.backward(bytemuck::cast_slice_mut(roots), &self.turning.axes);
    }

    /// y = Lᵀx.
    pub fn transposed_product(&mut self, x: &[f64], y: &mut [f64]) {
        let Some(jointed) = &self.jointed else { return self.whole.transposed_product(x, y) };
        let n = self.turning.axes.len();
        y.copy_from_slice(x);
        self.turning.move_axes(&x[..n]);
        jointed.transposed_product(bytemuck::cast_slice_mut(&mut y[n..]), &self.turning.axes);
        self.turning.cholesky.transposed_product(&x[..n], &mut y[..n]);
    }
}

impl Turning {
    /// How the axes move with these ω.
    fn move_axes(&mut self, omegas: &[f64]) {
        let omegas: &[DVec3] = bytemuck::cast_slice(omegas);
        for ((omega, turn), axes) in omegas.iter().zip(&self.turns).zip(self.axes.chunks_exact_mut(3)) {
            axes[0] = omega.cross(turn.x_axis);
            axes[1] = omega.cross(turn.y_axis);
            axes[2] = omega.cross(turn.z_axis);
        }
    }
}
