//! Single kernels, for `sinew bench`.
//!
//! Each type here holds one inner loop of the engine on the data of a real model, together with the reference that it is compared with, and
//! counts the work of the loop: bytes moved and floating-point operations, for a roofline. The engine has no clock; the caller measures the
//! time.

mod elimination;
mod local;
mod multigrid;
mod previous_frame;
mod solve;

pub use crate::simd::instruction_set;
pub use elimination::FleshElimination;
pub use local::{LocalStep, rotations};
pub use multigrid::MultigridSolve;
pub use previous_frame::FromPreviousFrame;
pub use solve::GlobalSolve;
