//! What slides is on its parabola.
//!
//! Backward Euler moves a body by h v′ where its momentum says h(v + v′)/2, and other rules by what it was before friction followed the impulse that presses. A free body is put back on its parabola by the correction. A body that slides along a surface
//! is free in its directions Π along the surface, so there it is moved to where its momenta before and after say, Π(x̄ₙ + ½h(P + P′)/M); with that the work of weight, wind and friction on its way is exactly its
//! change of kinetic energy. Otherwise the difference would come back as vibration.
//!
//! A sphere or a capsule is free to roll, whether friction holds or not, and its rotation is moved back like its place: by ½hΔω.

use super::Contact;
use crate::budgets::{Budgets, GroupView, Support};
use crate::correction::normals_free;
use crate::integrator::Integrator;
use crate::model::Model;
use crate::next::{Next, Start};
use glam::{DMat3, DQuat, DVec3};

/// Puts the bodies that slide on their parabolas.
pub(super) fn follow_parabolas(start: Start, contact: &mut Contact, next: &mut Next, budgets: &Budgets) {
    let Start { model, state, integrator, h, .. } = start;
    let euler =
        integrator == Integrator::BackwardEuler || (integrator == Integrator::Bdf2 && !start.has_past());
    for number in budgets.groups() {
        let group = budgets.group(model, number);
        if group.support != Support::Pushed {
            continue;
        }
        let Some(along) = sliding(&contact.rounds.contacts, &group, &model.topology.labels) else { continue };
        let component = group.component;
        let behind = |i: usize| (state.v[i] + next.v[i]) * (0.5 * h) - (next.x[i] - state.x[i]);
        let sum: DVec3 =
            component.vertices.iter().map(|&i| behind(i as usize) * model.masses[i as usize]).sum();
        let shift = along * sum / component.mass;
        if shift == DVec3::ZERO || !shift.is_finite() {
            continue;
        }
        component.vertices.iter().for_each(|&i| next.x[i as usize] += shift);
        if euler && let Some(k) = rolling_bone(model, &contact.rounds.contacts, &group) {
            let bone = &model.skeleton.bones[k];
            let masses = &model.masses;
            let (_, before) = bone.motion(masses, &state.x, &state.v);
            let (drift, after) = bone.motion(masses, &next.x, &next.v);
            let center = bone.center_at(masses, &next.x);
            let turn = DQuat::from_scaled_axis((after - before) * (-0.5 * h));
            for &i in &bone.points {
                let x = &mut next.x[i as usize];
                *x = center + turn * (*x - center);
            }
            bone.set_in_motion(center, (drift, after), &next.x, &mut next.v);
        }
        if !contact.rounds.passage.admits(&next.x, &component.vertices) {
            let kept = contact.rounds.passage.points();
            component.vertices.iter().for_each(|&i| next.x[i as usize] = kept[i as usize]);
        }
    }
}

/// The bone of a group that is one round body and nothing else.
fn rolling_bone(model: &Model, contacts: &super::Contacts, group: &GroupView) -> Option<usize> {
    let &[c] = group.members else { return None };
    let row = contacts.of_group(group.members, &model.topology.labels).find(|row| !row.lever.is_none())?;
    let (point, _) = row.lever.ends().find(|&(i, _)| model.topology.labels[i] as usize == c)?;
    let bones = &model.skeleton.bones;
    let bone = bones.iter().position(|bone| bone.points.contains(&(point as u32)))?;
    (bones[bone].points.len() == group.component.vertices.len()).then_some(bone)
}

/// Projector onto the directions along the surfaces that a group presses on, if most of it slides there and did press before.
fn sliding(contacts: &super::Contacts, group: &GroupView, labels: &[u32]) -> Option<DMat3> {
    let (mut normals, mut weight, mut held, mut before) = (DMat3::ZERO, 0.0, 0.0, 0.0);
    for row in contacts.of_group(group.members, labels).filter(|row| contacts.meets_collider(row)) {
        let force = row.force;
        normals += crate::math::outer(row.normal * force, row.normal);
        weight += force;
        before += force.min(row.began_with);
        let rolls = group.members.len() == 1 && !row.lever.is_none();
        if row.law.friction.sticking > 0.0 && !row.sliding && !rolls {
            held += force;
        }
    }
    // In an impact neither way is right.
    (weight > 0.0 && held < 0.5 * weight && before > 0.5 * weight)
        .then(|| normals_free(normals * (1.0 / weight)))
}
