//! What bodies collide with, and how two surfaces meet.

use super::shape::Shape;
use crate::placement::Placement;

/// A solid that moves as it is told: nothing that touches it changes its way.
#[derive(Clone, Debug)]
pub struct Collider {
    /// Name in messages.
    pub name: String,
    /// The solid in its own frame.
    pub shape: Shape,
    /// Where it starts.
    pub placement: Placement,
    /// Friction against bodies; `None`: the contact law's.
    pub friction: Option<Friction>,
    /// Restitution against bodies; `None`: the contact law's.
    pub restitution: Option<f64>,
}

impl Collider {
    /// A solid at the origin of its frame, with the friction and restitution of the contact law.
    pub fn new(name: impl Into<String>, shape: Shape) -> Self {
        Self { name: name.into(), shape, placement: Placement::default(), friction: None, restitution: None }
    }

    /// Puts it somewhere else.
    pub fn at(self, placement: Placement) -> Self {
        Self { placement, ..self }
    }
}

/// Coulomb friction: the tangential force is at most μ times the normal one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Friction {
    /// μ of surfaces that stick.
    pub sticking: f64,
    /// μ of surfaces that slide; at most the former.
    pub sliding: f64,
}

impl Friction {
    /// One coefficient for both.
    pub fn uniform(coefficient: f64) -> Self {
        Self { sticking: coefficient, sliding: coefficient }
    }
}

/// The potential of a vertex at depth δ below the contact distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Response {
    /// E = k/2 δ²: repulsion springs [dinev2018stab, Eq. 38].
    #[default]
    Repulsion,
    /// Projection to the surface, then E = k/(3d) δ³ with d the contact distance [dinev2018fepr, §3.2].
    Cubic,
}

/// How bodies touch colliders, each other and themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLaw {
    /// The potential.
    pub response: Response,
    /// k of a vertex as a multiple of its own stiffness, the diagonal entry of L.
    pub stiffness: f64,
    /// Distance at which contact begins, m; `None`: [`ContactLaw::THICKNESS`] of the body's size.
    pub thickness: Option<f64>,
    /// Friction wherever a collider has none of its own.
    pub friction: Friction,
    /// Speed of parting over speed of approach, 0 to 1, wherever a collider has none of its own.
    pub restitution: f64,
    /// Whether bodies collide with each other.
    pub bodies: bool,
    /// Whether bodies collide with themselves.
    pub own: bool,
}

impl ContactLaw {
    /// Contact distance as a share of the body's size.
    pub const THICKNESS: f64 = 0.005;
}

impl Default for ContactLaw {
    /// Elastic and without friction, with other bodies but not with itself.
    fn default() -> Self {
        Self {
            response: Response::Repulsion,
            stiffness: 5.0,
            thickness: None,
            friction: Friction::default(),
            restitution: 1.0,
            bodies: true,
            own: false,
        }
    }
}
