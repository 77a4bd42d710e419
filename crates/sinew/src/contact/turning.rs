//! Half-spaces that turn.
//!
//! A plane has no vertices whose ways a filter could look at. So it turns between the ways of the others, while nothing else moves, as far as all that is above it stays above it; rows
//! keep the bodies above where it will be.

use super::filter::LEAST;
use super::pair::{Pair, PairKey, PairKind};
use super::passage::Passage;

/// How often the share of a turn is bisected.
const TURNS: usize = 10;

impl Passage {
    /// Whether a plane turns in this step.
    pub fn turns(&self, plane: u32) -> bool {
        self.turning[self.places.plane(plane as usize).0]
    }

    /// Every point with every plane that turns and that it may meet, with the normals of the end of the step.
    pub fn turning_pairs(&self) -> impl Iterator<Item = Pair> + '_ {
        let planes = (0..self.primitives.planes.len() as u32).filter(|&plane| self.turns(plane));
        planes.flat_map(move |plane| {
            let (collider, normal) = self.places.plane(plane as usize);
            let normal = self.after[collider].rotation * normal;
            let origin = self.primitives.planes[plane as usize].origin;
            let may = move |a: &&u32| self.primitives.may_meet(&[**a], &[origin]);
            self.primitives.points.iter().filter(may).map(move |&a| {
                let key = PairKey { kind: PairKind::VertexPlane, a, b: plane };
                Pair { normal, ..self.primitives.unclipped(key) }
            })
        })
    }

    /// Turns half-spaces as far as what is above them allows; returns whether they have arrived. A plane has no vertices whose ways a filter could look at, but nothing moves while it turns.
    pub(super) fn turn_planes(&mut self) -> bool {
        let mut arrived = true;
        for k in (0..self.shares.len()).filter(|&k| self.turning[k]) {
            let (mut low, mut high) = (self.shares[k], 1.0);
            for _ in 0..TURNS {
                if low >= 1.0 {
                    break;
                }
                if self.is_above(k, high) {
                    low = high;
                    high = 1.0;
                } else {
                    high = 0.5 * (low + high);
                }
            }
            self.shares[k] = low;
            let there = self.before[k].interpolate(&self.after[k], low);
            self.places.put_one(k, &there, &mut self.x[self.points..]);
            self.places.turn_one(k, &there, &mut self.primitives.planes);
            arrived &= low >= 1.0;
        }
        arrived
    }

    /// Puts half-spaces that turn where their shares of the way say.
    pub(super) fn put_turning(&mut self) {
        for k in (0..self.shares.len()).filter(|&k| self.turning[k]) {
            let there = self.before[k].interpolate(&self.after[k], self.shares[k]);
            self.places.put_one(k, &there, &mut self.x[self.points..]);
            self.places.turn_one(k, &there, &mut self.primitives.planes);
        }
    }

    /// Whether everything that may meet the planes of a collider would be above them, or no lower than it is, at a share of its way.
    fn is_above(&self, collider: usize, share: f64) -> bool {
        let there = self.before[collider].interpolate(&self.after[collider], share);
        self.places.planes_of(collider).all(|(k, normal)| {
            let plane = &self.primitives.planes[k];
            let (normal, origin) =
                (there.rotation * normal, there.apply(self.places.local(plane.origin, self.points)));
            self.primitives.points.iter().all(|&i| {
                let p = self.x[i as usize];
                let now = plane.normal.dot(p - self.x[plane.origin as usize]);
                let floor = LEAST * 2.0 * self.primitives.half[i as usize];
                self.primitives.kinematic[i as usize] || normal.dot(p - origin) >= now.min(floor)
            })
        })
    }
}
