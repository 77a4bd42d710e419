//! What Sinew's bones are tested against: rigid bodies with ball joints, as accurately as doubles allow.
//!
//! A bone without flesh is a rigid body, so its motion must converge to that of a good rigid-body integrator as the time step
//! gets smaller [li2020, Fig. 14]. This is that integrator. The tests of the engine and `sinew paper art-fig14` compare with it. It shares
//! no code with the engine, and it is slow: dense systems and tiny steps, for a few bodies and seconds.
//!
//! ```
//! use glam::DVec3;
//! use sinew_reference::{Articulated, BallJoint, RigidBody};
//!
//! // A bar of 1 m and 3 kg that hangs by its left end, starts horizontal and falls.
//! let bar = RigidBody::cuboid(3.0, DVec3::X * 0.5, DVec3::new(1.0, 0.2, 0.4));
//! let hook = BallJoint { bodies: [None, Some(0)], position: DVec3::ZERO };
//! let mut pendulum = Articulated::new(vec![bar], vec![hook], DVec3::Y * -9.81);
//! pendulum.advance(0.2, 200);
//! assert!(pendulum.point(0, DVec3::X).y < 0.0);
//! ```
#![forbid(unsafe_code)]

mod articulated;

pub use articulated::{Articulated, BallJoint, RigidBody};
