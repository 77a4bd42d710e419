//! Bones inside flesh, joints between bones [li2020].
//!
//! A bone is four columns of the reduced coordinates (see [`Dofs`](crate::Dofs)): an affine frame. The paper's global step eliminates the flesh, and
//! what is left for the bones is S = Vᵀ(A_bb − A_bf A_ff⁻¹ A_fb)V, which it computes anew in every iteration from a solve with six right-hand sides
//! for each bone: up to nine tenths of its time. But A = M + αβ²h²L is one scalar matrix for all coordinates, and a bone's vertices are
//! affine in its columns: the Schur complement Sa of the *frames* is a constant scalar matrix, 4 × 4 for each pair of bones, and
//! rotating it gives S. Nor is any extra solve needed to get it: eliminated last, the frames' corner of the constant factor is a factor
//! of Sa, and in the middle of the one solve of an iteration the bones are decided (see [`Corner`](crate::sparse::Corner)).
//!
//! ```text
//! spec ──→ mass, bone ──→ joint ──→ articulation ──→ system
//! what     how it         rows      tree of joints,   the small dense problem of
//! is       weighs and               coordinates       each iteration
//! asked    moves
//! ```

mod articulation;
mod bone;
mod joint;
mod mass;
pub(crate) mod phases;
pub(crate) mod rig;
pub(crate) mod solve;
mod spec;
mod system;

pub use spec::{Bone, Joint, JointKind, MassProperties, SwingTwist};

pub(crate) use articulation::Articulation;
pub(crate) use bone::{Frame, RigidBone};
pub(crate) use joint::{Anchor, Ball, Turning, TurningRule};
pub(crate) use mass::{Moments, distribute};
pub(crate) use system::{Geometric, SmallSystem};

/// The bones and joints of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Skeleton {
    pub bones: Vec<RigidBone>,
    /// The bone that each of the user's bones is, after welding.
    pub ids: Vec<usize>,
    /// One for every component with bones that forces move, in the order of their columns.
    pub articulations: Vec<Articulation>,
    /// Each of the user's joints; `None` where it is a weld or moves nothing.
    pub joints: Vec<Option<SkeletonJoint>>,
    /// Where the bones start.
    pub start: Vec<Frame>,
}

/// What is left of a joint to look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SkeletonJoint {
    pub ball: Ball,
    pub turning: Option<Turning>,
}
