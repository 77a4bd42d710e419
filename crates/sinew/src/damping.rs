//! Damping as a step of its own after the correction, so that the ledger knows what it took.

use crate::ledger::Dissipation;
use crate::momentum::{Momenta, angular_velocity, inertia, kinetic_energy};
use crate::settings::{SettingsError, check_range};
use crate::{BodyInfo, Model};
use glam::DVec3;

/// How much motion is taken out per step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damping {
    /// Ether drag k, N·s/m per vertex: v ← v·max(0, 1 − k h/m) [dinev2018stab, Eq. 31].
    pub ether: f64,
    /// Share k ∈ [0, 1] of each body's non-rigid velocity removed per step \[muller2007\]:
    /// v ← v + k(v_cm + ω×r − v). Momenta of the body stay. (Eq. 32 of \[dinev2018stab\] prints +ω×r where its
    /// difference needs −ω×r; as printed it destroys angular momentum.)
    pub rigid_preserving: f64,
}

impl Damping {
    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        let finite = self.ether >= 0.0 && self.ether.is_finite();
        check_range("damping.ether", "zero or positive and finite", self.ether, finite)?;
        let share = (0.0..=1.0).contains(&self.rigid_preserving);
        check_range("damping.rigid_preserving", "between 0 and 1", self.rigid_preserving, share)
    }

    /// Damps `v` and returns the kinetic energy that each kind took, J. Never negative.
    pub(crate) fn apply(&self, model: &Model, h: f64, x: &[DVec3], v: &mut [DVec3]) -> Dissipation {
        let mut taken = Dissipation::default();
        if self.ether > 0.0 {
            let before = kinetic_energy(&model.masses, v);
            for (v, m) in v.iter_mut().zip(&model.masses) {
                *v *= (1.0 - self.ether * h / m).max(0.0);
            }
            taken.ether = (before - kinetic_energy(&model.masses, v)).max(0.0);
        }
        if self.rigid_preserving > 0.0 {
            let before = kinetic_energy(&model.masses, v);
            for body in &model.bodies {
                self.towards_rigid(model, body, x, v);
            }
            taken.rigid_preserving = (before - kinetic_energy(&model.masses, v)).max(0.0);
        }
        taken
    }

    fn towards_rigid(&self, model: &Model, body: &BodyInfo, x: &[DVec3], v: &mut [DVec3]) {
        let (masses, x, v) =
            (&model.masses[body.vertices.clone()], &x[body.vertices.clone()], &mut v[body.vertices.clone()]);
        let momenta = Momenta::new(masses, x, v);
        let omega = angular_velocity(&inertia(masses, x, momenta.center), momenta.angular);
        for (i, (x, v)) in x.iter().zip(v.iter_mut()).enumerate() {
            // A pinned vertex has no velocity to give.
            if !model.dofs.is_pinned(body.vertices.start + i) {
                let rigid = momenta.drift() + omega.cross(*x - momenta.center);
                *v += (rigid - *v) * self.rigid_preserving;
            }
        }
    }
}
