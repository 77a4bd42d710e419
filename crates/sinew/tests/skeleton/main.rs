//! Bones and joints: rigidity, joints and their limits, loops, kinematic bones, and motion against a reference for rigid bodies.

#[path = "../support/mod.rs"]
mod support;

mod bodies;
mod closed_loops;
mod corrections;
mod degenerate;
mod driven;
mod joints;
mod limits;
mod refused;
mod rigid_motion;
mod solvers;
