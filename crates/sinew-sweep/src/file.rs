//! `SWEEP.toml` as it is written.

use crate::axis_file::AxisFile;
use serde::Deserialize;

/// Largest number of runs.
pub(crate) const MAX_RUNS: u64 = 100_000_000;

/// A whole sweep.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SweepFile {
    /// What the sweep is about.
    pub title: String,
    /// A built-in scene, or a file beside the sweep.
    pub scene: String,
    /// Frames of each run; by default the scene's.
    pub frames: Option<usize>,
    /// Simulated time of each run, s, instead of frames: for axes that change the time step.
    pub seconds: Option<f64>,
    /// Overrides of all runs, `KEY=VALUE`.
    pub set: Vec<String>,
    /// Seed of the random axes.
    pub seed: u64,
    /// How many draws of the random axes.
    pub samples: Option<u64>,
    /// Runs of a part.
    pub part: Option<u64>,
    /// What differs between the runs; the last changes fastest.
    #[serde(rename = "axis")]
    pub axes: Vec<AxisFile>,
    /// What is kept of the runs.
    pub output: OutputFile,
}

/// What is kept.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct OutputFile {
    /// Values of the report; by default all that do not depend on the machine.
    pub report: Option<Vec<String>>,
    /// Columns of traces.
    pub trace: Vec<String>,
    /// Frames from one row of a trace to the next.
    pub trace_every: Option<usize>,
    /// Frames from one stored set of positions to the next.
    pub frames_every: Option<usize>,
}

/// Whether a key belongs at the top level of a sweep.
pub(crate) fn is_top(key: &str) -> bool {
    ["title", "scene", "frames", "seconds", "set", "seed", "samples", "part", "axis", "output"].contains(&key)
}
