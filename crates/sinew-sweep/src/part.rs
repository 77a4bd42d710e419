//! A part: consecutive runs that are made one after the other and stored together.

use crate::column::Cell;
use crate::error::SweepError;
use crate::folder::Folder;
use crate::plan::Plan;
use crate::run::run;
use crate::table::encode;
use crate::trace;
use std::time::Instant;

/// Name of what is stored beside the rows of a part: how long each run took, s.
pub(crate) const SECONDS: &str = "sinew.seconds";

/// A finished part.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its number.
    pub number: u64,
    /// Its rows as a Parquet file.
    pub rows: Vec<u8>,
    /// Its traces as a Parquet file, if the sweep has traces.
    pub traces: Option<Vec<u8>>,
    /// Number of runs that failed.
    pub failed: u64,
    /// Computing time, s.
    pub seconds: f64,
}

/// Whoever asked for a part told it to stop.
#[derive(Clone, Copy, Debug)]
pub struct Stopped;

impl Part {
    /// Makes the runs of a part. Trajectories are written into `folder` at once; rows and traces are for [`Folder::store`].
    /// `made` is called after each run and learns whether it failed.
    ///
    /// # Errors
    /// [`SweepError`] if a file cannot be written; runs that fail are rows.
    pub fn make(
        plan: &Plan,
        number: u64,
        folder: Option<&Folder>,
        stop: &(dyn Fn() -> bool + Sync),
        made: &(dyn Fn(bool) + Sync),
    ) -> Result<Result<Self, Stopped>, SweepError> {
        let begin = Instant::now();
        let (mut rows, mut traces, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
        let mut failed = 0;
        for number in plan.runs_of(number) {
            let began = Instant::now();
            let trajectory = match folder.filter(|_| plan.frames_every.is_some()) {
                Some(folder) => Some(folder.trajectory(number)?),
                None => None,
            };
            let Some(outcome) = run(plan, number, trajectory.as_ref().map(|file| file.draft()), stop)? else {
                return Ok(Err(Stopped));
            };
            if let Some(file) = trajectory {
                file.keep()?;
            }
            failed += u64::from(outcome.failure.is_some());
            rows.push(outcome.row);
            traces.extend(outcome.trace);
            seconds.push(format!("{:.4}", began.elapsed().as_secs_f64()));
            made(outcome.failure.is_some());
        }
        let remarks = [(SECONDS.to_owned(), seconds.join(" "))];
        let traces = match plan.trace.is_empty() {
            true => None,
            false => Some(encode(&trace::columns(&plan.trace), &traces, &[])?),
        };
        let rows = encode(plan.columns(), &rows, &remarks)?;
        Ok(Ok(Self { number, rows, traces, failed, seconds: begin.elapsed().as_secs_f64() }))
    }
}

/// How long the runs of a part took, s, from its remarks.
pub(crate) fn seconds_of(remarks: &[(String, String)]) -> Vec<f64> {
    let text = remarks.iter().find(|(key, _)| key == SECONDS).map_or("", |(_, text)| text.as_str());
    text.split(' ').filter_map(|number| number.parse().ok()).collect()
}

/// The number of a run, in its row.
pub(crate) fn run_of(row: &[Cell]) -> Option<i64> {
    match row.first() {
        Some(Cell::Integer(run)) => Some(*run),
        _ => None,
    }
}
