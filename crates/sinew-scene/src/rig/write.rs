//! Writing `.joint` files. Numbers are written in the shortest form that reads back to the same bits.

use super::freedom::{JointFreedom, SwingTwistLimit};
use super::read::VERSION_LINE;
use super::{Rig, RigError, WORLD};
use glam::DVec3;
use std::fmt::Write as _;
use std::path::Path;

/// Writes a rig to a file.
///
/// # Errors
/// [`RigError::Io`] if the file cannot be written.
pub fn write(rig: &Rig, path: &Path) -> Result<(), RigError> {
    std::fs::write(path, to_text(rig)).map_err(|source| RigError::Io { file: path.to_owned(), source })
}

/// The text of a `.joint` file; [`parse`](super::parse) gives the same rig back.
#[must_use]
pub fn to_text(rig: &Rig) -> String {
    let mut out = format!("{VERSION_LINE}\n");
    for bone in &rig.bones {
        let regions: Vec<String> = bone.regions.iter().map(i32::to_string).collect();
        // Writing to a string does not fail.
        let _ = writeln!(out, "bone {} {}", word(&bone.name), regions.join(" "));
    }
    for joint in &rig.joints {
        let bone = |index: Option<usize>| {
            index.and_then(|index| rig.bones.get(index)).map_or_else(|| WORLD.into(), |bone| word(&bone.name))
        };
        let [first, second] = joint.bones.map(bone);
        let (name, kind) = (word(&joint.name), joint.freedom.kind());
        let _ = write!(out, "joint {name} {kind} {first} {second} at {}", numbers(joint.position));
        match joint.freedom {
            JointFreedom::Ball { limit: Some(SwingTwistLimit { axis, cone, twist }) } => {
                let _ = write!(out, " axis {}", numbers(axis));
                for (key, value) in [("cone", cone), ("twist", twist)] {
                    if let Some(value) = value {
                        let _ = write!(out, " {key} {value:?}");
                    }
                }
            }
            JointFreedom::Hinge { axis, range } => {
                let _ = write!(out, " axis {}", numbers(axis));
                if let Some([low, high]) = range {
                    let _ = write!(out, " range {low:?} {high:?}");
                }
            }
            JointFreedom::Ball { limit: None } | JointFreedom::Weld => {}
        }
        out.push('\n');
    }
    out.push_str("end\n");
    out
}

fn numbers(v: DVec3) -> String {
    format!("{:?} {:?} {:?}", v.x, v.y, v.z)
}

/// A name as the reader expects it: in quotes if it could be mistaken for something else.
fn word(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    if !name.is_empty() && name.chars().all(plain) {
        return name.to_owned();
    }
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}
