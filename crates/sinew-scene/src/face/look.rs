//! What pictures show of a face: the painted skin of the built-in head, with teeth, carried by tetrahedra that are much coarser.
//!
//! The lips of the fine skin are one surface. It is parted where the flesh is: a triangle whose corners hang on both sides of the cut keeps to the side of most of them.

use super::{FaceFile, Hold};
use crate::build::EmbeddedSurface;
use crate::build::embedding::{Tree, distance_and_weights};
use crate::cast::{self, Name};
use crate::shapes::Net;
use glam::DVec3;
use std::collections::HashMap;

/// The longest side of the built-in head with its neck, m: the face is then as wide as a face is, and its teeth are 70 mm from the hinge.
pub const HEAD_SIZE: f64 = 0.28;
/// Heights of the cut through the flesh of the built-in head and of the groove between its painted lips, over its size.
const CUT: f64 = (-0.211 + 0.05) / 1.34;
const GROOVE: f64 = (-0.206 + 0.05) / 1.34;
/// Colours, 0xRRGGBB: the skin of a face that is not painted, the inside of a mouth, and teeth.
const SKIN: u32 = 0x00d9_a489;
const INSIDE: u32 = 0x006e_2f33;
const TEETH: u32 = 0x00f1_ebdd;

/// How much of its place a vertex of the inside keeps that is on the skin.
const ON_SKIN: f64 = 0.3;

/// What carries a vertex: corners and their weights.
type Anchor = ([u32; 4], [f64; 4]);

/// The parts of a face that a look depends on.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// Vertices at rest, #V, m.
    pub points: &'a [DVec3],
    /// What holds each of them, #V.
    pub holds: &'a [Hold],
    /// Tetrahedra of flesh, #T by 4.
    pub tets: &'a [[u32; 4]],
    /// Triangles that one can see: skin first, then the inside of the mouth.
    pub surface: &'a [[u32; 3]],
    /// How many of them are skin.
    pub skin: usize,
    /// Whether the flesh at rest is that of the built-in head.
    pub built_in: bool,
}

impl FaceFile {
    /// The parts that a look depends on.
    pub fn body(&self) -> Body<'_> {
        let Self { points, holds, tets, surface, skin, built_in, .. } = self;
        Body { points, holds, tets, surface, skin: *skin, built_in: *built_in }
    }
}

impl Body<'_> {
    /// The surface that pictures show, in colours: painted skin and teeth of the built-in head; of other faces their own triangles.
    pub fn look(&self) -> EmbeddedSurface {
        let mut look = if self.built_in { self.painted() } else { EmbeddedSurface::default() };
        if !self.built_in {
            add(&mut look, &self.surface[..self.skin], SKIN);
        }
        // The inside has vertices of its own, so that its colour ends where it does.
        let first = look.anchors.len();
        add(&mut look, &self.surface[self.skin..], INSIDE);
        if self.built_in {
            self.draw_back(&mut look.anchors[first..]);
        }
        look
    }

    /// The inside of the mouth ends at edges of coarse triangles, which would stick out between fine lips: what is on the skin moves most of the way to what is behind it.
    fn draw_back(&self, anchors: &mut [Anchor]) {
        let (skin, inside) = self.surface.split_at(self.skin);
        let mut on_skin = vec![false; self.points.len()];
        skin.iter().flatten().for_each(|&v| on_skin[v as usize] = true);
        let mut behind: HashMap<u32, Vec<u32>> = HashMap::new();
        for triangle in inside {
            for &v in triangle.iter().filter(|&&v| on_skin[v as usize]) {
                let list = behind.entry(v).or_default();
                let room = 3 - list.len();
                list.extend(triangle.iter().filter(|&&w| !on_skin[w as usize]).take(room));
            }
        }
        for (corners, weights) in anchors {
            let own = corners[0];
            let Some(list) = behind.get(&own).filter(|list| !list.is_empty()) else { continue };
            let share = (1.0 - ON_SKIN) / list.len() as f64;
            *weights = [ON_SKIN, 0.0, 0.0, 0.0];
            for (k, v) in list.iter().enumerate() {
                (corners[k + 1], weights[k + 1]) = (*v, share);
            }
        }
    }

    fn painted(&self) -> EmbeddedSurface {
        let mut fine = cast::skin(Name::Head, HEAD_SIZE);
        let tree = Tree::new(self.points, self.tets);
        let mut carriers: Vec<(usize, [f64; 4])> = fine.points.iter().map(|p| tree.nearest(*p)).collect();
        if let Some(lips) = Lips::of(self) {
            lips.part(&mut fine, &mut carriers);
        }
        let anchors = carriers.into_iter().map(|(tet, weights)| (self.tets[tet], weights)).collect();
        let mut look = EmbeddedSurface { triangles: fine.triangles, tints: fine.tints, anchors };
        for (name, net) in cast::parts(Name::Head, HEAD_SIZE) {
            let by = match name.as_str() {
                "upper teeth" => Hold::Skull,
                "lower teeth" => Hold::Jaw,
                _ => continue,
            };
            let Some(bone) = self.wide_tetrahedron(by) else { continue };
            let corners = bone.map(|v| self.points[v as usize]);
            let first = look.anchors.len() as u32;
            look.anchors.extend(net.points.iter().map(|p| (bone, distance_and_weights(*p, corners).1)));
            look.tints.resize(look.anchors.len(), TEETH);
            look.triangles.extend(net.triangles.iter().map(|t| t.map(|v| first + v)));
        }
        look
    }

    /// Four vertices that move with a bone, far from each other.
    fn wide_tetrahedron(&self, by: Hold) -> Option<[u32; 4]> {
        let held: Vec<u32> =
            (0..self.points.len() as u32).filter(|&v| self.holds[v as usize] == by).collect();
        let at = |v: u32| self.points[v as usize];
        let farthest =
            |size: &dyn Fn(u32) -> f64| held.iter().copied().max_by(|&a, &b| size(a).total_cmp(&size(b)));
        let a = farthest(&|v| at(v).x)?;
        let b = farthest(&|v| at(v).distance(at(a)))?;
        let c = farthest(&|v| (at(b) - at(a)).cross(at(v) - at(a)).length())?;
        let normal = (at(b) - at(a)).cross(at(c) - at(a));
        let d = farthest(&|v| normal.dot(at(v) - at(a)).abs())?;
        (normal.dot(at(d) - at(a)).abs() > 0.0).then_some([a, b, c, d])
    }
}

/// Adds triangles of the face's own vertices in one colour.
fn add(look: &mut EmbeddedSurface, triangles: &[[u32; 3]], tint: u32) {
    let own = EmbeddedSurface::own(triangles, 0, tint);
    let first = look.anchors.len() as u32;
    look.anchors.extend(own.anchors);
    look.tints.extend(own.tints);
    look.triangles.extend(own.triangles.iter().map(|t| t.map(|v| first + v)));
}

/// Tetrahedra on both sides of the cut between the lips.
struct Lips<'a> {
    body: &'a Body<'a>,
    /// Below and above.
    sides: [Vec<usize>; 2],
    /// Of each tetrahedron: none, below or above.
    side: Vec<Option<bool>>,
}

impl<'a> Lips<'a> {
    /// Those with a vertex that is there twice; none if no vertex is.
    fn of(body: &'a Body<'a>) -> Option<Self> {
        let mut at: HashMap<[u64; 3], u32> = HashMap::new();
        let place = |v: u32| body.points[v as usize].to_array().map(f64::to_bits);
        let used = || body.surface.iter().flatten().copied();
        let mut twins = vec![false; body.points.len()];
        for v in used() {
            let other = *at.entry(place(v)).or_insert(v);
            if other != v {
                (twins[v as usize], twins[other as usize]) = (true, true);
            }
        }
        if !twins.contains(&true) {
            return None;
        }
        let middle = |tet: &[u32; 4]| tet.iter().map(|&v| body.points[v as usize].y).sum::<f64>() / 4.0;
        let side: Vec<Option<bool>> = (body.tets.iter())
            .map(|tet| tet.iter().any(|&v| twins[v as usize]).then(|| middle(tet) > CUT * HEAD_SIZE))
            .collect();
        let on = |above: bool| (0..side.len()).filter(|&t| side[t] == Some(above)).collect();
        Some(Self { body, sides: [on(false), on(true)], side })
    }

    /// The nearest tetrahedron of a side, whose map goes on outside of it.
    fn nearest(&self, p: DVec3, above: bool) -> Option<(usize, [f64; 4])> {
        let of = |&tet: &usize| {
            let (distance, weights) =
                distance_and_weights(p, self.body.tets[tet].map(|v| self.body.points[v as usize]));
            (distance, tet, weights)
        };
        let all = self.sides[usize::from(above)].iter().map(of);
        all.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, tet, weights)| (tet, weights))
    }

    fn apart(&self, a: usize, b: usize) -> bool {
        self.side[a].is_some()
            && self.side[b].is_some()
            && self.side[a] != self.side[b]
            && !self.body.tets[a].iter().any(|v| self.body.tets[b].contains(v))
    }

    /// Parts a surface between the lips: vertices hang on the side where they are, and triangles on that of two corners.
    fn part(&self, fine: &mut Net, carriers: &mut Vec<(usize, [f64; 4])>) {
        for (p, carrier) in fine.points.iter().zip(carriers.iter_mut()) {
            let above = p.y > GROOVE * HEAD_SIZE;
            if self.side[carrier.0].is_some_and(|side| side != above)
                && let Some(other) = self.nearest(*p, above)
                && self.apart(carrier.0, other.0)
            {
                *carrier = other;
            }
        }
        let mut copies: HashMap<(u32, bool), u32> = HashMap::new();
        for triangle in &mut fine.triangles {
            let tets = triangle.map(|v| carriers[v as usize].0);
            let pairs = [(0, 1), (1, 2), (2, 0)];
            if !pairs.iter().any(|&(a, b)| self.apart(tets[a], tets[b])) {
                continue;
            }
            let above = tets.iter().filter(|&&tet| self.side[tet] == Some(true)).count() >= 2;
            for (corner, tet) in triangle.iter_mut().zip(tets) {
                let p = fine.points[*corner as usize];
                if self.side[tet] == Some(!above)
                    && let Some(other) = self.nearest(p, above)
                {
                    let tint = fine.tints.get(*corner as usize).copied();
                    *corner = *copies.entry((*corner, above)).or_insert_with(|| {
                        fine.points.push(p);
                        fine.tints.extend(tint);
                        carriers.push(other);
                        fine.points.len() as u32 - 1
                    });
                }
            }
        }
    }
}
