//! Forces of joints and kinematic bones, computed from a solved step.
//!
//! Where ∇g of the objective does not vanish, forces other than those of potentials act: with G = ∇g/(αβh²) at the solution, the forces of
//! rigidity and of joints on a point are G, since M(x − y)/(αβh²) = −∇E + G. Over a whole bone, the forces of rigidity cancel.

use crate::momentum::InvertedInertia;
use crate::objective::Objective;
use crate::pushes::Pushes;
use crate::skeleton::articulation::{Articulation, Hold};
use crate::skeleton::bone::{Frame, RigidBone, turn_between};
use crate::skeleton::rig::Rig;
use crate::state::State;
use crate::topology::Component;
use glam::DVec3;

/// αβh².
fn force_scale(objective: &Objective) -> f64 {
    objective.rule.alpha * objective.rule.beta * objective.h * objective.h
}

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

/// A solved step, from which the work of kinematic bones is computed.
pub(super) struct Reading<'a> {
    pub objective: &'a Objective<'a>,
    pub state: &'a State,
    pub pushes: &'a Pushes,
    /// ∇E at the start and ∇g at the end.
    pub before: &'a [DVec3],
    pub after: &'a [DVec3],
    /// Positions and velocities at the end.
    pub x: &'a [DVec3],
    pub v: &'a [DVec3],
}

impl Reading<'_> {
    /// Work that kinematic bones do on each component, J.
    ///
    /// If a single kinematic bone is all that holds a component, the momenta change only by its force and by gravity: W = F·Δt + τ·Δθ with h
    /// F = ΔP − h Mg and hτ = ΔL − h Σ r×mg about the bone (wind is treated like gravity). That needs no converged solve. If something else
    /// also holds the component, momenta cannot separate the two: then the work is force times displacement of the points that are moved,
    /// with the mean force of both ends, and, through joints, the work of joint forces on the bones that they move.
    pub fn work(&self, rig: &mut Rig, mut pay: impl FnMut(usize, f64)) {
        let model = self.objective.model;
        rig.read(model, &self.state.x);
        rig.kept.clone_from(&rig.frames);
        rig.read(model, self.x);
        let bones = &model.skeleton.bones;
        for (c, component) in model.topology.components.iter().enumerate() {
            let own = |bone: &RigidBone| {
                bone.kinematic && model.topology.labels[bone.points[0] as usize] == c as u32
            };
            let kinematic = || (0..bones.len()).filter(|&k| own(&bones[k]));
            if kinematic().all(|k| rig.kept[k] == rig.frames[k]) {
                continue;
            }
            let held = kinematic().map(|k| bones[k].points.len()).sum::<usize>();
            let articulation = model.skeleton.articulations.iter().find(|a| a.component == c);
            let alone = kinematic().count() == 1
                && component.pins.len() == held
                && component.attachments.is_empty()
                && component.own_external.is_empty()
                && self.objective.pose.contacts.is_empty()
                && !articulation.is_some_and(Articulation::has_world_anchor);
            let work = match kinematic().next() {
                Some(bone) if alone => self.by_momenta(component, rig.kept[bone], rig.frames[bone]),
                _ => self.by_forces(rig, c),
            };
            pay(c, work);
        }
    }

    fn by_momenta(&self, component: &Component, start: Frame, end: Frame) -> f64 {
        let Self { objective, state, pushes, x, v, .. } = *self;
        let (model, h) = (objective.model, objective.h);
        let center = (start.place + end.place) * 0.5;
        let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
        for &i in &component.vertices {
            let i = i as usize;
            let (m, middle) = (model.masses[i], (state.x[i] + x[i]) * 0.5);
            let known = model.forces.gravity * m + pushes.force(model, i);
            force -= known;
            torque -= (middle - center).cross(known);
            if !model.dofs.is_pinned(i) {
                force += (v[i] - state.v[i]) * (m / h);
                torque += ((x[i] - center).cross(v[i]) - (state.x[i] - center).cross(state.v[i])) * (m / h);
            }
        }
        force.dot(end.place - start.place) + torque.dot(turn_between(start.turn, end.turn))
    }

    fn by_forces(&self, rig: &Rig, component: usize) -> f64 {
        let Self { objective, state, before, after, x, .. } = *self;
        let (model, scale) = (objective.model, force_scale(objective));
        let skeleton = &model.skeleton;
        let mut work = 0.0;
        for bone in skeleton.bones.iter().filter(|b| b.kinematic) {
            for i in bone
                .points
                .iter()
                .map(|&i| i as usize)
                .filter(|&i| model.topology.labels[i] == component as u32)
            {
                work += (before[i] + after[i] / scale).dot(x[i] - state.x[i]) * 0.5;
            }
        }
        for articulation in
            skeleton.articulations.iter().filter(|a| a.component == component && a.is_grounded())
        {
            for &bone in &articulation.bones {
                let (start, end) = (rig.kept[bone], rig.frames[bone]);
                let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
                for &i in &skeleton.bones[bone].points {
                    force += after[i as usize];
                    torque += (x[i as usize] - end.place).cross(after[i as usize]);
                }
                let way = force.dot(end.place - start.place) + torque.dot(turn_between(start.turn, end.turn));
                work += way / scale;
            }
        }
        work
    }
}
