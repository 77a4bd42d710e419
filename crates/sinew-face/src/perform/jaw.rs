//! The jaw as a hinge: a blend shape of the open jaw becomes a rotation.
//!
//! The lower teeth move rigidly with the jaw: their motion gives the axis and the angle θ. A vertex of the face follows by its share s, the part of its
//! displacement δ along that of the jaw, and what is left of δ stays linear: p ↦ p + s (R(wθ) p + … − p) + w ρ. At w = 1 this is the blend
//! shape itself, in between it is an arc.

use crate::align::Rigid;
use glam::{DMat3, DVec3};

/// A hinge, and how every vertex follows it.
#[derive(Clone, Debug)]
pub(super) struct Jaw {
    axis: DVec3,
    angle: f64,
    hinge: DVec3,
    /// Translation along the axis and what no hinge explains.
    slide: DVec3,
    /// s and ρ of each vertex.
    follow: Vec<(f64, DVec3)>,
}

impl Jaw {
    /// From the teeth, closed and open, and the displacements of the vertices when the jaw is open.
    pub fn new(closed: &[DVec3], open: &[DVec3], neutral: &[DVec3], delta: &[DVec3]) -> Self {
        let motion = Rigid::between(closed.iter().copied(), open.iter().copied());
        let (axis, angle) = glam::DQuat::from_mat3(&motion.rotation).to_axis_angle();
        // The hinge is where the motion moves least: (I − R) c = t in the plane across the axis.
        let across = motion.translation - axis * axis.dot(motion.translation);
        let half = 0.5 * angle;
        let hinge = if half.abs() > 1e-6 {
            0.5 * (across + axis.cross(across) * (half.cos() / half.sin()))
        } else {
            DVec3::ZERO
        };
        let slide = motion.translation - across;
        let mut jaw = Self { axis, angle, hinge, slide, follow: Vec::new() };
        jaw.follow = (neutral.iter().zip(delta))
            .map(|(&p, &d)| {
                let u = jaw.turn(p, 1.0);
                let share = if u.length_squared() > 1e-12 { d.dot(u) / u.length_squared() } else { 0.0 };
                let share = share.clamp(0.0, 1.0);
                (share, d - u * share)
            })
            .collect();
        jaw
    }

    /// Displacement of a point of the jaw.
    fn turn(&self, p: DVec3, open: f64) -> DVec3 {
        let rotation = DMat3::from_axis_angle(self.axis, open * self.angle);
        self.hinge + rotation * (p - self.hinge) + self.slide * open - p
    }

    /// Opens the jaw.
    pub fn open(&self, points: &mut [DVec3], open: f64) {
        for (p, &(share, rest)) in points.iter_mut().zip(&self.follow) {
            let u = self.turn(*p, open);
            *p += u * share + rest * open;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_open_jaw_is_the_blend_shape_and_the_way_there_an_arc() {
        let teeth: Vec<DVec3> = (0..12)
            .map(|k| DVec3::new((k % 3) as f64 - 1.0, -5.0 - 0.1 * k as f64, 7.0 + (k % 4) as f64))
            .collect();
        let (turn, hinge) = (DMat3::from_rotation_x(0.4), DVec3::new(0.0, 1.0, -2.0));
        let open: Vec<DVec3> = teeth.iter().map(|&p| hinge + turn * (p - hinge)).collect();
        let delta: Vec<DVec3> = teeth.iter().zip(&open).map(|(p, q)| *q - *p).collect();
        let jaw = Jaw::new(&teeth, &open, &teeth, &delta);
        let mut full = teeth.clone();
        jaw.open(&mut full, 1.0);
        assert!(full.iter().zip(&open).all(|(p, q)| (*p - *q).length() < 1e-9));
        let mut half = teeth.clone();
        jaw.open(&mut half, 0.5);
        let exact = hinge + DMat3::from_rotation_x(0.2) * (teeth[5] - hinge);
        assert!((half[5] - exact).length() < 1e-9);
    }
}
