//! Contact: bodies against colliders, each other and themselves, without penetration.
//!
//! ```text
//! shape, closed_mesh, collider ─→ primitives ─→ sweep ─→ filter ─→ passage      places that never penetrate
//!                                 pair, closest, ways       │
//!                                                           rows ─→ rounds       forces that keep them apart
//!                                                                   phases       what a step does with both
//! ```
//!
//! A state that starts clean stays clean: no vertex passes a triangle and no edge an edge, at any speed, step, solver and number of iterations;
//! docs/contact.md says where that is not so yet.

mod bounding_boxes;
mod candidates;
mod closed_mesh;
mod closest;
mod collider;
mod compliance;
mod exact;
mod features;
mod filter;
mod forest;
#[cfg(test)]
mod fuzz;
mod impulses;
mod islands;
mod lanes;
mod lever;
mod memory;
mod pair;
mod passage;
pub(crate) mod phases;
mod pressure;
mod primitives;
pub(crate) mod relax;
mod rounds;
mod rows;
mod shape;
mod surface_law;
mod sweep;
mod tangle;
#[cfg(test)]
mod testing;
mod tree;
mod triangle;
mod turning;
mod ways;

pub use closed_mesh::{ClosedMesh, ClosedMeshError};
pub use collider::{BadStart, Collider, ContactLaw, Friction};
pub(crate) use memory::RowMemory;
pub(crate) use passage::Passage;
pub use phases::ContactReport;
pub use rows::Contacts;
pub use shape::{Proximity, Shape};
pub(crate) use surface_law::SurfaceLaw;
