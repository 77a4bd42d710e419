//! Forces of joints, computed from a solved step: where ∇g of the objective does not vanish, forces other than those of potentials act. Over a whole bone,
//! the forces of rigidity cancel.

use crate::momentum::InvertedInertia;
use crate::objective::Objective;
use crate::skeleton::articulation::Hold;
use crate::skeleton::rig::Rig;
use crate::state::State;
use glam::DVec3;

/// Velocities of bones for the rules that reflect them, v₁ = 2(x − xₙ)/h − vₙ: implicit midpoint and Newmark.
///
/// Constraints hold at the end of a step, so their forces have the directions of the end: good enough for positions, but only first order for
/// velocities. The reflection gives a point the impulse j = 2/h · m(x − xₙ − h vₙ), of which 2/h · ∇g comes from constraints and the rest from
/// known forces: at the middle of the step (midpoint) or at both of its ends (Newmark). So a bone's momenta change by what acts at the middle:
/// P₁ = Pₙ + Σ j, L₁ = Lₙ + Σ r_mid × j over the known forces and those of the tree's joints; a spinning bone then conserves L whatever its
/// angle. `gradient` is ∇g at x; the caller makes the velocities consistent with all joints.
pub(super) fn reflected_motion(
    objective: &Objective,
    state: &State,
    rig: &mut Rig,
    gradient: &[DVec3],
    x: &[DVec3],
    v: &mut [DVec3],
) {
    let (model, h) = (objective.model, objective.h);
    let skeleton = &model.skeleton;
    rig.read(model, &state.x);
    rig.kept.clone_from(&rig.frames);
    rig.read(model, x);
    let Rig { frames, kept: before, systems, .. } = rig;
    for (articulation, system) in skeleton.articulations.iter().zip(systems) {
        for (twist, &bone) in system.twists.iter_mut().zip(&articulation.bones) {
            let sum: DVec3 = skeleton.bones[bone].points.iter().map(|&i| gradient[i as usize]).sum();
            *twist = (DVec3::ZERO, sum * (2.0 / h));
        }
        // Impulses of the tree's joints, including those of everything that hangs on them.
        for (k, hold) in articulation.holds.iter().enumerate().rev() {
            if let Hold::Joint { parent, .. } = hold
                && let Some(p) = parent.place()
            {
                let impulse = system.twists[k].1;
                system.twists[p].1 += impulse;
            }
        }
        for k in 0..articulation.bones.len() {
            let bone = &skeleton.bones[articulation.bones[k]];
            let (start, end) = (before[articulation.bones[k]], frames[articulation.bones[k]]);
            let middle = (start.place + end.place) * 0.5;
            let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
            for &i in &bone.points {
                let i = i as usize;
                let reflected = (x[i] - state.x[i] - state.v[i] * h) * model.masses[i];
                let known = (reflected - gradient[i]) * (2.0 / h);
                linear += known;
                angular += ((state.x[i] + x[i]) * 0.5 - middle).cross(known);
            }
            let halfway = (start.turn + end.turn) * 0.5;
            if let Hold::Joint { arm, .. } = articulation.holds[k] {
                linear += system.twists[k].1;
                angular += (halfway * arm).cross(system.twists[k].1);
            }
            for (child, hold) in articulation.holds.iter().enumerate() {
                if let Hold::Joint { parent, at, .. } = hold
                    && parent.place() == Some(k)
                {
                    linear -= system.twists[child].1;
                    angular -= (halfway * *at).cross(system.twists[child].1);
                }
            }
            let (drift, omega) = bone.motion(&model.masses, &state.x, &state.v);
            let angular = bone.inertia(&start) * omega + angular;
            let omega = InvertedInertia::new(bone.inertia(&end)).angular_velocity(angular);
            bone.set_in_motion(end.place, (drift + linear / bone.mass, omega), x, v);
        }
    }
}
