//! The potential of the contacts of a component: see [`Contacts`](crate::contact::Contacts).
//!
//! Each component has one batch, so that the ledger lists contact along with the other potentials. A contact between two components belongs
//! to the first.

use super::{Energy, HessianKind, Pose, Projective, Work};
use glam::{DMat3, DVec3};

/// The contacts of one component.
#[derive(Clone, Debug)]
pub(crate) struct ContactPotential {
    component: usize,
    /// The vertices of its surface.
    vertices: Vec<u32>,
}

impl ContactPotential {
    pub fn new(component: usize, vertices: Vec<u32>) -> Self {
        Self { component, vertices }
    }
}

impl Energy for ContactPotential {
    fn name(&self) -> &str {
        "contact"
    }

    fn value(&self, at: Pose, _: &mut Work) -> f64 {
        at.contacts.value(self.component, at.x, at.friction)
    }

    fn gradient(&self, at: Pose, _: &mut Work, gradient: &mut [DVec3]) -> f64 {
        at.contacts.gradient(self.component, at.x, at.friction, gradient)
    }

    fn hessian(&self, at: Pose, _: HessianKind, add: &mut dyn FnMut(u32, u32, DMat3)) {
        for &i in &self.vertices {
            let stiffness = at.contacts.stiffness_at(i, at.x);
            add(i, i, stiffness.normal + stiffness.planes);
        }
    }

    /// Contacts come and go: no constant matrix contains them, but L-BFGS learns them.
    fn projective(&self) -> Projective {
        Projective::BestFit
    }

    /// Each step decides whether something external pushes.
    fn external(&self) -> bool {
        false
    }
}
