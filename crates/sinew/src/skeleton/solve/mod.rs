//! Bones inside a solve: their coordinates, how they move, and how they are decided in the middle of a global step.

mod articulated;
mod chart;
mod newton;
mod yielding;

pub(crate) use articulated::{Articulated, Axes};
pub(crate) use chart::Chart;
pub(crate) use newton::NewtonBones;
pub(crate) use yielding::{ask_jointed_bones, of_jointed_bones};

pub(crate) use super::{Frame, Geometric, JointedFrames};
#[cfg(test)]
pub(crate) use articulated::tests::two_bones;
