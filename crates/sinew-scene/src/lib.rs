//! Everything between a file and the engine: scene files, meshes, built-in models, exporters, checkpoints.
#![forbid(unsafe_code)]

pub mod build;
pub mod builtin;
pub mod cast;
pub mod export;
pub mod face;
pub mod format;
pub mod input;
pub mod mesh_check;
pub mod mesh_data;
pub mod mesh_io;
pub mod models;
pub mod mujoco;
mod parallel;
pub mod rig;
pub mod run;
pub mod shapes;
pub mod suggest;
pub mod surface;
pub mod tet_quality;
pub mod tetrahedralize;
