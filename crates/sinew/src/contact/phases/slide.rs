//! What slides is on its parabola.
//!
//! Backward Euler moves a body by h v′ where its momentum says h(v + v′)/2. A free body is put back on its parabola by the correction. A body that slides along a surface
//! is free in its directions Π along the surface, so there it is moved back by ½h ΠΔP/M; with that the work of weight, wind and friction on its way is exactly its
//! change of kinetic energy. Otherwise the difference would come back as vibration.

use super::Contact;
use crate::budgets::{Budgets, GroupView, Support};
use crate::correction::normals_free;
use crate::integrator::Integrator;
use crate::next::{Next, Start};
use glam::{DMat3, DVec3};

/// Puts the bodies that slide on their parabolas.
pub(super) fn follow_parabolas(start: Start, contact: &mut Contact, next: &mut Next, budgets: &Budgets) {
    let Start { model, state, integrator, h, .. } = start;
    let euler =
        integrator == Integrator::BackwardEuler || (integrator == Integrator::Bdf2 && !start.has_past());
    if !euler {
        return;
    }
    for number in budgets.groups() {
        let group = budgets.group(model, number);
        if group.support != Support::Pushed {
            continue;
        }
        let Some(along) = sliding(&contact.rounds.contacts, &group, &model.topology.labels) else { continue };
        let component = group.component;
        let gained = |i: usize| (next.v[i] - state.v[i]) * model.masses[i];
        let change: DVec3 = component.vertices.iter().map(|&i| gained(i as usize)).sum();
        let shift = along * change * (-0.5 * h / component.mass);
        if shift == DVec3::ZERO || !shift.is_finite() {
            continue;
        }
        component.vertices.iter().for_each(|&i| next.x[i as usize] += shift);
        if !contact.rounds.passage.admits(&next.x, &component.vertices) {
            component.vertices.iter().for_each(|&i| next.x[i as usize] -= shift);
        }
    }
}

/// Projector onto the directions along the surfaces that a group presses on, if most of it slides there and did press before.
fn sliding(contacts: &super::Contacts, group: &GroupView, labels: &[u32]) -> Option<DMat3> {
    let (mut normals, mut weight, mut held, mut before) = (DMat3::ZERO, 0.0, 0.0, 0.0);
    for row in contacts.of_group(group.members, labels).filter(|row| contacts.meets_collider(row)) {
        let force = row.force;
        normals += crate::math::outer(row.normal * force, row.normal);
        weight += force;
        before += force.min(row.began_with);
        if row.law.friction.sticking > 0.0 && !row.sliding {
            held += force;
        }
    }
    // In an impact neither way is right.
    (weight > 0.0 && held < 0.5 * weight && before > 0.5 * weight)
        .then(|| normals_free(normals * (1.0 / weight)))
}
