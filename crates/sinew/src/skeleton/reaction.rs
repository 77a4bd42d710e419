//! What joints and hands do to bones, read off a solved step.
//!
//! Where ∇g of the objective does not vanish something else than potentials held: with G = ∇g/(αβh²) at the solution the forces of rigidity and of
//! joints on a point are G, since M(x − y)/(αβh²) = −∇E + G. On a bone as a whole those of rigidity cancel.

use super::articulation::Hold;
use super::rig::Rig;
use crate::model::Model;
use crate::momentum::InvertedInertia;
use crate::objective::Objective;
use crate::state::State;
use glam::{DMat3, DQuat, DVec3};

/// αβh².
fn force_scale(objective: &Objective) -> f64 {
    objective.rule.alpha * objective.rule.beta * objective.h * objective.h
}

/// Velocities of bones for the implicit midpoint rule.
///
/// Constraints hold at the end of a step, and so their forces point as they should there: good enough for places, but to first order only for
/// velocities. So a bone's momenta change by the impulse that acts at the middle: P₁ = Pₙ + h F, L₁ = Lₙ + h Σ r_mid × f, with the forces of the potentials
/// and of the tree's joints; a spinning bone then keeps L whatever its angle. `gradient` is ∇g at x; velocities are made consistent
/// with all joints by whoever calls.
pub(crate) fn midpoint_motion(
    objective: &Objective,
    state: &State,
    rig: &mut Rig,
    gradient: &[DVec3],
    x: &[DVec3],
    v: &mut [DVec3],
) {
    let (model, h, scale) = (objective.model, objective.h, force_scale(objective));
    let skeleton = &model.skeleton;
    rig.read(model, &state.x);
    rig.kept.clone_from(&rig.frames);
    rig.read(model, x);
    let Rig { frames, kept: before, systems, .. } = rig;
    for (articulation, system) in skeleton.articulations.iter().zip(systems) {
        for (twist, &bone) in system.twists.iter_mut().zip(&articulation.bones) {
            let sum: DVec3 = skeleton.bones[bone].points.iter().map(|&i| gradient[i as usize]).sum();
            *twist = (DVec3::ZERO, sum / scale);
        }
        // Forces of the tree's joints: of all that hangs on them.
        for (k, hold) in articulation.holds.iter().enumerate().rev() {
            if let Hold::Joint { parent, .. } = hold
                && let Some(p) = parent.place()
            {
                let force = system.twists[k].1;
                system.twists[p].1 += force;
            }
        }
        for k in 0..articulation.bones.len() {
            let bone = &skeleton.bones[articulation.bones[k]];
            let (start, end) = (before[articulation.bones[k]], frames[articulation.bones[k]]);
            let middle = (start.place + end.place) * 0.5;
            let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
            for &i in &bone.points {
                let i = i as usize;
                let f = (objective.y[i] - x[i]) * (-model.masses[i] / scale) - gradient[i] / scale;
                force += f;
                torque += ((state.x[i] + x[i]) * 0.5 - middle).cross(f);
            }
            let halfway = (start.turn + end.turn) * 0.5;
            if let Hold::Joint { arm, .. } = articulation.holds[k] {
                force += system.twists[k].1;
                torque += (halfway * arm).cross(system.twists[k].1);
            }
            for (child, hold) in articulation.holds.iter().enumerate() {
                if let Hold::Joint { parent, at, .. } = hold
                    && parent.place() == Some(k)
                {
                    force -= system.twists[child].1;
                    torque -= (halfway * *at).cross(system.twists[child].1);
                }
            }
            let (drift, omega) = bone.motion(&model.masses, &state.x, &state.v);
            let angular = bone.inertia(&start) * omega + torque * h;
            let omega = InvertedInertia::new(bone.inertia(&end)).angular_velocity(angular);
            bone.set_in_motion(end.place, (drift + force * (h / bone.mass), omega), x, v);
        }
    }
}

/// The rotation vector from one orientation to another.
fn turn_between(from: DMat3, to: DMat3) -> DVec3 {
    DQuat::from_mat3(&(to * from.transpose())).normalize().to_scaled_axis()
}

/// Work that bones which are moved by hand do on each component, J: on flesh that hangs on them, force times way with the mean of both ends; through
/// joints, what the joints' forces do on the bones that they move. `gradients` are ∇E at the start and ∇g at the end.
pub(crate) fn work_of_hands(
    objective: &Objective,
    state: &State,
    rig: &mut Rig,
    (before, after): (&[DVec3], &[DVec3]),
    x: &[DVec3],
    mut pay: impl FnMut(usize, f64),
) {
    let (model, scale) = (objective.model, force_scale(objective));
    let skeleton = &model.skeleton;
    let mut moved = false;
    for bone in skeleton.bones.iter().filter(|b| b.kinematic) {
        for &i in &bone.points {
            let i = i as usize;
            let way = x[i] - state.x[i];
            if way != DVec3::ZERO {
                moved = true;
                pay(model.labels[i] as usize, (before[i] + after[i] / scale).dot(way) * 0.5);
            }
        }
    }
    if !moved {
        return;
    }
    rig.read(model, &state.x);
    rig.kept.clone_from(&rig.frames);
    rig.read(model, x);
    for articulation in skeleton.articulations.iter().filter(|a| a.is_grounded()) {
        for &bone in &articulation.bones {
            let (start, end) = (rig.kept[bone], rig.frames[bone]);
            let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
            for &i in &skeleton.bones[bone].points {
                force += after[i as usize];
                torque += (x[i as usize] - end.place).cross(after[i as usize]);
            }
            let work = force.dot(end.place - start.place) + torque.dot(turn_between(start.turn, end.turn));
            pay(articulation.component, work / scale);
        }
    }
}

/// Whether somebody moves a bone in this step.
pub(crate) fn is_moved(model: &Model, state: &State) -> bool {
    let moved = |id: usize| state.requested.bones[id] != state.surroundings.bones[id];
    (0..model.skeleton.ids.len())
        .any(|id| moved(id) && model.skeleton.bones[model.skeleton.ids[id]].kinematic)
}
