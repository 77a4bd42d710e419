//! Constraints of joints on bones, linearised: rows A s = −c for equalities and A s ≤ −c for limits.
//!
//! | joint | c | dc |
//! |---|---|---|
//! | ball [li2020, Eq. 6c] | p_a − p_b, three rows | ω_a×r_a + l_a − ω_b×r_b − l_b |
//! | hinge, in addition to the ball | u·e₁ and u·e₂ | (u×e)·(ω_a − ω_b) |
//! | range of a hinge | φ − φ_max, φ_min − φ | ± u·(ω_b − ω_a) |
//! | cone | θ − θ_max | n·(ω_b − ω_a), n = a×b/|a×b| |
//! | twist | \|τ\| − τ_max | ± (a + b)/(1 + a·b) · (ω_b − ω_a) |
//!
//! u and e are axes of the joint, fixed in the first and in the second bone; a and b are the axis of a ball's limits in the first and the second.

use super::bone::Frame;
use glam::{DMat3, DQuat, DVec3};

/// What an end of a joint is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// The world.
    World,
    /// A kinematic bone, by its index in the model.
    Kinematic(usize),
    /// A dynamic bone, by its index in its articulation and its index in the model.
    Bone(usize, usize),
}

impl Anchor {
    /// Its frame.
    pub fn frame(&self, frames: &[Frame]) -> Frame {
        match *self {
            Self::World => Frame { turn: DMat3::IDENTITY, place: DVec3::ZERO },
            Self::Kinematic(bone) | Self::Bone(_, bone) => frames[bone],
        }
    }

    /// Its index in the articulation, if forces move it.
    pub fn place(&self) -> Option<usize> {
        match *self {
            Self::Bone(place, _) => Some(place),
            _ => None,
        }
    }
}

/// A point shared by two ends; the arms are in their own coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    pub ends: [Anchor; 2],
    pub arms: [DVec3; 2],
}

/// How two ends may rotate relative to each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turning {
    pub ends: [Anchor; 2],
    /// Axes of the joint in the coordinates of each end; the first column is the axis.
    pub axes: [DMat3; 2],
    pub rule: TurningRule,
}

/// Which rotations are allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TurningRule {
    /// Rotation about the axis only, in a range of angles.
    Hinge { range: Option<[f64; 2]> },
    /// The axis stays within a cone, and the rotation about it is bounded.
    SwingTwist { cone: f64, twist: f64 },
}

/// One linearised constraint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Value c.
    pub value: f64,
    /// Coefficients of (ω, l) of each end.
    pub ends: [(Anchor, DVec3, DVec3); 2],
    /// Whether it is an inequality, c ≤ 0.
    pub limit: bool,
}

impl Ball {
    /// Its position, from its first end.
    pub fn place(&self, frames: &[Frame]) -> DVec3 {
        self.ends[0].frame(frames).apply(self.arms[0])
    }

    /// Its three rows.
    pub fn rows(&self, frames: &[Frame], mut row: impl FnMut(Row)) {
        let [a, b] = self.ends;
        let arms = [a.frame(frames).turn * self.arms[0], b.frame(frames).turn * self.arms[1]];
        let gap = self.gap(frames);
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            // e·(ω×r) = (r×e)·ω.
            row(Row {
                value: gap.dot(axis),
                ends: [(a, arms[0].cross(axis), axis), (b, -arms[1].cross(axis), -axis)],
                limit: false,
            });
        }
    }

    /// p_a − p_b.
    pub fn gap(&self, frames: &[Frame]) -> DVec3 {
        let at = |k: usize| self.ends[k].frame(frames).apply(self.arms[k]);
        at(0) - at(1)
    }
}

/// Swing and twist of the second end relative to the first: θ, τ and their derivatives with respect to ω_b − ω_a.
fn swing_twist(a: DMat3, b: DMat3) -> [(f64, DVec3); 2] {
    let (axis_a, axis_b) = (a.x_axis, b.x_axis);
    let normal = axis_a.cross(axis_b);
    let swing = normal.length().atan2(axis_a.dot(axis_b));
    // Where both axes agree, any direction leads out.
    let out = normal.try_normalize().unwrap_or(a.y_axis);
    let relative = DQuat::from_mat3(&(a.transpose() * b));
    let twist = 2.0 * relative.x.atan2(relative.w);
    // Of the two quaternions of a rotation, the one with w ≥ 0 is within half a turn.
    let twist = if relative.w < 0.0 { 2.0 * (-relative.x).atan2(-relative.w) } else { twist };
    let about = (axis_a + axis_b) / (1.0 + axis_a.dot(axis_b)).max(1e-9);
    [(swing, out), (twist, about)]
}

impl Turning {
    fn turned(&self, frames: &[Frame]) -> [DMat3; 2] {
        [0, 1].map(|k| self.ends[k].frame(frames).turn * self.axes[k])
    }

    /// A row on the relative angular velocity ω_b − ω_a.
    fn row(&self, value: f64, direction: DVec3, limit: bool) -> Row {
        let [a, b] = self.ends;
        Row { value, ends: [(a, -direction, DVec3::ZERO), (b, direction, DVec3::ZERO)], limit }
    }

    /// Its rows.
    pub fn rows(&self, frames: &[Frame], mut row: impl FnMut(Row)) {
        let [a, b] = self.turned(frames);
        match self.rule {
            TurningRule::Hinge { range } => {
                for e in [b.y_axis, b.z_axis] {
                    row(self.row(a.x_axis.dot(e), -a.x_axis.cross(e), false));
                }
                if let Some([low, high]) = range {
                    let angle = hinge_angle(a, b);
                    row(self.row(angle - high, a.x_axis, true));
                    row(self.row(low - angle, -a.x_axis, true));
                }
            }
            TurningRule::SwingTwist { cone, twist } => {
                let [(swing, out), (turned, about)] = swing_twist(a, b);
                if cone < std::f64::consts::PI {
                    row(self.row(swing - cone, out, true));
                }
                if twist < std::f64::consts::PI {
                    let sign = if turned < 0.0 { -1.0 } else { 1.0 };
                    row(self.row(turned.abs() - twist, about * sign, true));
                }
            }
        }
    }

    /// Angles of the second end relative to the first, rad: the angle of a hinge; swing and twist of a ball.
    pub fn angles(&self, frames: &[Frame]) -> [f64; 2] {
        let [a, b] = self.turned(frames);
        match self.rule {
            TurningRule::Hinge { .. } => [hinge_angle(a, b), 0.0],
            TurningRule::SwingTwist { .. } => swing_twist(a, b).map(|(angle, _)| angle),
        }
    }
}

fn hinge_angle(a: DMat3, b: DMat3) -> f64 {
    a.x_axis.dot(a.y_axis.cross(b.y_axis)).atan2(a.y_axis.dot(b.y_axis))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::bone::rotation;

    /// Two bones at odd angles, and rows of joints between them.
    fn rows(frames: &[Frame]) -> Vec<Row> {
        let ends = [Anchor::Bone(0, 0), Anchor::Bone(1, 1)];
        let arms = [DVec3::new(0.3, -0.2, 0.5), DVec3::new(-0.1, 0.4, 0.2)];
        let axes = [DMat3::IDENTITY, rotation(DVec3::new(0.1, 0.2, -0.3).normalize(), 0.2)];
        let mut rows = Vec::new();
        Ball { ends, arms }.rows(frames, |row| rows.push(row));
        for rule in [
            TurningRule::Hinge { range: Some([-0.5, 0.5]) },
            TurningRule::SwingTwist { cone: 0.4, twist: 0.2 },
        ] {
            Turning { ends, axes, rule }.rows(frames, |row| rows.push(row));
        }
        rows
    }

    #[test]
    fn rows_are_derivatives() {
        let frames = [
            Frame { turn: rotation(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.8), place: DVec3::X },
            Frame { turn: rotation(DVec3::new(1.0, 1.7, 3.3).normalize(), 1.1), place: DVec3::Y },
        ];
        let s = [
            [DVec3::new(0.3, -0.5, 0.9), DVec3::new(1.0, 0.2, -0.4)],
            [DVec3::new(-0.8, 0.1, 0.4), DVec3::new(0.3, -0.7, 0.5)],
        ];
        let moved = |t: f64| {
            let mut frames = frames;
            for (frame, [omega, l]) in frames.iter_mut().zip(s) {
                frame.advance(omega * t, l * t);
            }
            rows(&frames)
        };
        let eps = 1e-6;
        // The angle of a hinge is measured about its axis, which here is not the same in both bones.
        for (k, row) in rows(&frames).iter().enumerate().filter(|(k, _)| !(5..7).contains(k)) {
            let predicted: f64 =
                row.ends.iter().zip(s).map(|((_, w, t), [omega, l])| w.dot(omega) + t.dot(l)).sum();
            let found = (moved(eps)[k].value - moved(-eps)[k].value) / (2.0 * eps);
            assert!((predicted - found).abs() < 1e-8, "row {k}: {predicted} instead of {found}");
        }
    }

    #[test]
    fn the_range_of_a_hinge_follows_its_angle() {
        let ends = [Anchor::Bone(0, 0), Anchor::Bone(1, 1)];
        let axes = [rotation(DVec3::Z, 0.3), rotation(DVec3::Y, -0.8)];
        let hinge = Turning { ends, axes, rule: TurningRule::Hinge { range: Some([-1.0, 2.0]) } };
        let turn = rotation(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.8);
        let at = |angle: f64| {
            let other = turn * axes[0] * rotation(DVec3::X, angle) * axes[1].transpose();
            let frames = [turn, other].map(|turn| Frame { turn, place: DVec3::ZERO });
            let mut rows = Vec::new();
            hinge.rows(&frames, |row| rows.push(row));
            rows
        };
        let found = at(0.7);
        for (row, value) in found.iter().zip([0.0, 0.0, 0.7 - 2.0, -1.0 - 0.7]) {
            assert!((row.value - value).abs() < 1e-15);
        }
        let axis = turn * axes[0].x_axis;
        assert!((found[2].ends[1].1 - axis).length() < 1e-15 && (found[3].ends[1].1 + axis).length() < 1e-15);
    }

    #[test]
    fn angles_start_at_zero_and_follow_the_turn() {
        let ends = [Anchor::World, Anchor::Bone(0, 0)];
        let axes = [DMat3::IDENTITY; 2];
        let at = |turn| [Frame { turn, place: DVec3::ZERO }];
        let hinge = Turning { ends, axes, rule: TurningRule::Hinge { range: None } };
        assert!((hinge.angles(&at(rotation(DVec3::X, -1.2)))[0] + 1.2).abs() < 1e-15);
        let ball = Turning { ends, axes, rule: TurningRule::SwingTwist { cone: 1.0, twist: 1.0 } };
        let [swing, twist] = ball.angles(&at(rotation(DVec3::Z, 0.7) * rotation(DVec3::X, 0.3)));
        assert!((swing - 0.7).abs() < 1e-15 && (twist - 0.3).abs() < 1e-15);
    }
}
