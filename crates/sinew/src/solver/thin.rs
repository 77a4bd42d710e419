//! The principal directions in which a tetrahedron moves, for elements that are nearly flat or needles.
//!
//! W = Σ bₐbₐᵀ/mₐ = GGᵀ with G = [bₐ/√mₐ]. An element of aspect 1e8 has gradients bₐ of 1e8 across it and 1 along it, so that W spans 16 orders
//! of magnitude and its small directions are lost as soon as it is formed. G spans half as many: rotations that make its rows orthogonal
//! (one-sided Jacobi, Hestenes 1958) keep the small ones.

use glam::{DMat3, DVec3};

/// Sweeps of rotations; three rows are orthogonal to rounding after four or five.
const SWEEPS: usize = 12;

/// G in a frame in which its rows are orthogonal.
pub(super) struct Directions {
    /// The directions, as columns.
    pub frame: DMat3,
    /// For each direction its part of bₐ/√mₐ, by corner.
    pub rows: [[f64; 4]; 3],
}

impl Directions {
    /// `weights`: 1/mₐ.
    pub fn of(b: &[DVec3; 4], weights: [f64; 4]) -> Self {
        let part = |axis: usize| [0, 1, 2, 3].map(|a| b[a][axis] * weights[a].sqrt());
        let mut rows = [part(0), part(1), part(2)];
        let mut frame = [DVec3::X, DVec3::Y, DVec3::Z];
        for _ in 0..SWEEPS {
            let mut turned = false;
            for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                turned |= make_orthogonal(&mut rows, &mut frame, i, j);
            }
            if !turned {
                break;
            }
        }
        Self { frame: DMat3::from_cols(frame[0], frame[1], frame[2]), rows }
    }

    /// Eigenvalues of W, in the order of the directions.
    pub fn sizes(&self) -> [f64; 3] {
        self.rows.map(|row| dot(&row, &row))
    }
}

/// Rotates two rows until they are orthogonal; says whether they were not.
fn make_orthogonal(rows: &mut [[f64; 4]; 3], frame: &mut [DVec3; 3], i: usize, j: usize) -> bool {
    let (p, q, mixed) = (dot(&rows[i], &rows[i]), dot(&rows[j], &rows[j]), dot(&rows[i], &rows[j]));
    if mixed.abs() <= f64::EPSILON * (p * q).sqrt() {
        return false;
    }
    let zeta = (q - p) / (2.0 * mixed);
    let tangent = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = cosine * tangent;
    for a in 0..4 {
        let (u, v) = (rows[i][a], rows[j][a]);
        rows[i][a] = cosine * u - sine * v;
        rows[j][a] = sine * u + cosine * v;
    }
    let (u, v) = (frame[i], frame[j]);
    frame[i] = u * cosine - v * sine;
    frame[j] = u * sine + v * cosine;
    true
}

fn dot(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gradients that are 1e8 along a slanted normal and of order 1 across it: W itself would lose the small ones.
    #[test]
    fn small_directions_survive_beside_large_ones() {
        let turn = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, 2.0) / 3.0, 0.7);
        let flat = [[3.0, 1.0, 1e8], [-2.0, 1.0, -2e8], [0.5, -3.0, 4e8]].map(DVec3::from);
        let b = [-(flat[0] + flat[1] + flat[2]), flat[0], flat[1], flat[2]].map(|b| turn * b);
        let directions = Directions::of(&b, [1.0; 4]);
        let mut sizes = directions.sizes();
        sizes.sort_by(f64::total_cmp);
        // det W = det(B̂)² with B̂ the three gradients and their sum: by Cauchy–Binet four times the square of their determinant.
        let determinant = 3.0 * (4e8 - 6e8) - (-2.0 * 4e8 + 2e8 * 0.5) + 1e8 * (6.0 - 0.5);
        let product = 4.0 * determinant * determinant;
        assert!((sizes[0] * sizes[1] * sizes[2] / product - 1.0).abs() < 1e-6, "{sizes:?}");
        assert!(sizes[0] > 0.1 && sizes[1] < 100.0 && sizes[2] > 1e16, "{sizes:?}");
        let back = directions.frame * directions.frame.transpose() - DMat3::IDENTITY;
        assert!(back.to_cols_array().iter().all(|x| x.abs() < 1e-14), "{back}");
    }

    #[test]
    fn pinned_corners_do_not_move() {
        let b = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::ONE];
        let directions = Directions::of(&b, [0.0, 0.0, 0.0, 2.0]);
        assert!(directions.rows.iter().all(|row| row[..3] == [0.0; 3]));
        assert!((directions.sizes().iter().sum::<f64>() - 6.0).abs() < 1e-14);
    }
}
