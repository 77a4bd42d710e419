//! Inelastic contacts: bodies separate at most e times as fast as they approached.
//!
//! A row takes an impact without a bounce; what throws a body back is its own elasticity, and the correction, which returns all the energy that an impact took. Newton's law of restitution is
//! applied where the motion reverses: what separates faster than e times its speed of approach is slowed down to that, first at each row along its normal, by opposite impulses,
//! then the whole component along the mean normal of its contacts with colliders. The ledger has an entry for the loss.

use super::Contact;
use crate::contact::rows::Contacts;
use crate::next::{Next, Start};
use crate::state::State;
use glam::DVec3;

/// Loads the speeds of approach that a step starts with.
pub(crate) fn recall(state: &State, next: &mut Next) {
    next.approach.copy_from_slice(&state.approach);
}

/// Stores speeds of approach and slows down what separates too fast. The caller makes the velocities of bones agree.
pub(crate) fn bounce(start: Start, contact: &mut Contact, next: &mut Next) {
    let Contact { rounds, impulses, .. } = contact;
    let (model, h) = (start.model, start.h);
    let Next { x, v, approach, .. } = next;
    let contacts = &mut rounds.contacts;
    impulses.read(model, contacts, x, v);
    for k in 0..contacts.rows.len() {
        let row = contacts.rows[k];
        if !contacts.presses(&row) {
            continue;
        }
        let meeting = -row.normal.dot(contacts.relative_velocity(&row, h, |i| start.state.v[i]));
        let fastest = if row.began { meeting.max(0.0) } else { row.approach.max(meeting) };
        contacts.rows[k].approach = fastest;
        if row.law.restitution >= 1.0 {
            continue;
        }
        let parting = row.normal.dot(contacts.relative_velocity(&row, h, |i| impulses.velocity(i, x, v)));
        let excess = parting - row.law.restitution * fastest;
        let give = impulses.give(model, &row, row.normal, x);
        if excess > 0.0 && give > 0.0 {
            impulses.apply(model, &row, row.normal * (-excess / give), x, v);
        }
    }
    impulses.write(model, x, v);
    for (c, approach) in approach.iter_mut().enumerate() {
        slow_component(start, contacts, c, approach, v);
    }
}

fn slow_component(start: Start, contacts: &Contacts, c: usize, approach: &mut f64, v: &mut [DVec3]) {
    let (model, h) = (start.model, start.h);
    let (mut normal, mut surface, mut weight, mut restitution) = (DVec3::ZERO, DVec3::ZERO, 0.0, 0.0);
    for row in contacts.of_group(&[c], &model.topology.labels).filter(|row| contacts.meets_collider(row)) {
        let collider = contacts.relative_velocity(row, h, |_| DVec3::ZERO);
        let side: f64 = row.ends().filter(|&(i, _)| i >= contacts.points).map(|(_, w)| w).sum();
        let force = contacts.mean(row).0;
        normal -= row.normal * (force * side.signum());
        surface += collider * (force * side.signum());
        weight += force;
        restitution += row.law.restitution * force;
    }
    let Some(normal) = normal.try_normalize().filter(|_| weight > 0.0) else {
        *approach = 0.0;
        return;
    };
    let component = &model.topology.components[c];
    if component.supported || restitution >= weight {
        return;
    }
    let masses = &model.masses;
    let drift = |v: &[DVec3]| -> DVec3 {
        component.vertices.iter().map(|&i| v[i as usize] * masses[i as usize]).sum::<DVec3>() / component.mass
    };
    let surface = surface / weight;
    *approach = approach.max(-normal.dot(drift(&start.state.v) - surface));
    let excess = normal.dot(drift(v) - surface) - restitution / weight * *approach;
    if excess > 0.0 {
        component.vertices.iter().for_each(|&i| v[i as usize] -= normal * excess);
    }
}
