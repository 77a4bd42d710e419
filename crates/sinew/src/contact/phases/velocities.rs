//! Velocities at the contacts of a solution.
//!
//! The rules find velocities from places. Backward Euler's are those of the way that was gone, and at a contact that is right: what was stopped, stands. Others look
//! back: the midpoint rule reflects the old velocity at that of the way, so that a vertex that is stopped within the step is thrown back, and BDF2 sees two ways.
//! There the speed along the normals of rows that press is replaced by that of the way, n·Δz/h.
//!
//! Rows are equal and opposite, but a solve that was broken off, or cut short by the filter, leaves momentum open: a group that nothing else acts on gets it back.

use super::Contact;
use crate::budgets::{Budgets, Support};
use crate::contact::impulses::Impulses;
use crate::contact::rows::{Contacts, Row};
use crate::integrator::{Rule, VelocityUpdate};
use crate::next::{Next, Start};
use glam::DVec3;

/// Sweeps over the rows.
const SWEEPS: usize = 10;

/// Makes the velocities of a solution what its contacts say. Returns whether they changed.
pub(crate) fn settle_velocities(start: Start, contact: &mut Contact, rule: Rule, next: &mut Next) -> bool {
    let Contact { rounds, impulses, .. } = contact;
    let contacts = &mut rounds.contacts;
    if !contacts.rows.iter().any(|row| row.force > 0.0) {
        return false;
    }
    let Next { x, v, .. } = next;
    impulses.read(start.model, contacts, x, v);
    let touched = replace_normal_speeds(start, contacts, impulses, rule.velocity, (x, v));
    if touched {
        impulses.write(start.model, x, v);
    }
    touched
}

/// Replaces the speeds along the normals of rows that press by those of the way that was gone.
fn replace_normal_speeds(
    start: Start,
    contacts: &Contacts,
    impulses: &mut Impulses,
    update: VelocityUpdate,
    (x, v): (&[DVec3], &mut [DVec3]),
) -> bool {
    let (model, state, h) = (start.model, start.state, start.h);
    // BDF2 looks back two steps; in a contact that lasts these agree.
    let concerned = |row: &&Row| match update {
        VelocityUpdate::Difference => false,
        VelocityUpdate::Reflection => row.force > 0.0,
        _ => row.force > 0.0 && row.began,
    };
    let gone = |i: usize| if i < x.len() { (x[i] - state.x[i]) / h } else { DVec3::ZERO };
    let mut any = false;
    for _ in 0..SWEEPS {
        for row in contacts.rows.iter().filter(concerned) {
            let n = row.normal;
            let speed = n.dot(contacts.relative_velocity(row, h, |i| impulses.velocity(i, x, v)));
            let give = impulses.give(model, row, n, x);
            if give > 0.0 {
                let j = (n.dot(contacts.relative_velocity(row, h, gone)) - speed) / give;
                // Friction follows the force that is left.
                impulses.apply(model, row, n * j, x, v);
                impulses.apply_friction(model, row, row.friction * (-j / row.force), x, v);
                any = true;
            }
        }
    }
    any
}

/// Gives groups that nothing but gravity acts on the momentum that contacts within them cannot have changed.
pub(super) fn return_momentum(start: Start, contacts: &Contacts, next: &mut Next, budgets: &Budgets) {
    let Start { model, state, h, .. } = start;
    for number in budgets.groups() {
        let group = budgets.group(model, number);
        if group.support != Support::Free || contacts.is_empty() {
            continue;
        }
        let component = group.component;
        let lost = |i: usize| (state.v[i] + model.forces.gravity * h - next.v[i]) * model.masses[i];
        let change = component.vertices.iter().map(|&i| lost(i as usize)).sum::<DVec3>() / component.mass;
        component.vertices.iter().for_each(|&i| next.v[i as usize] += change);
    }
}
