//! Rigid alignment: the rotation and translation that bring the mouth of a frame closest to that of the neutral mesh, min Σ ‖R pᵢ + t − qᵢ‖².
//!
//! Horn's method: the unit quaternion of R is the eigenvector of a symmetric 4×4 matrix of second moments. Without the alignment the
//! gradients would contain the rotation of the head, which a linear regression cannot separate from the expression.

use crate::eigen;
use glam::{DMat3, DQuat, DVec3};

/// A rotation and a translation, p ↦ R p + t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rigid {
    /// R.
    pub rotation: DMat3,
    /// t, in the unit of the mesh.
    pub translation: DVec3,
}

impl Rigid {
    /// The best motion from the points `from` to the points `to`, #P each.
    pub fn between(
        from: impl Iterator<Item = DVec3> + Clone,
        to: impl Iterator<Item = DVec3> + Clone,
    ) -> Self {
        let (mut count, mut a, mut b) = (0.0, DVec3::ZERO, DVec3::ZERO);
        for (p, q) in from.clone().zip(to.clone()) {
            (count, a, b) = (count + 1.0, a + p, b + q);
        }
        if count == 0.0 {
            return Self { rotation: DMat3::IDENTITY, translation: DVec3::ZERO };
        }
        let (a, b) = (a / count, b / count);
        let mut s = DMat3::ZERO;
        for (p, q) in from.zip(to) {
            let (p, q) = (p - a, q - b);
            s += DMat3::from_cols(p * q.x, p * q.y, p * q.z);
        }
        // s_ij = Σ p_i q_j.
        let at = |i: usize, j: usize| s.col(j)[i];
        let (xx, xy, xz) = (at(0, 0), at(0, 1), at(0, 2));
        let (yx, yy, yz) = (at(1, 0), at(1, 1), at(1, 2));
        let (zx, zy, zz) = (at(2, 0), at(2, 1), at(2, 2));
        #[rustfmt::skip]
        let n = vec![
            xx + yy + zz, yz - zy,      zx - xz,       xy - yx,
            yz - zy,      xx - yy - zz, xy + yx,       zx + xz,
            zx - xz,      xy + yx,      yy - xx - zz,  yz + zy,
            xy - yx,      zx + xz,      yz + zy,       zz - xx - yy,
        ];
        let e = eigen::symmetric(n, 4);
        let best = (0..4).fold(0, |best, k| if e.values[k] > e.values[best] { k } else { best });
        let q = &e.vectors[4 * best..4 * best + 4];
        let rotation = DMat3::from_quat(DQuat::from_xyzw(q[1], q[2], q[3], q[0]).normalize());
        Self { rotation, translation: b - rotation * a }
    }

    /// R p + t.
    pub fn apply(&self, p: DVec3) -> DVec3 {
        self.rotation * p + self.translation
    }

    /// Rᵀ (p − t).
    pub fn apply_inverse(&self, p: DVec3) -> DVec3 {
        self.rotation.transpose() * (p - self.translation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rigid_motion_is_found_again() {
        let points: Vec<DVec3> =
            (0..20).map(|i| DVec3::new((i as f64).sin(), (2.0 * i as f64).cos(), 0.1 * i as f64)).collect();
        for angle in [0.0, 0.3, 3.0] {
            let motion = Rigid {
                rotation: DMat3::from_axis_angle(DVec3::new(1.0, 2.0, -0.5).normalize(), angle),
                translation: DVec3::new(3.0, -1.0, 10.0),
            };
            let moved: Vec<DVec3> = points.iter().map(|&p| motion.apply(p)).collect();
            let found = Rigid::between(points.iter().copied(), moved.iter().copied());
            for (&p, &q) in points.iter().zip(&moved) {
                assert!((found.apply(p) - q).length() < 1e-13);
                assert!((found.apply_inverse(q) - p).length() < 1e-13);
            }
        }
    }
}
