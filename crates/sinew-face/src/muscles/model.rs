//! A face: flesh as tetrahedra, what holds it, muscles, and how they blend \[dinev2020, §4.2.1\].

use super::activation::Activation;
use super::anatomy::{Anatomy, bounds};
use super::blend::Blend;
use super::element::Lame;
use super::landmarks::Landmark;
use super::overlap;
use super::polar::{eigen, outer};
use super::{activation, mouth};
use crate::error::FaceError;
use glam::{DMat3, DVec3};
use sinew_scene::build::EmbeddedSurface;
use sinew_scene::face::Body;
pub use sinew_scene::face::{Hold, Muscle};
use sinew_scene::surface::Tree;
use sinew_scene::tetrahedralize::{ClosedSurface, Fineness, Options, tetrahedralize};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A face at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Vertices at rest, #V, m.
    pub points: Vec<DVec3>,
    /// What holds each of them, #V.
    pub holds: Vec<Hold>,
    /// Tetrahedra of flesh, #T by 4; those with a free vertex come first.
    pub tets: Vec<[u32; 4]>,
    /// How many of them have a free vertex: the elements.
    pub elements: usize,
    /// Muscles; column j + 1 of the blend is muscle j.
    pub muscles: Vec<Muscle>,
    /// S, a row for each element.
    pub blend: Blend,
    /// Where the jaw turns, m.
    pub hinge: DVec3,
    /// Triangles that one can see: skin first, then the inside of the mouth.
    pub surface: Vec<[u32; 3]>,
    /// How many of them are skin.
    pub skin: usize,
    /// The vertices that a scan sees: free, on the skin, in front of the hinge and above the underside of the jaw.
    pub scanned: Vec<u32>,
    /// Places of the skin with names.
    pub landmarks: Vec<Landmark>,
    /// The material of all flesh.
    pub lame: Lame,
    /// Sentences about what is not as it was given.
    pub notes: Vec<String>,
    /// Whether the flesh at rest is that of the built-in head, whose painted skin pictures then show.
    pub built_in: bool,
}

/// How a face is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MakeOptions {
    /// Length of the edges of the tetrahedra, m.
    pub size: f64,
    /// Muscles may act on tetrahedra within this distance, m.
    pub neighbourhood: f64,
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
}

impl Default for MakeOptions {
    fn default() -> Self {
        Self { size: 0.009, neighbourhood: 0.01, young: 10_000.0, poisson: 0.4 }
    }
}

impl MakeOptions {
    fn lame(&self) -> Result<Lame, FaceError> {
        let (e, nu) = (self.young, self.poisson);
        if !(e > 0.0 && e.is_finite() && (0.0..0.499).contains(&nu)) {
            let what = format!(
                "Young's modulus must be positive and Poisson's ratio from 0 to 0.499; they are {e} and {nu}"
            );
            return Err(FaceError::Anatomy(what));
        }
        Ok(Lame { mu: e / (2.0 * (1.0 + nu)), lambda: e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)) })
    }
}

type FaceKey = [u32; 3];

fn faces(tet: &[u32; 4]) -> [FaceKey; 4] {
    let [a, b, c, d] = *tet;
    // Counter-clockwise from outside.
    [[b, c, d], [a, d, c], [a, b, d], [a, c, b]]
}

fn key(face: &FaceKey) -> FaceKey {
    let mut sorted = *face;
    sorted.sort_unstable();
    sorted
}

impl Face {
    /// Makes tetrahedra of the flesh of a head and blends its muscles into them.
    ///
    /// # Errors
    /// [`FaceError::Anatomy`] says what is missing, or which muscle is outside the flesh.
    pub fn make(anatomy: &Anatomy, options: &MakeOptions) -> Result<Self, FaceError> {
        anatomy.check()?;
        let lame = options.lame()?;
        let surfaces: Vec<ClosedSurface> =
            std::iter::once(&anatomy.flesh).chain(&anatomy.skull).chain(&anatomy.jaw).cloned().collect();
        let fineness = Fineness::Size(options.size);
        let made = tetrahedralize(&surfaces, &Options { fineness, coarser_inside: false })
            .map_err(|error| FaceError::Anatomy(error.to_string()))?;
        let last_skull = 1 + anatomy.skull.len() as i32;
        let mut counts: HashMap<FaceKey, u32> = HashMap::new();
        made.tets.iter().flat_map(faces).for_each(|face| *counts.entry(key(&face)).or_default() += 1);
        let mut holds = vec![Hold::Free; made.points.len()];
        let mut bare = Vec::new();
        let mut bone_faces = HashSet::new();
        for (tet, &region) in made.tets.iter().zip(&made.regions).filter(|(_, region)| **region > 1) {
            for &v in tet {
                let hold = &mut holds[v as usize];
                // The jaw is the smaller one: what both touch is its.
                *hold = if region > last_skull || *hold == Hold::Jaw { Hold::Jaw } else { Hold::Skull };
            }
            // Where a bone reaches the skin there is no flesh, and yet there is skin.
            let outer = |face: &FaceKey| counts.get(&key(face)) == Some(&1);
            bone_faces.extend(faces(tet).iter().filter(|face| !outer(face)).map(key));
            if faces(tet).iter().any(outer) {
                bare.push(*tet);
            }
        }
        // Between the bones, in the joint and between the teeth, nothing is glued to both.
        let touches = |tet: &[u32; 4], bone: Hold| tet.iter().any(|&v| holds[v as usize] == bone);
        let mut tets = Vec::new();
        for (tet, _) in made.tets.iter().zip(&made.regions).filter(|(_, region)| **region == 1) {
            if touches(tet, Hold::Skull) && touches(tet, Hold::Jaw) {
                bone_faces.extend(faces(tet).iter().map(key));
            } else {
                tets.push(*tet);
            }
        }
        for (p, hold) in made.points.iter().zip(&mut holds) {
            if *hold == Hold::Free && (p.z < anatomy.back || p.y < anatomy.bottom) {
                *hold = Hold::Skull;
            }
        }
        tets.extend(bare);
        let mut on_skin = vec![false; made.points.len()];
        counts
            .iter()
            .filter(|(_, n)| **n == 1)
            .flat_map(|(face, _)| face)
            .for_each(|&v| on_skin[v as usize] = true);
        let mut points = made.points;
        let mut origin: Vec<u32> = (0..points.len() as u32).collect();
        if let Some(mouth) = &anatomy.mouth {
            for from in mouth::cut(&mut points, &mut tets, &on_skin, mouth) {
                origin.push(from);
                holds.push(holds[from as usize]);
            }
        }
        // Faces that only one tetrahedron of flesh has, without those on bones.
        let mut once: BTreeMap<FaceKey, FaceKey> = BTreeMap::new();
        for face in tets.iter().flat_map(faces) {
            if once.remove(&key(&face)).is_none() {
                once.insert(key(&face), face);
            }
        }
        let (mut skin, mut inside) = (Vec::new(), Vec::new());
        for face in once.into_values() {
            let before = key(&face.map(|v| origin[v as usize]));
            if !bone_faces.contains(&before) {
                if counts.get(&before) == Some(&1) { skin.push(face) } else { inside.push(face) }
            }
        }
        let mut face = Self {
            points,
            holds,
            elements: 0,
            tets,
            muscles: Vec::new(),
            blend: Blend::default(),
            hinge: anatomy.hinge,
            skin: skin.len(),
            surface: skin.into_iter().chain(inside).collect(),
            scanned: Vec::new(),
            landmarks: Vec::new(),
            lame,
            notes: made.notes,
            built_in: anatomy.built_in,
        };
        face.hold_loose_pieces();
        face.sort_and_number();
        let under = anatomy.jaw.iter().map(|s| bounds(&s.points).0.y).fold(f64::INFINITY, f64::min);
        face.see(under - 0.005);
        face.mark(&anatomy.landmarks);
        face.muscles = anatomy.muscles.iter().map(muscle).collect();
        let blended = overlap::blend(&face, &anatomy.muscles, options.neighbourhood)?;
        face.blend = blended;
        Ok(face)
    }

    /// A piece of flesh, tetrahedra joined by faces, that less than three vertices hold could turn or float away: the bone that it touches takes all of it.
    pub(super) fn hold_loose_pieces(&mut self) {
        let mut parent: Vec<u32> = (0..self.tets.len() as u32).collect();
        fn root(parent: &mut [u32], mut v: u32) -> u32 {
            while parent[v as usize] != v {
                parent[v as usize] = parent[parent[v as usize] as usize];
                v = parent[v as usize];
            }
            v
        }
        let mut first: HashMap<FaceKey, u32> = HashMap::new();
        for (t, tet) in self.tets.iter().enumerate() {
            for face in faces(tet) {
                if let Some(other) = first.insert(key(&face), t as u32) {
                    let (a, b) = (root(&mut parent, other), root(&mut parent, t as u32));
                    parent[a.max(b) as usize] = a.min(b);
                }
            }
        }
        let mut pieces: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for t in 0..self.tets.len() as u32 {
            pieces.entry(root(&mut parent, t)).or_default().extend(self.tets[t as usize]);
        }
        let mut taken = 0;
        for vertices in pieces.values_mut() {
            vertices.sort_unstable();
            vertices.dedup();
            let held = vertices.iter().filter(|&&v| self.holds[v as usize] != Hold::Free).count();
            if held < 3 {
                let jaw = vertices.iter().any(|&v| self.holds[v as usize] == Hold::Jaw);
                let bone = if jaw { Hold::Jaw } else { Hold::Skull };
                for v in vertices.iter() {
                    let hold = &mut self.holds[*v as usize];
                    taken += usize::from(*hold == Hold::Free);
                    *hold = if *hold == Hold::Free { bone } else { *hold };
                }
            }
        }
        if taken > 0 {
            self.notes
                .push(format!("{taken} vertices of small pieces of flesh are held by the bone next to them"));
        }
    }

    /// Drops unused vertices; elements first.
    fn sort_and_number(&mut self) {
        let free = |tet: &[u32; 4]| tet.iter().any(|&v| self.holds[v as usize] == Hold::Free);
        let (elements, rest): (Vec<_>, Vec<_>) = self.tets.iter().partition(|tet| free(tet));
        self.elements = elements.len();
        self.tets = elements.into_iter().chain(rest).collect();
        let mut number = vec![u32::MAX; self.points.len()];
        let (mut points, mut holds) = (Vec::new(), Vec::new());
        for v in self.tets.iter().flatten() {
            if number[*v as usize] == u32::MAX {
                number[*v as usize] = points.len() as u32;
                points.push(self.points[*v as usize]);
                holds.push(self.holds[*v as usize]);
            }
        }
        self.tets.iter_mut().flatten().for_each(|v| *v = number[*v as usize]);
        self.surface.iter_mut().flatten().for_each(|v| *v = number[*v as usize]);
        (self.points, self.holds) = (points, holds);
    }

    fn see(&mut self, under: f64) {
        let mut seen: Vec<u32> = self.surface[..self.skin].iter().flatten().copied().collect();
        seen.sort_unstable();
        seen.dedup();
        let (points, holds, hinge) = (&self.points, &self.holds, self.hinge);
        seen.retain(|&v| {
            let p = points[v as usize];
            holds[v as usize] == Hold::Free && p.z > hinge.z && p.y > under
        });
        self.scanned = seen;
    }

    /// Landmarks on the nearest places of the skin.
    fn mark(&mut self, landmarks: &[Landmark]) {
        let tree = Tree::new(&self.points, &self.surface[..self.skin]);
        let place = |p: DVec3| tree.nearest(p).map_or(p, |near| near.point);
        self.landmarks = (landmarks.iter())
            .map(|mark| Landmark { name: mark.name.clone(), point: place(mark.point) })
            .collect();
    }

    /// The surface that pictures show, with colours.
    pub fn look(&self) -> EmbeddedSurface {
        let Self { points, holds, tets, surface, skin, built_in, .. } = self;
        Body { points, holds, tets, surface, skin: *skin, built_in: *built_in }.look()
    }

    /// Number of free vertices.
    pub fn free(&self) -> usize {
        self.holds.iter().filter(|hold| **hold == Hold::Free).count()
    }

    /// The number of a muscle by its name.
    ///
    /// # Errors
    /// [`FaceError::Anatomy`] lists the names.
    pub fn muscle(&self, name: &str) -> Result<usize, FaceError> {
        self.muscles.iter().position(|m| m.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.muscles.iter().map(|m| m.name.as_str()).collect();
            FaceError::Anatomy(format!("there is no muscle `{name}`; there are {}", names.join(", ")))
        })
    }

    /// Volumes of passive tissue (s_i0 > 0.9) and of muscle (s_i0 < 0.1) where vertices are at x, m³.
    pub fn volumes(&self, x: &[DVec3]) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for (i, tet) in self.tets[..self.elements].iter().enumerate() {
            let [a, b, c, d] = tet.map(|v| x[v as usize]);
            let volume = (b - a).cross(c - a).dot(d - a) / 6.0;
            match self.blend.passive(i) {
                s if s > 0.9 => sums[0] += volume,
                s if s < 0.1 => sums[1] += volume,
                _ => {}
            }
        }
        sums
    }

    /// All muscles at rest.
    pub fn passive(&self) -> Vec<Activation> {
        vec![activation::PASSIVE; self.muscles.len()]
    }
}

/// Name and fibres of a muscle. Fibres run along the longest axis; a muscle around something, whose middle is outside itself, is a ring about its shortest.
fn muscle(surface: &ClosedSurface) -> Muscle {
    let n = surface.points.len().max(1) as f64;
    let middle = surface.points.iter().sum::<DVec3>() / n;
    let spread = surface.points.iter().fold(DMat3::ZERO, |sum, p| sum + outer(*p - middle, *p - middle));
    let (values, vectors) = eigen(spread * (1.0 / n));
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let winding = overlap::winding(surface);
    // A ring is flat, and as long as it is wide.
    let round = values[order[1]] > 0.5 * values[order[2]];
    let ring = round && winding.at(middle) < 0.5;
    let axis = vectors.col(order[if ring { 0 } else { 2 }]).normalize_or(DVec3::X);
    Muscle { name: surface.name.clone(), axis, ring }
}
