//! The jaw: two rotations and three translations \[dinev2020, §4.2.2\].
//!
//! p → h + R_y(β) R_x(α) (p − h) + t about the hinge h. A positive α opens the mouth of a head that looks along +z.

use glam::{DMat3, DVec3};

/// Where rotations are measured: so far from the hinge, 1 rad moves by 70 mm; m.
pub const REACH: f64 = 0.07;

/// A pose of the jaw.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jaw {
    /// Opening α, rad.
    pub open: f64,
    /// Turn to the side β, rad.
    pub turn: f64,
    /// Translation t, m.
    pub shift: DVec3,
}

impl Jaw {
    /// Five lengths, m: the rotations as arcs at [`REACH`].
    pub fn lengths(&self) -> [f64; 5] {
        [REACH * self.open, REACH * self.turn, self.shift.x, self.shift.y, self.shift.z]
    }

    /// The pose of five lengths.
    pub fn from_lengths(b: [f64; 5]) -> Self {
        Self { open: b[0] / REACH, turn: b[1] / REACH, shift: DVec3::new(b[2], b[3], b[4]) }
    }

    fn rotations(&self) -> (DMat3, DMat3) {
        (DMat3::from_rotation_y(self.turn), DMat3::from_rotation_x(self.open))
    }

    /// Where a point of the jaw goes.
    pub fn place(&self, hinge: DVec3, p: DVec3) -> DVec3 {
        let (y, x) = self.rotations();
        hinge + y * (x * (p - hinge)) + self.shift
    }

    /// How it moves with each of the five lengths.
    pub fn slopes(&self, hinge: DVec3, p: DVec3) -> [DVec3; 5] {
        let (y, x) = self.rotations();
        let opened = x * (p - hinge);
        let by_open = y * DVec3::X.cross(opened) / REACH;
        let by_turn = DVec3::Y.cross(y * opened) / REACH;
        [by_open, by_turn, DVec3::X, DVec3::Y, DVec3::Z]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_the_place_and_lengths_come_back() {
        let (hinge, p) = (DVec3::new(0.0, -0.01, 0.004), DVec3::new(0.01, -0.05, 0.07));
        let jaw = Jaw { open: 0.1, turn: -0.05, shift: DVec3::new(0.001, 0.0, 0.002) };
        assert_eq!(Jaw::from_lengths(jaw.lengths()).shift, jaw.shift);
        for (k, slope) in jaw.slopes(hinge, p).into_iter().enumerate() {
            let at = |h: f64| {
                let mut b = jaw.lengths();
                b[k] += h;
                Jaw::from_lengths(b).place(hinge, p)
            };
            assert!(((at(1e-6) - at(-1e-6)) / 2e-6 - slope).length() < 1e-8);
        }
    }

    #[test]
    fn opening_lowers_the_chin() {
        let down = Jaw { open: 0.1, ..Jaw::default() }.place(DVec3::ZERO, DVec3::new(0.0, 0.0, 0.07));
        assert!((down.y + 0.07 * 0.1_f64.sin()).abs() < 1e-15);
    }
}
