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
    /// Scratch: a vector of the axes, three for each bone, and three rows of S.
    axes: Vec<DVec3>,
    rows: Vec<f64>,
}

impl Factor {
    pub fn new(articulation: &Articulation) -> Self {
        let bones = articulation.bones.len();
        let turning = Turning {
            cholesky: DenseCholesky::new(3 * bones),
            turns: vec![DMat3::IDENTITY; bones],
            axes: vec![DVec3::ZERO; 3 * bones],
            rows: vec![0.0; 9 * bones],
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
        let Turning { cholesky, turns, rows, .. } = &mut self.turning;
        for (turn, &bone) in turns.iter_mut().zip(&articulation.bones) {
            *turn = frames[bone].turn;
        }
        let n = 3 * turns.len();
        let matrix = cholesky.matrix();
        for (j, left) in turns.iter().enumerate() {
            // R_j Σ for all k at once, row by row.
            let sigma = [0, 1, 2].map(|a| &jointed.row(3 * j + a)[..3 * (j + 1)]);
            for (r, row) in rows.chunks_exact_mut(n).enumerate() {
                let weights = left.row(r);
                let entries = row.iter_mut().zip(sigma[0]).zip(sigma[1]).zip(sigma[2]);
                entries.for_each(|(((to, x), y), z)| *to = weights.x * x + weights.y * y + weights.z * z);
            }
            let (x, rest) = rows.split_at(n);
            let (y, z) = rest.split_at(n);
            let blocks = x.chunks_exact(3).zip(y.chunks_exact(3)).zip(z.chunks_exact(3));
            for ((k, right), ((x, y), z)) in turns[..=j].iter().enumerate().zip(blocks) {
                // Column r of −Nᵀ is row r of N, negated; row r of N is R_k times that of R_j Σ.
                let mut columns = [x, y, z].map(|row| *right * -DVec3::from_slice(row));
                let trace = columns[0].x + columns[1].y + columns[2].z;
                columns[0].x -= trace;
                columns[1].y -= trace;
                columns[2].z -= trace;
                for (c, column) in columns.iter().enumerate() {
                    let at = (3 * k + c) * n + 3 * j;
                    matrix[at..at + 3].copy_from_slice(&column.to_array());
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
        let Turning { cholesky, turns, axes, .. } = &mut self.turning;
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
