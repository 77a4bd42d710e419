//! What counts as rest: the least energy and momenta that a drift is measured against.
//!
//! A body at rest still trembles by the rounding of its positions. Compared with nothing but itself, this tremble would be a drift of 1. A motion
//! therefore counts as motion only above these amounts; whatever moves visibly is far above them.

use crate::build::BuiltScene;
use glam::DVec3;

/// Share of the weight's and the stored energy that counts as rest. FEPR meets its target to 5e-10 of the same energies.
const RESTING_ENERGY: f64 = 1e-6;
/// Way per step, as a share of the distance from the origin, that counts as rest: half a million times the rounding of a position.
const RESTING_WAY: f64 = 1e-10;

/// The amounts below which a scene is at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Stillness {
    /// J; without what is stored.
    energy: f64,
    /// Σ m|v|, kg·m/s.
    pub linear: f64,
    /// Σ m|r||v|, kg·m²/s.
    pub angular: f64,
}

impl Stillness {
    /// Of a scene in its initial state.
    pub fn of(built: &BuiltScene) -> Self {
        let model = built.model();
        let (mass, size) = (model.masses().iter().sum::<f64>(), model.size());
        let reach = built.state.positions().iter().map(|x| x.length()).fold(size, f64::max);
        let speed = RESTING_WAY * reach / built.settings().h;
        let weight = mass * DVec3::from(built.scene.gravity).length() * size;
        Self {
            energy: 0.5 * mass * speed * speed + RESTING_ENERGY * weight,
            linear: mass * speed,
            angular: mass * speed * reach,
        }
    }

    /// The least energy, J, of bodies that store `stored` J at the start.
    pub fn energy(&self, stored: f64) -> f64 {
        self.energy + RESTING_ENERGY * stored
    }
}
