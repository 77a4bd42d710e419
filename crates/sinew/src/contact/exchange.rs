//! Energy that contacts exchange between bodies, colliders and heat in a step, and what they remember of it.
//!
//! *Moving colliders* do work. ΔE at fixed x, which is right for soft springs, would charge a stiff contact for a depth that it never
//! reaches; instead the work is force times displacement: W = Σ ½(λₙ + λ)n·Δs + f·Δs, with λₙ and λ the normal forces of the last step and of
//! this solve, f the friction and Δs the displacement of the collider at the contact point.
//!
//! *Friction* takes −f·h(v + v′)/2, v and v′ the sliding velocities before and after, less what the tangential spring stores. With −f·hv′, as
//! in backward Euler, the energy in the ledger would not be the energy that the change of momentum takes, and the difference would come back
//! as vibration.

use super::Response;
use super::contacts::{Contact, Contacts, Facing, Gap};
use super::memory::ContactMemory;
use super::skin::Skin;
use crate::placement::Placement;
use glam::DVec3;

/// Energy that contacts exchanged, J.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Exchange {
    /// Work that moving colliders did on the body.
    pub colliders: f64,
    /// Energy lost to friction.
    pub friction: f64,
}

/// A solved step as the exchange of its contacts is read off it.
#[derive(Clone, Copy)]
pub(crate) struct Passage<'a> {
    /// Positions and velocities at the start.
    pub start: &'a [DVec3],
    pub v: &'a [DVec3],
    /// Positions that the solver found.
    pub end: &'a [DVec3],
    pub h: f64,
    /// Places of the colliders before the step.
    pub before: &'a [Placement],
    pub memory: &'a [ContactMemory],
}

/// A summary of the contacts of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ContactReport {
    /// Number of contacts that exert a force.
    pub pressing: usize,
    /// Largest depth of a vertex below the triangle of a body that it is in contact with, as a share of the size of the vertex's body.
    pub depth: f64,
}

impl Exchange {
    /// Adds the report of another component.
    pub fn add(&mut self, other: &Self) {
        self.colliders += other.colliders;
        self.friction += other.friction;
    }

    /// Whether energy leaves the body.
    pub fn takes(&self) -> bool {
        self.friction > 0.0 || self.colliders < 0.0
    }

    /// Limits the energy that leaves to `most`, what the solution of the step has lost altogether. Forces at the end of a step times
    /// displacements over all of it are estimates, and can exceed that where little energy is left.
    pub fn limit(&mut self, most: f64) {
        let most = most.max(0.0);
        self.colliders = self.colliders.max(-most);
        self.friction = self.friction.min((most + self.colliders.min(0.0)).max(0.0));
    }
}

impl Contacts {
    /// Sets the Coulomb limits to the normal forces at `x`.
    pub(crate) fn update_limits(&mut self, x: &[DVec3]) {
        for k in 0..self.list.len() {
            let contact = self.list[k];
            if contact.grip.coefficient > 0.0 {
                self.list[k].grip.limit =
                    contact.grip.coefficient * self.force(&contact, &self.gap(&contact, x));
            }
        }
    }

    /// Displacement of the surface at the contact during the step, given the colliders' placements before it.
    fn way(&self, contact: &Contact, start: &[DVec3], end: &[DVec3], before: &[Placement]) -> DVec3 {
        match contact.facing {
            Facing::Solid { collider } | Facing::Face { collider, .. } => {
                let (old, new) = (&before[collider as usize], &self.placements[collider as usize]);
                let p = end[contact.vertex as usize];
                if old == new { DVec3::ZERO } else { p - old.apply(new.undo(p)) }
            }
            Facing::Triangle { corners, .. } => {
                let weights = contact.grip.anchor;
                (0..3).map(|k| (end[corners[k] as usize] - start[corners[k] as usize]) * weights[k]).sum()
            }
        }
    }

    /// Velocity of the surface at the contact, m/s; for a triangle, from the velocities of its corners.
    pub(crate) fn surface_velocity(
        &self,
        contact: &Contact,
        (x, v): (&[DVec3], &[DVec3]),
        weights: [f64; 3],
        before: &[Placement],
        h: f64,
    ) -> DVec3 {
        match contact.facing {
            Facing::Triangle { corners, .. } => (0..3).map(|k| v[corners[k] as usize] * weights[k]).sum(),
            _ => self.way(contact, x, x, before) / h,
        }
    }

    /// What the contacts of component `c` exchanged in a step.
    pub(crate) fn exchange(&self, c: usize, step: &Passage) -> Exchange {
        let Passage { start, end, before, memory, .. } = *step;
        let mut sum = Exchange::default();
        for contact in self.of(c) {
            let gap = self.gap(contact, end);
            let force = self.force(contact, &gap);
            let drag = self.drag(contact, end).1;
            if force == 0.0 && drag == DVec3::ZERO {
                continue;
            }
            let way = self.way(contact, start, end, before);
            let i = contact.vertex as usize;
            if !matches!(contact.facing, Facing::Triangle { .. }) && way != DVec3::ZERO {
                let remembered = memory[i].partner == contact.facing.partner();
                let earlier = if remembered { memory[i].force } else { 0.0 };
                sum.colliders += 0.5 * (earlier + force) * gap.normal.dot(way) + drag.dot(way);
            }
            sum.friction += self.slide(contact, step, way);
        }
        sum
    }

    /// Energy that one contact loses by sliding, J.
    fn slide(&self, contact: &Contact, step: &Passage, way: DVec3) -> f64 {
        let Passage { start, end, v, h, .. } = *step;
        if contact.grip.limit <= 0.0 {
            return 0.0;
        }
        let i = contact.vertex as usize;
        let surface = match contact.facing {
            Facing::Triangle { corners, .. } => {
                (0..3).map(|k| v[corners[k] as usize] * contact.grip.anchor[k]).sum()
            }
            _ => way / h,
        };
        let slid = ((v[i] - surface) * h + (end[i] - start[i] - way)) * 0.5;
        let work = -self.drag(contact, end).1.dot(slid);
        (work - self.stick(contact, end).0 + self.stick(contact, start).0).max(0.0)
    }

    /// Writes what the vertices remember for the next step. A vertex remembers the surface that pushes it hardest.
    pub(crate) fn remember(
        &self,
        skin: &Skin,
        x: &[DVec3],
        memory: &mut [ContactMemory],
        forgotten: &mut [ContactMemory],
    ) -> ContactReport {
        let mut report = ContactReport::default();
        // Contacts that continue use what they remembered before.
        forgotten.copy_from_slice(memory);
        memory.fill(ContactMemory::default());
        for contact in &self.list {
            let i = contact.vertex as usize;
            let gap = self.gap(contact, x);
            let force = self.force(contact, &gap);
            report.pressing += usize::from(force > 0.0);
            // A foot point outside the triangle is not above it.
            let over = gap.weights.iter().all(|&w| w >= 0.0);
            if over && matches!(contact.facing, Facing::Triangle { .. }) {
                report.depth = report.depth.max(-gap.distance / skin.size[i]);
            }
            if force <= memory[i].force {
                continue;
            }
            let partner = contact.facing.partner();
            let approach = forgotten[i].approach;
            let (anchor, face) = (self.hold(contact, x, force), self.face(contact, x, &gap));
            let remembered = ContactMemory { partner, force, approach, anchor, face };
            // An explosion that is still a state may be too far away to be remembered.
            if remembered.is_finite() {
                memory[i] = remembered;
            }
        }
        report
    }

    /// The face of a collider that a contact pushes against: normal and offset in the collider's frame.
    fn face(&self, contact: &Contact, x: &[DVec3], gap: &Gap) -> (DVec3, f64) {
        match contact.facing {
            Facing::Solid { collider } => {
                let placement = &self.placements[collider as usize];
                let normal = placement.rotation.conjugate() * gap.normal;
                (normal, normal.dot(placement.undo(x[contact.vertex as usize])) - gap.distance)
            }
            Facing::Face { point, normal, .. } => (normal, normal.dot(point)),
            Facing::Triangle { .. } => (DVec3::ZERO, 0.0),
        }
    }

    /// The first half of the cubic response: vertices inside a collider are projected onto its surface [dinev2018fepr, §3.2]. Here the
    /// projected positions are the solver's initial guess, so that no energy changes without an entry in the ledger.
    pub(crate) fn project(&self, x: &mut [DVec3]) {
        if self.response != Response::Cubic {
            return;
        }
        for contact in &self.list {
            let gap = self.gap(contact, x);
            if gap.distance < 0.0 && !matches!(contact.facing, Facing::Triangle { .. }) {
                x[contact.vertex as usize] -= gap.normal * gap.distance;
            }
        }
    }

    /// Where a contact sticks: its old anchor, dragged along where the vertex slid beyond what friction can hold.
    fn hold(&self, contact: &Contact, x: &[DVec3], force: f64) -> DVec3 {
        let slip = self.slip(contact, x);
        let length = slip.length();
        let reach = contact.friction.sliding * force / contact.stiffness;
        let sticking = contact.friction.sticking * force / contact.stiffness;
        if contact.grip.coefficient > 0.0 && length <= sticking {
            return contact.grip.anchor;
        }
        let kept = if length > 0.0 { slip * (reach / length).min(1.0) } else { DVec3::ZERO };
        let point = x[contact.vertex as usize] - kept;
        match contact.facing {
            Facing::Solid { collider } | Facing::Face { collider, .. } => {
                self.placements[collider as usize].undo(point)
            }
            Facing::Triangle { corners, side, .. } => {
                let corners = corners.map(|k| x[k as usize]);
                DVec3::from(super::contacts::above_triangle(point, corners, side).weights)
            }
        }
    }
}
