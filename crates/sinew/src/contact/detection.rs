//! Detection: which vertices come into contact with what during a step.
//!
//! A vertex moves from xₙ to about xₙ + h vₙ + h²g, and a collider from its old placement to its new one: in the collider's frame the vertex
//! moves along a segment. A pair whose distance exceeds the length of the segment is skipped after one query. For the others, detection
//! advances along the segment by the distance that is certainly free ([ericson2005], conservative advancement): a vertex that enters and
//! would come out on another side, or past the middle, is held by the face through which it entered. At 30 steps a second this keeps a body
//! at 10 m/s from passing through a floor as thin as paper.

use super::contacts::{Contact, Contacts, Facing, Grip};
use super::memory::is_triangle;
use super::pairs::{Pair, PairDetector};
use super::shape::{Proximity, Shape};
use super::{ContactLaw, ContactMemory};
use crate::model::Model;
use crate::placement::Placement;
use glam::DVec3;

/// How far a vertex may deviate from its predicted path, as a share of the path's length and of the body's size.
const STRAY: (f64, f64) = (0.5, 0.02);
/// Distance queries along a segment before it counts as grazing.
const LOOKS: usize = 64;
/// Share of an unexplained depth that one step pushes out, and the most that it pushes out, in contact distances: at 30 steps a second, at
/// most 60 contact distances a second.
const PUSH_OUT: (f64, f64) = (0.3, 2.0);

/// How far from sliding friction, as a share of it, the pull on a contact that slid may be: on a curved surface the tangent plane has turned.
const SLID: f64 = 1e-3;

/// Finds contacts; owns its buffers.
#[derive(Debug)]
pub(crate) struct Detector {
    pub contacts: Contacts,
    pairs: PairDetector,
    found: Vec<Pair>,
}

/// The part of a step that detection needs.
#[derive(Clone, Copy)]
pub(crate) struct Sweep<'a> {
    pub start: &'a [DVec3],
    /// Predicted positions.
    pub end: &'a [DVec3],
    /// Positions that the vertices reach if nothing is in the way: thin colliders are judged by these, whatever has been found since.
    pub unhindered: &'a [DVec3],
    /// Share of an unexplained depth that is pushed out, and the most that is pushed out, in contact distances.
    pub push_out: (f64, f64),
    /// Placements of the colliders at the start and at the end of the step.
    pub before: &'a [Placement],
    pub after: &'a [Placement],
    pub memory: &'a [ContactMemory],
}

impl<'a> Sweep<'a> {
    /// A step from `start`, during which the colliders move from `before` to `after`.
    pub fn new(
        start: &'a [DVec3],
        (end, unhindered): (&'a [DVec3], &'a [DVec3]),
        (before, after): (&'a [Placement], &'a [Placement]),
        memory: &'a [ContactMemory],
    ) -> Self {
        Self { start, end, unhindered, push_out: PUSH_OUT, before, after, memory }
    }

    /// A state at rest. A vertex that is inside something is pushed no harder than its memory says.
    pub fn still(x: &'a [DVec3], colliders: &'a [Placement], memory: &'a [ContactMemory]) -> Self {
        let push_out = (0.0, 0.0);
        Self { start: x, end: x, unhindered: x, push_out, before: colliders, after: colliders, memory }
    }
}

impl Detector {
    pub fn new(model: &Model) -> Self {
        let contacts = Contacts {
            shapes: model.contact.colliders.iter().map(|c| c.shape.clone()).collect(),
            placements: model.contact.colliders.iter().map(|c| c.placement).collect(),
            response: model.contact.law.map(|law| law.response).unwrap_or_default(),
            starts: vec![0; model.topology.components.len() + 1],
            ..Contacts::default()
        };
        Self { contacts, pairs: PairDetector::new(&model.contact.skin.surfaces), found: Vec::new() }
    }

    /// Finds the contacts of a step.
    pub fn detect(&mut self, model: &Model, sweep: Sweep) {
        self.contacts.list.clear();
        let Some(law) = &model.contact.law else { return };
        self.contacts.placements.copy_from_slice(sweep.after);
        for (c, vertices) in model.contact.skin.vertices.iter().enumerate() {
            for k in 0..model.contact.colliders.len() {
                // If any vertex of a component comes near, all of its skin is watched: it may turn during the solve.
                if vertices.iter().any(|&i| self.is_near(model, &sweep, i as usize, k)) {
                    for &i in vertices.iter().filter(|&&i| !model.dofs.is_pinned(i as usize)) {
                        let (facing, clear) = self.face(&sweep, i as usize, k);
                        self.add(model, law, &sweep, (c as u32, i), facing, clear);
                    }
                }
            }
        }
        if law.bodies || law.own {
            self.detect_pairs(model, law, &sweep);
        }
        self.contacts.arrange();
    }

    /// Finds contacts of vertices with triangles of bodies.
    fn detect_pairs(&mut self, model: &Model, law: &ContactLaw, sweep: &Sweep) {
        let surfaces = &model.contact.skin.surfaces;
        let mut found = std::mem::take(&mut self.found);
        self.pairs.detect(surfaces, (law.bodies, law.own), sweep.start, sweep.end, &mut found);
        for &Pair { vertex, triangle, side } in &found {
            let corners = surfaces.triangles[triangle as usize];
            let pinned = |i: u32| model.dofs.is_pinned(i as usize);
            if pinned(vertex) && corners.into_iter().all(pinned) {
                continue;
            }
            let owner =
                model.topology.labels[vertex as usize].min(model.topology.labels[corners[0] as usize]);
            let facing = Facing::Triangle { triangle, corners, side };
            self.add(model, law, sweep, (owner, vertex), facing, 0.0);
        }
        self.found = found;
    }

    /// Whether vertex `i` may come into contact with collider `k` during the step.
    fn is_near(&self, model: &Model, sweep: &Sweep, i: usize, k: usize) -> bool {
        let start = sweep.before[k].undo(sweep.start[i]);
        let end = sweep.after[k].undo(sweep.end[i]);
        let length = start.distance(end);
        let reach =
            model.contact.skin.distance[i] + (1.0 + STRAY.0) * length + STRAY.1 * model.contact.skin.size[i];
        // A NaN is never near.
        self.contacts.shapes[k].proximity(start).distance <= reach
    }

    /// What vertex `i` is in contact with on collider `k`, and the radius around its start in which it is certainly free.
    fn face(&self, sweep: &Sweep, i: usize, k: usize) -> (Facing, f64) {
        let solid = Facing::Solid { collider: k as u32 };
        let shape = &self.contacts.shapes[k];
        // Relative to the collider's final placement.
        let free = shape.proximity(sweep.after[k].undo(sweep.start[i])).distance;
        if matches!(shape, Shape::HalfSpace) {
            return (solid, free);
        }
        let start = sweep.before[k].undo(sweep.start[i]);
        let first = shape.proximity(start);
        let known = (sweep.memory[i].partner == solid.partner()).then_some(&sweep.memory[i]);
        let known = known.filter(|memory| memory.is_below_face(shape, start, first.distance));
        for end in [sweep.end[i], sweep.unhindered[i]] {
            let end = sweep.after[k].undo(end);
            // A vertex that was held by a face entered through it, whichever face is nearest now.
            let (point, normal) = if let Some(memory) = known {
                (memory.face.0 * memory.face.1, memory.face.0)
            } else if let Some((point, entered)) = enter(shape, start, first, end) {
                (point - entered.normal * entered.distance, entered.normal)
            } else {
                continue;
            };
            let last = shape.proximity(end);
            let agrees = |near: &Proximity| near.normal.dot(normal) >= 0.7;
            if last.distance > 0.0 || !agrees(&last) || (known.is_some() && !agrees(&first)) {
                return (Facing::Face { collider: k as u32, point, normal }, 0.0);
            }
        }
        (solid, free)
    }

    fn add(
        &mut self,
        model: &Model,
        law: &ContactLaw,
        sweep: &Sweep,
        (owner, vertex): (u32, u32),
        facing: Facing,
        free: f64,
    ) {
        let i = vertex as usize;
        let (mut friction, mut restitution) = (law.friction, law.restitution);
        if let Facing::Solid { collider } | Facing::Face { collider, .. } = facing {
            let own = &model.contact.colliders[collider as usize];
            friction = own.friction.unwrap_or(friction);
            restitution = own.restitution.unwrap_or(restitution);
        }
        let (mut stiffness, mut distance) = (model.contact.skin.stiffness[i], model.contact.skin.distance[i]);
        if let Facing::Triangle { triangle, corners, .. } = facing {
            let other =
                corners.map(|k| model.contact.skin.stiffness[k as usize]).into_iter().sum::<f64>() / 3.0;
            stiffness = stiffness.min(other);
            distance = model.contact.skin.surfaces.distance(vertex, triangle);
        }
        let mut contact = Contact {
            owner,
            vertex,
            facing,
            stiffness,
            distance,
            friction,
            restitution,
            grip: Grip::default(),
            clear: (sweep.start[i], free - model.contact.skin.distance[i]),
        };
        let at_start = self.contacts.gap_before(&contact, sweep.start, sweep.before);
        // A contact starts with the force that it had. A vertex that is deeper than that force explains started inside, was placed there, or
        // was found late: its contact begins at its present depth and comes out step by step, instead of throwing the vertex out.
        let memory = &sweep.memory[i];
        let goes_on = memory.partner == facing.partner()
            || (is_triangle(memory.partner) && matches!(facing, Facing::Triangle { .. }));
        let force = if goes_on { memory.force } else { 0.0 };
        let began = at_start.distance + self.contacts.depth_of(&contact, force);
        if began < contact.distance {
            let depth = contact.distance - began;
            contact.distance = began + (sweep.push_out.0 * depth).min(sweep.push_out.1 * contact.distance);
        }
        self.grip(sweep, &mut contact, at_start.normal);
        self.contacts.list.push(contact);
    }

    /// Tangential offset of a contact's vertex from the point where it stuck at the start of the step.
    fn slip_before(&self, contact: &Contact, sweep: &Sweep) -> DVec3 {
        let p = sweep.start[contact.vertex as usize];
        let offset = match contact.facing {
            Facing::Solid { collider } | Facing::Face { collider, .. } => {
                p - sweep.before[collider as usize].apply(contact.grip.anchor)
            }
            Facing::Triangle { .. } => p - self.contacts.anchor(contact, sweep.start),
        };
        offset - contact.grip.normal * contact.grip.normal.dot(offset)
    }

    /// Sets up the friction of a contact from what its vertex remembers.
    fn grip(&self, sweep: &Sweep, contact: &mut Contact, normal: DVec3) {
        let i = contact.vertex as usize;
        let memory = &sweep.memory[i];
        let triangles = is_triangle(memory.partner) && matches!(contact.facing, Facing::Triangle { .. });
        let same = memory.partner == contact.facing.partner();
        if contact.friction.sticking == 0.0 || (memory.force > 0.0 && !same && !triangles) {
            return;
        }
        let remembered = memory.force > 0.0 && same;
        let anchor = match contact.facing {
            _ if remembered => memory.anchor,
            Facing::Solid { collider } | Facing::Face { collider, .. } => {
                sweep.before[collider as usize].undo(sweep.start[i])
            }
            Facing::Triangle { corners, side, .. } => {
                let corners = corners.map(|k| sweep.start[k as usize]);
                DVec3::from(super::contacts::above_triangle(sweep.start[i], corners, side).weights)
            }
        };
        contact.grip = Grip { coefficient: 0.0, limit: 0.0, anchor, normal };
        // A contact that slid was left exactly where sliding friction holds it; any other sticks, even if it is pulled harder.
        let sliding = contact.friction.sliding * memory.force;
        let pull = self.slip_before(contact, sweep).length() * contact.stiffness;
        let sticks = (pull - sliding).abs() > SLID * sliding;
        let coefficient =
            if sticks || !remembered { contact.friction.sticking } else { contact.friction.sliding };
        contact.grip.coefficient = coefficient;
        contact.grip.limit = coefficient * memory.force;
    }
}

/// Where a segment enters a solid; its start if that is inside.
fn enter(shape: &Shape, start: DVec3, first: Proximity, end: DVec3) -> Option<(DVec3, Proximity)> {
    let (way, length) = (end - start, start.distance(end));
    let close = 1e-6 * length;
    let (mut point, mut near, mut t) = (start, first, 0.0);
    for _ in 0..LOOKS {
        if near.distance <= close {
            return Some((point, near));
        }
        t += near.distance / length;
        if t >= 1.0 || t.is_nan() {
            return None;
        }
        point = start + way * t;
        near = shape.proximity(point);
    }
    None
}

impl Contacts {
    /// Sorts the list and builds the indices from vertices and components to contacts.
    fn arrange(&mut self) {
        self.list.sort_unstable_by_key(|c| (c.owner, c.vertex, c.facing.partner()));
        let count = self.starts.len();
        for c in 0..count {
            self.starts[c] = self.list.partition_point(|contact| contact.owner < c as u32) as u32;
        }
        self.vertices.clear();
        self.corners.clear();
        for (k, contact) in self.list.iter().enumerate() {
            self.vertices.push((contact.vertex, k as u32));
            if let Facing::Triangle { corners, .. } = contact.facing {
                self.corners.extend(corners.map(|corner| (corner, k as u32)));
            }
        }
        self.vertices.sort_unstable();
        self.corners.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_through_a_thin_plate_enters_at_its_face() {
        let plate = Shape::Cuboid { half: DVec3::new(1.0, 1e-3, 1.0) };
        let (start, way) = (DVec3::new(0.1, 0.2, 0.3), DVec3::new(0.0, -0.4, 0.0));
        let (point, near) = enter(&plate, start, plate.proximity(start), start + way).unwrap();
        assert!((point.y - 1e-3).abs() < 1e-6 && near.normal == DVec3::Y, "{point} {near:?}");
        let beside = DVec3::new(1.1, 0.2, 0.3);
        assert!(enter(&plate, beside, plate.proximity(beside), beside + way).is_none());
    }
}
