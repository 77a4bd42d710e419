//! Makes bones follow their vertices when the user edits those.

use super::Rig;
use crate::math::{outer, svd, symmetric_eigen};
use crate::model::Model;
use crate::momentum::{Inertia, InvertedInertia};
use crate::skeleton::bone::{Frame, RigidBone};
use glam::{DMat3, DVec3};

/// The frame of a bone, formerly `before`, that best fits the current positions of its vertices (the first `vertices` points of the model).
fn fit(bone: &RigidBone, model: &Model, before: &Frame, x: &[DVec3]) -> Option<Frame> {
    let own =
        || bone.points.iter().zip(&bone.local).filter(|(i, _)| (**i as usize) < model.topology.vertices);
    let mass: f64 = own().map(|(&i, _)| model.masses[i as usize]).sum();
    let center = own().map(|(&i, _)| x[i as usize] * model.masses[i as usize]).sum::<DVec3>() / mass;
    let middle = own().map(|(&i, r)| *r * model.masses[i as usize]).sum::<DVec3>() / mass;
    let (mut moment, mut second) = (DMat3::ZERO, DMat3::ZERO);
    for (&i, r) in own() {
        let (m, old) = (model.masses[i as usize], before.turn * (*r - middle));
        moment += outer((x[i as usize] - center) * m, old);
        second += outer(old * m, old);
    }
    // Vertices on a line, or a single one, do not determine the rotation about it: choose the smallest.
    let e = symmetric_eigen(&second);
    let mut sorted = e.values.to_array();
    sorted.sort_unstable_by(f64::total_cmp);
    if sorted[1] <= 1e-9 * sorted[2] {
        moment += DMat3::IDENTITY * (1e-9 * sorted[2]).max(f64::MIN_POSITIVE);
    }
    let turn = svd(&moment).rotation() * before.turn;
    let frame = Frame { turn, place: center - turn * middle };
    frame.turn.is_finite().then_some(frame)
}

impl Model {
    /// Where vertices of a bone differ from `old`, in position or velocity, the bone follows, and joints are closed again. Returns whether
    /// they could be closed.
    pub(crate) fn follow_edit(
        &self,
        old: (&[DVec3], &[DVec3]),
        (x, v): (&mut [DVec3], &mut [DVec3]),
    ) -> bool {
        if self.skeleton.bones.is_empty() {
            return true;
        }
        let mut rig = Rig::new(self);
        rig.read(self, old.0);
        follow_vertices(self, old, &mut rig.frames, (x, v));
        let closed = rig.make_rigid(self, |_| true, x);
        rig.make_velocities_rigid(self, |_| true, x, v);
        closed
    }
}

fn follow_vertices(
    model: &Model,
    old: (&[DVec3], &[DVec3]),
    frames: &mut [Frame],
    (x, v): (&mut [DVec3], &mut [DVec3]),
) {
    for (bone, frame) in model.skeleton.bones.iter().zip(frames) {
        let vertices = || bone.points.iter().map(|&i| i as usize).filter(|&i| i < model.topology.vertices);
        if vertices().all(|i| x[i] == old.0[i] && v[i] == old.1[i]) {
            continue;
        }
        if vertices().any(|i| x[i] != old.0[i]) {
            *frame = fit(bone, model, frame, x).unwrap_or(*frame);
        }
        let mass: f64 = vertices().map(|i| model.masses[i]).sum();
        let mean = |values: &[DVec3]| vertices().map(|i| values[i] * model.masses[i]).sum::<DVec3>() / mass;
        let (center, drift) = (mean(x), mean(v));
        let (mut angular, mut inertia) = (DVec3::ZERO, Inertia::default());
        for i in vertices() {
            angular += (x[i] - center).cross(v[i] - drift) * model.masses[i];
            inertia.add(model.masses[i], x[i] - center);
        }
        let omega = InvertedInertia::new(inertia.matrix()).angular_velocity(angular);
        bone.put(frame, x);
        let own = drift + omega.cross(frame.place - center);
        bone.set_in_motion(frame.place, (own, omega), x, v);
    }
}
