//! Reading the placements of bones and joints from a state.

use super::rig::Rig;
use crate::ids::{BoneId, JointId};
use crate::model::Model;
use crate::placement::Placement;
use crate::state::State;
use glam::DVec3;

impl State {
    /// Placement of a bone: the map from the rest positions of its vertices; `None` if there is no such bone.
    pub fn bone(&self, model: &Model, bone: BoneId) -> Option<Placement> {
        let bone = &model.skeleton.bones[*model.skeleton.ids.get(bone.0)?];
        Some(bone.placement(&bone.frame(&model.masses, &self.x)?))
    }

    /// Distance between the two points that a joint holds together, m; zero for a weld; `None` if there is no such joint.
    pub fn joint_gap(&self, model: &Model, joint: JointId) -> Option<f64> {
        let mut rig = Rig::new(model);
        rig.read(model, &self.x);
        Some(model.skeleton.joints.get(joint.0)?.map_or(0.0, |joint| joint.ball.gap(&rig.frames).length()))
    }

    /// Positions of the joints, m; `None` for welds, which are not tracked.
    pub fn joints(&self, model: &Model) -> Vec<Option<DVec3>> {
        let mut rig = Rig::new(model);
        rig.read(model, &self.x);
        model.skeleton.joints.iter().map(|joint| Some(joint.as_ref()?.ball.place(&rig.frames))).collect()
    }

    /// Angles of the second bone of a joint relative to the first, rad: the angle of a hinge, or swing and twist of a ball with limits.
    /// `None` for other joints.
    pub fn joint_angles(&self, model: &Model, joint: JointId) -> Option<[f64; 2]> {
        let turning = (*model.skeleton.joints.get(joint.0)?)?.turning?;
        let mut rig = Rig::new(model);
        rig.read(model, &self.x);
        Some(turning.angles(&rig.frames))
    }
}
