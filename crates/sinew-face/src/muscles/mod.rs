//! Faces that move by muscles \[dinev2020, ch. 4\].
//!
//! ```text
//! Anatomy (closed surfaces) ─→ Face (tetrahedra, holds, S) ─→ System ─┬─ equilibrium (activations, jaw) ─→ positions
//!                                                                    └─ fit (scans) ─→ activations, jaw, S
//! ```
//!
//! Flesh is an active material: every tetrahedron wants to have the shape A = S(Σ sᵢⱼ aⱼ) of a blend of the activations of a few muscles. Lengths are metres.

mod activation;
mod anatomy;
mod blend;
mod element;
mod equilibrium;
mod expression;
mod file;
pub mod fit;
pub mod ict;
mod jaw;
mod landmarks;
mod model;
mod mouth;
mod noise;
mod overlap;
pub mod person;
pub mod picture;
mod polar;
mod scan;
mod sensitivity;
mod shapes;
pub mod study;
mod system;
mod touch;
pub mod transfer;

pub use activation::{Activation, EIGENVALUES, PASSIVE, clamped, fibre, ring, symmetric};
pub use anatomy::{Anatomy, HEAD_SIZE, MouthCut};
pub use blend::Blend;
pub use element::{Curvature, Kind, Lame, Point, density, stress};
pub use equilibrium::{Balance, Drive, Precision};
pub use expression::{Expression, jaw_of};
pub use jaw::{Jaw, REACH};
pub use landmarks::{Landmark, Pair, parse_pairs};
pub use model::{Face, Hold, MakeOptions, Muscle};
pub use noise::Noise;
pub use scan::Scan;
pub use shapes::Blendshapes;
pub use system::{Factor, System};
pub use touch::{CROSSING, Mouth, Touch};
