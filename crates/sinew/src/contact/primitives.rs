//! Everything that can be in contact, as points, edges, triangles and planes.
//!
//! They are given over one list of *places*: the points of the model first, then the vertices of its colliders. A sphere is one point with a radius, a capsule one
//! edge with a radius, a torus a closed chain of such edges; a cuboid and a closed mesh are triangles, a half-space is a plane. Whatever moves or turns, moves
//! its places.

use super::collider::{Collider, ContactLaw};
use super::pair::{NO_UNIT, Plane, Primitives};
use super::shape::Shape;
use crate::model::Model;
use crate::placement::Placement;
use crate::topology::BodyInfo;
use crate::topology::Round;
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// Edges of the chain that a torus is.
const CHAIN: usize = 32;
/// Edges between faces whose normals differ by less than this (1 − cos) are flat: nothing can meet them before it meets a face or a real edge.
const FLAT: f64 = 1e-10;

/// The vertices of the colliders in their own frames.
#[derive(Clone, Debug, Default)]
pub(crate) struct ColliderPlaces {
    /// (collider, place in its frame) of each.
    local: Vec<(u32, DVec3)>,
    /// (collider, normal in its frame) of each plane.
    planes: Vec<(u32, DVec3)>,
}

impl ColliderPlaces {
    /// Writes where they are with the colliders at `placements`.
    pub fn put(&self, placements: &[Placement], x: &mut [DVec3]) {
        for (x, &(k, local)) in x.iter_mut().zip(&self.local) {
            *x = placements[k as usize].apply(local);
        }
    }

    /// As [`Self::put`], for one collider.
    pub fn put_one(&self, collider: usize, placement: &Placement, x: &mut [DVec3]) {
        for (x, &(k, local)) in x.iter_mut().zip(&self.local) {
            if k as usize == collider {
                *x = placement.apply(local);
            }
        }
    }

    /// The numbers of the places of one collider.
    pub fn of(&self, collider: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.local.len()).filter(move |&i| self.local[i].0 as usize == collider)
    }

    /// A place in its collider's frame, given its number among all places, of which the first `points` are no colliders'.
    pub fn local(&self, place: u32, points: usize) -> DVec3 {
        self.local[place as usize - points].1
    }

    /// The planes of one collider, with their normals in its frame.
    pub fn planes_of(&self, collider: usize) -> impl Iterator<Item = (usize, DVec3)> + '_ {
        self.planes
            .iter()
            .enumerate()
            .filter(move |(_, plane)| plane.0 as usize == collider)
            .map(|(k, plane)| (k, plane.1))
    }

    /// Collider of a plane, and its normal in that frame.
    pub fn plane(&self, plane: usize) -> (usize, DVec3) {
        let (collider, normal) = self.planes[plane];
        (collider as usize, normal)
    }

    /// Turns the planes of one collider.
    pub fn turn_one(&self, collider: usize, placement: &Placement, planes: &mut [Plane]) {
        for (plane, &(k, normal)) in planes.iter_mut().zip(&self.planes) {
            if k as usize == collider {
                plane.normal = placement.rotation * normal;
            }
        }
    }

    /// Turns the planes.
    pub fn turn(&self, placements: &[Placement], planes: &mut [Plane]) {
        for (plane, &(k, normal)) in planes.iter_mut().zip(&self.planes) {
            plane.normal = placements[k as usize].rotation * normal;
        }
    }

    /// Number of places.
    pub fn len(&self) -> usize {
        self.local.len()
    }
}

/// Contact distance of a body with these rest positions, m.
pub(crate) fn thickness(law: &ContactLaw, rest: &[DVec3]) -> f64 {
    let low = rest.iter().copied().reduce(DVec3::min).unwrap_or_default();
    let high = rest.iter().copied().reduce(DVec3::max).unwrap_or_default();
    let distance = law.thickness.unwrap_or(ContactLaw::THICKNESS * high.distance(low));
    if distance.is_finite() { distance.max(0.0) } else { 0.0 }
}

/// Collects what can be in contact; nothing without a contact law.
pub(crate) fn primitives(model: &Model) -> (Primitives, ColliderPlaces) {
    let mut all = Primitives::default();
    let mut colliders = ColliderPlaces::default();
    let Some(law) = &model.contact.law else { return (all, colliders) };
    (all.between, all.own, all.bodies) = (law.bodies, law.own, model.topology.bodies.len() as u32);
    let points = model.points();
    let components = &model.topology.components;
    all.radius = vec![0.0; points];
    all.half = vec![0.0; points];
    all.owner = vec![0; points];
    all.rest = model.topology.rest.clone();
    all.rest.resize(points, DVec3::ZERO);
    all.kinematic = (0..points).map(|i| model.dofs.is_pinned(i)).collect();
    // Bones move rigidly, and joints hold them together: what has bones moves as one.
    let mut boned = vec![false; components.len()];
    for bone in &model.skeleton.bones {
        bone.points.iter().for_each(|&i| boned[model.topology.labels[i as usize] as usize] = true);
    }
    let unit = |i: usize| {
        let component = model.topology.labels[i];
        if boned[component as usize] { component } else { NO_UNIT }
    };
    all.unit = (0..points).map(unit).collect();
    all.loose = vec![false; points];
    for bone in model.skeleton.articulations.iter().filter_map(|a| model.loose_bone(a)) {
        model.skeleton.bones[bone].points.iter().for_each(|&i| all.loose[i as usize] = true);
    }
    all.units = components.len() + model.contact.colliders.len();
    let bones = bones_of_points(model);
    for (number, body) in model.topology.bodies.iter().enumerate() {
        match body.round {
            Some(round) => {
                let bone = bones[round.ends[0] as usize];
                add_round(&mut all, number as u32, body, round, bone, law);
            }
            None => add_body(&mut all, number as u32, body, law),
        }
    }
    for (k, collider) in model.contact.colliders.iter().enumerate() {
        let mut shapes = Shapes {
            all: &mut all,
            places: &mut colliders,
            collider: k as u32,
            unit: (components.len() + k) as u32,
        };
        shapes.add(&collider.shape, &Placement::default());
        shapes.all.owner.resize(shapes.all.radius.len(), shapes.all.bodies + k as u32);
    }
    // What is searched around a collider must be enough for any body.
    let widest = all.half.iter().copied().fold(0.0, f64::max);
    all.half[points..].fill(widest);
    place_at_rest(&mut all, &colliders, &model.contact.colliders, points);
    (all, colliders)
}

/// The mass points of the bone that each point is on.
fn bones_of_points(model: &Model) -> Vec<Option<[u32; 4]>> {
    let mut bones = vec![None; model.points()];
    for bone in &model.skeleton.bones {
        let frame = bone.points.last_chunk::<4>().copied();
        bone.points.iter().for_each(|&i| bones[i as usize] = frame);
    }
    bones
}

fn place_at_rest(all: &mut Primitives, places: &ColliderPlaces, colliders: &[Collider], points: usize) {
    let placements: Vec<Placement> = colliders.iter().map(|c| c.placement).collect();
    all.rest.resize(points + places.len(), DVec3::ZERO);
    places.put(&placements, &mut all.rest[points..]);
    places.turn(&placements, &mut all.planes);
}

/// The surface of a body: its triangles, or the springs of a rope, or its points alone.
fn add_body(all: &mut Primitives, number: u32, body: &BodyInfo, law: &ContactLaw) {
    let distance = thickness(law, &all.rest[body.vertices.clone()]);
    all.bones.push(None);
    all.owner[body.vertices.clone()].fill(number);
    all.half[body.vertices.clone()].fill(0.5 * distance);
    all.rigid.push(body.rigid);
    all.prescribed.push(body.vertices.clone().all(|i| all.kinematic[i]));
    let mut edges: Vec<[u32; 2]> = Vec::new();
    if body.surface.is_empty() {
        all.points.extend(body.vertices.clone().map(|v| v as u32));
        edges.extend(&body.springs);
    } else {
        let mut corners: Vec<u32> = body.surface.iter().flatten().copied().collect();
        corners.sort_unstable();
        corners.dedup();
        all.points.append(&mut corners);
        edges.extend(body.surface.iter().flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]));
    }
    edges.iter_mut().for_each(|e| e.sort_unstable());
    edges.sort_unstable();
    edges.dedup();
    all.edges.append(&mut edges);
    all.triangles.extend_from_slice(&body.surface);
}

/// A sphere or a capsule: its other vertices and its triangles are only drawn.
fn add_round(
    all: &mut Primitives,
    number: u32,
    body: &BodyInfo,
    Round { ends, radius }: Round,
    bone: Option<[u32; 4]>,
    law: &ContactLaw,
) {
    let [a, b] = ends.map(|i| all.rest[i as usize]);
    let distance = thickness(law, &[a.min(b) - radius, a.max(b) + radius]);
    all.owner[body.vertices.clone()].fill(number);
    all.half[body.vertices.clone()].fill(0.5 * distance);
    all.rigid.push(true);
    all.bones.push(bone);
    ends.iter().for_each(|&i| all.radius[i as usize] = radius);
    all.points.extend(if ends[0] == ends[1] { &ends[..1] } else { &ends[..] });
    all.edges.push(ends);
}

/// Where the shape of a collider is added.
struct Shapes<'a> {
    all: &'a mut Primitives,
    places: &'a mut ColliderPlaces,
    collider: u32,
    unit: u32,
}

impl Shapes<'_> {
    fn place(&mut self, local: DVec3, radius: f64) -> u32 {
        self.places.local.push((self.collider, local));
        let Primitives { radius: radii, half, kinematic, unit, .. } = &mut *self.all;
        radii.push(radius);
        half.push(0.0);
        kinematic.push(true);
        unit.push(self.unit);
        (radii.len() - 1) as u32
    }

    fn add(&mut self, shape: &Shape, at: &Placement) {
        match shape {
            Shape::HalfSpace => {
                let origin = self.place(at.apply(DVec3::ZERO), 0.0);
                let normal = at.rotation * DVec3::Y;
                self.places.planes.push((self.collider, normal));
                self.all.planes.push(Plane { origin, normal });
            }
            Shape::Sphere { radius } => {
                let center = self.place(at.apply(DVec3::ZERO), *radius);
                self.all.points.push(center);
                self.all.edges.push([center, center]);
            }
            Shape::Capsule { half_length, radius } => {
                let ends =
                    [-1.0, 1.0].map(|side| self.place(at.apply(DVec3::Y * (side * half_length)), *radius));
                self.all.points.extend(ends);
                self.all.edges.push(ends);
            }
            Shape::Torus { major, minor } => {
                // Half of its chords' sagitta outside, half inside.
                let radius = major * 2.0 / (1.0 + (PI / CHAIN as f64).cos());
                let corner = |k: usize| {
                    let angle = TAU * k as f64 / CHAIN as f64;
                    DVec3::new(angle.cos(), 0.0, angle.sin()) * radius
                };
                let ring: Vec<u32> = (0..CHAIN).map(|k| self.place(at.apply(corner(k)), *minor)).collect();
                self.all.points.extend(&ring);
                self.all.edges.extend((0..CHAIN).map(|k| [ring[k], ring[(k + 1) % CHAIN]]));
            }
            Shape::Cuboid { half } => {
                let mesh = super::closed_mesh::ClosedMesh::cuboid(*half);
                self.mesh(mesh.vertices(), mesh.triangles(), at);
            }
            Shape::Mesh(mesh) => self.mesh(mesh.vertices(), mesh.triangles(), at),
            Shape::Union(parts) => {
                for (placement, part) in parts {
                    let within = Placement {
                        rotation: at.rotation * placement.rotation,
                        translation: at.apply(placement.translation),
                    };
                    self.add(part, &within);
                }
            }
        }
    }

    fn mesh(&mut self, vertices: &[DVec3], triangles: &[[u32; 3]], at: &Placement) {
        let places: Vec<u32> = vertices.iter().map(|&p| self.place(at.apply(p), 0.0)).collect();
        self.all.points.extend(&places);
        self.all.triangles.extend(triangles.iter().map(|t| t.map(|i| places[i as usize])));
        for [a, b] in sharp_edges(vertices, triangles) {
            self.all.edges.push([places[a as usize], places[b as usize]]);
        }
    }
}

/// The edges of a closed mesh between faces that are not in one plane.
fn sharp_edges(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let mut sides: Vec<([u32; 2], DVec3)> = Vec::with_capacity(3 * triangles.len());
    for t in triangles {
        let [a, b, c] = t.map(|i| vertices[i as usize]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for [i, j] in [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]] {
            sides.push(([i.min(j), i.max(j)], normal));
        }
    }
    sides.sort_by_key(|(edge, _)| *edge);
    let edges = sides.chunk_by(|a, b| a.0 == b.0);
    let sharp = edges.filter(|faces| !matches!(faces, [a, b] if a.1.dot(b.1) > 1.0 - FLAT));
    sharp.map(|faces| faces[0].0).collect()
}
