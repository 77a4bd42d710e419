//! Which pairs of a search the rounds after it look at.
//!
//! Between two searches x stays where it is, and only goals change. What came nowhere near on the way that was searched is left out; of the rest it is known how far it certainly
//! stays apart on that way, and only where the goal has changed by more than that leaves, a pair is looked at again.

use super::closest::Closest;
use super::pair::Pair;
use super::ways::{keeps_away, room};
use glam::DVec3;

/// Pairs that came nearer than this, in contact distances, are candidates.
const WATCHED: f64 = 4.0;
/// More than rounding can take away, in contact distances.
const SURE: f64 = 1e-9;

/// A pair that may be of interest until the next search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// Its number in the list of the search.
    pub pair: u32,
    /// How far it certainly stays apart on the way that was searched, m.
    room: f64,
    /// Its closest points where x is, once they were looked for.
    pub closest: Option<Closest>,
}

/// The candidates of a search.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    list: Vec<Candidate>,
    /// Where the way led to that was searched.
    aimed: Vec<DVec3>,
    /// How far the goal of each place is from there now, m.
    turned: Vec<f64>,
}

/// How far goals have changed since the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turned<'a>(&'a [f64]);

impl Candidates {
    /// Notes which of the `pairs` of a search come near on the way from `x`, where it led to, to the goal. `most`: how many there is memory for, so that lists that grow ask for it seldom.
    pub fn choose(&mut self, (pairs, most): (&[Pair], usize), x: &[DVec3], goal: &[DVec3]) {
        self.list.clear();
        self.list.reserve(most);
        for (pair, k) in pairs.iter().zip(0..) {
            let room = room(pair, x, goal);
            // What is no number is no room.
            let far = room > WATCHED * pair.distance;
            if !far {
                self.list.push(Candidate { pair: k, room, closest: None });
            }
        }
        self.aimed.clear();
        self.aimed.extend_from_slice(goal);
    }

    /// Measures how far a goal is from that of the search.
    pub fn aim_at(&mut self, goal: &[DVec3]) -> (&mut [Candidate], Turned<'_>) {
        self.turned.clear();
        self.turned.extend(goal.iter().zip(&self.aimed).map(|(goal, aimed)| goal.distance(*aimed)));
        (&mut self.list, Turned(&self.turned))
    }
}

impl Turned<'_> {
    /// Whether a candidate certainly stays farther apart than so many contact distances on the way from `x` to the goal, as [`keeps_away`] says.
    #[inline]
    pub fn keep_away(
        self,
        candidate: &Candidate,
        pair: &Pair,
        x: &[DVec3],
        goal: &[DVec3],
        distances: f64,
    ) -> bool {
        // Each side can come nearer by as much as a goal of its has changed.
        let turned = |side: &[u32]| side.iter().map(|&i| self.0[i as usize]).fold(0.0, f64::max);
        candidate.room - turned(pair.a()) - turned(pair.b()) > (distances + SURE) * pair.distance
            || keeps_away(pair, x, goal, distances * pair.distance)
    }
}
