//! The XPBD form of an energy: E(x) = Σ C_j(x)²/(2α_j), α_j the compliance [macklin2016, Eq. 5].
//!
//! A spring is one scalar constraint. A tetrahedron is one constraint with nine components, C = F − p: for the corotated energies p is the
//! projection of F, so that ∇C is the constant operator G of the element and the multiplier is a 3×3 stress. (The scalar constraints ‖F − R‖
//! and tr(RᵀF) − 3 of the literature have directions that turn with every iteration; as the multipliers keep the older directions, the
//! iteration stops away from the minimum of g, and for Neo-Hookean bodies a few sweeps do not descend.)

use super::Pose;
use glam::{DMat3, DVec3};

/// How XPBD can treat an energy.
pub enum CompliantForm<'a> {
    /// Scalar constraints with compliance.
    Constraints(&'a dyn Compliant),
    /// Elements whose constraint is the whole deformation gradient.
    Elements(&'a dyn CompliantElements),
    /// A gradient that does not depend on the positions, such as that of gravity: it moves the predictor y.
    ConstantForce,
}

/// One constraint at a given pose.
#[derive(Clone, Copy, Debug)]
pub struct Constraint {
    /// Value C.
    pub value: f64,
    /// Compliance α, the inverse stiffness: C²/(2α) is in joules.
    pub compliance: f64,
    corners: [(u32, DVec3); 4],
    len: usize,
}

impl Constraint {
    /// Creates a constraint on up to four vertices, with ∂C/∂xᵢ of each; further vertices are ignored.
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
    /// Number of constraints.
    fn len(&self) -> usize;

    /// Whether there are no constraints.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Constraint `j < len()` at a pose.
    fn constraint(&self, j: usize, at: Pose) -> Constraint;
}

/// The stress of one element at a given pose.
#[derive(Clone, Copy, Debug)]
pub struct ElementStress {
    /// Its vertices.
    pub corners: [u32; 4],
    /// Gradients of the shape functions, 1/m: F = Σ xₐbₐᵀ.
    pub b: [DVec3; 4],
    /// V·Ψ, J.
    pub energy: f64,
    /// V·P, J: the gradient of its energy with respect to F.
    pub stress: DMat3,
    /// V·w, J: an upper bound on how fast the stress grows with F.
    pub stiffness: f64,
}

/// A list of elements.
pub trait CompliantElements {
    /// Number of elements.
    fn len(&self) -> usize;

    /// Whether there are no elements.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Element `e < len()` at a pose.
    fn element(&self, e: usize, at: Pose) -> ElementStress;
}
