//! Moves places towards a trial as far as they stay apart.
//!
//! From positions x without penetration and any trial e the filter goes to positions without penetration, on straight ways that are free of it as
//! well. With s the separation of a pair without its radii, d its contact distance and a floor that s never falls below (φd = 0.1 d),
//! room = γ(s − floor), γ = 0.9:
//!
//! 1. *together*: every island goes one share t of its way, the smallest that its pairs allow until their room is spent (see [`Way::until`]).
//!    What flies together is never cut.
//! 2. *alone*: every place goes its own share of the rest. Across the normal n of a pair, approaching by α = max_A(−n·δ)₊ and β = max_B(n·δ)₊,
//!    side A may use room·α/(α + β) and B the rest: place i of A stops at t_i = (room·α/(α+β) + n·x_i − min_A n·x)/(−n·δ_i). What must move as one
//!    takes the smallest t of its places. What is stuck does not stop the rest.
//!
//! Every place ends between its x and its e. So pairs whose boxes around both do not overlap cannot meet, whatever the others do: only listed
//! pairs matter, and no displacement is too large. Pairs that are below their floor may part and slide, but not approach.

use super::islands::Islands;
use super::pair::{NO_UNIT, Pair, Primitives};
use super::ways::{Way, apart, keeps_away, stays_apart};
use crate::parallel;
use glam::DVec3;

/// γ: the share of the room that one move may use.
const USED: f64 = 0.9;
/// What a pair at its floor may lose in one move, in units of d: far more than rounding, or nothing could slide along anything.
const SLACK: f64 = 1e-9;

/// φ: a pair never comes closer than this share of its contact distance.
pub(crate) const LEAST: f64 = 0.1;
/// What a pair at rest may yield to a correction, in units of d: the next step makes up for it.
const YIELDS: f64 = 0.01;

/// What a pair never comes closer than.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Floor {
    /// s ≥ φd.
    Share(f64),
    /// s ≥ min(s, d), nearly: what is at its contact distance or below comes hardly closer.
    AtRest,
}

impl Floor {
    /// By how much the surfaces of a pair, s apart, may approach in one move.
    fn room(self, s: f64, d: f64) -> f64 {
        let floor = match self {
            Self::Share(share) => share * d,
            // Not below the floor of everything else, however often a pair at rest yields.
            Self::AtRest => (s.min(d) - YIELDS * d).max(s.min(LEAST * d)),
        };
        let slack = if s > 2.0 * SLACK * d { SLACK * d } else { 0.0 };
        (USED * (s - floor)).max(slack)
    }
}

/// What a pair demands of its island.
#[derive(Clone, Copy, Debug, Default)]
struct Common {
    /// How far both may go at one time.
    time: f64,
    /// The side whose island this limits: 0 for A, 1 for B.
    side: u8,
    /// Whether both sides must have one time: they could meet otherwise.
    joins: bool,
}

/// The filter's memory.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    common: Vec<Common>,
    single: Vec<[f64; 4]>,
    islands: Islands,
    /// The first place of every unit.
    first: Vec<u32>,
    unit_time: Vec<f64>,
    time: Vec<f64>,
    share: Vec<f64>,
}

impl Filter {
    /// Moves `x` towards `e` as far as the pairs let it: first each island together, then each place and each unit alone. Returns how many places
    /// did not arrive; those that did have the bits of `e`.
    ///
    /// `pairs` must hold all that [`Sweep`](super::sweep::Sweep) finds between `x` and `e` for single times.
    pub fn advance(
        &mut self,
        primitives: &Primitives,
        pairs: &[Pair],
        floor: Floor,
        x: &mut [DVec3],
        e: &[DVec3],
    ) -> usize {
        match self.together(primitives, pairs, floor, x, e) {
            0 => 0,
            _ => self.alone(primitives, pairs, floor, x, e),
        }
    }

    /// Per place the share of its way that it went since the last call of [`Self::together`]; 1: arrived.
    pub fn share(&self) -> &[f64] {
        &self.share
    }

    /// The first part: moves every island by one share. Returns how many places did not arrive. Pairs for common times are enough.
    pub fn together(
        &mut self,
        primitives: &Primitives,
        pairs: &[Pair],
        floor: Floor,
        x: &mut [DVec3],
        e: &[DVec3],
    ) -> usize {
        self.share.clear();
        self.share.resize(x.len(), 1.0);
        self.common.resize(pairs.len(), Common::default());
        let from = &*x;
        parallel::for_chunks(&mut self.common, |first, chunk| {
            for (common, pair) in chunk.iter_mut().zip(&pairs[first..]) {
                *common = common_time(pair, floor, from, e);
            }
        });
        let owner = |i: u32| primitives.owner[i as usize];
        let islands = &mut self.islands;
        islands.reset(primitives.owner.iter().max().map_or(0, |&n| n as usize + 1));
        self.first.clear();
        self.first.resize(primitives.units, NO_UNIT);
        for (i, &unit) in primitives.unit.iter().enumerate() {
            if let Some(first) = self.first.get_mut(unit as usize) {
                if *first == NO_UNIT {
                    *first = i as u32;
                }
                islands.join(owner(*first), owner(i as u32));
            }
        }
        for (pair, common) in pairs.iter().zip(&self.common) {
            if common.joins {
                islands.join(owner(pair.places[0]), owner(pair.b()[0]));
            }
        }
        for (pair, common) in pairs.iter().zip(&self.common) {
            if common.time < 1.0 {
                let place = if common.side == 0 { pair.places[0] } else { pair.b()[0] };
                islands.limit(owner(place), common.time);
            }
        }
        let mut cut = 0;
        for (i, x) in x.iter_mut().enumerate() {
            let t = islands.time(primitives.owner[i]);
            let arrived = go(x, e[i], t);
            cut += usize::from(!arrived);
            // Whoever does not want to move has arrived, unless it is part of something that does.
            self.share[i] = if arrived && primitives.unit[i] as usize >= primitives.units { 1.0 } else { t };
        }
        cut
    }

    /// The second part: moves every place and every unit by its own share of what is left. Returns how many places did not arrive. `pairs` must
    /// hold all between `x`, as the first part left it, and `e`, for single times.
    pub fn alone(
        &mut self,
        primitives: &Primitives,
        pairs: &[Pair],
        floor: Floor,
        x: &mut [DVec3],
        e: &[DVec3],
    ) -> usize {
        self.single.resize(pairs.len(), [1.0; 4]);
        let from = &*x;
        parallel::for_chunks(&mut self.single, |first, chunk| {
            for (single, pair) in chunk.iter_mut().zip(&pairs[first..]) {
                *single = single_times(pair, floor, from, e);
            }
        });
        self.time.clear();
        self.time.resize(x.len(), 1.0);
        for (pair, single) in pairs.iter().zip(&self.single) {
            for (&i, &t) in pair.places.iter().zip(single) {
                let time = &mut self.time[i as usize];
                *time = time.min(t);
            }
        }
        self.unit_time.clear();
        self.unit_time.resize(primitives.units, 1.0);
        for (&unit, &t) in primitives.unit.iter().zip(&self.time) {
            if let Some(time) = self.unit_time.get_mut(unit as usize) {
                *time = time.min(t);
            }
        }
        let mut cut = 0;
        for (i, x) in x.iter_mut().enumerate() {
            let t = self.unit_time.get(primitives.unit[i] as usize).copied().unwrap_or(self.time[i]);
            cut += usize::from(!go(x, e[i], t));
            let share = &mut self.share[i];
            *share = if t < 1.0 { *share + (1.0 - *share) * t } else { 1.0 };
        }
        cut
    }
}

/// Moves by a share of the way; returns whether it arrived. Whoever goes all the way gets the bits of `e`.
fn go(x: &mut DVec3, e: DVec3, t: f64) -> bool {
    if t < 1.0 && *x != e {
        *x += (e - *x) * t;
        *x == e
    } else {
        *x = e;
        true
    }
}

/// How far both sides of a pair may go at one common time.
fn common_time(pair: &Pair, floor: Floor, x: &[DVec3], e: &[DVec3]) -> Common {
    let (q, to) = (pair.points(x), pair.points(e));
    let along: [DVec3; 4] = std::array::from_fn(|k| to[k] - q[k]);
    let (split, count) = (usize::from(pair.split), usize::from(pair.count));
    let moves = |d: &[DVec3]| d.iter().any(|d| *d != DVec3::ZERO);
    let (a, b) = (moves(&along[..split]), moves(&along[split..count]));
    if !(a || b) {
        return Common { time: 1.0, side: 0, joins: false };
    }
    if stays_apart(pair.key.kind, &q, &along) - pair.radius > pair.distance {
        return Common { time: 1.0, side: 0, joins: false };
    }
    let closest = pair.closest_of(q);
    let separation = pair.separation(closest.normal, &q);
    let s = separation - pair.radius;
    let room = floor.room(s, pair.distance);
    if pair.count == 4 && separation <= 0.0 {
        // What nothing separates may only move as one: any other move could be one through the other.
        let time = if Way::new(pair, x, e).is_rigid() { 1.0 } else { 0.0 };
        return Common { time, side: u8::from(!a), joins: a && b };
    }
    if apart(pair.key.kind, &along) <= room {
        // Whatever share of its way each place goes.
        return Common { time: 1.0, side: 0, joins: false };
    }
    let time = Way::new(pair, x, e).until(s - room, closest).0;
    Common { time, side: u8::from(!a), joins: a && b }
}

/// How far each place of a pair may go by itself.
fn single_times(pair: &Pair, floor: Floor, x: &[DVec3], e: &[DVec3]) -> [f64; 4] {
    let mut times = [1.0; 4];
    let (q, to) = (pair.points(x), pair.points(e));
    if q == to || keeps_away(pair, x, e, pair.distance) {
        return times;
    }
    let n = pair.closest_of(q).normal;
    let (split, count) = (usize::from(pair.split), usize::from(pair.count));
    let height: [f64; 4] = std::array::from_fn(|k| n.dot(q[k] - q[0]));
    let rise: [f64; 4] = std::array::from_fn(|k| n.dot(to[k] - q[k]));
    let a = height[..split].iter().copied().fold(f64::INFINITY, f64::min);
    let b = height[split..count].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let alpha = rise[..split].iter().map(|r| -r).fold(0.0, f64::max);
    let beta = rise[split..count].iter().copied().fold(0.0, f64::max);
    // What nothing separates stays where it is.
    if count == 4 && a - b <= 0.0 {
        return [0.0; 4];
    }
    let room = floor.room(a - b - pair.radius, pair.distance);
    if alpha + beta <= room {
        return times;
    }
    let (for_a, for_b) = (room * alpha / (alpha + beta), room * beta / (alpha + beta));
    for k in 0..count {
        let (fall, limit) =
            if k < split { (-rise[k], for_a + height[k] - a) } else { (rise[k], for_b + b - height[k]) };
        if fall > limit {
            times[k] = limit / fall;
        }
    }
    times
}

#[cfg(test)]
mod tests;
