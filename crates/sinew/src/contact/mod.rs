//! What bodies touch: solids by their signed distance, and triangles against points.

mod bounding_boxes;
mod closed_mesh;
mod collider;
mod contacts;
mod crossing;
mod detect;
mod exchange;
mod groups;
mod inside;
mod meeting;
mod memory;
mod narrow;
mod pairs;
mod penetration;
mod placement;
mod restitution;
mod shape;
mod skin;
mod spatial_hash;
mod surface;
mod table;
mod triangle;

pub use closed_mesh::{ClosedMesh, ClosedMeshError};
pub use collider::{Collider, ContactLaw, Friction, Response};
pub use contacts::Contacts;
pub(crate) use contacts::Facing;
pub(crate) use detect::{Detector, Sweep};
pub use exchange::ContactReport;
pub(crate) use exchange::Exchange;
pub(crate) use groups::{Groups, Support};
pub(crate) use memory::ContactMemory;
pub use placement::Placement;
pub(crate) use restitution::Bounce;
pub use shape::{Proximity, Shape};
pub(crate) use skin::Skin;
