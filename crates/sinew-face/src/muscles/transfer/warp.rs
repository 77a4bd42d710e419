//! Smooth interpolation in space: w(p) = A p + t + Σ wᵢ |p − cᵢ|, which takes each landmark to its partner with the least bending \[duchon1977; bookstein1989\].
//!
//! With smoothing λ > 0 landmarks may miss: (Φ − λI) w + P c = f, Pᵀ w = 0.

use crate::error::FaceError;
use crate::muscles::landmarks::Pair;
use glam::{DMat3, DVec3};

/// A smooth map of space.
#[derive(Clone, Debug)]
pub struct Warp {
    centres: Vec<DVec3>,
    weights: Vec<DVec3>,
    /// A and t.
    pub(super) linear: DMat3,
    shift: DVec3,
}

impl Warp {
    /// The warp of landmark pairs; `smoothing` is λ, m.
    ///
    /// # Errors
    /// [`FaceError::Muscles`] if the landmarks lie in one plane.
    pub fn new(pairs: &[Pair], smoothing: f64) -> Result<Self, FaceError> {
        let n = pairs.len();
        let flat = || {
            FaceError::Muscles(format!(
                "{n} landmark pairs do not determine a warp: at least four are needed, and not all in one plane"
            ))
        };
        if n < 4 {
            return Err(flat());
        }
        // About their middle and in their size, so that all entries are near 1.
        let middle = pairs.iter().map(|pair| pair.from).sum::<DVec3>() / n as f64;
        let size = pairs.iter().map(|pair| pair.from.distance(middle)).fold(0.0, f64::max);
        if !(size > 0.0 && size.is_finite()) {
            return Err(flat());
        }
        let at = |k: usize| (pairs[k].from - middle) / size;
        let spread = (0..n).fold(DMat3::ZERO, |sum, k| {
            sum + DMat3::from_cols(at(k) * at(k).x, at(k) * at(k).y, at(k) * at(k).z)
        });
        if spread.determinant() < 1e-9 * (n as f64).powi(3) {
            return Err(flat());
        }
        let m = n + 4;
        let mut matrix: Vec<f64> = (0..m * m)
            .map(|k| match (k / m, k % m) {
                (i, j) if i == j && i < n => -smoothing / size,
                (i, j) if i < n && j < n => at(i).distance(at(j)),
                (i, j) if i.max(j) == n => 1.0,
                (i, j) if i < n => at(i)[j - n - 1],
                (i, j) if j < n => at(j)[i - n - 1],
                _ => 0.0,
            })
            .collect();
        matrix[n * m + n] = 0.0;
        let mut right: Vec<DVec3> = pairs.iter().map(|pair| pair.to).collect();
        right.resize(m, DVec3::ZERO);
        if !solve(&mut matrix, &mut right) || !right.iter().all(|v| v.is_finite()) {
            return Err(flat());
        }
        let row = |i: usize| right[i];
        let linear = DMat3::from_cols(row(n + 1), row(n + 2), row(n + 3)) * (1.0 / size);
        Ok(Self {
            centres: pairs.iter().map(|pair| pair.from).collect(),
            weights: (0..n).map(|i| row(i) / size).collect(),
            linear,
            shift: row(n) - linear * middle,
        })
    }

    /// Where a point goes.
    pub fn at(&self, p: DVec3) -> DVec3 {
        let bent: DVec3 = self.centres.iter().zip(&self.weights).map(|(c, w)| *w * p.distance(*c)).sum();
        self.linear * p + self.shift + bent
    }
}

/// Gaussian elimination with pivots of columns: the matrix of a warp is symmetric, but not definite. `false` if it is singular.
fn solve(matrix: &mut [f64], right: &mut [DVec3]) -> bool {
    let n = right.len();
    for k in 0..n {
        let pivot =
            (k..n).max_by(|i, j| matrix[i * n + k].abs().total_cmp(&matrix[j * n + k].abs())).unwrap_or(k);
        if matrix[pivot * n + k].abs() < 1e-13 {
            return false;
        }
        if pivot != k {
            (0..n).for_each(|j| matrix.swap(k * n + j, pivot * n + j));
            right.swap(k, pivot);
        }
        for i in k + 1..n {
            let factor = matrix[i * n + k] / matrix[k * n + k];
            if factor != 0.0 {
                (k..n).for_each(|j| matrix[i * n + j] -= factor * matrix[k * n + j]);
                right[i] -= factor * right[k];
            }
        }
    }
    for k in (0..n).rev() {
        let known: DVec3 = (k + 1..n).map(|j| matrix[k * n + j] * right[j]).sum();
        right[k] = (right[k] - known) / matrix[k * n + k];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::muscles::Noise;

    fn pairs(n: usize, map: impl Fn(DVec3) -> DVec3) -> Vec<Pair> {
        let mut noise = Noise::new(4);
        let point = |noise: &mut Noise| 0.1 * DVec3::new(noise.normal(), noise.normal(), noise.normal());
        (0..n)
            .map(|_| point(&mut noise))
            .map(|from| Pair { name: String::new(), from, to: map(from) })
            .collect()
    }

    #[test]
    fn landmarks_meet_and_affine_maps_are_reproduced_everywhere() {
        let bent = |p: DVec3| p + DVec3::new(0.02 * (20.0 * p.y).sin(), p.x * p.x, 0.0);
        let list = pairs(30, bent);
        let warp = Warp::new(&list, 0.0).unwrap();
        assert!(list.iter().all(|pair| warp.at(pair.from).distance(pair.to) < 1e-12));
        let linear = DMat3::from_cols(
            DVec3::new(1.1, 0.1, 0.0),
            DVec3::new(-0.2, 0.9, 0.1),
            DVec3::new(0.0, 0.3, 1.2),
        );
        let affine = |p: DVec3| linear * p + DVec3::new(0.3, -0.2, 5.0);
        let warp = Warp::new(&pairs(12, affine), 0.01).unwrap();
        for p in [DVec3::splat(0.4), DVec3::new(-1.0, 0.2, 0.5)] {
            assert!(warp.at(p).distance(affine(p)) < 1e-10);
        }
    }

    #[test]
    fn landmarks_in_a_plane_are_refused() {
        let flat: Vec<Pair> = pairs(9, |p| p)
            .into_iter()
            .map(|pair| Pair { from: DVec3::new(pair.from.x, pair.from.y, 0.0), ..pair })
            .collect();
        assert!(Warp::new(&flat, 0.0).unwrap_err().to_string().contains("plane"));
        assert!(Warp::new(&flat[..3], 0.0).unwrap_err().to_string().contains("four"));
    }
}
