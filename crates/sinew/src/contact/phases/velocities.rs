//! Velocities at the contacts of a solution.
//!
//! The rules find velocities from places. Backward Euler's are those of the way that was gone, and at a contact that is right: what was stopped, stands. Others look
//! back: the midpoint rule reflects the old velocity at that of the way, so that a vertex that is stopped within the step is thrown back, and BDF2 sees two ways.
//! There the speed along the normals of rows that press is replaced by that of the way, n·Δz/h.
//!
//! Rows are equal and opposite, but a solve that was broken off, or cut short by the filter, leaves momentum open: a group that nothing else acts on gets it back.

use super::{Contact, coulomb};
use crate::budgets::{Budgets, Support};
use crate::contact::impulses::Impulses;
use crate::contact::rounds::Rounds;
use crate::contact::rows::Contacts;
use crate::integrator::{Rule, VelocityUpdate};
use crate::next::{Next, Start};
use crate::pushes::Pushes;
use glam::DVec3;

/// Share of its limit below which friction holds.
const AT_LIMIT: f64 = 1.0 - 1e-9;
/// Sweeps over the rows.
const SWEEPS: usize = 10;

/// Makes the velocities of a solution what its contacts say. Returns whether they changed.
pub(crate) fn settle_velocities(
    start: Start,
    contact: &mut Contact,
    rule: Rule,
    pushes: &Pushes,
    next: &mut Next,
) -> bool {
    let contacts = &contact.rounds.contacts;
    if !contacts.rows.iter().any(|row| contacts.presses(row)) {
        return false;
    }
    coulomb::follow_limits(start, contact, rule, next);
    let Contact { rounds: Rounds { contacts, .. }, impulses, .. } = contact;
    let Next { x, v, .. } = next;
    impulses.read(start.model, contacts, x, v);
    let touched = replace_normal_speeds(start, contacts, impulses, rule, (x, v));
    if touched {
        impulses.write(start.model, x, v);
    }
    coulomb::follow_momentum(start, contacts, &mut impulses.slides, pushes, next);
    touched
}

/// The same for an inner stage, which ends at the time `when`, as a share of h.
pub(crate) fn settle_inner(start: Start, contact: &mut Contact, (rule, when): (Rule, f64), next: &mut Next) {
    coulomb::follow_limits(start, contact, rule, next);
    let Contact { rounds: Rounds { contacts, .. }, impulses, .. } = contact;
    let Next { x, v, .. } = next;
    impulses.read(start.model, contacts, x, v);
    let stage = Start { h: when * start.h, ..start };
    if replace_normal_speeds(stage, contacts, impulses, rule, (x, v)) {
        impulses.write(start.model, x, v);
    }
}

/// Replaces the speeds along the normals of rows that press by those of the way that was gone.
fn replace_normal_speeds(
    start: Start,
    contacts: &mut Contacts,
    impulses: &mut Impulses,
    rule: Rule,
    (x, v): (&[DVec3], &mut [DVec3]),
) -> bool {
    let (model, state, h) = (start.model, start.state, start.h);
    let reflects = rule.velocity == VelocityUpdate::Reflection;
    let impulse = rule.impulse(h);
    let gone = |i: usize| if i < x.len() { (x[i] - state.x[i]) / h } else { DVec3::ZERO };
    let mut any = false;
    let least = model.forces.gravity.length() * h;
    let count = contacts.rows.len();
    for k in (0..SWEEPS).flat_map(|_| 0..count) {
        let row = contacts.rows[k];
        // BDF2 looks back two steps; in a contact that lasts these agree.
        let concerned = contacts.presses(&row)
            && match rule.velocity {
                VelocityUpdate::Difference | VelocityUpdate::Sdirk2Inner => false,
                VelocityUpdate::Reflection => true,
                // The last stage would take what stops in the inner one to go on slowing down: it would be thrown back, whether the contact began in this step or just before.
                VelocityUpdate::Sdirk2 | VelocityUpdate::TrBdf2 | VelocityUpdate::TrBdf2Inner => {
                    let before = contacts.relative_velocity(&row, h, |i| state.v[i]);
                    row.began || -row.normal.dot(before) > least
                }
                _ => row.began,
            };
        if !concerned {
            continue;
        }
        let n = row.normal;
        let way = contacts.relative_velocity(&row, h, gone);
        let speed = contacts.relative_velocity(&row, h, |i| impulses.velocity(i, x, v));
        let give = impulses.give(model, &row, n, x);
        if give > 0.0 {
            let j = n.dot(way - speed) / give;
            // Friction follows the force that is left.
            impulses.apply(model, &row, n * j, x, v);
            let (force, friction) = contacts.mean(&row);
            impulses.apply_friction(model, &row, friction * (-j / force), x, v);
            any = true;
        }
        // The midpoint rule throws back what sticks, too.
        let limit = row.law.coefficient() * row.force;
        if reflects && row.lever.is_none() && row.friction.length() < AT_LIMIT * limit {
            let speed = contacts.relative_velocity(&row, h, |i| impulses.velocity(i, x, v));
            let off = row.along(way - speed);
            let give = impulses.give(model, &row, off.normalize_or_zero(), x);
            if give > 0.0 {
                let friction = (row.friction - off / (give * impulse)).clamp_length_max(limit);
                impulses.apply_friction(model, &row, (row.friction - friction) * impulse, x, v);
                contacts.rows[k].friction = friction;
                any = true;
            }
        }
    }
    any
}

/// Gives groups that nothing but gravity acts on the momentum that contacts within them cannot have changed.
pub(super) fn return_momentum(start: Start, next: &mut Next, budgets: &Budgets) {
    let Start { model, state, h, .. } = start;
    for number in budgets.groups() {
        let group = budgets.group(model, number);
        if group.support != Support::Free {
            continue;
        }
        let component = group.component;
        let lost = |i: usize| (state.v[i] + model.forces.gravity * h - next.v[i]) * model.masses[i];
        let change = component.vertices.iter().map(|&i| lost(i as usize)).sum::<DVec3>() / component.mass;
        component.vertices.iter().for_each(|&i| next.v[i as usize] += change);
    }
}
