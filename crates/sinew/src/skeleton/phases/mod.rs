//! What bones do in each phase of a step: follow the controls and stay rigid. The work of whoever moves them is in [`crate::driven`].

mod reaction;

use super::rig::Rig;
use crate::energy::Pose;
use crate::integrator::{Rule, VelocityUpdate};
use crate::model::Model;
use crate::next::{Next, Start};
use crate::objective::{Objective, ObjectiveWork};
use glam::DVec3;
use reaction::reflected_motion;

/// The bones of a simulator.
#[derive(Debug)]
pub(crate) struct Bones {
    rig: Rig,
}

impl Bones {
    pub fn new(model: &Model) -> Self {
        Self { rig: Rig::new(model) }
    }

    /// Computes how the user moves kinematic bones in this step.
    pub fn drive(&mut self, start: Start) {
        let state = start.state;
        self.rig.drive(start.model, &state.last_controls, &state.controls, start.h);
    }

    /// Makes the bones of the solver's result rigid and closes their joints, in position and velocity. Kinematic bones have no velocity of their own.
    pub fn shape(&mut self, model: &Model, x: &mut [DVec3], v: &mut [DVec3]) {
        for bone in model.skeleton.bones.iter().filter(|b| b.kinematic) {
            bone.points.iter().for_each(|&i| v[i as usize] = DVec3::ZERO);
        }
        self.rig.make_rigid(model, |_| true, x);
        self.shape_velocities(model, x, v);
    }

    /// As [`hold`], at a share `when` of the step.
    pub fn hold_at(&self, start: Start, when: f64, x: &mut [DVec3]) {
        hold_at(start, when, x);
    }

    /// Changes velocities to those of rigid bones whose joints stay closed.
    pub fn shape_velocities(&mut self, model: &Model, x: &[DVec3], v: &mut [DVec3]) {
        self.rig.make_velocities_rigid(model, |_| true, x, v);
    }

    /// Makes the bones of a solution rigid. Rules that reflect velocities need the forces of joints for those.
    pub fn react(
        &mut self,
        start: Start,
        rule: Rule,
        pose: Pose,
        shared: &mut ObjectiveWork,
        next: &mut Next,
    ) {
        let Start { model, state, h, .. } = start;
        let reflects =
            rule.velocity == VelocityUpdate::Reflection && !model.skeleton.articulations.is_empty();
        if !reflects || !next.x.iter().all(|p| p.is_finite()) {
            self.shape(model, &mut next.x, &mut next.v);
            return;
        }
        let y = &next.predicted[..];
        let objective = Objective { model, rule, h, start: &state.x, y, pose, discrete_gradient: false };
        objective.gradient(&next.x, shared, &mut next.gradient);
        if reflects {
            reflected_motion(&objective, state, &mut self.rig, &next.gradient, &next.x, &mut next.v);
        }
        self.shape(model, &mut next.x, &mut next.v);
    }
}

/// Keeps pinned vertices in place and moves kinematic bones to where the user wants them.
pub(crate) fn hold(start: Start, x: &mut [DVec3]) {
    hold_at(start, 1.0, x);
}

/// As [`hold`], at a share `when` of the step.
fn hold_at(start: Start, when: f64, x: &mut [DVec3]) {
    let Start { model, state, .. } = start;
    for (i, x) in x.iter_mut().enumerate() {
        if model.dofs.is_pinned(i) {
            *x = state.x[i];
        }
    }
    for (id, to) in state.controls.bones().iter().enumerate() {
        let bone = &model.skeleton.bones[model.skeleton.ids[id]];
        if bone.kinematic && *to != state.last_controls.bones()[id] {
            let end = bone.frame_of(to);
            let there = if when == 1.0 {
                end
            } else {
                bone.frame_of(&state.last_controls.bones()[id]).towards(&end, when)
            };
            bone.put(&there, x);
        }
    }
}

/// Sets the velocities of pinned vertices and kinematic bones to zero.
pub(crate) fn hold_velocities(start: Start, v: &mut [DVec3]) {
    for (i, v) in v.iter_mut().enumerate() {
        if start.model.dofs.is_pinned(i) {
            *v = DVec3::ZERO;
        }
    }
}
