//! Reading `.joint` files: one bone or joint per line, `#` before comments, a line `end` at the end.
//!
//! ```text
//! sinew-joints 1
//! bone thigh 1                 # name, label of its region
//! bone "lower leg" 2 7         # several regions, a name with a space
//! joint knee hinge thigh "lower leg" at 0 0.4 0 axis 1 0 0 range -5 140
//! end
//! ```

use super::freedom::{JointFreedom, JointParts};
use super::words::{Line, lines};
use super::{Rig, RigBone, RigError, RigFault, RigJoint, WORLD, name_fault};
use crate::{input, suggest};
use glam::DVec3;
use std::collections::HashMap;
use std::path::Path;

/// The first line of every file.
pub(super) const VERSION_LINE: &str = "sinew-joints 1";

/// Reads a file.
///
/// # Errors
/// [`RigError`] says what is wrong with the file, and on which line.
pub fn read(path: &Path) -> Result<Rig, RigError> {
    let bytes = input::read(path, input::MAX_TEXT)
        .map_err(|source| RigError::Io { file: path.to_owned(), source })?;
    let malformed = |fault| RigError::Malformed { file: path.to_owned(), fault };
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        malformed(RigFault { line, message: "this is no text (UTF-8)".into() })
    })?;
    parse(text).map_err(malformed)
}

/// Reads the text of a file.
///
/// # Errors
/// [`RigFault`] says what is wrong, and on which line.
pub fn parse(text: &str) -> Result<Rig, RigFault> {
    let mut lines = lines(text.trim_start_matches('\u{feff}'));
    version(&mut lines)?;
    let mut draft = Draft::default();
    let mut last = 1;
    for line in &mut lines {
        let mut line = line?;
        last = line.number;
        match line.word("`bone`, `joint` or `end`")?.as_str() {
            "bone" => draft.bone(&mut line)?,
            "joint" => draft.joint(&mut line)?,
            "end" => {
                line.finish()?;
                return match lines.next() {
                    None => draft.resolve(),
                    Some(more) => Err(more?.fault("there is something after `end`")),
                };
            }
            other => {
                let hint = suggest::hint(other, &["bone", "joint", "end"]);
                return Err(
                    line.fault(format!("a line starts with bone, joint or end, not with `{other}`{hint}"))
                );
            }
        }
    }
    Err(RigFault { line: last, message: "the file stops before its line `end`: a part is missing".into() })
}

fn version<'a>(lines: &mut impl Iterator<Item = Result<Line<'a>, RigFault>>) -> Result<(), RigFault> {
    let Some(first) = lines.next() else {
        let message = format!("the file is empty; its first line is `{VERSION_LINE}`");
        return Err(RigFault { line: 1, message });
    };
    let mut line = first?;
    let expected = |line: &Line<'_>| line.fault(format!("the first line must be `{VERSION_LINE}`"));
    if line.word("the name of the format").ok().as_deref() != Some("sinew-joints") {
        return Err(expected(&line));
    }
    let version = line.integer("the version of the format")?;
    if version != 1 {
        return Err(line.fault(format!("version {version} is not known; this is a reader of version 1")));
    }
    line.finish()
}

/// What has been read so far; the bones of joints are still names.
#[derive(Default)]
struct Draft {
    bones: Vec<RigBone>,
    joints: Vec<DraftJoint>,
    /// The line of each name.
    bone_names: HashMap<String, usize>,
    joint_names: HashMap<String, usize>,
    /// The line of each label.
    regions: HashMap<i32, usize>,
}

struct DraftJoint {
    line: usize,
    name: String,
    bones: [String; 2],
    position: DVec3,
    freedom: JointFreedom,
}

impl Draft {
    fn bone(&mut self, line: &mut Line<'_>) -> Result<(), RigFault> {
        let name = line.word("the name of the bone")?;
        if let Some(fault) = name_fault(&name) {
            return Err(line.fault(format!("the name of a bone {fault}")));
        }
        if let Some(earlier) = self.bone_names.insert(name.clone(), line.number) {
            return Err(line.fault(format!("`{name}` is already the bone of line {earlier}")));
        }
        let mut regions = Vec::new();
        while regions.is_empty() || !line.is_over() {
            let label = line.integer("the label of a region of the bone")?;
            let label = i32::try_from(label)
                .map_err(|_| line.fault(format!("the label {label} does not fit in 32 bits")))?;
            if let Some(earlier) = self.regions.insert(label, line.number) {
                let whose = if earlier == line.number {
                    "twice here".into()
                } else {
                    format!("also on line {earlier}")
                };
                return Err(line.fault(format!("region {label} is given {whose}; it belongs to one bone")));
            }
            regions.push(label);
        }
        self.bones.push(RigBone { name, regions });
        Ok(())
    }

    fn joint(&mut self, line: &mut Line<'_>) -> Result<(), RigFault> {
        let name = line.word("the name of the joint")?;
        if name.trim().is_empty() {
            return Err(line.fault("the name of a joint must not be empty"));
        }
        if let Some(earlier) = self.joint_names.insert(name.clone(), line.number) {
            return Err(line.fault(format!("`{name}` is already the joint of line {earlier}")));
        }
        let kind = line.word("the kind of the joint: ball, hinge or weld")?;
        if !JointFreedom::KINDS.contains(&kind.as_str()) {
            let hint = suggest::hint(&kind, &JointFreedom::KINDS);
            return Err(line.fault(format!("`{kind}` is no kind of joint{hint}")));
        }
        let bones = [line.word("its first bone")?, line.word("its second bone")?];
        let (mut position, mut parts) = (None, JointParts { kind: &kind, ..JointParts::default() });
        while !line.is_over() {
            let key = line.word("a key")?;
            let repeated = match key.as_str() {
                "at" => position.replace(line.vector("at")?).is_some(),
                "axis" => parts.axis.replace(line.vector("axis")?).is_some(),
                "cone" => parts.cone.replace(line.number("an angle, degrees")?).is_some(),
                "twist" => parts.twist.replace(line.number("an angle, degrees")?).is_some(),
                "range" => {
                    let range = [line.number("the least angle")?, line.number("the greatest angle")?];
                    parts.range.replace(range).is_some()
                }
                other => {
                    let hint = suggest::hint(other, &["at", "axis", "cone", "twist", "range"]);
                    return Err(line.fault(format!("unknown key `{other}`{hint}")));
                }
            };
            if repeated {
                return Err(line.fault(format!("`{key}` is given twice")));
            }
        }
        let freedom = JointFreedom::from_parts(&parts)
            .map_err(|fault| line.fault(format!("`{}` {}", fault.key, fault.message)))?;
        let position =
            position.ok_or_else(|| line.fault("`at` is missing: the point that both bones share"))?;
        self.joints.push(DraftJoint { line: line.number, name, bones, position, freedom });
        Ok(())
    }

    /// Joints may come before their bones: names are looked up at the end.
    fn resolve(self) -> Result<Rig, RigFault> {
        let names: Vec<&str> = self.bones.iter().map(|bone| bone.name.as_str()).collect();
        let mut joints = Vec::with_capacity(self.joints.len());
        for DraftJoint { line, name, bones, position, freedom } in self.joints {
            let fault = |message: String| RigFault { line, message };
            let mut found = [None; 2];
            for (found, bone) in found.iter_mut().zip(&bones) {
                if bone != WORLD {
                    let index = names.iter().position(|name| name == bone);
                    *found = Some(index.ok_or_else(|| {
                        let hint = suggest::hint(bone, &names);
                        fault(format!("there is no bone `{bone}`{hint}"))
                    })?);
                }
            }
            if found[0] == found[1] {
                return Err(fault(format!("connects `{}` with itself", bones[0])));
            }
            joints.push(RigJoint { name, bones: found, position, freedom });
        }
        Ok(Rig { bones: self.bones, joints })
    }
}
