//! Colliders, and the parameters of contact.

use super::shape::Shape;
use crate::placement::Placement;

/// A kinematic solid: the user moves it, and contact with bodies does not change its motion, except that it is held back where they cannot give way.
#[derive(Clone, Debug)]
pub struct Collider {
    /// Name in messages.
    pub name: String,
    /// The solid, in its own frame.
    pub shape: Shape,
    /// Initial placement.
    pub placement: Placement,
    /// Friction against bodies; `None`: that of the contact law.
    pub friction: Option<Friction>,
    /// Restitution against bodies; `None`: that of the contact law.
    pub restitution: Option<f64>,
}

impl Collider {
    /// Creates a collider at the origin with the friction and restitution of the contact law.
    pub fn new(name: impl Into<String>, shape: Shape) -> Self {
        Self { name: name.into(), shape, placement: Placement::default(), friction: None, restitution: None }
    }

    /// Sets the initial placement.
    pub fn at(self, placement: Placement) -> Self {
        Self { placement, ..self }
    }
}

/// Coulomb friction: the tangential force is at most μ times the normal force.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Friction {
    /// Static coefficient μ: for surfaces that stick.
    pub sticking: f64,
    /// Kinetic coefficient μ: for surfaces that slide; at most `sticking`.
    pub sliding: f64,
}

impl Friction {
    /// Uses the same coefficient for sticking and sliding.
    pub fn uniform(coefficient: f64) -> Self {
        Self { sticking: coefficient, sliding: coefficient }
    }
}

/// What is done about surfaces that are inside each other where a simulation starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadStart {
    /// They are pushed apart, step by step, until they are free.
    #[default]
    Untangle,
    /// They are left as they are, and do not meet until they have come apart by themselves.
    Ignore,
    /// The first step fails and says so.
    Refuse,
}

/// How bodies collide with colliders, each other and themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLaw {
    /// Distance at which surfaces rest on each other, m; `None`: [`ContactLaw::THICKNESS`] times the body's size.
    pub thickness: Option<f64>,
    /// Friction, unless the collider has its own.
    pub friction: Friction,
    /// Coefficient of restitution: speed of separation over speed of approach, 0 to 1, unless the collider has its own.
    pub restitution: f64,
    /// Whether bodies collide with each other.
    pub bodies: bool,
    /// Whether bodies collide with themselves.
    pub own: bool,
    /// What is done about surfaces that start inside each other.
    pub start: BadStart,
    /// Whether every step ends with an exact test for surfaces that cross; a step that fails it is an error. It costs about as much as a search for contacts.
    pub verify: bool,
}

impl ContactLaw {
    /// Default contact distance, as a share of the body's size.
    pub const THICKNESS: f64 = 0.005;
}

impl Default for ContactLaw {
    /// Elastic, without friction; bodies collide with each other but not with themselves.
    fn default() -> Self {
        Self {
            thickness: None,
            friction: Friction::default(),
            restitution: 1.0,
            bodies: true,
            own: false,
            start: BadStart::default(),
            verify: false,
        }
    }
}
