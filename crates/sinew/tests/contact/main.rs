//! Contact: with colliders, between bodies, friction, wind, hands, and what happens to the books.

#[path = "../support/mod.rs"]
mod support;

mod bouncing;
mod driven;
mod friction;
mod overlap;
mod pairs;
mod pushed;
mod refused;
mod scenes;
mod steady;
mod tunnelling;
