//! Rigid bodies: bones without flesh.
//!
//! Every vertex of a rigid body is a point of one bone, x = R(X − c) + t, with the reduced coordinates of [li2020] (see
//! [`Dofs`](crate::Dofs)): an affine frame of four columns. Solvers move the frame; one virtual tetrahedron that is as rigid as
//! possible, spanned by four of the vertices, keeps it close to a rotation while they do; and what they leave is
//! projected: R by the polar decomposition of Σ m (x − t)(X − c)ᵀ, velocities onto the rigid motion with the same momenta.
//! At the end of a step a rigid body is rigid to rounding, and the virtual tetrahedron stores nothing.

use crate::math::{outer, svd};
use crate::momentum::{Inertia, InvertedInertia};
use glam::{DMat3, DVec3};
use std::ops::Range;

/// Stiffness of the virtual tetrahedron over mass, 1/s²: at 30 steps a second a few ten times the inertia, stiff enough to
/// guide the solver and soft enough not to hold up a rotation.
pub(crate) const FRAME_STIFFNESS: f64 = 3e4;

/// One rigid body.
#[derive(Clone, Debug)]
pub(crate) struct Bone {
    pub vertices: Range<usize>,
    /// X − c.
    pub local: Vec<DVec3>,
    pub mass: f64,
}

impl Bone {
    /// In the shape that its vertices have in `rest`.
    pub fn new(vertices: Range<usize>, rest: &[DVec3], masses: &[f64]) -> Self {
        let (rest, masses) = (&rest[vertices.clone()], &masses[vertices.clone()]);
        let mass: f64 = masses.iter().sum();
        let center = rest.iter().zip(masses).map(|(x, m)| *x * *m).sum::<DVec3>() / mass;
        Self { vertices, local: rest.iter().map(|x| *x - center).collect(), mass }
    }

    /// Moves the vertices to the closest rigid image of the bone; a frame that is no longer finite is left alone.
    pub fn shape(&self, masses: &[f64], x: &mut [DVec3]) {
        let (masses, x) = (&masses[self.vertices.clone()], &mut x[self.vertices.clone()]);
        let center = x.iter().zip(masses).map(|(x, m)| *x * *m).sum::<DVec3>() / self.mass;
        let mut moment = DMat3::ZERO;
        for ((x, m), local) in x.iter().zip(masses).zip(&self.local) {
            moment += outer((*x - center) * *m, *local);
        }
        if !moment.is_finite() {
            return;
        }
        let turn = svd(&moment).rotation();
        for (x, local) in x.iter_mut().zip(&self.local) {
            *x = turn * *local + center;
        }
    }

    /// Makes the velocities those of a rigid motion with the same momenta.
    pub fn still(&self, masses: &[f64], x: &[DVec3], v: &mut [DVec3]) {
        let range = self.vertices.clone();
        let (masses, x, v) = (&masses[range.clone()], &x[range.clone()], &mut v[range]);
        let (mut center, mut drift) = (DVec3::ZERO, DVec3::ZERO);
        for ((x, v), m) in x.iter().zip(&*v).zip(masses) {
            center += *x * *m;
            drift += *v * *m;
        }
        let (center, drift) = (center / self.mass, drift / self.mass);
        let (mut angular, mut inertia) = (DVec3::ZERO, Inertia::default());
        for ((x, v), m) in x.iter().zip(&*v).zip(masses) {
            angular += (*x - center).cross(*v - drift) * *m;
            inertia.add(*m, *x - center);
        }
        let omega = InvertedInertia::new(inertia.matrix()).angular_velocity(angular);
        for (x, v) in x.iter().zip(v) {
            *v = drift + omega.cross(*x - center);
        }
    }
}

/// Four of the points that span a large tetrahedron, positively oriented; `None` where they are all in a plane.
pub(crate) fn frame(points: &[DVec3]) -> Option<[u32; 4]> {
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        let best = (0..points.len()).max_by(|&a, &b| measure(points[a]).total_cmp(&measure(points[b])));
        best.unwrap_or_default()
    };
    let mean = points.iter().copied().sum::<DVec3>() / points.len() as f64;
    let a = farthest(&|p| p.distance_squared(mean));
    let b = farthest(&|p| p.distance_squared(points[a]));
    let ab = points[b] - points[a];
    let c = farthest(&|p| ab.cross(p - points[a]).length_squared());
    let normal = ab.cross(points[c] - points[a]);
    let d = farthest(&|p| normal.dot(p - points[a]).abs());
    let volume = normal.dot(points[d] - points[a]);
    let size = ab.length();
    if volume.abs() <= 1e-6 * size * size * size {
        return None;
    }
    let [a, b, c, d] = [a, b, c, d].map(|i| i as u32);
    Some(if volume > 0.0 { [a, b, c, d] } else { [a, c, b, d] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bent_frame_becomes_the_closest_rigid_one() {
        let rest = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.3, 0.8, -0.5)];
        let masses = [1.0, 2.0, 0.5, 1.5, 1.0];
        let bone = Bone::new(0..5, &rest, &masses);
        let turn = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, -1.0).normalize(), 2.0);
        let mut x = rest.map(|p| turn * p + DVec3::new(3.0, 0.0, 1.0));
        let exact = x;
        bone.shape(&masses, &mut x);
        assert!(x.iter().zip(exact).all(|(a, b)| a.distance(b) < 1e-14));
        x[2] += DVec3::new(0.1, -0.05, 0.0);
        bone.shape(&masses, &mut x);
        for i in 0..5 {
            for j in 0..i {
                assert!((x[i].distance(x[j]) - rest[i].distance(rest[j])).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn flat_points_have_no_frame() {
        let flat = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)];
        assert_eq!(frame(&flat), None);
        let corners = frame(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]).unwrap();
        let mut sorted = corners;
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3]);
    }
}
