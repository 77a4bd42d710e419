//! Lips that touch, and teeth that stop the jaw.
//!
//! The two sides of the cut of the mouth press on each other where they would pass: g = n·(x − Σ wₖxₖ) ≥ 0 for each vertex of one side and the triangle of the other side that is nearest to it. Rounds of
//! detection and an equilibrium in which n, w and the pairs stay, with the augmented Lagrangian ½/k max(0, p − kg)² and the pressure p ← max(0, p − kg) after each \[nocedal2006, §17.4\]:
//! what is left of the crossing does not depend on the stiffness k, and p is the force between the lips.
//!
//! Teeth are rigid, and the jaw goes where it is told: where rows of teeth would pass each other, it stops.

use super::equilibrium::{Balance, Drive, Precision};
use super::jaw::Jaw;
use super::model::{Face, Hold};
use super::system::System;
use crate::error::FaceError;
use glam::DVec3;
use sinew_scene::surface::Tree;
use std::collections::{HashMap, HashSet};

/// Sides cross if a vertex is deeper than this, m.
pub const CROSSING: f64 = 1e-4;
/// Pairs are kept up to this distance, m: closer than lips are thick.
const REACH: f64 = 6e-3;
/// Rounds at most.
const ROUNDS: usize = 40;
/// Stiffness of a vertex over that of the flesh around it.
const STIFF: f64 = 20.0;

/// A vertex and a triangle of the other side, as they were found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pad {
    /// The vertex, and the corners of the triangle.
    pub vertices: [u32; 4],
    /// 1, and minus the weights of the corners.
    pub weights: [f64; 4],
    /// Out of the triangle.
    pub normal: DVec3,
    /// k, N/m.
    pub stiffness: f64,
    /// p, N.
    pub pressure: f64,
}

impl Pad {
    /// g, m.
    pub fn gap(&self, x: &[DVec3]) -> f64 {
        (0..4).map(|c| self.weights[c] * self.normal.dot(x[self.vertices[c] as usize])).sum()
    }

    /// The force between both, N.
    pub fn force(&self, x: &[DVec3]) -> f64 {
        (self.pressure - self.stiffness * self.gap(x)).max(0.0)
    }

    /// The energy, J.
    pub fn energy(&self, x: &[DVec3]) -> f64 {
        0.5 * self.force(x).powi(2) / self.stiffness
    }
}

/// What the lips do in an equilibrium.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touch {
    /// Vertices that press on the other side.
    pub vertices: usize,
    /// The sum of their forces, N.
    pub force: f64,
    /// How deep a vertex still is in the other side, m.
    pub depth: f64,
    /// The same without contact, m.
    pub depth_before: f64,
    /// Rounds of detection and equilibrium.
    pub rounds: usize,
}

/// One side of the mouth.
#[derive(Clone, Debug, Default)]
struct Side {
    triangles: Vec<[u32; 3]>,
    /// Vertices that are on this side only, with k.
    vertices: Vec<(u32, f64)>,
}

/// The two sides of the mouth, and the teeth.
#[derive(Clone, Debug)]
pub struct Mouth {
    sides: [Side; 2],
    /// Vertices of both sides, where the cut ends.
    ends: HashSet<u32>,
    /// Vertices of the jaw and of the skull that face each other between the rows of teeth.
    teeth: Vec<(u32, u32)>,
}

/// Between the rows of teeth nothing is farther apart than this, and nothing of them is so close to the hinge, m.
const ROWS: [f64; 2] = [0.012, 0.03];

impl Mouth {
    /// Finds both sides of the cut: triangles inside the mouth, joined where they do not fold back, that face up or down.
    pub fn new(face: &Face) -> Self {
        let inside = &face.surface[face.skin..];
        let normals: Vec<DVec3> = inside.iter().map(|t| area(&face.points, t)).collect();
        let mut piece: Vec<usize> = (0..inside.len()).collect();
        fn root(piece: &mut [usize], mut k: usize) -> usize {
            while piece[k] != k {
                piece[k] = piece[piece[k]];
                k = piece[k];
            }
            k
        }
        let mut at: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
        for (t, triangle) in inside.iter().enumerate() {
            for k in 0..3 {
                let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
                at.entry([a.min(b), a.max(b)]).or_default().push(t);
            }
        }
        for pair in at.values().filter(|list| list.len() == 2) {
            let (a, b) = (pair[0], pair[1]);
            // At the end of the cut one side goes over into the other in a fold.
            if normals[a].normalize_or_zero().dot(normals[b].normalize_or_zero()) > -0.6 {
                let (a, b) = (root(&mut piece, a), root(&mut piece, b));
                piece[a.max(b)] = a.min(b);
            }
        }
        let mut up: HashMap<usize, f64> = HashMap::new();
        for (t, normal) in normals.iter().enumerate() {
            *up.entry(root(&mut piece, t)).or_default() += normal.y;
        }
        let mut sides = [Side::default(), Side::default()];
        for (t, triangle) in inside.iter().enumerate() {
            let lower = up.get(&root(&mut piece, t)).is_some_and(|y| *y > 0.0);
            sides[usize::from(lower)].triangles.push(*triangle);
        }
        let mut share: [HashMap<u32, f64>; 2] = Default::default();
        for (side, share) in sides.iter().zip(&mut share) {
            for t in &side.triangles {
                let third = area(&face.points, t).length() / 3.0;
                t.iter().for_each(|&v| *share.entry(v).or_default() += third);
            }
        }
        for s in 0..2 {
            let own = share[s].iter().filter(|(v, _)| !share[1 - s].contains_key(v));
            // Flesh of about the size of a triangle gives way under each vertex.
            let mut list: Vec<(u32, f64)> =
                own.map(|(&v, area)| (v, STIFF * face.lame.mu * area.sqrt())).collect();
            list.sort_by_key(|(v, _)| *v);
            sides[s].vertices = list;
        }
        let ends = share[0].keys().filter(|v| share[1].contains_key(v)).copied().collect();
        Self { sides, ends, teeth: teeth(face) }
    }

    /// Normals of both sides at vertices, and trees of their triangles.
    fn surfaces(&self, x: &[DVec3]) -> [(Tree, HashMap<u32, DVec3>); 2] {
        [0, 1].map(|s| {
            let mut normals: HashMap<u32, DVec3> = HashMap::new();
            for t in &self.sides[s].triangles {
                let n = area(x, t);
                t.iter().for_each(|&v| *normals.entry(v).or_default() += n);
            }
            (Tree::new(x, &self.sides[s].triangles), normals)
        })
    }

    /// Pairs where vertices are at x, with the pressures that vertices had.
    fn pads(&self, x: &[DVec3], pressures: &HashMap<u32, f64>) -> Vec<Pad> {
        let surfaces = self.surfaces(x);
        let mut pads = Vec::new();
        for s in 0..2 {
            let (tree, normals) = &surfaces[1 - s];
            for &(v, stiffness) in &self.sides[s].vertices {
                let p = x[v as usize];
                let Some(near) = tree.nearest_within(p, REACH) else { continue };
                let corners = self.sides[1 - s].triangles[near.triangle];
                // In the fold at the end of the cut both sides are one.
                if corners.iter().any(|v| self.ends.contains(v)) {
                    continue;
                }
                let w = super::fit::barycentric(near.point, corners.map(|c| x[c as usize]));
                let of = |list: &HashMap<u32, DVec3>, v: u32| {
                    list.get(&v).copied().unwrap_or_default().normalize_or_zero()
                };
                let other = w.x * of(normals, corners[0])
                    + w.y * of(normals, corners[1])
                    + w.z * of(normals, corners[2]);
                // Edges of the cut are jagged: the direction is that of both sides together.
                let Some(normal) = (other - of(&surfaces[s].1, v)).try_normalize() else { continue };
                let pressure = pressures.get(&v).copied().unwrap_or(0.0);
                let [a, b, c] = corners;
                pads.push(Pad {
                    vertices: [v, a, b, c],
                    weights: [1.0, -w.x, -w.y, -w.z],
                    normal,
                    stiffness,
                    pressure,
                });
            }
        }
        pads
    }

    /// How deep a vertex is in the other side, m.
    pub fn depth(&self, x: &[DVec3]) -> f64 {
        self.pads(x, &HashMap::new()).iter().map(|pad| -pad.gap(x)).fold(0.0, f64::max)
    }

    /// The jaw where its teeth stop it, and the share of the movement that they allow.
    pub fn stopped(&self, face: &Face, jaw: Jaw) -> (Jaw, f64) {
        let share = self.allowed(face, &jaw);
        let stopped = Jaw::from_lengths(jaw.lengths().map(|length| share * length));
        if share < 1.0 { (stopped, share) } else { (jaw, 1.0) }
    }

    /// How much of a movement of the jaw its teeth allow, 0 to 1: beyond, vertices that faced each other would have passed.
    pub fn allowed(&self, face: &Face, jaw: &Jaw) -> f64 {
        let lengths = jaw.lengths();
        let free = |share: f64| {
            let jaw = Jaw::from_lengths(lengths.map(|length| share * length));
            self.teeth.iter().all(|&(below, above)| {
                let (below, above) = (face.points[below as usize], face.points[above as usize]);
                (jaw.place(face.hinge, below) - above).dot(below - above) > 0.0
            })
        };
        if free(1.0) {
            return 1.0;
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..30 {
            let middle = 0.5 * (low + high);
            if free(middle) { low = middle } else { high = middle }
        }
        low
    }
}

fn area(x: &[DVec3], t: &[u32; 3]) -> DVec3 {
    let [a, b, c] = t.map(|v| x[v as usize]);
    0.5 * (b - a).cross(c - a)
}

/// For each vertex of the lower row the nearest one of the upper row above it, and the other way round.
fn teeth(face: &Face) -> Vec<(u32, u32)> {
    let front = |v: &u32| face.points[*v as usize].z > face.hinge.z + ROWS[1];
    let held = |by: Hold| -> Vec<u32> {
        (0..face.points.len() as u32).filter(|&v| face.holds[v as usize] == by).filter(front).collect()
    };
    let (jaw, skull) = (held(Hold::Jaw), held(Hold::Skull));
    let nearest = |v: u32, among: &[u32]| {
        let p = face.points[v as usize];
        let distance = |w: &u32| p.distance_squared(face.points[*w as usize]);
        among.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))
    };
    let facing = |&(below, above): &(u32, u32)| {
        let way = face.points[above as usize] - face.points[below as usize];
        way.length() < ROWS[0] && way.y > 0.7 * way.length()
    };
    let mut pairs: Vec<(u32, u32)> = (jaw.iter().filter_map(|&v| Some((v, nearest(v, &skull)?))))
        .chain(skull.iter().filter_map(|&v| Some((nearest(v, &jaw)?, v))))
        .filter(facing)
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

impl System {
    /// The equilibrium near `start` in which the sides of the mouth do not cross, and what the lips do in it. `forces` may depend on positions, as those of wind do.
    ///
    /// # Errors
    /// [`FaceError::Muscles`] if there is no equilibrium.
    pub fn equilibrium_in_contact(
        &self,
        drive: &Drive,
        start: &[DVec3],
        precision: &Precision,
        mouth: Option<&Mouth>,
        forces: &dyn Fn(&[DVec3]) -> Vec<DVec3>,
    ) -> Result<(Balance, Touch), FaceError> {
        let mut drive = Drive { forces: forces(start), ..drive.clone() };
        let mut balance = self.equilibrium(&drive, start, precision)?;
        let depth = |x: &[DVec3]| mouth.map_or(0.0, |mouth| mouth.depth(x));
        let before = depth(&balance.x);
        let mut touch = Touch { depth: before, depth_before: before, ..Touch::default() };
        // Pairs of the start tell which side is which, also where flesh has since passed through.
        let mut at = balance.x.clone();
        if before > CROSSING {
            at = start.to_vec();
            self.move_jaw(&drive.jaw, &mut at);
        }
        let mut last = if forces(&balance.x) == drive.forces { 0.0 } else { f64::INFINITY };
        let mut pressures: HashMap<u32, f64> = HashMap::new();
        while touch.rounds < ROUNDS && touch.depth.max(last) > CROSSING {
            touch.rounds += 1;
            drive.forces = forces(&balance.x);
            let system = self.with_pads(mouth.map_or_else(Vec::new, |mouth| mouth.pads(&at, &pressures)))?;
            let mut next = system.equilibrium(&drive, &at, precision)?;
            pressures = system.pads.iter().map(|pad| (pad.vertices[0], pad.force(&next.x))).collect();
            touch.vertices = pressures.values().filter(|p| **p > 0.0).count();
            touch.force = pressures.values().sum();
            touch.depth = depth(&next.x);
            last = self.farthest(&next.x, &balance.x);
            next.iterations += balance.iterations;
            next.factorisations += balance.factorisations;
            next.saddles += balance.saddles;
            at.clone_from(&next.x);
            balance = next;
        }
        Ok((balance, touch))
    }

    fn farthest(&self, a: &[DVec3], b: &[DVec3]) -> f64 {
        self.vertex.iter().map(|&v| a[v as usize].distance(b[v as usize])).fold(0.0, f64::max)
    }

    /// The push of still air that moves against the surface, F = ½ρA|u|u n with u = w·n: on either side of each triangle, a third for each corner, as in scenes.
    pub fn wind(&self, face: &Face, x: &[DVec3], velocity: DVec3) -> Vec<DVec3> {
        let mut forces = vec![DVec3::ZERO; x.len()];
        // The insides of the lips are in the lee.
        for t in &face.surface[..face.skin] {
            let area = area(x, t);
            let u = velocity.dot(area.normalize_or_zero());
            let force = (0.5 * AIR * u.abs() * u / 3.0) * area;
            t.iter().for_each(|&v| forces[v as usize] += force);
        }
        forces
    }
}

/// Density of air, kg/m³.
const AIR: f64 = 1.2;
