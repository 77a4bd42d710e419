//! VTK: the legacy format `.vtk`, and the XML formats `.vtu` (unstructured grid) and `.vtp` (polygons).

mod arrays;
mod base64;
mod cells;
mod legacy;
mod tags;
mod xml;

pub(super) use base64::decode as decode_base64;
pub(super) use legacy::parse as parse_legacy;
pub(super) use xml::parse as parse_xml;
