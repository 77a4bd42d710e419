//! The normal forces of the colliders on a group of components, as a whole.

use super::contacts::{Contact, Contacts, Facing};
use crate::math::outer;
use glam::{DMat3, DVec3};

/// Sums over the normal forces of colliders on a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pressure {
    /// Σ λx.
    pub moment: DVec3,
    /// Σ λ.
    pub weight: f64,
    /// Σ λ n nᵀ.
    pub normals: DMat3,
    /// Whether any contact has friction.
    pub rough: bool,
}

impl Contacts {
    /// The contacts of some components with colliders.
    fn with_colliders<'a>(&'a self, components: &'a [usize]) -> impl Iterator<Item = &'a Contact> {
        let all = components.iter().flat_map(|&c| self.of(c));
        all.filter(|contact| !matches!(contact.facing, Facing::Triangle { .. }))
    }

    /// Sums of the normal forces of colliders on some components at `x`.
    pub(crate) fn pressure(&self, components: &[usize], x: &[DVec3]) -> Pressure {
        let mut sum = Pressure { moment: DVec3::ZERO, weight: 0.0, normals: DMat3::ZERO, rough: false };
        for contact in self.with_colliders(components) {
            let gap = self.gap(contact, x);
            let force = self.force(contact, &gap);
            sum.moment += x[contact.vertex as usize] * force;
            sum.weight += force;
            sum.rough |= contact.grip.limit > 0.0;
            sum.normals += outer(gap.normal * force, gap.normal);
        }
        sum
    }

    /// Adds the normal forces of colliders at `x` to `forces`, #V; returns whether there are any.
    pub(crate) fn add_normal_forces(&self, components: &[usize], x: &[DVec3], forces: &mut [DVec3]) -> bool {
        let mut pressing = false;
        for contact in self.with_colliders(components) {
            let gap = self.gap(contact, x);
            let force = self.force(contact, &gap);
            pressing |= force > 0.0;
            forces[contact.vertex as usize] += gap.normal * force;
        }
        pressing
    }
}
