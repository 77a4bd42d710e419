//! Rigid placements: p_world = R p_local + t.

use glam::{DQuat, DVec3};

/// A rotation and a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Unit quaternion.
    pub rotation: DQuat,
    /// Translation, metres.
    pub translation: DVec3,
}

impl Default for Placement {
    fn default() -> Self {
        Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO }
    }
}

impl Placement {
    /// A placement with this translation and no rotation.
    pub fn at(translation: DVec3) -> Self {
        Self { translation, ..Self::default() }
    }

    /// From local to world coordinates.
    pub fn apply(&self, p: DVec3) -> DVec3 {
        self.rotation * p + self.translation
    }

    /// From world to local coordinates.
    pub fn undo(&self, p: DVec3) -> DVec3 {
        self.rotation.conjugate() * (p - self.translation)
    }

    /// Interpolates between two placements, t = 0 at this one and 1 at the other: along a straight line and by the shorter rotation.
    pub fn interpolate(&self, to: &Self, t: f64) -> Self {
        Self {
            rotation: self.rotation.slerp(to.rotation, t),
            translation: self.translation.lerp(to.translation, t),
        }
    }

    /// Visits each of its numbers.
    pub(crate) fn for_each(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        let mut rotation = self.rotation.to_array();
        rotation.iter_mut().for_each(&mut *visit);
        self.rotation = DQuat::from_array(rotation);
        self.translation.as_mut().iter_mut().for_each(visit);
    }

    /// Whether it is a valid placement: finite, with a unit quaternion.
    pub fn is_valid(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.rotation.is_normalized()
    }
}
