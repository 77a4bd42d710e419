//! Bones inside flesh, joints between bones [li2020].

mod spec;

pub use spec::{Bone, BoneId, Joint, JointKind, MassProperties, SwingTwist};
