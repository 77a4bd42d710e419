//! The XPBD form of an energy: E(x) = Σ C_j(x)²/(2α_j), α_j the compliance [macklin2016, Eq. 5].

use super::Pose;
use glam::DVec3;

/// What XPBD can do with an energy.
pub enum CompliantForm<'a> {
    /// Constraints with compliance.
    Constraints(&'a dyn Compliant),
    /// A gradient that does not depend on the positions, such as gravity: it moves the predictor y.
    ConstantForce,
}

/// One constraint at one pose.
#[derive(Clone, Copy, Debug)]
pub struct Constraint {
    /// C.
    pub value: f64,
    /// α, the inverse stiffness: C²/(2α) is in joules.
    pub compliance: f64,
    corners: [(u32, DVec3); 4],
    len: usize,
}

impl Constraint {
    /// A constraint on up to four vertices, with ∂C/∂xᵢ of each; further vertices are ignored.
    pub fn new(value: f64, compliance: f64, gradients: &[(u32, DVec3)]) -> Self {
        let mut corners = [(0, DVec3::ZERO); 4];
        let len = gradients.len().min(4);
        corners[..len].copy_from_slice(&gradients[..len]);
        Self { value, compliance, corners, len }
    }

    /// Vertices and ∂C/∂xᵢ.
    pub fn gradients(&self) -> &[(u32, DVec3)] {
        &self.corners[..self.len]
    }
}

/// A list of constraints.
pub trait Compliant {
    /// How many there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Constraint `j < len()` at a pose.
    fn constraint(&self, j: usize, at: Pose) -> Constraint;
}
