//! Lips of captured faces: corrections on a few frames, learned and spread to all \[dinev2020, ch. 2\].
//!
//! ```text
//! neutral + Regions ─→ Patch ─┬─ train (corrected frames) ─→ Model ─ apply ─→ corrected frames
//!                             └─ suggest ─→ the frames to correct next
//! ```
//!
//! The mouth around the lips is captured well, the inner lips are not. Both are described by deformation gradients; a linear regression
//! predicts those of the inner lips from those of the mouth, and a Poisson equation turns them into positions that join the mouth.
//!
//! [`muscles`] has faces that move by muscles \[dinev2020, ch. 4\].
#![forbid(unsafe_code)]

mod align;
mod correct;
pub mod desk;
mod doubts;
mod eigen;
mod error;
pub mod evaluate;
mod extension;
mod file;
mod geodesic;
pub mod mesh;
mod model;
pub mod muscles;
mod patch;
pub mod perform;
pub mod picture;
mod poisson;
pub mod positions;
mod regions;
pub mod sequence;
pub mod sketch;
pub mod study;
mod suggest;
mod windows;

pub use align::Rigid;
pub use correct::{Correction, correct};
pub use error::FaceError;
pub use model::{Example, Model, Ridge, WINDOWS};
pub use patch::Patch;
pub use regions::{Regions, parse_vertices};
pub use suggest::{Mouths, Suggestion, Survey, suggest, survey};
pub use windows::Windows;
