//! Pairs that may meet on the way from x to e.
//!
//! Every place ends somewhere between its x and its e, each at its own time. A pair is listed if it may then be closer than reach·d: if the boxes
//! around its sides at x and e, grown by reach·half + radius on each side, overlap, s − max_A|e − x| − max_B|e − x| ≤ reach·d, and the plane across the line between
//! the centres does not keep them apart. So what is not listed cannot meet. The reach is 2, and 1.6 within one body.
//!
//! The trees of [`Forest`] are refitted and descended against each other. The work is cut into tasks of limited size that do not depend on the
//! number of threads, and what they find is sorted.

use super::closest::distance;
use super::forest::{Forest, Trees};
use super::lanes::Near;
use super::pair::{OWN_SHARE, Pair, PairKey, PairKind, Primitives};
use super::tree::Tree;
use super::ways::{apart, stays_apart};
use crate::parallel;
use glam::DVec3;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The reach within one body, at most.
const OWN_REACH: f64 = 1.6;
/// Tasks descend from nodes of at most this many primitives.
const TASK: u32 = 1024;
/// Lists that tasks write to.
const LISTS: usize = 32;
/// More pairs than this many per primitive, and some, are too many.
const CROWDED: usize = 50;
const CROWDED_ANYHOW: usize = 10_000;
/// Pairs a list takes between two looks at how many there are in all.
const LOOK: usize = 1024;

/// There are too many pairs to deal with: ask for a shorter way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

/// How places will go from x to e.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Times {
    /// Each stops at its own time.
    Single,
    /// All places of an owner stop at one time. What a body does as a whole does not matter for pairs within it then, and there are far fewer.
    Common,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    All,
    Own,
    Between,
}

/// A pair's key in one number that sorts like it, and its contact distance.
#[derive(Clone, Copy, Debug)]
struct Found {
    key: u64,
    distance: f64,
}

/// Two nodes to descend from.
#[derive(Clone, Copy, Debug)]
struct Task {
    kind: PairKind,
    owners: [u32; 2],
    nodes: [u32; 2],
}

/// The search for pairs.
#[derive(Debug)]
pub(crate) struct Sweep {
    /// Everything with s ≤ reach·d is found, and more.
    pub reach: f64,
    /// And everything that is this much farther away, m.
    pub margin: f64,
    /// How many pairs are not too many, if other than usual.
    pub most: Option<usize>,
    forest: Forest,
    tasks: Vec<Task>,
    lists: Vec<Vec<Found>>,
    sums: Vec<f64>,
    found: Vec<Found>,
}

impl Sweep {
    pub fn new(primitives: &Primitives) -> Self {
        Self {
            reach: 2.0,
            margin: 0.0,
            most: None,
            forest: Forest::new(primitives),
            tasks: Vec::new(),
            lists: vec![Vec::new(); LISTS],
            sums: vec![0.0; LISTS],
            found: Vec::new(),
        }
    }

    /// All pairs that may meet between `x` and `e`, sorted by key. Left out: pairs that share a place, that nothing can move, whose owners do not
    /// collide or that touch at rest, and places that are not finite.
    pub fn find(
        &mut self,
        primitives: &Primitives,
        x: &[DVec3],
        e: &[DVec3],
        times: Times,
        out: &mut Vec<Pair>,
    ) -> Result<(), TooMany> {
        out.clear();
        let p = primitives;
        let usual = CROWDED * (p.points.len() + p.edges.len() + p.triangles.len()) + CROWDED_ANYHOW;
        let most = self.most.unwrap_or(usual);
        self.lists.iter_mut().for_each(Vec::clear);
        let mut search = Search {
            primitives,
            x,
            e,
            reach: self.reach,
            margin: self.margin,
            count: AtomicUsize::new(0),
            most,
            together: false,
        };
        let passes = match times {
            Times::Single => [Some(Pass::All), None],
            Times::Common => [p.own.then_some(Pass::Own), Some(Pass::Between)],
        };
        for pass in passes.into_iter().flatten() {
            search.together = pass == Pass::Own;
            self.pass(&search, pass);
        }
        let Self { lists, found, .. } = self;
        if lists.iter().map(Vec::len).sum::<usize>() > most {
            return Err(TooMany);
        }
        found.clear();
        lists.iter().for_each(|list| found.extend_from_slice(list));
        found.sort_unstable_by_key(|found| found.key);
        found.dedup_by_key(|found| found.key);
        out.extend(found.iter().map(|found| {
            let mut pair = primitives.unclipped(unpack(found.key));
            pair.distance = found.distance;
            pair
        }));
        Ok(())
    }

    /// Adds the pairs within owners, between owners, or both to the lists.
    fn pass(&mut self, search: &Search, pass: Pass) {
        let reach = if pass == Pass::Own { self.reach.min(OWN_REACH) } else { self.reach };
        self.forest.margin = self.margin;
        self.forest.refit(search.primitives, search.x, search.e, reach, pass == Pass::Own);
        self.plan(pass);
        let Self { forest, tasks, lists, sums, .. } = self;
        parallel::sum_tasks_into(sums, lists, 1, |list, out| {
            let out = &mut out[0];
            let whole = tasks.iter().skip(list).step_by(LISTS).all(|task| search.run(forest, task, out));
            if whole && list == 0 && pass != Pass::Own {
                search.planes(forest, out);
            }
            0.0
        });
    }

    /// Cuts the meetings of owners into tasks.
    fn plan(&mut self, pass: Pass) {
        let Self { forest, tasks, .. } = self;
        tasks.clear();
        for &owners in forest.meetings() {
            let [p, q] = owners;
            if pass != Pass::All && (p == q) != (pass == Pass::Own) {
                continue;
            }
            let mut add = |kind, owners: [u32; 2]| {
                let [a, b] = trees(forest, kind, owners);
                if !(a.is_empty() || b.is_empty()) {
                    divide(tasks, forest, Task { kind, owners, nodes: [0, 0] });
                }
            };
            add(PairKind::VertexTriangle, [p, q]);
            if p != q {
                add(PairKind::VertexTriangle, [q, p]);
            }
            add(PairKind::EdgeEdge, [p, q]);
        }
    }
}

/// The two trees of a task.
fn trees(forest: &Forest, kind: PairKind, [p, q]: [u32; 2]) -> [&Tree; 2] {
    let (a, b): (&Trees, &Trees) = (forest.of(p), forest.of(q));
    if kind == PairKind::EdgeEdge { [&a.edges, &b.edges] } else { [&a.points, &b.triangles] }
}

/// Divides a task until it is small.
fn divide(tasks: &mut Vec<Task>, forest: &Forest, task: Task) {
    let [a, b] = trees(forest, task.kind, task.owners);
    let [i, j] = task.nodes;
    if !a.meet(i, b, j) {
        return;
    }
    let mut part = |nodes| divide(tasks, forest, Task { nodes, ..task });
    let (large, other) = (a.count(i), b.count(j));
    match (a.children(i), b.children(j)) {
        (Some([k, l]), _) if itself(&task) && large > TASK => {
            [[k, k], [l, l], [k, l]].map(part).into_iter().collect()
        }
        (Some(of), _) if large > TASK && large >= other => of.iter().for_each(|&i| part([i, j])),
        (_, Some(of)) if other > TASK => of.iter().for_each(|&j| part([i, j])),
        _ => tasks.push(task),
    }
}

/// Whether a task holds a set of edges against itself.
fn itself(task: &Task) -> bool {
    task.kind == PairKind::EdgeEdge && task.owners[0] == task.owners[1] && task.nodes[0] == task.nodes[1]
}

/// What all pairs of a task share.
struct Around {
    own: bool,
    reach: f64,
    /// The largest distance between primitives, radii included, that can matter.
    limit: f64,
    /// The part of it that does not depend on the contact distance.
    grown: f64,
    /// Whether all places stop at one time: what they do together does not matter then.
    together: bool,
}

impl Around {
    /// The largest distance that can matter to two primitives whose centres are this far from each other at rest: within one body d is a share of the distance at rest.
    #[inline]
    fn limit_at_rest(&self, between: DVec3) -> f64 {
        if !self.own {
            return self.limit;
        }
        self.limit.min(self.reach * OWN_SHARE * between.length() + self.grown)
    }
}

/// What all tasks share.
struct Search<'a> {
    primitives: &'a Primitives,
    x: &'a [DVec3],
    e: &'a [DVec3],
    reach: f64,
    margin: f64,
    count: AtomicUsize,
    most: usize,
    /// Whether this is a pass within owners whose places all stop at one time.
    together: bool,
}

impl Search<'_> {
    /// Returns whether the task was done, and not given up for too many pairs.
    fn run(&self, forest: &Forest, task: &Task, out: &mut Vec<Found>) -> bool {
        let [a, b] = trees(forest, task.kind, task.owners);
        let [i, j] = task.nodes;
        let kind = task.kind;
        let own = task.owners[0] == task.owners[1];
        let reach = if own { self.reach.min(OWN_REACH) } else { self.reach };
        let grown = a.radius() + b.radius() + self.margin;
        let limit = reach * (a.half() + b.half()) + grown;
        let around = Around { own, reach, limit, grown, together: self.together };
        let of_rest = own.then_some(reach * OWN_SHARE);
        let near = Near::new(limit, (of_rest, grown), self.together, a.size().max(b.size()));
        if kind == PairKind::EdgeEdge {
            let mut visit = |i: usize, j: usize| {
                let ((k, &[p, q, _]), (l, &[r, s, _])) = (a.item(i), b.item(j));
                // Neighbours on a surface are most of what its boxes find.
                if p == r || p == s || q == r || q == s {
                    return true;
                }
                let limit = around.limit_at_rest(a.at_rest(i) - b.at_rest(j));
                let (key, places) = if k < l {
                    (PairKey { kind, a: k, b: l }, [p, q, r, s])
                } else {
                    (PairKey { kind, a: l, b: k }, [r, s, p, q])
                };
                self.offer(key, places, limit, &around, out)
            };
            if itself(task) {
                a.own::<2>(i, &near, &mut visit)
            } else {
                a.cross::<2, 2>(i, (b, j), &near, &mut visit)
            }
        } else {
            a.cross::<1, 3>(i, (b, j), &near, &mut |i: usize, j: usize| {
                let ((k, _), (l, &[p, q, r])) = (a.item(i), b.item(j));
                if k == p || k == q || k == r {
                    return true;
                }
                let limit = around.limit_at_rest(a.at_rest(i) - b.at_rest(j));
                self.offer(PairKey { kind, a: k, b: l }, [k, p, q, r], limit, &around, out)
            })
        }
    }

    /// Lists a pair if it may collide and come near: if it may be closer than `limit`. Returns whether there is room for more.
    #[inline]
    fn offer(
        &self,
        key: PairKey,
        places: [u32; 4],
        limit: f64,
        around: &Around,
        out: &mut Vec<Found>,
    ) -> bool {
        let q = places.map(|i| self.x[i as usize]);
        let mut along: [DVec3; 4] = std::array::from_fn(|k| self.e[places[k] as usize] - q[k]);
        if around.together {
            let mean = along.iter().sum::<DVec3>() * 0.25;
            along.iter_mut().for_each(|way| *way -= mean);
        }
        // What the look in single precision left open.
        if stays_apart(key.kind, &q, &along) > limit {
            return true;
        }
        // Closer than this it cannot get, whenever each place stops.
        let nearest = distance(key.kind, q) - apart(key.kind, &along);
        nearest > limit || self.look(key, nearest, around, out)
    }

    /// The second look: the pair's own radius and contact distance.
    fn look(&self, key: PairKey, nearest: f64, around: &Around, out: &mut Vec<Found>) -> bool {
        let mut pair = self.primitives.unclipped(key);
        let far = |pair: &Pair| nearest - pair.radius > around.reach * pair.distance + self.margin;
        if far(&pair) || !self.primitives.are_kept_apart(pair.a(), pair.b()) {
            return true;
        }
        if around.own {
            // Costs another look for closest points, at rest, and hence comes last.
            self.primitives.clip(&mut pair);
            if far(&pair) || self.primitives.touch_at_rest(&pair) {
                return true;
            }
        }
        self.list(&pair, out)
    }

    fn list(&self, pair: &Pair, out: &mut Vec<Found>) -> bool {
        out.push(Found { key: pack(pair.key), distance: pair.distance });
        if out.len().is_multiple_of(LOOK) {
            return self.count.fetch_add(LOOK, Ordering::Relaxed) + LOOK <= self.most;
        }
        true
    }

    /// Points that come within reach of a plane.
    fn planes(&self, forest: &Forest, out: &mut Vec<Found>) {
        for (k, plane) in self.primitives.planes.iter().enumerate() {
            if !forest.usable(plane.origin) {
                continue;
            }
            let height = |p: DVec3| plane.normal.dot(p);
            let origin = plane.origin as usize;
            let top = height(self.x[origin]).max(height(self.e[origin]));
            for &a in &self.primitives.points {
                let at = a as usize;
                if !forest.usable(a) || !self.primitives.may_meet(&[a], &[plane.origin]) {
                    continue;
                }
                let grow = |i: usize| {
                    self.reach * self.primitives.half[i] + self.primitives.radius[i] + 0.5 * self.margin
                };
                let low = height(self.x[at]).min(height(self.e[at])) - grow(at) - grow(origin);
                if low > top {
                    continue;
                }
                let pair = self.primitives.unclipped(PairKey { kind: PairKind::VertexPlane, a, b: k as u32 });
                if !self.list(&pair, out) {
                    return;
                }
            }
        }
    }
}

/// Kind, a and b from the highest bits to the lowest. Places and edges number less than 2³⁰.
fn pack(key: PairKey) -> u64 {
    (key.kind as u64) << 62 | u64::from(key.a) << 32 | u64::from(key.b)
}

fn unpack(key: u64) -> PairKey {
    let kind = match key >> 62 {
        0 => PairKind::VertexTriangle,
        1 => PairKind::EdgeEdge,
        _ => PairKind::VertexPlane,
    };
    PairKey { kind, a: (key >> 32) as u32 & 0x3FFF_FFFF, b: key as u32 }
}

#[cfg(test)]
mod tests;
