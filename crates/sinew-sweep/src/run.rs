//! One run: scene with its values → row, trace, trajectory.

use crate::column::{Cell, value_at};
use crate::error::SweepError;
use crate::plan::Plan;
use crate::trace;
use sinew_scene::build::build;
use sinew_scene::export::series::{Array, NpzWriter};
use sinew_scene::run::{Report, Run};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Most frames of a run of a given time.
const MAX_FRAMES: usize = 1_000_000;

/// What a run leaves.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// A cell for each column of the plan.
    pub row: Vec<Cell>,
    /// Rows of its trace.
    pub trace: Vec<Vec<Cell>>,
    /// Why it failed, if it did.
    pub failure: Option<String>,
}

/// What a simulation gives, whole or up to where it failed.
struct Simulated {
    report: Option<Report>,
    trace: Vec<Vec<Cell>>,
    failure: Option<String>,
}

/// Makes a run; `None` if it was told to stop. The trajectory goes into the file `trajectory`, if the plan wants one.
pub(crate) fn run(
    plan: &Plan,
    number: u64,
    trajectory: Option<&Path>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Outcome>, SweepError> {
    let choices = plan.choices(number);
    // A panic is a bug of Sinew, but one run with a bug must not end the thousands of others.
    let simulated = catch_unwind(AssertUnwindSafe(|| simulate(plan, number, trajectory, stop)));
    let simulated = match simulated {
        Ok(Ok(None)) => return Ok(None),
        Ok(Ok(Some(simulated))) => simulated,
        Ok(Err(error)) => return Err(error),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
            failed(format!("a bug in Sinew: {}", said.unwrap_or_else(|| "it panicked".into())))
        }
    };
    let Simulated { report, trace, failure } = simulated;
    let mut row = Vec::with_capacity(plan.columns().len());
    let report =
        report.map_or(serde_json::Value::Null, |report| serde_json::to_value(report).unwrap_or_default());
    for column in plan.columns() {
        let axis = plan.axes().iter().position(|axis| axis.name == column.name);
        row.push(match (column.name.as_str(), axis) {
            (_, Some(i)) => Cell::of_value(&choices[i].value, column.kind),
            ("run", _) => Cell::Integer(number as i64),
            ("sample", _) => plan.sample(number).map_or(Cell::Missing, |sample| Cell::Integer(sample as i64)),
            ("ok", _) => Cell::Boolean(failure.is_none()),
            ("failure", _) => failure.clone().map_or(Cell::Missing, Cell::Text),
            (name, None) => Cell::of_json(value_at(&report, name), column.kind),
        });
    }
    Ok(Some(Outcome { row, trace, failure }))
}

fn failed(why: String) -> Simulated {
    Simulated { report: None, trace: Vec::new(), failure: Some(why) }
}

fn simulate(
    plan: &Plan,
    number: u64,
    trajectory: Option<&Path>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Simulated>, SweepError> {
    let choices = plan.choices(number);
    let built = plan.scene_with(&choices).and_then(|parsed| build(&parsed, &plan.scene().folder));
    let built = match built {
        Ok(built) => built,
        Err(error) => return Ok(Some(failed(error.message))),
    };
    let frames = match plan.seconds {
        Some(seconds) => ((seconds / built.settings().h).round() as usize).clamp(1, MAX_FRAMES),
        None => built.scene.frames,
    };
    let vertices = built.model().vertex_count();
    let mut run = Run::new(&plan.scene().name, built, frames);
    let mut rows = Vec::new();
    let (mut times, mut positions) = (Vec::new(), Vec::new());
    loop {
        let frame = run.frame();
        if let Some(row) =
            run.rows().last().filter(|_| !plan.trace.is_empty() && frame.is_multiple_of(plan.trace_every))
        {
            rows.push(trace::cells(&plan.trace, number, frame, row));
        }
        if plan.frames_every.is_some_and(|every| frame.is_multiple_of(every)) {
            times.push(run.state().time());
            positions.extend(run.state().positions().iter().flat_map(|x| x.to_array()));
        }
        if stop() {
            return Ok(None);
        }
        if run.is_over() || run.step().is_err() {
            break;
        }
    }
    if let Some(path) = trajectory.filter(|_| plan.frames_every.is_some()) {
        let mut file = NpzWriter::create(path)?;
        file.array("time", &[times.len()], Array::Reals(&times))?;
        file.array("positions", &[times.len(), vertices, 3], Array::Reals(&positions))?;
        file.finish()?;
    }
    let failure = run.failure().map(ToString::to_string);
    Ok(Some(Simulated { report: Some(run.report()), trace: rows, failure }))
}
