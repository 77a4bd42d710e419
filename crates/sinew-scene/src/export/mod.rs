//! Pictures, animations, plots and tables of a simulation.
//!
//! Nothing here knows the engine: every function takes plain slices of positions, indices and numbers, so the
//! same code draws a running simulation, a mesh from a file or a column of a table.
//!
//! - [`render`] draws meshes, springs and markers with a software renderer: no GPU, no window, the same bytes
//!   on every run.
//! - [`solid`] makes the surfaces of balls, boxes, capsules and rings.
//! - [`image`] holds the pixels and writes PNG; [`animation`] writes GIF frame by frame.
//! - [`plot`] draws line plots, alone or stacked, as PNG and SVG.
//! - [`csv`] writes numeric tables and reads them back.

pub mod animation;
pub mod colour;
pub mod csv;
mod error;
pub mod image;
pub mod plot;
mod quantise;
pub mod render;
pub mod solid;
mod text;

pub use error::ExportError;
