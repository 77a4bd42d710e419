//! Vertices inside solids: bodies of tetrahedra, rigid bodies and colliders.
//!
//! Two solids A and B that overlap part fastest where their common volume V shrinks fastest: a motion u of A changes it by u·∫n dA over the part of A's surface that is inside B, n outward.
//! So A goes along −∫n dA, and B the other way; by the divergence theorem its own surface says the same. Where that is nothing, as for a ball inside a ball, their middles part.

use crate::contact::closed_mesh::ClosedMesh;
use crate::contact::pair::{Pair, PairKey, PairKind, Primitives};
use crate::contact::shape::Shape;
use crate::model::Model;
use crate::placement::Placement;
use glam::DVec3;
use std::ops::Range;

/// What touches a mesh counts as inside, what touches a plane or something round does not: only there a normal is known anyway. In contact distances.
const TOUCHING: f64 = 1e-6;
/// The least share of the areas that must be left of their sum, or it says nothing.
const ONE_SIDED: f64 = 0.1;

/// A vertex inside a solid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inside {
    pub place: u32,
    /// Of the solid.
    pub owner: u32,
    pub depth: f64,
    /// The shortest way out.
    pub normal: DVec3,
    /// The vertex and what it is pushed away from.
    pub pair: Pair,
    pub weights: [f64; 4],
    /// Whether the solid is a half-space: the shortest way out is the right one at any depth.
    endless: bool,
}

/// Everything that is inside solids.
#[derive(Debug, Default)]
pub(super) struct Solids {
    pub inside: Vec<Inside>,
    /// Two owners, the smaller one first, and the way that it should go.
    parting: Vec<([u32; 2], DVec3)>,
}

impl Solids {
    /// Finds what is inside what.
    pub fn find(model: &Model, primitives: &Primitives, x: &[DVec3], placements: &[Placement]) -> Self {
        let mut all = Self::default();
        for (number, body) in model.topology.bodies.iter().enumerate() {
            let solid = (!body.tetrahedra.is_empty() || body.rigid) && body.round.is_none();
            if solid && !body.surface.is_empty() {
                all.in_body(primitives, x, number as u32, (&body.vertices, &body.surface));
            }
        }
        for (k, (collider, placement)) in model.contact.colliders.iter().zip(placements).enumerate() {
            all.in_collider(primitives, x, primitives.bodies + k as u32, (&collider.shape, placement));
        }
        if !all.inside.is_empty() {
            all.find_parting(model, primitives, x);
        }
        all
    }

    fn in_body(
        &mut self,
        primitives: &Primitives,
        x: &[DVec3],
        owner: u32,
        (vertices, surface): (&Range<usize>, &[[u32; 3]]),
    ) {
        let own = || surface.iter().flatten().map(|&i| x[i as usize]);
        let (low, high) =
            (own().fold(DVec3::INFINITY, DVec3::min), own().fold(DVec3::NEG_INFINITY, DVec3::max));
        let mut mesh = None;
        for &place in &primitives.points {
            let p = x[place as usize];
            let of = primitives.owner[place as usize];
            if of == owner || !primitives.owners_meet(of, owner) || !(p.cmpge(low) & p.cmple(high)).all() {
                continue;
            }
            let first = vertices.start as u32;
            let build = || {
                ClosedMesh::new(
                    x[vertices.clone()].to_vec(),
                    surface.iter().map(|t| t.map(|i| i - first)).collect(),
                )
            };
            // A surface that is not closed has no inside.
            let Ok(mesh) = mesh.get_or_insert_with(build) else { return };
            let (triangle, near) = mesh.nearest(p);
            let corners = surface[triangle];
            let held = |i: &u32| primitives.kinematic[*i as usize];
            if held(&place) && corners.iter().all(held) {
                continue;
            }
            let mut pair = primitives.unclipped(PairKey { kind: PairKind::VertexTriangle, a: place, b: 0 });
            pair.places = [place, corners[0], corners[1], corners[2]];
            pair.distance = primitives.distance(&pair);
            if near.distance < TOUCHING * pair.distance {
                let weights = pair.closest(x).weights;
                let (depth, normal) = (-near.distance, near.normal);
                self.inside.push(Inside { place, owner, depth, normal, pair, weights, endless: false });
            }
        }
    }

    fn in_collider(
        &mut self,
        primitives: &Primitives,
        x: &[DVec3],
        owner: u32,
        (shape, placement): (&Shape, &Placement),
    ) {
        let Some(first) = primitives.owner.iter().position(|&of| of == owner) else { return };
        let places = primitives.owner[first..].iter().take_while(|&&of| of == owner).count();
        let bounds = shape.bounds();
        let flat = matches!(shape, Shape::Cuboid { .. } | Shape::Mesh(_) | Shape::Union(_));
        for &place in &primitives.points {
            let at = place as usize;
            let local = placement.undo(x[at]);
            let within = bounds.is_none_or(|(low, high)| (local.cmpge(low) & local.cmple(high)).all());
            if primitives.owner[at] >= primitives.bodies || primitives.kinematic[at] || !within {
                continue;
            }
            let near = shape.proximity(local);
            let distance = 2.0 * primitives.half[at];
            let touching = TOUCHING * distance;
            if near.distance.is_nan() || near.distance >= if flat { touching } else { -touching } {
                continue;
            }
            // All places of a collider move as one: the nearest one stands for it.
            let gap = |i: &usize| x[*i].distance_squared(x[at]);
            let Some(origin) = (first..first + places).min_by(|i, j| gap(i).total_cmp(&gap(j))) else {
                return;
            };
            let key = PairKey { kind: PairKind::Push, a: place, b: 0 };
            let places = [place, origin as u32, origin as u32, origin as u32];
            let pair = Pair { key, places, split: 1, count: 2, radius: 0.0, distance, normal: DVec3::ZERO };
            let normal = placement.rotation * near.normal;
            let weights = [1.0, -1.0, 0.0, 0.0];
            let endless = matches!(shape, Shape::HalfSpace);
            self.inside.push(Inside { place, owner, depth: -near.distance, normal, pair, weights, endless });
        }
    }

    /// Finds how the owners part.
    fn find_parting(&mut self, model: &Model, primitives: &Primitives, x: &[DVec3]) {
        let mut normals = vec![DVec3::ZERO; x.len()];
        for &corners in &primitives.triangles {
            let [a, b, c] = corners.map(|i| x[i as usize]);
            let area = (b - a).cross(c - a) / 6.0;
            corners.iter().for_each(|&i| normals[i as usize] += area);
        }
        let solid = |owner: u32| {
            let body = model.topology.bodies.get(owner as usize);
            body.is_none_or(|body| body.rigid || !body.tetrahedra.is_empty())
        };
        let mut sums: Vec<([u32; 2], DVec3)> = Vec::with_capacity(self.inside.len());
        for inside in &self.inside {
            let of = primitives.owner[inside.place as usize];
            let normal = normals[inside.place as usize];
            // Cloth has no outside.
            let way = if solid(of) { -normal } else { inside.normal * normal.length() };
            sums.push((super::sorted(of, inside.owner), if of < inside.owner { way } else { -way }));
        }
        sums.sort_by_key(|sum| sum.0);
        for of_two in sums.chunk_by(|a, b| a.0 == b.0) {
            let owners = of_two[0].0;
            let sum: DVec3 = of_two.iter().map(|one| one.1).sum();
            let all: f64 = of_two.iter().map(|one| one.1.length()).sum();
            let way = if sum.length() > ONE_SIDED * all {
                sum
            } else {
                middle(primitives, x, owners[0]) - middle(primitives, x, owners[1])
            };
            self.parting.push((owners, way.try_normalize().unwrap_or(DVec3::Y)));
        }
    }

    /// The way that `p` should go, away from `q`, if any vertices are inside.
    pub fn part(&self, p: u32, q: u32) -> Option<DVec3> {
        let k = self.parting.binary_search_by_key(&super::sorted(p, q), |parting| parting.0).ok()?;
        Some(if p < q { self.parting[k].1 } else { -self.parting[k].1 })
    }

    /// The way of a vertex that is deep inside.
    pub fn way(&self, primitives: &Primitives, inside: &Inside) -> Option<DVec3> {
        if inside.endless { None } else { self.part(primitives.owner[inside.place as usize], inside.owner) }
    }
}

/// The middle of an owner's places.
fn middle(primitives: &Primitives, x: &[DVec3], owner: u32) -> DVec3 {
    let own = || primitives.owner.iter().zip(x).filter(|(of, _)| **of == owner).map(|(_, x)| *x);
    own().sum::<DVec3>() / (own().count().max(1) as f64)
}
