//! How far points on bones that flesh or joints hold yield to a force: each bone is asked how it turns and moves, which answers for all of its points.

use super::{Articulated, Geometric};
use crate::model::Model;
use crate::skeleton::rig::Rig;
use crate::sparse::GlobalStep;
use glam::DVec3;

/// Per point whether it is on such a bone.
pub(crate) fn of_jointed_bones(model: &Model) -> Vec<bool> {
    let mut jointed = vec![false; model.points()];
    for articulation in model.skeleton.articulations.iter().filter(|a| model.loose_bone(a).is_none()) {
        let points = articulation.bones.iter().flat_map(|&bone| &model.skeleton.bones[bone].points);
        points.for_each(|&i| jointed[i as usize] = true);
    }
    jointed
}

/// Fills in the answers, kg⁻¹: the mean over three directions, with the bones where they are at rest.
pub(crate) fn ask_jointed_bones(model: &Model, step: &GlobalStep, into: &mut [f64]) {
    let mut bones = Articulated::of_model(model);
    let (Some(corners), false) = (step.corners(), bones.is_empty()) else { return };
    let frames = Rig::new(model).frames;
    let jointed = bones.jointed(model, corners);
    if bones.prepare(model, &frames, &jointed, Geometric::None).is_err() {
        return;
    }
    for (part, articulation) in model.skeleton.articulations.iter().enumerate() {
        if model.loose_bone(articulation).is_some() {
            continue;
        }
        for (k, &number) in articulation.bones.iter().enumerate() {
            let mobility = bones.mobility(model, &frames, part, k);
            let bone = &model.skeleton.bones[number];
            for (&i, local) in bone.points.iter().zip(&bone.local) {
                let r = frames[number].turn * *local;
                let along = |d: DVec3| {
                    let loads = r.cross(d).to_array().into_iter().chain(d.to_array());
                    let yields = loads.zip(&mobility).map(|(load, (omega, l))| (omega.cross(r) + *l) * load);
                    d.dot(yields.sum())
                };
                let mean = DVec3::AXES.map(along).iter().sum::<f64>() / 3.0;
                into[i as usize] = if mean > 0.0 && mean.is_finite() { mean } else { 1.0 / bone.mass };
            }
        }
    }
}
