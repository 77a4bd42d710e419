//! What bodies touch: solids by their signed distance, and triangles against points.

mod bounding_boxes;
mod closed_mesh;
mod collider;
mod memory;
mod placement;
mod shape;
mod triangle;

pub use closed_mesh::{ClosedMesh, ClosedMeshError};
pub use collider::{Collider, ContactLaw, Friction, Response};
pub(crate) use memory::ContactMemory;
pub use placement::Placement;
pub use shape::{Proximity, Shape};
