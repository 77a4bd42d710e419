//! Contact: with colliders, between bodies, friction, wind, grabs, and the ledger.

#[path = "../support/mod.rs"]
mod support;

mod bouncing;
mod driven;
mod friction;
mod guarantee;
mod overlap;
mod pairs;
mod pushed;
mod refused;
mod round;
mod scenes;
mod stacks;
mod steady;
mod trampoline;
mod tunnelling;
