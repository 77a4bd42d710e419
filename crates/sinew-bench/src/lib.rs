//! Benchmarks of Sinew: each prints median, spread and its ratio to a stated reference that is measured in the same run.
//!
//! ```text
//! catalogue ─→ kernels, overhead, bones, contact, scaling, meshing, peers ─→ Record ─→ report (JSON), page (Markdown)
//!                    │
//!                    └─ rounds (who is timed when), statistics (median, spread), machine (roofline)
//! ```
//!
//! `sinew bench` is a thin command over this crate. The rivals of [`peers`] are other simulators, installed into a private folder and driven
//! by small programs of ours; they simulate exactly the same bodies, and our code computes their energy from their positions and velocities.
#![forbid(unsafe_code)]

mod bodies;
mod bones;
mod catalogue;
mod contact;
mod error;
mod faces;
mod kernels;
mod lips;
mod machine;
mod meshing;
mod overhead;
mod page;
pub mod peers;
mod record;
mod rounds;
mod scaling;
mod statistics;

pub use catalogue::{BENCHMARKS, Benchmark, Options, find};
pub use error::BenchError;
pub use machine::Machine;
pub use page::{Prose, page, scaling_figure};
pub use record::{Bound, Curve, Detail, Record, Table, number};
pub use rounds::{Contestant, Plan, side_by_side, timed};
pub use statistics::Sample;
