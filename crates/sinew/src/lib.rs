//! Real-time simulation of soft bodies that keeps energy and momentum where physics puts them.
//!
//! A [`Model`] says what there is: bodies, masses, potentials, pins, bones, colliders. A [`State`] says where everything is, keeps the
//! energy [`Ledger`], and takes what the user does through its [`Controls`]. A [`Simulator`] advances the state; integrator, solver, correction and damping
//! are independent [`Settings`] that can be switched between two steps.
//!
//! ```
//! use sinew::{Body, Constitutive, DVec3, Lame, Model, Settings, Simulator, State};
//! use std::sync::Arc;
//!
//! // A wedge of jelly, 10 cm large, held at one corner.
//! let corners = vec![DVec3::ZERO, DVec3::X * 0.1, DVec3::Y * 0.1, DVec3::Z * 0.1];
//! let jelly = Lame::from_young(1e4, 0.45)?;
//! let wedge = Body::new("wedge", corners).tetrahedra(vec![[0, 1, 2, 3]], Constitutive::Corotated, jelly, 1000.0);
//! let model = Arc::new(Model::builder().body(wedge).pin(0).gravity(DVec3::Y * -9.81).build()?);
//! let mut state = State::new(&model);
//! let mut simulator = Simulator::new(model, Settings::default())?;
//! for _ in 0..30 {
//!     simulator.step(&mut state)?;
//! }
//! assert!((state.ledger().energy() - state.ledger().target()).abs() < 1e-9, "energy is where physics puts it");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! All numbers are in SI units and `f64`. The engine reads no files, no clock and no environment, prints nothing and
//! starts no threads: call [`Simulator::step`] inside a rayon pool's `install` and the loops use that pool, with the
//! same bits for any number of threads.
// Allowed in `simd` alone, where each block says why it is sound.
#![deny(unsafe_code)]
// Some functions count and weigh for benchmarks only; the workspace is linted with them.
#![cfg_attr(not(feature = "bench"), allow(dead_code, unused_imports))]

#[allow(unsafe_code)]
mod simd;

mod body;
mod budgets;
mod carry;
pub mod contact;
mod controls;
mod correction;
mod damping;
mod dofs;
mod driven;
pub mod energy;
mod ids;
mod integrator;
mod ledger;
mod material;
mod math;
#[cfg(feature = "bench")]
pub mod measure;
mod mesh;
mod model;
mod momentum;
pub mod muscle;
mod next;
mod objective;
mod operator;
mod parallel;
mod placement;
mod pushes;
#[cfg(feature = "bench")]
pub mod roofline;
mod settings;
mod skeleton;
mod slow_motion;
mod solver;
mod sparse;
mod state;
mod step;
mod topology;

pub use body::{ActiveTetrahedra, Body};
pub use controls::{ControlError, Controls, Grab};
pub use correction::{Blend, Correction, CorrectionReport, Fepr, Return};
pub use damping::Damping;
pub use energy::{Energy, HessianKind, Pose, Projective, SpringLaw, Work};
pub use glam::{DMat3, DQuat, DVec3};
pub use ids::{AttachmentId, BodyId, BoneId, ColliderId, GrabId, JointId, MuscleId};
pub use integrator::Integrator;
pub use ledger::{Cause, Entries, Ledger, Side};
pub use material::{Constitutive, Lame, ModuliError};
pub use mesh::boundary_triangles;
pub use model::{Model, ModelBuilder, ModelError};
pub use momentum::{Momenta, kinetic_energy};
pub use placement::Placement;
pub use settings::{Settings, SettingsError};
pub use skeleton::{Bone, Joint, JointKind, MassProperties, SwingTwist};
pub use solver::{Acceleration, Budget, Solver};
pub use sparse::{GlobalMethod, Precision};
pub use state::{MassPoint, State, StateError};
pub use step::{Phase, Simulator, StepError, StepReport};
pub use topology::{BodyInfo, MuscleInfo, Round};
