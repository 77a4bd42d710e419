//! The bones of all bodies by name, and the joints between them.

use super::site::Site;
use crate::format::{Joint, SceneError};
use crate::rig::{RigJoint, WORLD};
use crate::suggest;
use glam::DVec3;
use sinew::contact::Placement;
use sinew::{BoneId, ModelBuilder};

/// What the engine knows so far.
#[derive(Default)]
pub(super) struct Skeleton {
    /// Vertices of the bodies so far.
    pub vertices: usize,
    known: Vec<Known>,
    /// Keys of the joints in the scene, by their numbers in the engine.
    joints: Vec<String>,
    /// What joint files say.
    files: String,
}

struct Known {
    /// The whole name: of a rigid body, or of a body and its bone.
    full: String,
    /// The short name.
    short: String,
    id: BoneId,
}

impl Skeleton {
    /// A bone of a body.
    pub fn add_bone(&mut self, body: &str, bone: &str, id: BoneId) {
        self.known.push(Known { full: format!("{body}/{bone}"), short: bone.to_owned(), id });
    }

    /// A rigid body.
    pub fn add_body(&mut self, body: &str, id: BoneId) {
        self.known.push(Known { full: body.to_owned(), short: body.to_owned(), id });
    }

    /// Remembers what a joint file says.
    pub fn add_file(&mut self, text: &str) {
        self.files.push_str(text);
    }

    /// What all joint files say, one after the other.
    pub fn files(&self) -> &str {
        &self.files
    }

    /// The joints that come with a body, whose bones are `bones` and which `placed` has moved.
    pub fn add_rig(
        &mut self,
        joints: &[RigJoint],
        bones: &[BoneId],
        placed: &Placement,
        builder: &mut ModelBuilder,
        at: &Site<'_>,
    ) {
        for joint in joints {
            builder.joint(sinew::Joint {
                name: joint.name.clone(),
                kind: joint.freedom.for_engine(|axis| placed.rotation * axis),
                bones: joint.bones.map(|bone| bone.and_then(|bone| bones.get(bone).copied())),
                position: placed.apply(joint.position),
            });
            self.joints.push(at.path().to_owned());
        }
    }

    /// The joints of the scene.
    pub fn add_joints(
        &mut self,
        joints: &[Joint],
        builder: &mut ModelBuilder,
        at: &Site<'_>,
    ) -> Result<(), SceneError> {
        for (i, joint) in joints.iter().enumerate() {
            let at = at.index(i);
            let between = at.key("between");
            let find =
                |k: usize| self.find(&joint.between[k]).map_err(|message| between.index(k).error(message));
            let bones = [find(0)?, find(1)?];
            if bones[0] == bones[1] {
                let [first, second] = &joint.between;
                return Err(between.error(format!("`{first}` and `{second}` are the same")));
            }
            let freedom = joint.freedom().map_err(|fault| at.key(fault.key).error(fault.message))?;
            builder.joint(sinew::Joint {
                name: joint.name.clone().unwrap_or_else(|| format!("joint {i}")),
                kind: freedom.for_engine(|axis| axis),
                bones,
                position: DVec3::from(joint.position),
            });
            self.joints.push(at.path().to_owned());
        }
        Ok(())
    }

    /// The key in the scene that made a joint of the engine.
    pub fn joint_key(&self, joint: usize) -> &str {
        self.joints.get(joint).map_or("joint", String::as_str)
    }

    /// The bone of this name; `None` is the world. The error is a sentence about the name.
    fn find(&self, name: &str) -> Result<Option<BoneId>, String> {
        if name == WORLD {
            return Ok(None);
        }
        if let Some(known) = self.known.iter().find(|known| known.full == name && known.full != known.short) {
            return Ok(Some(known.id));
        }
        let mut matching = self.known.iter().filter(|known| known.short == name);
        match (matching.next(), matching.next()) {
            (Some(known), None) => Ok(Some(known.id)),
            (Some(first), Some(second)) => Err(format!(
                "there are several bones `{name}`: say which, `{}` or `{}`",
                first.full, second.full
            )),
            (None, _) => Err(self.unknown(name)),
        }
    }

    fn unknown(&self, name: &str) -> String {
        if self.known.is_empty() {
            return format!("there is no bone `{name}`: the scene has no bones and no rigid bodies");
        }
        // Whoever writes a body's name expects the whole names, else the short ones are easier to read.
        let names: Vec<&str> = self
            .known
            .iter()
            .map(|known| if name.contains('/') { known.full.as_str() } else { known.short.as_str() })
            .chain([WORLD])
            .collect();
        format!("there is no bone and no rigid body `{name}`{}", suggest::hint(name, &names))
    }
}
