//! The bones of all bodies by name, and the joints between them.

use super::site::Site;
use crate::format::{Joint, SceneError};
use crate::rig::{RigJoint, WORLD};
use crate::suggest;
use glam::DVec3;
use sinew::Placement;
use sinew::{BoneId, ModelBuilder};

/// The bones and joints that the engine has so far.
#[derive(Default)]
pub(super) struct Skeleton {
    /// Number of vertices of the bodies so far.
    pub vertices: usize,
    /// Number of muscles of the bodies so far.
    pub muscles: usize,
    known: Vec<Known>,
    /// The engine's name of each joint, and its key in the scene.
    joints: Vec<(String, String)>,
    /// Contents of the joint files.
    files: String,
}

struct Known {
    /// The full name: of a rigid body, or of a body and its bone.
    full: String,
    /// The short name.
    short: String,
    id: BoneId,
    /// The key at which the scene describes it.
    key: String,
}

/// The engine's name for a part of a body.
fn full_name(body: &str, part: &str) -> String {
    format!("{body}/{part}")
}

impl Skeleton {
    /// Adds a bone of a body.
    pub fn add_bone(
        &mut self,
        body: &str,
        bone: &str,
        vertices: Vec<usize>,
        builder: &mut ModelBuilder,
        at: &Site<'_>,
    ) -> BoneId {
        let full = full_name(body, bone);
        let id = builder.add_bone(sinew::Bone::new(full.clone(), vertices));
        self.known.push(Known { full, short: bone.to_owned(), id, key: at.path().to_owned() });
        id
    }

    /// Adds a rigid body.
    pub fn add_body(
        &mut self,
        name: &str,
        body: sinew::Body,
        builder: &mut ModelBuilder,
        at: &Site<'_>,
    ) -> BoneId {
        let id = builder.add_rigid(body);
        self.known.push(Known {
            full: name.to_owned(),
            short: name.to_owned(),
            id,
            key: at.path().to_owned(),
        });
        id
    }

    /// Adds the contents of a joint file.
    pub fn add_file(&mut self, text: &str) {
        self.files.push_str(text);
    }

    /// The contents of all joint files, one after the other.
    pub fn files(&self) -> &str {
        &self.files
    }

    /// Adds the joints that come with a body, whose bones are `bones` and which `placed` has moved.
    pub fn add_rig(
        &mut self,
        body: &str,
        joints: &[RigJoint],
        bones: &[BoneId],
        placed: &Placement,
        builder: &mut ModelBuilder,
        at: &Site<'_>,
    ) {
        for joint in joints {
            let name = full_name(body, &joint.name);
            builder.joint(sinew::Joint {
                name: name.clone(),
                kind: joint.freedom.for_engine(|axis| placed.rotation * axis),
                bones: joint.bones.map(|bone| bone.and_then(|bone| bones.get(bone).copied())),
                position: placed.apply(joint.position),
            });
            self.joints.push((name, at.path().to_owned()));
        }
    }

    /// Adds the joints of the scene.
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
            let name = joint.name.clone().unwrap_or_else(|| format!("joint {i}"));
            builder.joint(sinew::Joint {
                name: name.clone(),
                kind: freedom.for_engine(|axis| axis),
                bones,
                position: DVec3::from(joint.position),
            });
            self.joints.push((name, at.path().to_owned()));
        }
        Ok(())
    }

    /// The key in the scene of the bone that the engine calls by this name.
    pub fn key_of_bone(&self, name: &str) -> &str {
        self.known.iter().find(|known| known.full == name).map_or("body", |known| &known.key)
    }

    /// The key in the scene of the joint that the engine calls by this name.
    pub fn key_of_joint(&self, name: &str) -> &str {
        self.joints.iter().find(|(known, _)| known == name).map_or("joint", |(_, key)| key)
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
        // A user who writes a body's name expects full names; otherwise the short ones are easier to read.
        let names: Vec<&str> = self
            .known
            .iter()
            .map(|known| if name.contains('/') { known.full.as_str() } else { known.short.as_str() })
            .chain([WORLD])
            .collect();
        format!("there is no bone and no rigid body `{name}`{}", suggest::hint(name, &names))
    }
}
