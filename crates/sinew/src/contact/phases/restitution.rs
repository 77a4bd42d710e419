//! Inelastic contacts: bodies separate at most e times as fast as they approached.
//!
//! A row takes an impact without a bounce; what throws a body back is its own elasticity, and the correction, which returns all the energy that an impact took. Newton's law of restitution is
//! applied where the motion reverses: what separates faster than e times its speed of approach is slowed down to that, first at each row along its normal, by opposite impulses,
//! then the whole component along the mean normal of its contacts with colliders. The ledger has an entry for the loss.

use super::Contact;
use crate::contact::rows::Contacts;
use crate::momentum::{Inertia, InvertedInertia, Momenta};
use crate::next::{Next, Start};
use crate::state::State;
use glam::DVec3;

/// What gets up more slowly than this share of one step of gravity lies still.
const QUIET: f64 = 0.05;

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
        slow_component(start, contacts, c, x, approach, v);
    }
}

/// The law for a component as a whole, as if it were rigid, where colliders press in the mean: what tips over an edge goes up in the middle, and does not part from the edge. What lies still must not
/// get up at all, or the trembling of its pressure would lift it.
fn slow_component(
    start: Start,
    contacts: &Contacts,
    c: usize,
    x: &[DVec3],
    approach: &mut f64,
    v: &mut [DVec3],
) {
    let (model, h) = (start.model, start.h);
    let (mut normal, mut surface, mut weight, mut restitution) = (DVec3::ZERO, DVec3::ZERO, 0.0, 0.0);
    let mut pressed = DVec3::ZERO;
    for row in contacts.of_group(&[c], &model.topology.labels).filter(|row| contacts.meets_collider(row)) {
        let collider = contacts.relative_velocity(row, h, |_| DVec3::ZERO);
        let side: f64 = row.ends().filter(|&(i, _)| i >= contacts.points).map(|(_, w)| w).sum();
        let force = contacts.mean(row).0;
        normal -= row.normal * (force * side.signum());
        surface += collider * (force * side.signum());
        let own = row.ends().filter(|&(i, _)| i < contacts.points);
        pressed += own.map(|(i, w)| x[i] * (w * -side.signum())).sum::<DVec3>() * force;
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
    let points = component.vertices.iter().map(|&i| i as usize);
    let masses = &model.masses;
    let momenta = |x: &[DVec3], v: &[DVec3]| Momenta::over(points.clone().map(|i| (masses[i], x[i], v[i])));
    let surface = surface / weight;
    *approach = approach.max(-normal.dot(momenta(&start.state.x, &start.state.v).drift() - surface));
    let allowed = restitution / weight * *approach;
    let now = momenta(x, v);
    let lift = normal.dot(now.drift() - surface) - allowed;
    if lift <= QUIET * model.forces.gravity.length() * h {
        points.for_each(|i| v[i] -= normal * lift.max(0.0));
        return;
    }
    let mut inertia = Inertia::default();
    points.clone().for_each(|i| inertia.add(masses[i], x[i] - now.center));
    let inertia = InvertedInertia::new(inertia.matrix());
    let arm = pressed / weight - now.center;
    let excess = lift + normal.dot(inertia.angular_velocity(now.angular).cross(arm));
    if excess > 0.0 {
        let turn = inertia.angular_velocity(arm.cross(normal));
        let impulse = excess / (1.0 / component.mass + turn.cross(arm).dot(normal));
        points.for_each(|i| v[i] -= (normal / component.mass + turn.cross(x[i] - now.center)) * impulse);
    }
}
