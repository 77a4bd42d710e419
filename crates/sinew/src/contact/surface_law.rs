//! Friction and restitution of two surfaces that touch.
//!
//! A body or a collider may have its own coefficients. Where neither side has, those of the contact law count; where one has, its own; where both have, the geometric mean,
//! μ = √(μ₁μ₂) and e = √(e₁e₂): equal surfaces keep their value, the order does not matter, and what is slippery or does not bounce stays so on everything.

use super::collider::{ContactLaw, Friction};

/// The coefficients that a surface has of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SurfaceLaw {
    pub friction: Option<Friction>,
    pub restitution: Option<f64>,
}

impl SurfaceLaw {
    /// Friction and restitution between two surfaces.
    pub fn agree(&self, other: &Self, law: &ContactLaw) -> (Friction, f64) {
        let mean = |a: f64, b: f64| if a == b { a } else { (a * b).sqrt() };
        let friction = between(self.friction, other.friction, |a, b| Friction {
            sticking: mean(a.sticking, b.sticking),
            sliding: mean(a.sliding, b.sliding),
        });
        let restitution = between(self.restitution, other.restitution, mean);
        (friction.unwrap_or(law.friction), restitution.unwrap_or(law.restitution))
    }
}

fn between<T>(a: Option<T>, b: Option<T>, mean: impl Fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(mean(a, b)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surfaces_agree() {
        let law = ContactLaw { friction: Friction::uniform(0.3), restitution: 0.7, ..ContactLaw::default() };
        let own =
            |mu: f64, e: f64| SurfaceLaw { friction: Some(Friction::uniform(mu)), restitution: Some(e) };
        let none = SurfaceLaw::default();
        assert_eq!(none.agree(&none, &law), (Friction::uniform(0.3), 0.7));
        assert_eq!(own(0.9, 0.1).agree(&none, &law), (Friction::uniform(0.9), 0.1));
        assert_eq!(none.agree(&own(0.9, 0.1), &law), (Friction::uniform(0.9), 0.1));
        assert_eq!(own(4.0, 1.0).agree(&own(0.25, 0.25), &law), (Friction::uniform(1.0), 0.5));
        assert_eq!(own(0.0, 0.0).agree(&own(5.0, 1.0), &law), (Friction::uniform(0.0), 0.0));
        assert_eq!(own(0.1, 0.1).agree(&own(0.1, 0.1), &law), (Friction::uniform(0.1), 0.1));
    }
}
