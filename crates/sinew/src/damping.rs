//! Damping as a separate step after the correction, so that the ledger knows how much energy it takes.

use crate::ledger::Cause;
use crate::model::Model;
use crate::momentum::{Inertia, InvertedInertia, kinetic_energy};
use crate::settings::error::{SettingsError, check_range};
use crate::topology::Component;
use glam::DVec3;

/// How much motion each step removes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damping {
    /// Ether drag k, N·s/m per vertex: v ← v·max(0, 1 − k h/m) [dinev2018stab, Eq. 31].
    pub ether: f64,
    /// Share k ∈ [0, 1] of each connected component's non-rigid velocity removed per step \[muller2007\]: v ← v + k(v_cm + ω×r − v). Momenta
    /// are conserved. (Eq. 32 of \[dinev2018stab\] prints +ω×r where its difference needs −ω×r; as printed it destroys angular momentum.)
    pub rigid_preserving: f64,
}

impl Damping {
    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        let finite = self.ether >= 0.0 && self.ether.is_finite();
        check_range("damping.ether", "zero or positive and finite", self.ether, finite)?;
        let share = (0.0..=1.0).contains(&self.rigid_preserving);
        check_range("damping.rigid_preserving", "between 0 and 1", self.rigid_preserving, share)
    }

    /// Damps `v` and returns the kinetic energy that each kind of damping took, J. After each, `shape` makes the velocities of bones rigid: drag on single points of a
    /// bone is drag on all of it.
    pub(crate) fn apply(
        &self,
        model: &Model,
        h: f64,
        v: &mut [DVec3],
        x: &[DVec3],
        mut shape: impl FnMut(&mut [DVec3]),
    ) -> [(Cause, f64); 2] {
        let (mut ether, mut rigid_preserving) = (0.0, 0.0);
        if self.ether > 0.0 {
            let before = kinetic_energy(&model.masses, v);
            for (v, m) in v.iter_mut().zip(&model.masses) {
                *v *= (1.0 - self.ether * h / m).max(0.0);
            }
            shape(v);
            ether = before - kinetic_energy(&model.masses, v);
        }
        if self.rigid_preserving > 0.0 {
            let before = kinetic_energy(&model.masses, v);
            for component in &model.topology.components {
                self.towards_rigid(model, component, x, v);
            }
            shape(v);
            rigid_preserving = before - kinetic_energy(&model.masses, v);
        }
        [(Cause::Ether, ether), (Cause::RigidPreserving, rigid_preserving)]
    }

    /// Removes a share of the velocities of a component that are no rigid motion.
    pub(crate) fn towards_rigid(&self, model: &Model, component: &Component, x: &[DVec3], v: &mut [DVec3]) {
        // Pinned vertices do not move and do not count.
        let moving = || component.vertices.iter().map(|&i| i as usize).filter(|&i| !model.dofs.is_pinned(i));
        let (mut mass, mut moment, mut linear) = (0.0, DVec3::ZERO, DVec3::ZERO);
        for i in moving() {
            mass += model.masses[i];
            moment += x[i] * model.masses[i];
            linear += v[i] * model.masses[i];
        }
        if mass == 0.0 {
            return;
        }
        let (center, drift) = (moment / mass, linear / mass);
        let mut angular = DVec3::ZERO;
        let mut inertia = Inertia::default();
        for i in moving() {
            let r = x[i] - center;
            angular += r.cross(v[i] - drift) * model.masses[i];
            inertia.add(model.masses[i], r);
        }
        let omega = InvertedInertia::new(inertia.matrix()).angular_velocity(angular);
        for i in moving() {
            let rigid = drift + omega.cross(x[i] - center);
            v[i] += (rigid - v[i]) * self.rigid_preserving;
        }
    }
}
