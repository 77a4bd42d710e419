//! One bone: points that move as x = R(X − c) + t.

use crate::math::{outer, svd};
use crate::momentum::{Inertia, InvertedInertia};
use crate::placement::Placement;
use glam::{DMat3, DQuat, DVec3};

/// Rotation and position of a bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    /// Rotation R.
    pub turn: DMat3,
    /// Translation t, the position of the centre of mass.
    pub place: DVec3,
}

impl Frame {
    /// The frame a share of the way towards another.
    pub fn towards(&self, end: &Self, share: f64) -> Self {
        let turn = DMat3::from_quat(DQuat::from_scaled_axis(turn_between(self.turn, end.turn) * share));
        Self { turn: turn * self.turn, place: self.place.lerp(end.place, share) }
    }

    /// R p + t.
    pub fn apply(&self, local: DVec3) -> DVec3 {
        self.turn * local + self.place
    }

    /// Rᵀ(p − t).
    pub fn undo(&self, point: DVec3) -> DVec3 {
        self.turn.transpose() * (point - self.place)
    }

    /// R ← Rot(ω/|ω|, atan|ω|) R, t ← t + l. That rotation *is* the projection of (I + ω*)R onto the rotations that [li2020, Sec. 4.3] finds
    /// by a singular value decomposition.
    pub fn advance(&mut self, omega: DVec3, shift: DVec3) {
        let length = omega.length();
        if length > 0.0 {
            self.turn = rotation(omega / length, length.atan()) * self.turn;
        }
        self.place += shift;
    }
}

/// The matrix of a rotation, orthonormal to rounding: quaternions lose fewer digits than sines and cosines of a matrix.
pub(crate) fn rotation(axis: DVec3, angle: f64) -> DMat3 {
    DMat3::from_quat(DQuat::from_axis_angle(axis, angle).normalize())
}

/// A rigid bone: points that keep their distances.
#[derive(Clone, Debug)]
pub(crate) struct RigidBone {
    pub name: String,
    /// Its points: vertices of bodies, ascending, then its four mass points.
    pub points: Vec<u32>,
    /// X − c of each, m.
    pub local: Vec<DVec3>,
    /// c at rest, m.
    pub center: DVec3,
    /// Mass, kg.
    pub mass: f64,
    /// (Σ m (X − c)(X − c)ᵀ)⁻¹.
    inverse_second: DMat3,
    /// Greatest distance of a point from the centre, m.
    pub radius: f64,
    /// Whether it is kinematic.
    pub kinematic: bool,
    /// Initial frame.
    pub start: Frame,
    /// Reduced index of its first column; unused if it is kinematic.
    pub column: u32,
}

impl RigidBone {
    /// Creates a bone from points at rest.
    pub fn new(name: String, points: Vec<u32>, kinematic: bool, rest: &[DVec3], masses: &[f64]) -> Self {
        let of = |list: &[DVec3], i: &u32| list[*i as usize];
        let mass: f64 = points.iter().map(|&i| masses[i as usize]).sum();
        let center = points.iter().map(|i| of(rest, i) * masses[*i as usize]).sum::<DVec3>() / mass;
        let local: Vec<_> = points.iter().map(|i| of(rest, i) - center).collect();
        let mut second = DMat3::ZERO;
        for (i, r) in points.iter().zip(&local) {
            second += outer(*r * masses[*i as usize], *r);
        }
        let radius = local.iter().map(|r| r.length()).fold(0.0, f64::max);
        let start = Frame { turn: DMat3::IDENTITY, place: center };
        Self {
            name,
            points,
            local,
            center,
            mass,
            inverse_second: second.inverse(),
            radius,
            kinematic,
            start,
            column: 0,
        }
    }

    /// Its four mass points.
    pub fn mass_points(&self) -> impl Iterator<Item = u32> + '_ {
        self.points[self.points.len() - 4..].iter().copied()
    }

    /// The rigid frame closest to the positions of its points: R is the rotation in the polar decomposition of the affine map that fits them
    /// best. `None` if they are not finite.
    pub fn frame(&self, masses: &[f64], x: &[DVec3]) -> Option<Frame> {
        let mut moment = DVec3::ZERO;
        for &i in &self.points {
            moment += x[i as usize] * masses[i as usize];
        }
        let place = moment / self.mass;
        let mut second = DMat3::ZERO;
        for (&i, r) in self.points.iter().zip(&self.local) {
            second += outer((x[i as usize] - place) * masses[i as usize], *r);
        }
        let map = second * self.inverse_second;
        map.is_finite().then(|| Frame { turn: svd(&map).rotation(), place })
    }

    /// Its centre of mass at `x`.
    pub fn center_at(&self, masses: &[f64], x: &[DVec3]) -> DVec3 {
        self.points.iter().map(|&i| x[i as usize] * masses[i as usize]).sum::<DVec3>() / self.mass
    }

    /// Moves its points to where the frame puts them.
    pub fn put(&self, frame: &Frame, x: &mut [DVec3]) {
        for (&i, r) in self.points.iter().zip(&self.local) {
            x[i as usize] = frame.apply(*r);
        }
    }

    /// Velocity of the centre and angular velocity of the rigid motion with the momenta of its points.
    pub fn motion(&self, masses: &[f64], x: &[DVec3], v: &[DVec3]) -> (DVec3, DVec3) {
        let (mut center, mut drift) = (DVec3::ZERO, DVec3::ZERO);
        for &i in &self.points {
            let i = i as usize;
            center += x[i] * masses[i];
            drift += v[i] * masses[i];
        }
        let (center, drift) = (center / self.mass, drift / self.mass);
        let (mut angular, mut inertia) = (DVec3::ZERO, Inertia::default());
        for &i in &self.points {
            let i = i as usize;
            angular += (x[i] - center).cross(v[i] - drift) * masses[i];
            inertia.add(masses[i], x[i] - center);
        }
        (drift, InvertedInertia::new(inertia.matrix()).angular_velocity(angular))
    }

    /// Gives its points the velocities of a rigid motion.
    pub fn set_in_motion(&self, center: DVec3, (drift, omega): (DVec3, DVec3), x: &[DVec3], v: &mut [DVec3]) {
        for &i in &self.points {
            v[i as usize] = drift + omega.cross(x[i as usize] - center);
        }
    }

    /// Σ m (X − c)(X − c)ᵀ, kg·m².
    pub fn second_moment(&self) -> DMat3 {
        self.inverse_second.inverse()
    }

    /// Inertia about the centre in the frame's orientation, kg·m².
    pub fn inertia(&self, frame: &Frame) -> DMat3 {
        let second = self.second_moment();
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        frame.turn * (DMat3::from_diagonal(DVec3::splat(trace)) - second) * frame.turn.transpose()
    }

    /// The map from the rest positions to the frame.
    pub fn placement(&self, frame: &Frame) -> Placement {
        let rotation = DQuat::from_mat3(&frame.turn).normalize();
        Placement { rotation, translation: frame.place - rotation * self.center }
    }

    /// The frame of a map from the rest positions.
    pub fn frame_of(&self, placement: &Placement) -> Frame {
        let turn = DMat3::from_quat(placement.rotation.normalize());
        Frame { turn, place: placement.apply(self.center) }
    }
}

/// The rotation vector from one orientation to another.
pub(crate) fn turn_between(from: DMat3, to: DMat3) -> DVec3 {
    DQuat::from_mat3(&(to * from.transpose())).normalize().to_scaled_axis()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::hat;

    fn bone() -> (RigidBone, [DVec3; 5], [f64; 5]) {
        let rest = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.3, 0.8, -0.5)];
        let masses = [1.0, 2.0, 0.5, 1.5, 1.0];
        (RigidBone::new("bone".into(), (0..5).collect(), false, &rest, &masses), rest, masses)
    }

    #[test]
    fn a_bent_frame_becomes_a_rigid_one() {
        let (bone, rest, masses) = bone();
        let turn = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, -1.0).normalize(), 2.0);
        let mut x = rest.map(|p| turn * p + DVec3::new(3.0, 0.0, 1.0));
        let frame = bone.frame(&masses, &x).unwrap();
        assert!((frame.turn - turn).abs_diff_eq(DMat3::ZERO, 1e-14));
        x[2] += DVec3::new(0.1, -0.05, 0.0);
        bone.put(&bone.frame(&masses, &x).unwrap(), &mut x);
        for i in 0..5 {
            for j in 0..i {
                assert!((x[i].distance(x[j]) - rest[i].distance(rest[j])).abs() < 1e-14);
            }
        }
        assert!(bone.frame(&masses, &[DVec3::NAN; 5]).is_none());
    }

    #[test]
    fn advancing_is_the_polar_decomposition_of_the_linear_step() {
        let omega = DVec3::new(0.7, -2.0, 0.4);
        let turn = rotation(DVec3::new(0.1, 0.3, -0.9).normalize(), 1.1);
        let mut frame = Frame { turn, place: DVec3::ZERO };
        frame.advance(omega, DVec3::X);
        let polar = svd(&((DMat3::IDENTITY + hat(omega)) * turn)).rotation();
        assert!((frame.turn - polar).abs_diff_eq(DMat3::ZERO, 1e-14));
        assert_eq!(frame.place, DVec3::X);
    }

    #[test]
    fn a_motion_is_recovered() {
        let (bone, x, masses) = bone();
        let (drift, omega) = (DVec3::new(1.0, 0.5, -2.0), DVec3::new(0.2, -1.0, 3.0));
        let mut v = [DVec3::ZERO; 5];
        bone.set_in_motion(bone.center, (drift, omega), &x, &mut v);
        let found = bone.motion(&masses, &x, &v);
        assert!((found.0 - drift).length() < 1e-14 && (found.1 - omega).length() < 1e-13);
    }

    #[test]
    fn placements_and_frames_say_the_same() {
        let (bone, rest, _) = bone();
        let frame = Frame { turn: rotation(DVec3::Z, 0.4), place: DVec3::new(0.0, 2.0, 1.0) };
        let placement = bone.placement(&frame);
        let mut x = [DVec3::ZERO; 5];
        bone.put(&frame, &mut x);
        for (x, rest) in x.iter().zip(rest) {
            assert!((*x - placement.apply(rest)).length() < 1e-14);
        }
        assert!((bone.frame_of(&placement).place - frame.place).length() < 1e-14);
    }
}
