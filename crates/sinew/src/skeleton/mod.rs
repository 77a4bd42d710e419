//! Bones inside flesh, joints between bones [li2020].
//!
//! A bone is four columns of the reduced coordinates (see [`Dofs`](crate::dofs::Dofs)): an affine frame. The paper's global step eliminates the
//! flesh, and leaves S = Vᵀ(A_bb − A_bf A_ff⁻¹ A_fb)V for the bones, which it recomputes in every iteration from a solve with six right-hand
//! sides for each bone: up to nine tenths of its time. But A = M + αβ²h²L is one scalar matrix for all coordinates, and a bone's vertices are
//! affine in its columns: the Schur complement Sa of the *frames* is a constant scalar matrix, 4 × 4 for each pair of bones, and rotating it
//! gives S. Joints of a tree and translations do not rotate: they are eliminated from Sa in advance. Sa needs no extra solve either: if the frames are eliminated last, their corner of the constant factor is a factor of Sa, and the
//! bones are decided in the middle of the one solve of an iteration (see [`Corner`](crate::sparse::Corner)).
//!
//! ```text
//! spec ──→ mass, bone ──→ joint ──→ articulation ──→ jointed, factor ──→ system
//! what     how it         rows      tree of joints,   constant matrix,    the small dense problem
//! is       weighs and               coordinates       its rotation        of each iteration
//! asked    moves
//! ```

mod articulation;
mod bone;
pub(crate) mod draft;
mod factor;
mod geometric;
mod joint;
mod jointed;
mod mass;
mod observe;
pub(crate) mod phases;
pub(crate) mod rig;
pub(crate) mod solve;
mod spec;
mod system;

pub use spec::{Bone, Joint, JointKind, MassProperties, SwingTwist};

pub(crate) use articulation::Articulation;
pub(crate) use bone::{Frame, RigidBone, turn_between};
pub(crate) use geometric::Geometric;
pub(crate) use joint::{Ball, Turning};
pub(crate) use jointed::JointedFrames;
pub(crate) use system::SmallSystem;

use crate::dofs::{Dofs, Slot};

/// The bones and joints of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Skeleton {
    pub bones: Vec<RigidBone>,
    /// Index of the bone that each of the user's bones belongs to, after welding.
    pub ids: Vec<usize>,
    /// One for every component with dynamic bones, in the order of their columns.
    pub articulations: Vec<Articulation>,
    /// Each of the user's joints; `None` if it is a weld or moves nothing.
    pub joints: Vec<Option<SkeletonJoint>>,
    /// Initial frames of the bones.
    pub start: Vec<Frame>,
}

impl Skeleton {
    /// The articulations of component `c`: index, first column in the reduced coordinates of the model, and number of bones.
    pub fn columns_in(&self, c: usize) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let all = self.articulations.iter().enumerate().filter(move |(_, a)| a.component == c);
        all.map(|(k, a)| (k, self.bones[a.bones[0]].column as usize, a.bones.len()))
    }
}

/// The parts of a joint that can be observed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SkeletonJoint {
    pub ball: Ball,
    pub turning: Option<Turning>,
}

impl Dofs {
    /// Builds the map from the pinned points, including those of kinematic bones, and the bones.
    pub(crate) fn with_bones(pinned: &[bool], bones: &[RigidBone]) -> Self {
        let mut slots: Vec<Option<Slot>> = pinned.iter().map(|&pin| pin.then_some(Slot::Pinned)).collect();
        for bone in bones.iter().filter(|b| !b.kinematic) {
            for (&i, &local) in bone.points.iter().zip(&bone.local) {
                slots[i as usize] = Some(Slot::Bone { first: bone.column, local });
            }
        }
        let mut free = 0;
        let slots = slots.into_iter().map(|slot| {
            slot.unwrap_or_else(|| {
                free += 1;
                Slot::Free(free - 1)
            })
        });
        Self::new(slots.collect(), bones.iter().filter(|b| !b.kinematic).count())
    }
}
