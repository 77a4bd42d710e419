//! Surfaces that are inside each other where a step starts, and how they come apart.
//!
//! The filter keeps apart what is apart, and what is tangled it would keep tangled for ever. So where an edge crosses a triangle, all pairs between the triangles at the edge and that triangle
//! are *ignored* by filter and rows for this step; where a vertex is inside a solid, so are all its pairs, and those of its edges and triangles, with that solid. A push, a row of its own,
//! moves them apart:
//!
//! * a vertex at a depth s in a solid moves by min(0.3(d + s), 2d) in one step: along its shortest way out if that is short, otherwise along the way that the solids as a whole
//!   part (see [`solids`]), because the ways out of the vertices of one body need not agree;
//! * an edge and a triangle of cloth move by d along the gradient of the length of the contour in which the surfaces cross (see [`contour`]).
//!
//! A push is inelastic: the speed that it gave is taken out again at the end of the step, by the law of restitution. So what comes free does not fly away.
//!
//! Searching for all that costs as much as a search for contacts. A state notes whether anything was found last; where nothing was, nothing will be.

mod contour;
mod solids;
#[cfg(test)]
mod tests;

use super::collider::BadStart;
use super::exact::{Crossing, Exact};
use super::pair::{Pair, PairKey, PairKind, Primitives};
use crate::model::Model;
use crate::placement::Placement;
use contour::Sides;
use glam::DVec3;
use solids::Solids;

/// The share of what is missing, and how many contact distances at most, that a vertex inside a solid is pushed in one step.
pub(super) const SHARE: f64 = 0.3;
pub(super) const MOST: f64 = 2.0;
/// Up to this many contact distances a vertex takes its own way out.
const SHALLOW: f64 = 3.0;

/// Names of pushes: a vertex in a solid is (place, owner); edges that cross triangles and the like have this bit, and no memory.
const CROSSES: u32 = 1 << 30;

/// Whether a row has nothing to do with one of the same name in another step.
pub(crate) fn is_new_each_step(key: &PairKey) -> bool {
    key.kind == PairKind::Push && key.b & CROSSES != 0
}

/// A row that pushes apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Push {
    pub pair: Pair,
    pub weights: [f64; 4],
    pub normal: DVec3,
    /// How far, m.
    pub by: f64,
    /// Whether the step is not done before it has been pushed that far.
    pub firm: bool,
}

/// What is tangled where a step starts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tangle {
    /// Pairs that are ignored, sorted.
    ignored: Vec<PairKey>,
    /// Places inside the solid of an owner, (place, owner), sorted: everything at them is ignored there.
    inside: Vec<(u32, u32)>,
    /// Sorted by key.
    pub pushes: Vec<Push>,
    /// In how many places.
    pub count: usize,
    /// The deepest vertex, as a share of its contact distance.
    pub depth: f64,
    /// Owners that are tangled with each other, sorted.
    pub owners: Vec<[u32; 2]>,
    /// Sides of triangles; empty until something crosses.
    sides: Sides,
}

impl Tangle {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.ignored.clear();
        self.inside.clear();
        self.pushes.clear();
        self.owners.clear();
        (self.count, self.depth) = (0, 0.0);
    }

    /// Finds what is tangled at the positions `x` of all places, with the colliders at `placements`.
    pub fn find(
        &mut self,
        model: &Model,
        primitives: &Primitives,
        exact: &mut Exact,
        x: &[DVec3],
        placements: &[Placement],
    ) {
        self.clear();
        exact.test(primitives, x);
        let solids = Solids::find(model, primitives, x, placements);
        self.inside.extend(solids.inside.iter().map(|inside| (inside.place, inside.owner)));
        self.inside.sort_unstable();
        self.count = exact.crossings.len() + solids.inside.len();
        let own_way = model.contact.law.is_some_and(|law| law.start == BadStart::Untangle);
        // An edge can be in something round without its ends; what is known by its vertex counts once.
        for pair in &exact.inside {
            if self.holds(primitives, pair) {
                continue;
            }
            let near = pair.closest(x);
            let depth = pair.radius - near.distance;
            self.count += 1;
            self.depth = self.depth.max(depth / pair.distance);
            self.owners.push(owners(primitives, pair.a(), pair.b()));
            self.ignored.push(pair.key);
            if own_way {
                self.pushes.push(Push {
                    pair: *pair,
                    weights: near.weights,
                    normal: near.normal,
                    by: step(pair, depth),
                    firm: true,
                });
            }
        }
        for inside in &solids.inside {
            self.owners.push(sorted(primitives.owner[inside.place as usize], inside.owner));
            self.depth = self.depth.max(inside.depth / inside.pair.distance);
            if own_way {
                let normal = if inside.depth <= SHALLOW * inside.pair.distance {
                    None
                } else {
                    solids.way(primitives, inside)
                };
                let (by, normal) = (step(&inside.pair, inside.depth), normal.unwrap_or(inside.normal));
                let key = PairKey { kind: PairKind::Push, a: inside.place, b: inside.owner };
                self.pushes.push(Push {
                    pair: Pair { key, ..inside.pair },
                    weights: inside.weights,
                    normal,
                    by,
                    firm: true,
                });
            }
        }
        if !exact.crossings.is_empty() {
            self.sides.fill(primitives);
        }
        for crossing in &exact.crossings {
            self.ignore(primitives, crossing);
            let (edge, corners) =
                (primitives.edges[crossing.edge as usize], primitives.triangles[crossing.triangle as usize]);
            let [p, q] = [edge[0], corners[0]].map(|i| primitives.owner[i as usize]);
            self.owners.push(sorted(p, q));
            let deep =
                edge.iter().any(|&i| self.is_inside(i, q)) || corners.iter().any(|&i| self.is_inside(i, p));
            if own_way && !deep {
                let part = solids.part(p, q);
                self.pushes.extend(self.sides.push(primitives, x, crossing, part));
            }
        }
        self.ignored.sort_unstable();
        self.ignored.dedup();
        // The others are numbered.
        for (k, push) in
            self.pushes.iter_mut().enumerate().filter(|(_, push)| push.pair.key.kind != PairKind::Push)
        {
            push.pair.key = PairKey { kind: PairKind::Push, a: k as u32, b: CROSSES };
        }
        self.pushes.sort_unstable_by_key(|push| push.pair.key);
        self.owners.sort_unstable();
        self.owners.dedup();
    }

    /// Whether anything is tangled.
    pub fn any(&self) -> bool {
        self.count > 0
    }

    fn is_inside(&self, place: u32, owner: u32) -> bool {
        self.inside.binary_search(&(place, owner)).is_ok()
    }

    /// Whether a vertex of one side is inside the other.
    fn holds(&self, primitives: &Primitives, pair: &Pair) -> bool {
        let within = |side: &[u32], other: &[u32]| {
            let owner = primitives.owner[other[0] as usize];
            side.iter().any(|&i| self.is_inside(i, owner))
        };
        within(pair.a(), pair.b()) || within(pair.b(), pair.a())
    }

    /// Whether filter and rows leave a pair out.
    pub fn ignores(&self, primitives: &Primitives, pair: &Pair) -> bool {
        self.ignored.binary_search(&pair.key).is_ok()
            || (!self.inside.is_empty() && self.holds(primitives, pair))
    }

    /// Whether a crossing at the end of a step is one of those that are being untangled: no pair that could have brought it about was looked after.
    pub fn excuses(&self, primitives: &Primitives, crossing: &Crossing) -> bool {
        let Crossing { edge, triangle } = *crossing;
        let keys = self.sides.keys(primitives, edge, triangle);
        self.any()
            && keys.into_iter().flatten().any(|key| self.ignores(primitives, &primitives.unclipped(key)))
    }

    /// Ignores everything between the triangles at an edge and the triangle that it crosses.
    fn ignore(&mut self, primitives: &Primitives, crossing: &Crossing) {
        let Crossing { edge, triangle } = *crossing;
        let corners = primitives.triangles[triangle as usize];
        self.ignored.extend(self.sides.keys(primitives, edge, triangle).into_iter().flatten());
        for &at in self.sides.at(primitives.edges[edge as usize]) {
            let other = primitives.triangles[at as usize];
            let kind = PairKind::VertexTriangle;
            self.ignored.extend(other.map(|a| PairKey { kind, a, b: triangle }));
            self.ignored.extend(corners.map(|a| PairKey { kind, a, b: at }));
            for side in self.sides.of(primitives, at).into_iter().flatten() {
                self.ignored.extend(self.sides.keys(primitives, side, triangle).into_iter().flatten());
            }
        }
    }
}

/// How far a pair at this depth is pushed in one step.
fn step(pair: &Pair, depth: f64) -> f64 {
    (SHARE * (pair.distance + depth)).min(MOST * pair.distance)
}

fn sorted(p: u32, q: u32) -> [u32; 2] {
    [p.min(q), p.max(q)]
}

fn owners(primitives: &Primitives, a: &[u32], b: &[u32]) -> [u32; 2] {
    sorted(primitives.owner[a[0] as usize], primitives.owner[b[0] as usize])
}
