//! Scenes of primitives and random numbers for the tests of contact.

use super::pair::{NO_UNIT, Pair, PairKey, PairKind, Plane, Primitives};
use glam::DVec3;

/// SplitMix64: the same numbers on every machine.
pub(crate) struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From −1 to 1.
    pub fn signed(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// From 0 to 1.
    pub fn unsigned(&mut self) -> f64 {
        0.5 * (self.signed() + 1.0)
    }

    /// From 0 to n − 1.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// In the cube from −1 to 1.
    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }
}

/// A scene in the making: primitives and where they are.
pub(crate) struct Scene {
    pub primitives: Primitives,
    pub x: Vec<DVec3>,
    half: f64,
}

impl Scene {
    /// Nothing, with bodies that rest `d` apart and collide with everything. Bodies come before colliders.
    pub fn new(d: f64) -> Self {
        let primitives = Primitives { between: true, own: true, ..Primitives::default() };
        Self { primitives, x: Vec::new(), half: 0.5 * d }
    }

    fn owner(&self) -> u32 {
        self.primitives.owner.last().map_or(0, |&o| o + 1)
    }

    fn place(&mut self, x: DVec3, owner: u32, radius: f64, unit: u32) -> u32 {
        let p = &mut self.primitives;
        p.owner.push(owner);
        p.radius.push(radius);
        p.half.push(self.half);
        p.kinematic.push(unit != NO_UNIT);
        p.unit.push(unit);
        p.rest.push(x);
        self.x.push(x);
        self.x.len() as u32 - 1
    }

    fn mesh(&mut self, corners: &[DVec3], triangles: &[[u32; 3]], unit: u32) {
        let owner = self.owner();
        let first = self.x.len() as u32;
        for &c in corners {
            let place = self.place(c, owner, 0.0, unit);
            self.primitives.points.push(place);
        }
        let mut edges = Vec::new();
        for t in triangles {
            let t = t.map(|i| i + first);
            self.primitives.triangles.push(t);
            for k in 0..3 {
                let (a, b) = (t[k], t[(k + 1) % 3]);
                edges.push([a.min(b), a.max(b)]);
            }
        }
        edges.sort_unstable();
        edges.dedup();
        self.primitives.edges.append(&mut edges);
        if unit == NO_UNIT {
            self.primitives.bodies = owner + 1;
        }
    }

    fn unit(&mut self) -> u32 {
        self.primitives.units += 1;
        self.primitives.units as u32 - 1
    }

    /// A square of cloth with n × n vertices.
    pub fn cloth(mut self, n: usize, size: f64, centre: DVec3, u: DVec3, v: DVec3) -> Self {
        let at = |i: usize| (i as f64 / (n - 1) as f64 - 0.5) * size;
        let corners: Vec<_> = (0..n * n).map(|k| centre + u * at(k % n) + v * at(k / n)).collect();
        let mut triangles = Vec::new();
        for j in 0..n - 1 {
            for i in 0..n - 1 {
                let [a, b, c, d] =
                    [j * n + i, j * n + i + 1, (j + 1) * n + i, (j + 1) * n + i + 1].map(|i| i as u32);
                triangles.extend([[a, b, c], [b, d, c]]);
            }
        }
        self.mesh(&corners, &triangles, NO_UNIT);
        self
    }

    /// A chain of edges without triangles.
    pub fn rope(mut self, n: usize, from: DVec3, to: DVec3) -> Self {
        let owner = self.owner();
        for k in 0..n {
            let place = self.place(from.lerp(to, k as f64 / (n - 1) as f64), owner, 0.0, NO_UNIT);
            self.primitives.points.push(place);
            if k > 0 {
                self.primitives.edges.push([place - 1, place]);
            }
        }
        self.primitives.bodies = owner + 1;
        self
    }

    /// A box that moves as one.
    pub fn cuboid(mut self, centre: DVec3, half: DVec3) -> Self {
        let sign = |k: usize, bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let corners: Vec<_> =
            (0..8).map(|k| centre + half * DVec3::new(sign(k, 0), sign(k, 1), sign(k, 2))).collect();
        let faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
        let triangles: Vec<_> = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let unit = self.unit();
        self.mesh(&corners, &triangles, unit);
        self
    }

    /// A sphere (both ends at one place), a capsule, or a chain of capsules.
    pub fn round(mut self, chain: &[DVec3], radius: f64) -> Self {
        let (owner, unit) = (self.owner(), self.unit());
        let first = self.x.len() as u32;
        for &c in chain {
            let place = self.place(c, owner, radius, unit);
            self.primitives.points.push(place);
        }
        let last = self.x.len() as u32 - 1;
        if first == last {
            self.primitives.edges.push([first, first]);
        }
        self.primitives.edges.extend((first..last).map(|i| [i, i + 1]));
        self
    }

    /// A half-space.
    pub fn plane(mut self, origin: DVec3, normal: DVec3) -> Self {
        let (owner, unit) = (self.owner(), self.unit());
        let origin = self.place(origin, owner, 0.0, unit);
        self.primitives.planes.push(Plane { origin, normal });
        self
    }
}

/// A pair of four places 0, 1, 2, 3.
pub(crate) fn quad(kind: PairKind, radius: f64, distance: f64) -> Pair {
    let (split, count) = kind.sizes();
    let places = if count == 2 { [0, 1, 1, 1] } else { [0, 1, 2, 3] };
    let key = PairKey { kind, a: 0, b: 0 };
    Pair { key, places, split: split as u8, count: count as u8, radius, distance, normal: DVec3::Y }
}
