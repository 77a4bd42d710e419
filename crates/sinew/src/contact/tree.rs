//! A tree of boxes over primitives, built once and refitted whenever they move.
//!
//! Its shape comes from positions at rest: halves of the primitives along the widest axis, down to leaves of a few. Neighbours on a surface stay
//! neighbours, so that the shape stays good while the body moves. Nodes are stored parents first; refitting is one loop backwards.
//!
//! Boxes are single precision and grown by more than what rounding can take away: a box always holds its primitive.

use super::lanes::{self, Item, Leaf, Near};
use super::pair::{Primitives, largest};
use glam::{DVec3, Vec3A};

/// Primitives in a leaf, at most; all leaves but the last begin at a multiple.
const LEAF: usize = lanes::LANES;
/// Relative growth against rounding to single precision: three roundings of 6e-8 and some.
const ROUNDING: f32 = 4e-7;
/// Positions beyond this are left out, like those that are no numbers: their squares do not fit single precision.
const FARTHEST: f64 = 1e18;

/// Whether a position can be dealt with.
#[inline]
pub(crate) fn is_usable(x: DVec3) -> bool {
    x.abs().max_element() < FARTHEST && !x.is_nan()
}

/// A box along the axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub low: Vec3A,
    pub high: Vec3A,
}

impl Bounds {
    /// Overlaps nothing, and adds nothing to a union.
    pub const NOTHING: Self = Self { low: Vec3A::INFINITY, high: Vec3A::NEG_INFINITY };

    /// Around two positions, or None if one is unusable. Not yet grown.
    pub fn around(x: DVec3, e: DVec3) -> Option<Self> {
        (is_usable(x) && is_usable(e)).then(|| Self { low: x.min(e).as_vec3a(), high: x.max(e).as_vec3a() })
    }

    pub fn union(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Grown by `by`, and by what rounding may have taken.
    pub fn grown(self, by: f32) -> Self {
        let size = self.low.abs().max(self.high.abs()).max_element();
        let by = Vec3A::splat(by + ROUNDING * (size + by) + f32::MIN_POSITIVE);
        Self { low: self.low - by, high: self.high + by }
    }

    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (self.low.cmple(other.high) & other.low.cmple(self.high)).all()
    }

    /// Whether it overlaps another box while each moves along some way within its own box of displacements, both at one time.
    #[inline]
    fn meets(&self, way: &Self, other: &Self, other_way: &Self) -> bool {
        let low = self.low + (way.low - other_way.high).min(Vec3A::ZERO);
        let high = self.high + (way.high - other_way.low).max(Vec3A::ZERO);
        (low.cmple(other.high) & other.low.cmple(high)).all()
    }
}

/// The items under a node; both children are nonempty unless it is a leaf.
#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    count: u32,
    /// The second child; the first one comes right after its parent. 0: a leaf.
    second: u32,
}

/// A tree over points, edges or triangles of one owner.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    bounds: Vec<Bounds>,
    /// Number of the primitive (place of a point) per item, in the order of the leaves.
    ids: Vec<u32>,
    /// Its places; short ones repeat their last.
    places: Vec<[u32; 3]>,
    item_bounds: Vec<Bounds>,
    /// The same items, with their corners and ways, a leaf at a time.
    leaves: Vec<Leaf>,
    /// Centre at rest per item, and the largest coordinate of one.
    at_rest: Vec<DVec3>,
    rest_size: f32,
    /// Displacements of the primitives, where boxes are around their starts alone and whatever is held against them moves at the same time.
    ways: Vec<Bounds>,
    item_ways: Vec<Bounds>,
    together: bool,
    /// The largest coordinate of a place, a way or a centre at rest.
    size: f32,
    /// The largest half contact distance and radius.
    half: f64,
    radius: f64,
}

impl Tree {
    /// A tree over primitives, given by number and places.
    pub fn new(primitives: impl Iterator<Item = (u32, [u32; 3])>, rest: &[DVec3]) -> Self {
        let centre = |places: [u32; 3]| places.iter().map(|&i| rest[i as usize]).sum::<DVec3>();
        let mut items: Vec<_> = primitives.map(|(id, places)| (centre(places), id, places)).collect();
        let mut tree = Self::default();
        if !items.is_empty() {
            tree.split(&mut items, 0);
        }
        tree.ids = items.iter().map(|item| item.1).collect();
        tree.places = items.iter().map(|item| item.2).collect();
        // Edges repeat their second place: their centre is that of their ends.
        let own_centre = |places: [u32; 3]| {
            let [a, b, c] = places.map(|i| rest[i as usize]);
            if places[1] == places[2] { a.midpoint(b) } else { (a + b + c) / 3.0 }
        };
        tree.at_rest = tree.places.iter().map(|&places| own_centre(places)).collect();
        tree.leaves = vec![Leaf::EMPTY; items.len().div_ceil(LEAF)];
        for (k, centre) in tree.at_rest.iter().enumerate() {
            tree.leaves[k / LEAF].set_rest(k % LEAF, centre.as_vec3a());
            tree.rest_size = tree.rest_size.max(centre.abs().max_element() as f32);
        }
        tree.bounds = vec![Bounds::NOTHING; tree.nodes.len()];
        tree.item_bounds = vec![Bounds::NOTHING; items.len()];
        tree.ways = tree.bounds.clone();
        tree.item_ways = tree.item_bounds.clone();
        tree
    }

    fn split(&mut self, items: &mut [(DVec3, u32, [u32; 3])], first: usize) {
        let node = self.nodes.len();
        self.nodes.push(Node { first: first as u32, count: items.len() as u32, second: 0 });
        if items.len() <= LEAF {
            return;
        }
        let low = items.iter().fold(DVec3::INFINITY, |low, item| low.min(item.0));
        let high = items.iter().fold(DVec3::NEG_INFINITY, |high, item| high.max(item.0));
        let axis = (high - low).max_position();
        // Whole leaves on the left: fewer leaves that are half empty.
        let half = (items.len() / 2).next_multiple_of(LEAF).min(items.len() - 1);
        items.select_nth_unstable_by(half, |a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.1.cmp(&b.1)));
        let (left, right) = items.split_at_mut(half);
        self.split(left, first);
        self.nodes[node].second = self.nodes.len() as u32;
        self.split(right, first + half);
    }

    /// Fits everything to where the places are, each primitive grown by reach·half + radius. Primitives with an unusable place are left out.
    pub fn refit(&mut self, places: &Places, primitives: &Primitives, (reach, margin): (f64, f64)) {
        (self.half, self.radius, self.size) = (0.0, 0.0, self.rest_size);
        self.together = places.together;
        for k in 0..self.places.len() {
            let corners = self.places[k];
            let (half, radius) = (largest(&primitives.half, &corners), largest(&primitives.radius, &corners));
            (self.half, self.radius) = (self.half.max(half), self.radius.max(radius));
            let item = places.item(corners, reach * half + radius + margin);
            self.leaves[k / LEAF].set(k % LEAF, &item);
            (self.item_bounds[k], self.item_ways[k]) = (item.bounds, item.ways);
            let largest = |v: &Vec3A| v.abs().max_element();
            let sizes = item.corners.iter().chain(&item.along).map(largest);
            self.size = sizes.fold(self.size, f32::max);
        }
        Self::gather(&self.nodes, &self.item_bounds, &mut self.bounds);
        if self.together {
            Self::gather(&self.nodes, &self.item_ways, &mut self.ways);
        }
    }

    /// The unions of the boxes of all items under each node.
    fn gather(nodes: &[Node], items: &[Bounds], bounds: &mut [Bounds]) {
        for (k, node) in nodes.iter().enumerate().rev() {
            bounds[k] = if node.second == 0 {
                let items = &items[node.first as usize..][..node.count as usize];
                items.iter().fold(Bounds::NOTHING, |all, item| all.union(*item))
            } else {
                bounds[k + 1].union(bounds[node.second as usize])
            };
        }
    }

    /// The box around everything.
    pub fn all(&self) -> Bounds {
        self.bounds.first().copied().unwrap_or(Bounds::NOTHING)
    }

    /// The largest half contact distance of any primitive, at the last refit.
    pub fn half(&self) -> f64 {
        self.half
    }

    /// The largest radius of any primitive, at the last refit.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The largest coordinate of a place, a way or a centre at rest, at the last refit.
    pub fn size(&self) -> f32 {
        self.size
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Number and places of an item.
    #[inline]
    pub fn item(&self, k: usize) -> (u32, &[u32; 3]) {
        (self.ids[k], &self.places[k])
    }

    /// Centre of an item at rest.
    #[inline]
    pub fn at_rest(&self, k: usize) -> DVec3 {
        self.at_rest[k]
    }

    /// Number of items under a node.
    pub fn count(&self, node: u32) -> u32 {
        self.nodes[node as usize].count
    }

    /// Both children of a node that is no leaf.
    pub fn children(&self, node: u32) -> Option<[u32; 2]> {
        let second = self.nodes[node as usize].second;
        (second != 0).then_some([node + 1, second])
    }

    /// Whether the boxes of two nodes overlap.
    #[inline]
    pub fn meet(&self, node: u32, other: &Self, other_node: u32) -> bool {
        let (a, b) = (node as usize, other_node as usize);
        if self.together {
            return self.bounds[a].meets(&self.ways[a], &other.bounds[b], &other.ways[b]);
        }
        self.bounds[a].overlaps(&other.bounds[b])
    }

    fn items(&self, node: u32) -> std::ops::Range<usize> {
        let Node { first, count, .. } = self.nodes[node as usize];
        first as usize..(first + count) as usize
    }

    /// Visits every item under `a` here with every item under `b` of another tree (or of a part of this one that shares no item) that it may come near to,
    /// until a visit returns false. Returns whether none did. Items here have A corners, those of the other tree B.
    pub fn cross<const A: usize, const B: usize>(
        &self,
        a: u32,
        (other, b): (&Self, u32),
        near: &Near,
        visit: &mut impl FnMut(usize, usize) -> bool,
    ) -> bool {
        if !self.meet(a, other, b) {
            return true;
        }
        match (self.children(a), other.children(b)) {
            (None, None) => {
                let first = other.items(b).start;
                self.items(a).all(|i| self.held_against::<A, B>(i, (other, first), near, !0, visit))
            }
            // The larger one is divided first: boxes of like size tell most.
            (Some(of_a), of_b) if of_b.is_none() || self.count(a) >= other.count(b) => {
                of_a.iter().all(|&a| self.cross::<A, B>(a, (other, b), near, visit))
            }
            (_, of_b) => of_b.into_iter().flatten().all(|b| self.cross::<A, B>(a, (other, b), near, visit)),
        }
    }

    /// As [`Self::cross`], every two items under one node once.
    pub fn own<const N: usize>(
        &self,
        node: u32,
        near: &Near,
        visit: &mut impl FnMut(usize, usize) -> bool,
    ) -> bool {
        if let Some([a, b]) = self.children(node) {
            return self.own::<N>(a, near, visit)
                && self.own::<N>(b, near, visit)
                && self.cross::<N, N>(a, (self, b), near, visit);
        }
        let items = self.items(node);
        let first = items.start;
        items.into_iter().all(|i| {
            let later = !0 << (i - first + 1);
            self.held_against::<N, N>(i, (self, first), near, later, visit)
        })
    }

    /// Visits an item with those of a leaf that it may come near to and that are among `lanes`.
    #[inline]
    fn held_against<const A: usize, const B: usize>(
        &self,
        i: usize,
        (other, first): (&Self, usize),
        near: &Near,
        lanes: u32,
        visit: &mut impl FnMut(usize, usize) -> bool,
    ) -> bool {
        let leaf = &self.leaves[i / LEAF];
        let mut found = lanes & leaf.meets::<A, B>(i % LEAF, &other.leaves[first / LEAF], near);
        while found != 0 {
            if !visit(i, first + found.trailing_zeros() as usize) {
                return false;
            }
            found &= found - 1;
        }
        true
    }
}

/// Where all places are, and where they go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places<'a> {
    pub x: &'a [DVec3],
    pub e: &'a [DVec3],
    /// Per place its box; None: left out.
    pub around: &'a [Option<Bounds>],
    /// Displacements relative to what the tree is held against, if all places stop at one time; boxes are around x then.
    pub ways: &'a [Bounds],
    pub together: bool,
}

impl Places<'_> {
    /// A primitive, its box grown by `grow`.
    fn item(&self, corners: [u32; 3], grow: f64) -> Item {
        let at = corners.map(|i| i as usize);
        let [a, b, c] = at.map(|i| self.around[i]);
        let (Some(a), Some(b), Some(c)) = (a, b, c) else { return Item::NOWHERE };
        let mut item = Item {
            bounds: a.union(b).union(c).grown(grow as f32),
            ways: Bounds::NOTHING,
            corners: at.map(|i| self.x[i].as_vec3a()),
            along: at.map(|i| (self.e[i] - self.x[i]).as_vec3a()),
        };
        if self.together {
            let [a, b, c] = at.map(|i| self.ways[i]);
            item.ways = a.union(b).union(c).grown(0.0);
            item.along = [a, b, c].map(|way| way.low);
        }
        item
    }
}
