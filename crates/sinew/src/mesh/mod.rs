//! Rest shapes of elements and the boundary of a set of tetrahedra.

mod boundary;
mod rest;

pub use boundary::boundary_triangles;
pub(crate) use rest::RestTetrahedron;
