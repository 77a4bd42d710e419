//! A member of the cast as it is described: flesh, what is in it and on it, and joints.

use super::Frame;
use crate::rig::{JointFreedom, Rig, RigBone, RigJoint};
use crate::shapes::{Shape, drop};
use glam::DVec3;

/// Flesh, inner and outer parts, joints. Coordinates are those of the shape.
#[derive(Clone, Debug, Default)]
pub(super) struct Body {
    pub flesh: Shape,
    /// Later ones cover earlier ones where they overlap.
    pub parts: Vec<Part>,
    joints: Vec<Joint>,
}

/// A closed shape inside the flesh or sticking out of it.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub name: String,
    pub shape: Shape,
    /// The bone that it is, alone or with others; `None` for soft parts, such as muscles.
    pub bone: Option<String>,
    /// Whether it is seen.
    pub outside: bool,
}

#[derive(Clone, Debug)]
struct Joint {
    name: String,
    bones: [String; 2],
    position: DVec3,
    freedom: JointFreedom,
}

impl From<Shape> for Body {
    fn from(flesh: Shape) -> Self {
        Self { flesh, ..Self::default() }
    }
}

impl Body {
    fn part(mut self, name: impl Into<String>, bone: Option<String>, outside: bool, shape: Shape) -> Self {
        self.parts.push(Part { name: name.into(), shape, bone, outside });
        self
    }

    /// With a bone inside.
    pub fn bone(self, name: impl Into<String>, shape: Shape) -> Self {
        let name = name.into();
        self.part(name.clone(), Some(name), false, shape)
    }

    /// With a bone that is seen: a horn, a tooth, a shell.
    pub fn outside(self, name: impl Into<String>, shape: Shape) -> Self {
        let name = name.into();
        self.part(name.clone(), Some(name), true, shape)
    }

    /// With a part of a bone that another part has named.
    pub fn part_of(self, bone: &str, name: impl Into<String>, shape: Shape) -> Self {
        self.part(name, Some(bone.to_owned()), false, shape)
    }

    /// With a soft part that has a name.
    pub fn soft(self, name: impl Into<String>, shape: Shape) -> Self {
        self.part(name, None, false, shape)
    }

    /// With a joint that turns every way.
    pub fn ball(self, bones: [&str; 2], position: [f64; 3]) -> Self {
        self.joint(bones, position, JointFreedom::Ball { limit: None })
    }

    /// With a joint that turns about an axis between two angles, degrees.
    pub fn hinge(self, bones: [&str; 2], position: [f64; 3], axis: [f64; 3], range: [f64; 2]) -> Self {
        self.joint(bones, position, JointFreedom::Hinge { axis: axis.into(), range: Some(range) })
    }

    fn joint(mut self, bones: [&str; 2], position: [f64; 3], freedom: JointFreedom) -> Self {
        let name = format!("{} to {}", bones[0], bones[1]);
        let bones = bones.map(str::to_owned);
        self.joints.push(Joint { name, bones, position: position.into(), freedom });
        self
    }

    /// Bones and joints in the frame of the mesh; part k has region k + 1, flesh 0.
    pub fn rig(&self, frame: &Frame) -> Rig {
        let mut bones: Vec<RigBone> = Vec::new();
        for (region, part) in (1..).zip(&self.parts) {
            let Some(name) = &part.bone else { continue };
            match bones.iter_mut().find(|bone| bone.name == *name) {
                Some(bone) => bone.regions.push(region),
                None => bones.push(RigBone { name: name.clone(), regions: vec![region] }),
            }
        }
        let number = |name: &String| bones.iter().position(|bone| bone.name == *name);
        let joints = self.joints.iter().map(|joint| RigJoint {
            name: joint.name.clone(),
            bones: [number(&joint.bones[0]), number(&joint.bones[1])],
            position: frame.place(joint.position),
            freedom: joint.freedom,
        });
        let joints = joints.collect();
        Rig { bones, joints }
    }
}

/// A round bone from one joint to another, ending before them by `gap`.
pub(super) fn shaft(from: [f64; 3], to: [f64; 3], gap: f64, radius: f64) -> Shape {
    let (a, b) = (DVec3::from(from), DVec3::from(to));
    let along = (gap + radius) * (b - a).normalize_or_zero();
    Shape::new().join(0.0, drop((a + along).to_array(), radius, (b - along).to_array(), radius))
}

/// The names of a pair of bones.
pub(super) fn sides(name: &str) -> [String; 2] {
    [format!("left {name}"), format!("right {name}")]
}

/// A place and its mirror image along x.
pub(super) fn mirrored([x, y, z]: [f64; 3]) -> [[f64; 3]; 2] {
    [[x, y, z], [-x, y, z]]
}
