//! How bodies of bones alone bounce.
//!
//! Flesh stores the energy of an impact for a few steps and gives it back; a rigid body has nowhere to put it. Moving it deeper into the contact until a stiff
//! spring has taken the energy, as the projection would, only lets the next step damp it again. So for groups without flesh that are in contact with colliders
//! the places that the solver found are kept, and what is missing goes into the velocity at once: along w where that leads out of the contacts, else
//! along its mirror image, and where there is no w to speak of, along the push of the contacts, f/m made a motion of bones.

use super::Arrays;
use super::constants::STILL;
use super::projection::{Projection, Standing};
use crate::dofs::Slot;
use glam::DVec3;

impl Projection<'_> {
    /// Whether nothing in the group can deform.
    pub(super) fn is_all_bones(&self) -> bool {
        let slots = self.s.model.dofs.slots();
        self.s.has_bones() && self.s.vertices().all(|i| !matches!(slots[i], Slot::Free(_)))
    }

    /// Meets the energy at the candidate's places by velocities out of the contacts. Returns whether it could.
    pub(super) fn bounce(&mut self, standing: &mut Standing, a: &mut Arrays) -> bool {
        if standing.need <= 0.0 || !self.push(a) {
            return false;
        }
        let outwards: f64 = self.s.vertices().map(|i| a.direction[i].dot(a.w[i])).sum();
        if standing.split.deformation_energy > STILL * standing.need {
            if outwards < 0.0 {
                self.s.vertices().for_each(|i| a.w[i] = -a.w[i]);
            }
        } else {
            for i in self.s.vertices() {
                a.w[i] = a.direction[i] / self.s.model.masses[i];
            }
            self.s.make_direction_rigid(&mut a.rig, &a.x, &mut a.w);
            standing.split = self.carrier.split(self.s.model, self.s.component, &a.x, &mut a.w);
        }
        let energy = standing.split.deformation_energy;
        let factor = (standing.need / energy).sqrt();
        if !(energy > 0.0 && factor.is_finite()) {
            return false;
        }
        self.s.vertices().for_each(|i| a.w[i] *= factor);
        standing.split.deformation_energy = standing.need;
        standing.residual = 0.0;
        true
    }

    /// direction ← the forces of colliders where they are met: at the candidate, at the start, or where inertia would lead. Returns whether there are any.
    fn push(&self, a: &mut Arrays) -> bool {
        let places = [0, 1, 2];
        places.into_iter().any(|place| {
            self.s.vertices().for_each(|i| a.direction[i] = DVec3::ZERO);
            let x = [&a.x[..], &self.s.state.x, self.s.predicted][place];
            self.s.pose.contacts.add_normal_forces(self.s.members, x, &mut a.direction)
        })
    }
}
