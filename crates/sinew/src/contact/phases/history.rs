//! Rules that look back do not look across an impact.
//!
//! BDF2 expects the velocity to go on as it changed before, v = (4vₙ − vₙ₋₁)/3 without forces: a body that an impact stopped, vₙ = 0, would be thrown back at a third of its speed, and one that bounced would
//! leave faster than it came. The acceleration that generalised α carries would have the force of the impact in it. What met something gets a past that leads straight to where it is: xₙ₋₁ = xₙ − h vₙ,
//! vₙ₋₁ = vₙ, aₙ = 0.

use super::Contact;
use crate::model::Model;
use crate::state::State;
use glam::DVec3;

/// Makes straight the past of the components that met something in the step that has just been accepted: of those whose rows, weighted with their forces, approached by more than one step of gravity.
pub(super) fn forget_before_impacts(model: &Model, contact: &mut Contact, state: &mut State) {
    let Contact { rounds, impacts, .. } = contact;
    let (contacts, topology) = (&rounds.contacts, &model.topology);
    let h = state.history.h;
    impacts.fill((0.0, 0.0));
    for row in contacts.rows.iter().filter(|row| contacts.presses(row)) {
        let before = contacts.relative_velocity(row, h, |i| state.history.v[i]);
        let (force, approach) = (contacts.mean(row).0, -row.normal.dot(before));
        let mut last = None;
        for c in row.ends().filter(|&(i, _)| i < contacts.points).map(|(i, _)| topology.labels[i] as usize) {
            if last != Some(c) {
                impacts[c].0 += force * approach;
                impacts[c].1 += force;
                last = Some(c);
            }
        }
    }
    let least = model.forces.gravity.length() * h;
    for (component, &(approached, weight)) in topology.components.iter().zip(&*impacts) {
        if approached <= least * weight {
            continue;
        }
        for i in component.vertices.iter().map(|&i| i as usize).filter(|&i| !model.dofs.is_pinned(i)) {
            state.history.x[i] = state.x[i] - state.v[i] * h;
            state.history.v[i] = state.v[i];
            if state.history.accelerated {
                state.history.a[i] = DVec3::ZERO;
            }
        }
    }
}
