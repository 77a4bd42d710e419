//! Contact: bodies against solids by signed distance, and against each other by triangles and points.

mod bounding_boxes;
mod closed_mesh;
mod collider;
mod contacts;
mod crossing;
pub(crate) mod detection;
mod exchange;
mod inside;
mod meeting;
mod memory;
mod narrow;
mod pairs;
mod penetration;
pub(crate) mod phases;
mod pressure;
mod shape;
mod skin;
mod spatial_hash;
mod surface;
mod table;
mod triangle;

pub use closed_mesh::{ClosedMesh, ClosedMeshError};
pub use collider::{Collider, ContactLaw, Friction, Response};
pub use contacts::Contacts;
pub(crate) use contacts::FrictionPart;
pub use exchange::ContactReport;
pub(crate) use memory::ContactMemory;
pub use shape::{Proximity, Shape};
pub(crate) use skin::{Skin, SkinSource};
