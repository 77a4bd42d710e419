//! What bodies touch: solids by their signed distance, and triangles against points.

mod bounding_boxes;
mod closed_mesh;
mod collider;
#[allow(dead_code)]
mod crossing;
#[allow(dead_code)]
mod inside;
#[allow(dead_code)]
mod meeting;
mod memory;
#[allow(dead_code)]
mod narrow;
#[allow(dead_code)]
mod pairs;
#[allow(dead_code)]
mod penetration;
mod placement;
mod shape;
#[allow(dead_code)]
mod spatial_hash;
#[allow(dead_code)]
mod surface;
#[allow(dead_code)]
mod table;
mod triangle;

pub use closed_mesh::{ClosedMesh, ClosedMeshError};
pub use collider::{Collider, ContactLaw, Friction, Response};
pub(crate) use memory::ContactMemory;
pub use placement::Placement;
pub use shape::{Proximity, Shape};
