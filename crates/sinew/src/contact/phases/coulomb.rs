//! Coulomb's law for bodies that slide on colliders.
//!
//! The limits of friction follow the forces from round to round, and the last forces have no round after them; speeds along normals may be replaced; rules weigh forces in other ways than an impulse does; and a
//! correction or restitution may change the momentum along the normal once more. The momentum P of a body shows what pressed in the end: J = ΔP − hF with the known forces F. A body that slides on a
//! surface with the normal n loses μ n·J along the surface, by every rule, with every correction, and over any time.
//!
//! Bodies get the difference as a whole, since single vertices would tremble by it, and are not turned around by it.

use super::Contact;
use crate::contact::impulses::{Pressed, Slide};
use crate::contact::rounds::Rounds;
use crate::contact::rows::{Contacts, Row};
use crate::integrator::Rule;
use crate::momentum::kinetic_energy;
use crate::next::{Next, Start};
use crate::pushes::Pushes;
use crate::topology::Component;
use glam::DVec3;

/// Sum of normal forces over the sum of their lengths above which they act on one surface.
const ONE_SURFACE: f64 = 0.999;

/// Makes the friction of components that slide on colliders that of the forces that act.
pub(super) fn follow_limits(start: Start, contact: &mut Contact, rule: Rule, next: &mut Next) {
    let topology = &start.model.topology;
    let impulse = rule.impulse(start.h);
    let Contact { rounds: Rounds { contacts, .. }, impulses, .. } = contact;
    let Next { x, v, .. } = next;
    // What rolls would have to turn as well.
    let component = |contacts: &Contacts, row: &Row| {
        let (first, _) = row.ends().find(|&(i, _)| i < contacts.points)?;
        let slips = row.force > 0.0 && row.lever.is_none() && contacts.meets_collider(row);
        slips.then(|| topology.labels[first] as usize)
    };
    impulses.slides.fill(Slide::default());
    for row in &contacts.rows {
        let Some(c) = component(contacts, row) else { continue };
        let own = row.ends().filter(|&(i, _)| i < contacts.points);
        let side: f64 = own.map(|(_, w)| w).sum();
        let slide = &mut impulses.slides[c];
        slide.missing += (row.friction - contacts.friction_at_limit(row, x).0) * (impulse * side);
        slide.weight += row.force;
        // By the limits that the solver had: those of the last forces tremble, and a body at rest would seem to slide.
        slide.sliding += if row.sliding { row.force } else { 0.0 };
        let speed = contacts.relative_velocity(row, start.h, |i| v[i]);
        slide.speed += row.along(speed) * (row.force * side.signum());
    }
    for (component, slide) in topology.components.iter().zip(&mut impulses.slides) {
        let change = slide.missing / component.mass;
        slide.follows =
            slide.sliding > 0.5 * slide.weight && !component.supported && !slide.is_turned_by(change);
        if slide.follows {
            component.vertices.iter().for_each(|&i| v[i as usize] += change);
        }
    }
    for k in 0..contacts.rows.len() {
        let row = contacts.rows[k];
        if component(contacts, &row).is_some_and(|c| impulses.slides[c].follows) {
            (contacts.rows[k].friction, contacts.rows[k].sliding) = contacts.friction_at_limit(&row, x);
        }
    }
}

/// Makes the friction of components that slide on one surface, and meet nothing else, μ times the impulse that presses on them.
pub(super) fn follow_momentum(
    start: Start,
    contacts: &Contacts,
    slides: &mut [Slide],
    pushes: &Pushes,
    next: &mut Next,
) {
    let Start { model, state, h, .. } = start;
    let topology = &model.topology;
    for (c, (component, slide)) in topology.components.iter().zip(slides).enumerate() {
        let grabbed = |corner: u32| topology.labels[corner as usize] as usize == c;
        if !slide.follows || state.controls.grabs().any(|(_, grab)| grabbed(grab.corners[0])) {
            continue;
        }
        let Some((normal, friction)) = one_surface(contacts, c, &topology.labels, &next.x) else { continue };
        let known = |i: usize| model.forces.gravity * model.masses[i] + pushes.force(model, i);
        let forces: DVec3 = component.vertices.iter().map(|&i| known(i as usize)).sum();
        let momentum = |v: &[DVec3]| component.linear_momentum(&model.masses, v);
        let impulse = momentum(&next.v) - momentum(&state.v) - forces * h;
        let along = impulse - normal * normal.dot(impulse);
        slide.change(component, (friction * -normal.dot(impulse) - along) / component.mass, &mut next.v);
        let momentum = normal.dot(momentum(&next.v));
        slide.pressed = Some(Pressed { normal, friction, momentum });
    }
}

/// The normal of the one surface that presses on a component, towards it, and Στ over Σf there. `None` where normals differ, since momentum does not tell which of them pressed, or where
/// another body presses, too.
fn one_surface(contacts: &Contacts, c: usize, labels: &[u32], x: &[DVec3]) -> Option<(DVec3, DVec3)> {
    let (mut push, mut friction, mut weight) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    let touches = |row: &&Row| row.ends().any(|(i, _)| i < contacts.points && labels[i] as usize == c);
    for row in contacts.rows.iter().filter(|row| row.force > 0.0).filter(touches) {
        if !contacts.meets_collider(row) {
            return None;
        }
        let side: f64 = row.ends().filter(|&(i, _)| i < contacts.points).map(|(_, w)| w).sum();
        push += row.normal * (row.force * side);
        friction += contacts.friction_at_limit(row, x).0 * side;
        weight += row.force * side.abs();
    }
    let length = push.length();
    (length > ONE_SURFACE * weight).then(|| (push / length, friction / length))
}

/// Lets friction follow what corrections and restitution have changed of the momentum along the normal since the solution; returns how much kinetic energy it took, J.
pub(crate) fn rub(start: Start, contact: &mut Contact, next: &mut Next) -> f64 {
    let model = start.model;
    let before = kinetic_energy(&model.masses, &next.v);
    for (component, slide) in model.topology.components.iter().zip(&mut contact.impulses.slides) {
        let Some(Pressed { normal, friction, momentum }) = slide.pressed else { continue };
        let pressed = normal.dot(component.linear_momentum(&model.masses, &next.v)) - momentum;
        slide.change(component, friction * (-pressed / component.mass), &mut next.v);
    }
    before - kinetic_energy(&model.masses, &next.v)
}

impl Slide {
    /// Whether a change of velocity would turn around what slides.
    fn is_turned_by(&self, change: DVec3) -> bool {
        let along = self.speed.normalize_or_zero();
        !change.is_finite() || change.dot(along) * self.weight < -self.speed.length()
    }

    /// Changes the velocity of a whole component, unless that would turn it around.
    fn change(&self, component: &Component, change: DVec3, v: &mut [DVec3]) {
        if !self.is_turned_by(change) {
            component.vertices.iter().for_each(|&i| v[i as usize] += change);
        }
    }
}
