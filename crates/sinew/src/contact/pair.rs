//! What two primitives are to each other.
//!
//! Everything that can be in contact is a point, an edge, a triangle or a plane over one list of *places*. A pair has a side A (a vertex or an
//! edge) and a side B (a triangle, an edge or a plane); round things are points and edges with a radius. Two triangles cannot cross without a
//! vertex meeting a triangle or an edge meeting an edge first, so that these pairs are enough.
//!
//! A pair's surfaces are s = distance − radius apart and rest at s = d, with d = half[A] + half[B] between bodies, twice the half of the body with a collider. Within one body d ≤ ¼ · distance at rest, or
//! neighbours on a surface that is compressed would push each other.

use super::closest::distance;
use glam::DVec3;

/// The unit of a place that moves by itself.
pub(crate) const NO_UNIT: u32 = u32::MAX;

/// The share of the distance at rest that the contact distance is at most, within one body.
pub(crate) const OWN_SHARE: f64 = 0.25;
/// Pairs of one body that are closer than this share of d at rest touch by construction (seams of double vertices): they are left out.
const TOUCHING_AT_REST: f64 = 1e-6;

/// Points, edges, triangles and planes over one list of places: the points of the model first, then the vertices of colliders.
#[derive(Clone, Debug, Default)]
pub(crate) struct Primitives {
    /// Places that collide as points.
    pub points: Vec<u32>,
    /// Edges; `[c, c]` is the centre of a sphere.
    pub edges: Vec<[u32; 2]>,
    /// Triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Half-spaces.
    pub planes: Vec<Plane>,
    /// Radius per place, metres: 0 unless it is the centre of a sphere or on the axis of a capsule or torus.
    pub radius: Vec<f64>,
    /// Half of the contact distance per place, metres; for colliders at least the largest one of a body.
    pub half: Vec<f64>,
    /// Per place the number of its body, or `bodies + k` for collider k.
    pub owner: Vec<u32>,
    /// Per place whether no degree of freedom moves it.
    pub kinematic: Vec<bool>,
    /// Per place what must move as one, or [`NO_UNIT`].
    pub unit: Vec<u32>,
    /// Number of units.
    pub units: usize,
    /// Position at rest per place.
    pub rest: Vec<DVec3>,
    /// Owners below this number are bodies.
    pub bodies: u32,
    /// Per body whether it is rigid, so that it cannot meet itself.
    pub rigid: Vec<bool>,
    /// Per body whether no degree of freedom moves any of it.
    pub prescribed: Vec<bool>,
    /// Per place whether it is on a rigid body that nothing but contacts holds.
    pub loose: Vec<bool>,
    /// Per body the four mass points of the bone that it is, if it is round; see [`Lever`](super::lever::Lever).
    pub bones: Vec<Option<[u32; 4]>>,
    /// Whether bodies collide with each other.
    pub between: bool,
    /// Whether a body collides with itself.
    pub own: bool,
}

/// The half-space below a plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    /// A place on the plane.
    pub origin: u32,
    /// Unit normal, out of the solid; set anew when the plane turns.
    pub normal: DVec3,
}

/// What meets what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum PairKind {
    VertexTriangle,
    EdgeEdge,
    VertexPlane,
    /// Two sides that are pushed apart, see [`Tangle`](super::tangle::Tangle); no pair that is searched for.
    Push,
}

/// A pair's name, the same in every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PairKey {
    pub kind: PairKind,
    /// The place of the vertex, or the number of the edge (the smaller one).
    pub a: u32,
    /// The number of the triangle, edge or plane.
    pub b: u32,
}

/// Two primitives that may meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub key: PairKey,
    /// Side A first; a plane repeats its origin.
    pub places: [u32; 4],
    /// Size of side A.
    pub split: u8,
    /// How many places are used: 4, or 2 with a plane.
    pub count: u8,
    /// Sum of the radii of both sides, metres.
    pub radius: f64,
    /// Contact distance d, metres.
    pub distance: f64,
    /// Of a plane; zero otherwise.
    pub normal: DVec3,
}

impl PairKind {
    /// Size of side A, and number of places.
    #[inline]
    pub fn sizes(self) -> (usize, usize) {
        match self {
            Self::VertexTriangle => (1, 4),
            Self::EdgeEdge => (2, 4),
            Self::VertexPlane | Self::Push => (1, 2),
        }
    }
}

impl Pair {
    /// The places of side A.
    pub fn a(&self) -> &[u32] {
        &self.places[..usize::from(self.split)]
    }

    /// The places of side B.
    pub fn b(&self) -> &[u32] {
        &self.places[usize::from(self.split)..usize::from(self.count)]
    }

    /// The four points of the pair.
    #[inline]
    pub fn points(&self, x: &[DVec3]) -> [DVec3; 4] {
        self.places.map(|i| x[i as usize])
    }
}

impl Primitives {
    /// Number of places.
    pub fn places(&self) -> usize {
        self.owner.len()
    }

    /// The pair of that name, whether or not it may collide.
    #[cfg(test)]
    pub fn pair(&self, key: PairKey) -> Pair {
        let mut pair = self.unclipped(key);
        self.clip(&mut pair);
        pair
    }

    /// As [`Self::pair`], with the contact distance of pairs between bodies.
    #[inline]
    pub fn unclipped(&self, key: PairKey) -> Pair {
        let (a, b) = (key.a as usize, key.b as usize);
        let mut normal = DVec3::ZERO;
        let (places, split, count) = match key.kind {
            PairKind::VertexTriangle => {
                let [p, q, r] = self.triangles[b];
                ([key.a, p, q, r], 1, 4)
            }
            PairKind::EdgeEdge => {
                let ([p, q], [r, s]) = (self.edges[a], self.edges[b]);
                ([p, q, r, s], 2, 4)
            }
            PairKind::VertexPlane | PairKind::Push => {
                let Plane { origin, normal: n } = self.planes[b];
                normal = n;
                ([key.a, origin, origin, origin], 1, 2)
            }
        };
        let mut pair = Pair { key, places, split, count, radius: 0.0, distance: 0.0, normal };
        pair.radius = largest(&self.radius, pair.a()) + largest(&self.radius, pair.b());
        pair.distance = self.distance(&pair);
        pair
    }

    /// Contact distance within one body: at most a share of the distance at rest.
    pub fn clip(&self, pair: &mut Pair) {
        if self.within_one(pair) && pair.count == 4 {
            let at_rest = distance(pair.key.kind, pair.points(&self.rest)) - pair.radius;
            pair.distance = pair.distance.min(OWN_SHARE * at_rest.max(0.0));
        }
    }

    fn within_one(&self, pair: &Pair) -> bool {
        self.owner[pair.places[0] as usize] == self.owner[pair.places[3] as usize]
    }

    /// Contact distance of two sides, m: the mean of those of two bodies; a collider takes that of the body.
    pub(super) fn distance(&self, pair: &Pair) -> f64 {
        let half = |side: &[u32]| largest(&self.half, side);
        let body = |side: &[u32]| self.owner[side[0] as usize] < self.bodies;
        match (body(pair.a()), body(pair.b())) {
            (true, false) => 2.0 * half(pair.a()),
            (false, true) => 2.0 * half(pair.b()),
            _ => half(pair.a()) + half(pair.b()),
        }
    }

    /// Whether the two sides may collide at all: they share no place, their owners meet, and they are kept apart (see [`Self::are_kept_apart`]).
    pub fn may_meet(&self, a: &[u32], b: &[u32]) -> bool {
        let (p, q) = (self.owner[a[0] as usize], self.owner[b[0] as usize]);
        self.owners_meet(p, q) && a.iter().all(|i| !b.contains(i)) && self.are_kept_apart(a, b)
    }

    /// Whether two sides are kept apart although no degree of freedom moves them. Pinned vertices and kinematic bones are, from colliders and from each other, where they carry
    /// something that is free: what passed a pinned vertex would cut the edges that end in it. Not what never moves, or moves as one, nor two owners that only the user moves, nor
    /// pinned vertices from planes, which have no edges to be cut by.
    #[inline]
    pub fn are_kept_apart(&self, a: &[u32], b: &[u32]) -> bool {
        a.iter().chain(b).any(|&i| !self.kinematic[i as usize]) || self.hold_each_other(a, b)
    }

    #[cold]
    fn hold_each_other(&self, a: &[u32], b: &[u32]) -> bool {
        let unit = |i: u32| self.unit[i as usize];
        let first = unit(a[0]);
        let prescribed = |side: &[u32]| {
            let owner = self.owner[side[0] as usize];
            owner >= self.bodies || self.prescribed.get(owner as usize).is_some_and(|&all| all)
        };
        let one = a.iter().chain(b).all(|&i| unit(i) == first);
        !one && b.len() > 1 && !(prescribed(a) && prescribed(b))
    }

    /// Whether primitives of these two owners may collide.
    pub fn owners_meet(&self, p: u32, q: u32) -> bool {
        match (p < self.bodies, q < self.bodies) {
            (true, true) if p == q => self.own && !self.rigid.get(p as usize).is_some_and(|&rigid| rigid),
            (true, true) => self.between,
            (false, false) => false,
            _ => true,
        }
    }

    /// Whether a pair touches by construction, and is left out for that. Only pairs within one body can.
    pub fn touch_at_rest(&self, pair: &Pair) -> bool {
        self.within_one(pair) && pair.distance <= TOUCHING_AT_REST * self.distance(pair)
    }
}

/// The largest value at the given places.
#[inline]
pub(crate) fn largest(values: &[f64], places: &[u32]) -> f64 {
    places.iter().map(|&i| values[i as usize]).fold(0.0, f64::max)
}
