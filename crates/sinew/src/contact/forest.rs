//! Trees over the primitives of every owner, and which owners are near each other.

use super::pair::Primitives;
use super::tree::{Bounds, Places, Tree};
use crate::parallel;
use glam::DVec3;

/// The trees of one body or collider.
#[derive(Debug, Default)]
pub(crate) struct Trees {
    pub points: Tree,
    pub edges: Tree,
    pub triangles: Tree,
    around: Option<Bounds>,
}

/// The trees of all owners.
#[derive(Debug, Default)]
pub(crate) struct Forest {
    trees: Vec<Trees>,
    /// Per place its box; None: left out.
    around: Vec<Option<Bounds>>,
    /// Per place its displacement less the mean of its owner, where boxes are relative.
    ways: Vec<Bounds>,
    /// Mean displacement per owner, and the number of its places.
    drift: Vec<(DVec3, f64)>,
    order: Vec<u32>,
    meetings: Vec<[u32; 2]>,
    /// By how much boxes are grown beyond what they must, both sides together, m.
    pub margin: f64,
}

impl Forest {
    pub fn new(primitives: &Primitives) -> Self {
        let owner = |i: u32| primitives.owner[i as usize];
        let owners = primitives.owner.iter().max().map_or(0, |&n| n as usize + 1);
        let sorted = |items: &mut dyn Iterator<Item = (u32, [u32; 3])>| {
            let mut of = vec![Vec::new(); owners];
            items.for_each(|(id, places)| of[owner(places[0]) as usize].push((id, places)));
            of.into_iter().map(|items: Vec<_>| Tree::new(items.into_iter(), &primitives.rest))
        };
        let points = sorted(&mut primitives.points.iter().map(|&i| (i, [i; 3])));
        let edges = sorted(&mut (0..).zip(primitives.edges.iter().map(|&[a, b]| [a, b, b])));
        let triangles = sorted(&mut (0..).zip(primitives.triangles.iter().copied()));
        let trees = points.zip(edges).zip(triangles);
        let trees = trees
            .map(|((points, edges), triangles)| Trees { points, edges, triangles, around: None })
            .collect();
        Self { trees, ..Self::default() }
    }

    /// Fits everything to ways from `x` to `e`, each primitive grown by reach·half + radius, and finds which owners may meet. With `drifting` the
    /// ways are relative to the mean of their owner: boxes of one owner can then be held against each other only.
    pub fn refit(&mut self, primitives: &Primitives, x: &[DVec3], e: &[DVec3], reach: f64, drifting: bool) {
        self.drift.clear();
        self.drift.resize(self.trees.len(), (DVec3::ZERO, 0.0));
        if drifting {
            self.measure_drift(primitives, x, e);
        }
        self.around.resize(x.len(), None);
        let drift = &self.drift;
        let way = |i: usize| e[i] - x[i] - drift[primitives.owner[i] as usize].0;
        parallel::for_chunks(&mut self.around, |first, chunk| {
            for (i, around) in (first..).zip(chunk) {
                let usable = Bounds::around(x[i], e[i]);
                *around = if drifting { usable.and_then(|_| Bounds::around(x[i], x[i])) } else { usable };
            }
        });
        self.ways.resize(if drifting { x.len() } else { 0 }, Bounds::NOTHING);
        parallel::for_chunks(&mut self.ways, |first, chunk| {
            for (i, one) in (first..).zip(chunk) {
                *one = Bounds::around(way(i), way(i)).unwrap_or(Bounds::NOTHING);
            }
        });
        let places = Places { x, e, around: &self.around, ways: &self.ways, together: drifting };
        let margin = 0.5 * self.margin;
        for trees in &mut self.trees {
            let Trees { points, edges, triangles, around: all } = trees;
            parallel::join(
                || edges.refit(&places, primitives, (reach, margin)),
                || {
                    points.refit(&places, primitives, (reach, margin));
                    triangles.refit(&places, primitives, (reach, margin));
                },
            );
            *all = Some(points.all().union(edges.all()).union(triangles.all()));
        }
        self.find_meetings(primitives);
    }

    fn measure_drift(&mut self, primitives: &Primitives, x: &[DVec3], e: &[DVec3]) {
        for ((x, e), &owner) in x.iter().zip(e).zip(&primitives.owner) {
            let way = *e - *x;
            if way.is_finite() {
                let (sum, count) = &mut self.drift[owner as usize];
                (*sum, *count) = (*sum + way, *count + 1.0);
            }
        }
        for (sum, count) in &mut self.drift {
            *sum /= count.max(1.0);
            // What does not fit a number is no mean of anything.
            if !sum.is_finite() {
                *sum = DVec3::ZERO;
            }
        }
    }

    /// Sweeps along x.
    fn find_meetings(&mut self, primitives: &Primitives) {
        let Self { trees, order, meetings, .. } = self;
        let bounds = |i: u32| trees[i as usize].around.unwrap_or(Bounds::NOTHING);
        order.clear();
        order.extend(0..trees.len() as u32);
        order.sort_unstable_by(|&p, &q| bounds(p).low.x.total_cmp(&bounds(q).low.x).then(p.cmp(&q)));
        meetings.clear();
        for (k, &p) in order.iter().enumerate() {
            let around = bounds(p);
            if primitives.owners_meet(p, p) {
                meetings.push([p, p]);
            }
            for &q in order[k + 1..].iter().take_while(|&&q| bounds(q).low.x <= around.high.x) {
                if primitives.owners_meet(p, q) && around.overlaps(&bounds(q)) {
                    meetings.push([p.min(q), p.max(q)]);
                }
            }
        }
        meetings.sort_unstable();
    }

    /// Owners whose boxes overlap and that may meet, the smaller one first; `[p, p]` for one that may meet itself.
    pub fn meetings(&self) -> &[[u32; 2]] {
        &self.meetings
    }

    pub fn of(&self, owner: u32) -> &Trees {
        &self.trees[owner as usize]
    }

    /// Whether a place is where it can be dealt with.
    pub fn usable(&self, place: u32) -> bool {
        self.around[place as usize].is_some()
    }
}
