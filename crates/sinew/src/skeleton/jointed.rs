//! The constant matrix of frames whose tree of joints is closed, with translations eliminated.
//!
//! The place of a bone on a joint is t = t_p + R_p a − R b: linear in the axes of the frames, with constant coefficients. So the tree of joints is
//! a *constant* congruence of the matrix Sa of the frames. It leaves three columns for each bone, the axes of R, and one for each free tree, the
//! place of its root. Rotations only mix axes, so the places of the roots can be eliminated once and for all, too:
//!
//! ```text
//! TᵀSaT = [ C  B ]    C = L Lᵀ    W = L⁻¹B    Sa' = A − WᵀW
//!         [ Bᵀ A ]
//! ```
//!
//! An iteration is left with Sa', three numbers for each bone instead of six, and rotates it into S of the angular velocities alone: its factor
//! costs an eighth of that of a system with translations.

use super::articulation::{Articulation, Hold};
use crate::math::DenseCholesky;
use glam::DVec3;

/// The matrix of one articulation.
#[derive(Debug)]
pub(crate) struct JointedFrames {
    /// Number of axes, 3m, and of free roots, f.
    axes: usize,
    roots: usize,
    /// Sa', row by row.
    turning: Vec<f64>,
    /// L, column after column.
    l: Vec<f64>,
    /// W, row by row.
    w: Vec<f64>,
}

impl JointedFrames {
    /// `schur(i, j)` is Sa of columns i and j of the frames, 4 for each bone of the articulation: three axes and the place.
    pub fn new(articulation: &Articulation, schur: impl Fn(usize, usize) -> f64) -> Self {
        let matrix = close_tree(articulation, schur);
        let width = 4 * articulation.bones.len();
        let free = articulation.holds.iter().enumerate().filter(|(_, hold)| matches!(hold, Hold::Free(_)));
        let places: Vec<usize> = free.map(|(k, _)| 4 * k + 3).collect();
        let columns: Vec<usize> = (0..width).filter(|c| c % 4 < 3).collect();
        let (axes, roots) = (columns.len(), places.len());
        let mut cholesky = DenseCholesky::new(roots);
        for (j, &column) in places.iter().enumerate() {
            for (i, &row) in places.iter().enumerate() {
                cholesky.matrix()[i + j * roots] = matrix[row * width + column];
            }
        }
        // Where C is not positive definite Sa' is no number, and the factor of an iteration says so.
        let sound = cholesky.factor();
        let (mut w, mut column) = (vec![0.0; roots * axes], vec![0.0; roots]);
        for (c, &axis) in columns.iter().enumerate() {
            for (value, &place) in column.iter_mut().zip(&places) {
                *value = matrix[place * width + axis];
            }
            cholesky.forward(&mut column);
            column.iter().enumerate().for_each(|(r, value)| w[r * axes + c] = *value);
        }
        let mut turning = vec![if sound { 0.0 } else { f64::NAN }; axes * axes];
        for (i, row) in turning.chunks_exact_mut(axes.max(1)).enumerate() {
            for (value, &column) in row.iter_mut().zip(&columns) {
                *value += matrix[columns[i] * width + column];
            }
            for w in w.chunks_exact(axes.max(1)) {
                let weight = w[i];
                row.iter_mut().zip(w).for_each(|(value, w)| *value -= weight * w);
            }
        }
        let l = cholesky.matrix().to_vec();
        Self { axes, roots, turning, l, w }
    }

    /// Row i of Sa'.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.turning[i * self.axes..(i + 1) * self.axes]
    }

    /// x ← L⁻¹x, and Wᵀ of the result.
    pub fn forward(&self, x: &mut [DVec3], axes: &mut [DVec3]) {
        let f = self.roots;
        axes.fill(DVec3::ZERO);
        for j in 0..f {
            let column = &self.l[j * f..(j + 1) * f];
            x[j] /= column[j];
            let pivot = x[j];
            for (x, l) in x[j + 1..].iter_mut().zip(&column[j + 1..]) {
                *x -= pivot * *l;
            }
            for (axis, w) in axes.iter_mut().zip(&self.w[j * self.axes..]) {
                *axis += pivot * *w;
            }
        }
    }

    /// x ← L⁻ᵀ(x − W axes).
    pub fn backward(&self, x: &mut [DVec3], axes: &[DVec3]) {
        let f = self.roots;
        for j in (0..f).rev() {
            let column = &self.l[j * f..(j + 1) * f];
            let below: DVec3 = x[j + 1..].iter().zip(&column[j + 1..]).map(|(x, l)| *x * *l).sum();
            x[j] = (x[j] - self.times_w(j, axes) - below) / column[j];
        }
    }

    /// x ← Lᵀx + W axes.
    pub fn transposed_product(&self, x: &mut [DVec3], axes: &[DVec3]) {
        let f = self.roots;
        for j in 0..f {
            let column = &self.l[j * f..(j + 1) * f];
            let product: DVec3 = x[j..].iter().zip(&column[j..]).map(|(x, l)| *x * *l).sum();
            x[j] = product + self.times_w(j, axes);
        }
    }

    /// Row j of W axes.
    fn times_w(&self, j: usize, axes: &[DVec3]) -> DVec3 {
        // Three sums that do not wait for each other.
        let mut sums = [DVec3::ZERO; 3];
        for (axes, w) in axes.chunks_exact(3).zip(self.w[j * self.axes..].chunks_exact(3)) {
            for c in 0..3 {
                sums[c] += axes[c] * w[c];
            }
        }
        sums[0] + sums[1] + sums[2]
    }
}

/// TᵀSaT in the rows and columns of axes and free places; those of places on joints are left over.
fn close_tree(articulation: &Articulation, schur: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let width = 4 * articulation.bones.len();
    let mut matrix: Vec<f64> = (0..width * width).map(|k| schur(k / width, k % width)).collect();
    let mut force = vec![0.0; width];
    for (k, hold) in articulation.holds.iter().enumerate().rev() {
        let Hold::Joint { parent, at, arm } = hold else { continue };
        // t_k = t_p + R_p a − R_k b, as coefficients of columns.
        let own = (0..3).map(|a| (4 * k + a, -arm[a]));
        let above =
            parent.place().map(|p| [(4 * p, at.x), (4 * p + 1, at.y), (4 * p + 2, at.z), (4 * p + 3, 1.0)]);
        let terms = || own.clone().chain(above.into_iter().flatten());
        for row in matrix.chunks_exact_mut(width) {
            let force = row[4 * k + 3];
            terms().for_each(|(column, weight)| row[column] += weight * force);
        }
        force.copy_from_slice(&matrix[(4 * k + 3) * width..][..width]);
        for (row, weight) in terms() {
            let row = &mut matrix[row * width..][..width];
            row.iter_mut().zip(&force).for_each(|(value, force)| *value += weight * force);
        }
    }
    matrix
}
