//! Two primitives on straight ways: when do they come closer than they may?
//!
//! Places move as x + tδ, t from 0 to 1. From a time t at which the surfaces are s apart the pair may go on, for certain, until s could be `keep`:
//!
//! - at least for (s − keep)/speed, with speed = max_A|δ − δ̄| + max_B|δ − δ̄| and δ̄ the mean: additive CCD \[li2021cipc\];
//! - as long as the plane across n still holds them apart, min over k in A, l in B of n·(x_k − x_l) − r ≥ keep, which is linear in t.
//!
//! The longer of the two is taken; the second one makes short work of things that slide past each other. s is a separation (see
//! [`closest`](super::closest)), never more than the true distance, so that the answer is never late.

use super::closest::Closest;
use super::pair::{Pair, PairKind};
use glam::DVec3;

/// Contact is found at most this share of d early: the ways end by ever smaller steps.
const EARLY: f64 = 1e-3;
/// Steps along a way before it counts as a contact where it got to.
const STEPS: usize = 200;

/// A pair on its way.
pub(crate) struct Way<'a> {
    pair: &'a Pair,
    from: [DVec3; 4],
    /// Displacements relative to their mean, which no distance depends on.
    along: [DVec3; 4],
    /// The fastest that the two sides can approach, metres per whole way.
    speed: f64,
}

impl<'a> Way<'a> {
    /// The straight way of a pair from `x` to `e`.
    pub fn new(pair: &'a Pair, x: &[DVec3], e: &[DVec3]) -> Self {
        let (from, to) = (pair.points(x), pair.points(e));
        let mut along: [DVec3; 4] = std::array::from_fn(|k| to[k] - from[k]);
        let mean =
            if pair.count == 2 { (along[0] + along[1]) * 0.5 } else { along.iter().sum::<DVec3>() * 0.25 };
        along.iter_mut().for_each(|d| *d -= mean);
        let speed = apart(pair.key.kind, &along);
        Self { pair, from, along, speed }
    }

    /// Whether the pair moves as one.
    pub fn is_rigid(&self) -> bool {
        self.speed == 0.0
    }

    /// Positions of the four places at a time.
    fn at(&self, t: f64) -> [DVec3; 4] {
        std::array::from_fn(|k| self.from[k] + self.along[k] * t)
    }

    /// A time, at or after `t` with the places at `q`, until which the plane across `n` keeps the sides `keep` + r apart.
    fn planar(&self, t: f64, n: DVec3, q: &[DVec3; 4], keep: f64) -> f64 {
        let (split, count) = (usize::from(self.pair.split), usize::from(self.pair.count));
        let mut room = f64::INFINITY;
        for k in 0..split {
            for l in split..count {
                let approach = n.dot(self.along[l] - self.along[k]);
                if approach > 0.0 {
                    let left = n.dot(q[k] - q[l]) - self.pair.radius - keep;
                    room = room.min(left.max(0.0) / approach);
                }
            }
        }
        t + room
    }

    /// The time until which the surfaces certainly stay `keep` apart (at most 1), at most 1e-3 d short of the first time at which they do not;
    /// and the closest points there. `closest`: those where the way begins.
    pub fn until(&self, keep: f64, mut closest: Closest) -> (f64, Closest) {
        let early = EARLY * self.pair.distance;
        let mut t = 0.0;
        let mut steps = 0;
        loop {
            let q = self.at(t);
            if steps > 0 {
                closest = self.pair.closest_of(q);
            }
            let left = self.pair.separation(closest.normal, &q) - self.pair.radius - keep;
            steps += 1;
            if t >= 1.0 || (left <= early && steps > 1) || steps > STEPS {
                return (t, closest);
            }
            let isotropic = if self.speed > 0.0 { t + left / self.speed } else { f64::INFINITY };
            t = isotropic.max(self.planar(t, closest.normal, &q, keep)).max(t).min(1.0);
        }
    }
}

/// max_A |δ| + max_B |δ|: the most that displacements δ can bring the sides closer.
#[inline]
pub(crate) fn apart(kind: PairKind, along: &[DVec3; 4]) -> f64 {
    let (split, count) = kind.sizes();
    let longest = |d: &[DVec3]| d.iter().map(|d| d.length_squared()).fold(0.0, f64::max).sqrt();
    longest(&along[..split]) + longest(&along[split..count])
}

/// How far the plane across the line between the centres of two primitives keeps them apart on their ways, whenever each place stops; negative if it does not. It costs no closest points.
#[inline]
pub(crate) fn stays_apart(kind: PairKind, q: &[DVec3; 4], along: &[DVec3; 4]) -> f64 {
    let (split, from) = match kind {
        PairKind::EdgeEdge => (2, (q[0] + q[1] - q[2] - q[3]) * 0.5),
        PairKind::VertexTriangle => (1, q[0] - (q[1] + q[2] + q[3]) * (1.0 / 3.0)),
        PairKind::VertexPlane | PairKind::Push => return f64::NEG_INFINITY,
    };
    let square = from.length_squared();
    if square <= 0.0 {
        return f64::NEG_INFINITY;
    }
    let n = from * (1.0 / square.sqrt());
    let height: [f64; 4] = std::array::from_fn(|k| n.dot(q[k] - q[0]));
    let rise: [f64; 4] = std::array::from_fn(|k| n.dot(along[k]));
    let (mut low, mut fall) = (f64::INFINITY, 0.0_f64);
    for k in 0..split {
        (low, fall) = (low.min(height[k]), fall.max(-rise[k]));
    }
    let (mut high, mut climb) = (f64::NEG_INFINITY, 0.0_f64);
    for k in split..4 {
        (high, climb) = (high.max(height[k]), climb.max(rise[k]));
    }
    low - high - fall - climb
}

/// How far the surfaces of a pair certainly stay apart on the ways from `x` to `e`, whenever each place stops; a quick look that need not see it.
#[inline]
pub(crate) fn room(pair: &Pair, x: &[DVec3], e: &[DVec3]) -> f64 {
    let (q, to) = (pair.points(x), pair.points(e));
    let along = std::array::from_fn(|k| to[k] - q[k]);
    stays_apart(pair.key.kind, &q, &along) - pair.radius
}

/// Whether that is more than `gap`.
#[inline]
pub(crate) fn keeps_away(pair: &Pair, x: &[DVec3], e: &[DVec3], gap: f64) -> bool {
    room(pair, x, e) > gap
}

/// The first time at which the surfaces of the pair are closer than `gap` on straight ways from `x` to `e`, and the closest points there; never
/// late, and at most 1e-3 d early. None: never. `start`: the closest points at `x`.
pub(crate) fn first_contact(
    start: Closest,
    pair: &Pair,
    x: &[DVec3],
    e: &[DVec3],
    gap: f64,
) -> Option<(f64, Closest)> {
    if start.distance - pair.radius <= gap {
        return Some((0.0, start));
    }
    let (t, closest) = Way::new(pair, x, e).until(gap, start);
    let early = EARLY * pair.distance;
    (t < 1.0 || closest.distance - pair.radius <= gap + early).then_some((t, closest))
}

#[cfg(test)]
mod tests;
