//! The items of a leaf side by side, in single precision: one item is held against four at a time.
//!
//! Two looks, from cheap to dear: the boxes overlap; and the plane across the line between the centres does not keep the items apart on their ways, as
//! [`stays_apart`](super::ways::stays_apart) says of one pair. Both err on the safe side by more than what rounding can take away.

use super::tree::Bounds;
use glam::{Vec3A, Vec4};

/// Items side by side.
pub(super) const LANES: usize = 4;
/// What rounding to single precision can do to the height of one place over another, as a share of the largest coordinate: some ten roundings of 6e-8, and as much again for the
/// direction, which the second look in double precision has a little differently.
const ROUNDING: f32 = 4e-6;

/// A vector per lane.
#[derive(Clone, Copy, Debug)]
struct Vectors {
    x: Vec4,
    y: Vec4,
    z: Vec4,
}

impl Vectors {
    const ZERO: Self = Self { x: Vec4::ZERO, y: Vec4::ZERO, z: Vec4::ZERO };

    fn splat(v: Vec3A) -> Self {
        Self { x: Vec4::splat(v.x), y: Vec4::splat(v.y), z: Vec4::splat(v.z) }
    }

    fn set(&mut self, lane: usize, v: Vec3A) {
        (self.x[lane], self.y[lane], self.z[lane]) = (v.x, v.y, v.z);
    }

    fn get(&self, lane: usize) -> Vec3A {
        Vec3A::new(self.x[lane], self.y[lane], self.z[lane])
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }

    #[inline(always)]
    fn times(self, by: Vec4) -> Self {
        Self { x: self.x * by, y: self.y * by, z: self.z * by }
    }

    #[inline(always)]
    fn dot(self, other: Self) -> Vec4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// A bit per lane where self ≤ other in all coordinates.
    #[inline(always)]
    fn is_below(self, other: Self) -> u32 {
        (self.x.cmple(other.x) & self.y.cmple(other.y) & self.z.cmple(other.z)).bitmask()
    }

    #[inline(always)]
    fn or_zero(self, pick: impl Fn(Vec4, Vec4) -> Vec4) -> Self {
        Self { x: pick(self.x, Vec4::ZERO), y: pick(self.y, Vec4::ZERO), z: pick(self.z, Vec4::ZERO) }
    }
}

/// A box per lane.
#[derive(Clone, Copy, Debug)]
struct Boxes {
    low: Vectors,
    high: Vectors,
}

impl Boxes {
    fn splat(bounds: Bounds) -> Self {
        Self { low: Vectors::splat(bounds.low), high: Vectors::splat(bounds.high) }
    }

    fn set(&mut self, lane: usize, bounds: Bounds) {
        self.low.set(lane, bounds.low);
        self.high.set(lane, bounds.high);
    }

    fn get(&self, lane: usize) -> Bounds {
        Bounds { low: self.low.get(lane), high: self.high.get(lane) }
    }
}

/// Where an item is: its box, and places and ways of its corners.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub bounds: Bounds,
    /// Displacements, where all places stop at one time.
    pub ways: Bounds,
    pub corners: [Vec3A; 3],
    pub along: [Vec3A; 3],
}

impl Item {
    /// Meets nothing.
    pub const NOWHERE: Self = Self {
        bounds: Bounds::NOTHING,
        ways: Bounds::NOTHING,
        corners: [Vec3A::ZERO; 3],
        along: [Vec3A::ZERO; 3],
    };
}

/// The items of a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    bounds: Boxes,
    ways: Boxes,
    corners: [Vectors; 3],
    along: [Vectors; 3],
    /// Centres at rest.
    rest: Vectors,
}

impl Leaf {
    /// Meets nothing.
    pub const EMPTY: Self = Self {
        bounds: Boxes {
            low: Vectors {
                x: Vec4::splat(f32::INFINITY),
                y: Vec4::splat(f32::INFINITY),
                z: Vec4::splat(f32::INFINITY),
            },
            high: Vectors {
                x: Vec4::splat(f32::NEG_INFINITY),
                y: Vec4::splat(f32::NEG_INFINITY),
                z: Vec4::splat(f32::NEG_INFINITY),
            },
        },
        ways: Boxes { low: Vectors::ZERO, high: Vectors::ZERO },
        corners: [Vectors::ZERO; 3],
        along: [Vectors::ZERO; 3],
        rest: Vectors::ZERO,
    };

    pub fn set(&mut self, lane: usize, item: &Item) {
        self.bounds.set(lane, item.bounds);
        self.ways.set(lane, item.ways);
        for k in 0..3 {
            self.corners[k].set(lane, item.corners[k]);
            self.along[k].set(lane, item.along[k]);
        }
    }

    pub fn set_rest(&mut self, lane: usize, centre: Vec3A) {
        self.rest.set(lane, centre);
    }
}

/// How near two items have to come to be of interest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    /// Within this distance, m; radii included.
    limit: f32,
    /// Within this share of the distance of their centres at rest, and `grown`.
    of_rest: Option<f32>,
    grown: f32,
    /// Whether all places stop at one time: what the four of a pair do together does not matter then.
    together: bool,
}

impl Near {
    /// Everything whose boxes overlap.
    pub const BOXES: Self = Self { limit: f32::INFINITY, of_rest: None, grown: 0.0, together: false };

    /// `size` is the largest coordinate of places, ways and centres at rest.
    pub fn new(limit: f64, (of_rest, grown): (Option<f64>, f64), together: bool, size: f32) -> Self {
        let slack = ROUNDING * size;
        let up = |x: f64| x as f32 * (1.0 + 1e-6) + slack;
        Self {
            limit: up(limit),
            of_rest: of_rest.map(|share| share as f32 * (1.0 + 1e-6)),
            grown: up(grown),
            together,
        }
    }
}

impl Leaf {
    /// A bit per item of another leaf that the item `lane` of this one, which has A corners, may come near to; the others have B.
    #[inline]
    pub fn meets<const A: usize, const B: usize>(&self, lane: usize, other: &Self, near: &Near) -> u32 {
        let boxes = if near.together { self.boxes_together(lane, other) } else { self.boxes(lane, other) };
        if boxes == 0 { 0 } else { boxes & !self.stays_apart::<A, B>(lane, other, near) }
    }

    #[inline(always)]
    fn boxes(&self, lane: usize, other: &Self) -> u32 {
        let own = Boxes::splat(self.bounds.get(lane));
        own.low.is_below(other.bounds.high) & other.bounds.low.is_below(own.high)
    }

    /// As [`Bounds::meets`].
    #[inline(always)]
    fn boxes_together(&self, lane: usize, other: &Self) -> u32 {
        let (own, ways) = (Boxes::splat(self.bounds.get(lane)), Boxes::splat(self.ways.get(lane)));
        let low = own.low.plus(ways.low.minus(other.ways.high).or_zero(Vec4::min));
        let high = own.high.plus(ways.high.minus(other.ways.low).or_zero(Vec4::max));
        low.is_below(other.bounds.high) & other.bounds.low.is_below(high)
    }

    /// A bit per item that certainly stays farther away than what is of interest.
    #[inline(always)]
    fn stays_apart<const A: usize, const B: usize>(&self, lane: usize, other: &Self, near: &Near) -> u32 {
        let splat = |of: &Vectors| Vectors::splat(of.get(lane));
        let own: [Vectors; A] = std::array::from_fn(|k| splat(&self.corners[k]));
        let others: [Vectors; B] = std::array::from_fn(|k| other.corners[k]);
        let mut along: [Vectors; A] = std::array::from_fn(|k| splat(&self.along[k]));
        let mut their: [Vectors; B] = std::array::from_fn(|k| other.along[k]);
        if near.together {
            let sum = their.iter().chain(&along).fold(Vectors::ZERO, |sum, way| sum.plus(*way));
            let mean = sum.times(Vec4::splat(1.0 / (A + B) as f32));
            along.iter_mut().chain(&mut their).for_each(|way| *way = way.minus(mean));
        }
        let origin = centre(&others);
        let from = centre(&own).minus(origin);
        let n = from.times(from.dot(from).sqrt().recip());
        let (mut low, mut fall) = (Vec4::INFINITY, Vec4::ZERO);
        for (corner, way) in own.iter().zip(&along) {
            low = low.min(n.dot(corner.minus(origin)));
            fall = fall.max(-n.dot(*way));
        }
        let (mut high, mut climb) = (Vec4::NEG_INFINITY, Vec4::ZERO);
        for (corner, way) in others.iter().zip(&their) {
            high = high.max(n.dot(corner.minus(origin)));
            climb = climb.max(n.dot(*way));
        }
        let limit = match near.of_rest {
            Some(share) => {
                let rest = splat(&self.rest).minus(other.rest);
                (rest.dot(rest).sqrt() * share + near.grown).min(Vec4::splat(near.limit))
            }
            None => Vec4::splat(near.limit),
        };
        // Where the centres are at one place there is no line, and what is no number is not greater than anything.
        (low - high - fall - climb).cmpgt(limit).bitmask()
    }
}

#[inline(always)]
fn centre<const N: usize>(corners: &[Vectors; N]) -> Vectors {
    let sum = corners.iter().skip(1).fold(corners[0], |sum, corner| sum.plus(*corner));
    sum.times(Vec4::splat(1.0 / N as f32))
}

#[cfg(test)]
mod tests {
    use super::super::pair::PairKind;
    use super::super::testing::Random;
    use super::super::ways::stays_apart;
    use super::*;
    use glam::DVec3;

    type Corners = [DVec3; 3];

    /// An item somewhere around `at`, as a tree would make it.
    fn item(corners: &Corners, along: &Corners) -> Item {
        let around = |places: &Corners, ways: &Corners| {
            let ends = || places.iter().zip(ways).map(|(x, way)| *x + *way);
            let all = || places.iter().copied().chain(ends());
            Bounds {
                low: all().fold(DVec3::INFINITY, DVec3::min).as_vec3a(),
                high: all().fold(DVec3::NEG_INFINITY, DVec3::max).as_vec3a(),
            }
        };
        Item {
            bounds: around(corners, along).grown(1.0),
            ways: Bounds::NOTHING,
            corners: corners.map(|x| x.as_vec3a()),
            along: along.map(|way| way.as_vec3a()),
        }
    }

    /// Leaves of random items against a pair at a time in double precision; the boxes all overlap.
    fn agrees<const A: usize, const B: usize>(kind: PairKind, scale: f64, seed: u64) {
        let mut random = Random(seed);
        let mut vector = |size: f64| random.vector() * size;
        let limit = 0.02;
        let size = 2.0 * scale as f32;
        let near = Near::new(limit, (None, 0.0), false, size);
        let slack = 2.0 * f64::from(ROUNDING * size);
        let (mut apart, mut close) = (0, 0);
        for _ in 0..5_000 {
            let base = vector(scale);
            let mut make = |corners: usize| {
                let (at, size) = (base + vector(0.12), 0.1);
                let mut places = [at + vector(size), at + vector(size), at + vector(size)];
                let mut ways = [vector(0.02), vector(0.02), vector(0.02)];
                for k in corners..3 {
                    (places[k], ways[k]) = (places[corners - 1], ways[corners - 1]);
                }
                (places, ways)
            };
            let own = make(A);
            let others = [make(B), make(B), make(B), make(B)];
            let (mut left, mut right) = (Leaf::EMPTY, Leaf::EMPTY);
            left.set(2, &item(&own.0, &own.1));
            others.iter().enumerate().for_each(|(lane, (x, way))| right.set(lane, &item(x, way)));
            let found = left.meets::<A, B>(2, &right, &near);
            for (lane, (x, way)) in others.iter().enumerate() {
                let four = |own: &Corners, other: &Corners| -> [DVec3; 4] {
                    std::array::from_fn(|k| if k < A { own[k] } else { other[k - A] })
                };
                let exact = stays_apart(kind, &four(&own.0, x), &four(&own.1, way));
                let is_out = found & 1 << lane == 0;
                if is_out {
                    assert!(exact > limit, "{exact}");
                    apart += 1;
                } else {
                    assert!(exact < limit + slack, "{exact}");
                    close += 1;
                }
            }
        }
        assert!(apart > 1000 && close > 500, "{apart} {close}");
    }

    #[test]
    fn what_is_out_stays_apart_and_what_is_in_may_not() {
        for (seed, scale) in [(1, 0.1), (2, 1.0), (3, 30.0)] {
            agrees::<2, 2>(PairKind::EdgeEdge, scale, seed);
            agrees::<1, 3>(PairKind::VertexTriangle, scale, seed);
        }
    }

    #[test]
    fn lanes_without_an_item_and_items_nowhere_meet_nothing() {
        let mut leaf = Leaf::EMPTY;
        let corners = [DVec3::ZERO; 3];
        leaf.set(0, &item(&corners, &corners));
        leaf.set(1, &Item::NOWHERE);
        assert_eq!(leaf.meets::<2, 2>(0, &leaf, &Near::BOXES), 1);
        assert_eq!(leaf.meets::<2, 2>(1, &leaf, &Near::BOXES), 0);
        assert_eq!(leaf.meets::<2, 2>(3, &leaf, &Near::BOXES), 0);
    }

    #[test]
    fn neighbours_at_rest_have_to_come_nearer() {
        let at = |y: f64| [DVec3::new(0.0, y, 0.0), DVec3::new(1.0, y, 0.0), DVec3::new(1.0, y, 0.0)];
        let still = [DVec3::ZERO; 3];
        let mut leaf = Leaf::EMPTY;
        leaf.set(0, &item(&at(0.0), &still));
        leaf.set(1, &item(&at(0.05), &still));
        leaf.set_rest(1, Vec3A::new(0.0, 0.1, 0.0));
        let near = |share: f64| Near::new(0.1, (Some(share), 0.0), true, 1.0);
        assert_eq!(leaf.meets::<2, 2>(0, &leaf, &near(0.6)) & 2, 2);
        assert_eq!(leaf.meets::<2, 2>(0, &leaf, &near(0.4)) & 2, 0);
    }
}
