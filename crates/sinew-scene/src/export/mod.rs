//! Pictures, animations, plots and tables of a simulation.
//!
//! Nothing here depends on the engine: every function takes plain slices of positions, indices and numbers, so the same code draws a running
//! simulation, a mesh from a file or a column of a table.
//!
//! - [`render`] draws meshes, springs and markers with a software renderer: no GPU, no window, the same bytes
//!   on every run.
//! - [`solid`] makes the surfaces of balls, boxes, capsules and rings.
//! - [`image`] holds the pixels and writes PNG; [`animation`] writes GIF frame by frame.
//! - [`plot`] draws line plots, alone or stacked, as PNG and SVG.
//! - [`sheet`] draws tables with cells in colours.
//! - [`csv`] writes numeric tables and reads them back.
//! - [`series`] writes animated meshes for other programs.
//!
//! In WebAssembly there are no files to draw into, and only [`solid`], [`csv`] and [`Bounds`] exist.

#[cfg(not(target_arch = "wasm32"))]
pub mod animation;
mod bounds;
#[cfg(not(target_arch = "wasm32"))]
pub mod colour;
pub mod csv;
mod error;
#[cfg(not(target_arch = "wasm32"))]
pub mod image;
#[cfg(not(target_arch = "wasm32"))]
pub mod plot;
#[cfg(not(target_arch = "wasm32"))]
mod quantise;
#[cfg(not(target_arch = "wasm32"))]
pub mod render;
#[cfg(not(target_arch = "wasm32"))]
pub mod series;
#[cfg(not(target_arch = "wasm32"))]
pub mod sheet;
pub mod solid;
#[cfg(not(target_arch = "wasm32"))]
mod text;

pub use bounds::Bounds;
pub use error::ExportError;
