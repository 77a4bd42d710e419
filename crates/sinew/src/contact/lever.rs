//! Levers: where friction takes hold of something round.
//!
//! A sphere collides as its centre and a capsule as its axis, each with a radius r. That is enough for the normal force, which passes through them, but friction pulls at the surface, a = ∓r n
//! away, and makes the body roll. The point of the body that is there is carried by the bone that the body is: with the four mass points pⱼ of the bone, which span its frame,
//!
//! a = Σ cⱼ pⱼ, Σ cⱼ = 0,
//!
//! so the place where friction takes hold, z + Σ cⱼ xⱼ, is linear in x like everything else of a row. The weights belong to one orientation and are found anew whenever rows are
//! linearised. Their sum is zero, so that they move no momentum, only its moment.

use super::pair::{Pair, Primitives, largest};
use glam::{DMat3, DVec3};

/// The levers of both sides of a row: points of the model with their weights, + of side A and − of side B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lever {
    points: [u32; 8],
    weights: [f64; 8],
    count: u8,
}

impl Lever {
    /// Of surfaces that collide as they are.
    pub const NONE: Self = Self { points: [0; 8], weights: [0.0; 8], count: 0 };

    /// Whether neither side is round.
    #[inline]
    pub fn is_none(&self) -> bool {
        self.count == 0
    }

    /// Points and weights.
    pub fn ends(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let count = usize::from(self.count);
        self.points[..count].iter().map(|&i| i as usize).zip(self.weights)
    }

    /// Σ cⱼ xⱼ.
    #[inline]
    pub fn sum(&self, at: impl Fn(usize) -> DVec3) -> DVec3 {
        self.ends().map(|(i, c)| at(i) * c).sum()
    }

    /// Adds the arm `a` of a bone whose mass points are at `x`.
    fn add(&mut self, bone: &[u32; 4], a: DVec3, x: &[DVec3]) {
        let [p, q, r, s] = bone.map(|i| x[i as usize]);
        let frame = DMat3::from_cols(q - p, r - p, s - p);
        let c = frame.inverse() * a;
        // A frame without volume has no orientation.
        if !c.is_finite() {
            return;
        }
        let weights = [-c.element_sum(), c.x, c.y, c.z];
        for (&i, c) in bone.iter().zip(weights) {
            let k = usize::from(self.count);
            (self.points[k], self.weights[k]) = (i, c);
            self.count += 1;
        }
    }
}

impl Primitives {
    /// The levers of a pair with the normal n from B to A, for bones as they are oriented at `x`.
    pub fn lever(&self, pair: &Pair, normal: DVec3, x: &[DVec3]) -> Lever {
        let mut lever = Lever::NONE;
        if pair.radius <= 0.0 {
            return lever;
        }
        for side in [pair.a(), pair.b()] {
            let owner = self.owner[side[0] as usize] as usize;
            if let Some(Some(bone)) = self.bones.get(owner) {
                // Side A is at −r n from its axis and counts with +, side B at +r n and counts with −.
                lever.add(bone, normal * -largest(&self.radius, side), x);
            }
        }
        lever
    }
}
