//! Sweeps: many runs of one scene with other values, as one table.
//!
//! ```text
//! SWEEP.toml ─ file ─→ axes ─ plan ─→ numbered runs ─┬─ part ─→ rows, traces, trajectories of one part
//!                                                    └─ folder ─→ parts on disk ─→ rows.parquet
//! ```
//!
//! A [`Plan`] numbers the runs; the number alone says which values a run has. Runs with consecutive numbers form a part, the unit of work and of
//! what can be lost. A part becomes files that are renamed into place ([`Folder`]), so that a sweep that was killed goes on with the parts that are
//! missing, on this machine or another. Rows contain nothing that depends on where or when a run was made: computing times are kept beside them.
//!
//! `docs/sweeps.md` is the reference for users, `docs/scale.md` says what sweeps cost.
#![forbid(unsafe_code)]

mod axis;
mod axis_file;
mod column;
mod error;
pub mod estimate;
mod file;
mod folder;
mod local;
mod merge;
mod part;
mod plan;
mod plot;
mod random;
mod run;
mod table;
mod trace;
mod value;

pub use axis::{Axis, Choice};
pub use column::{Cell, Column, Kind};
pub use error::SweepError;
pub use folder::{Folder, Shard};
pub use local::{Progress, Threads, sweep};
pub use merge::{Summary, finish};
pub use part::{Part, Stopped};
pub use plan::Plan;
pub use plot::{Over, draw};
pub use table::{Table, read};
pub use value::Value;
