//! Kernels by themselves, for `sinew bench`: what a step spends its time on, without the step around it.

mod local;

pub use local::{LocalStep, rotations};
