//! A sweep on this machine.

use super::SweepArguments;
use crate::console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Counter;
use sinew_sweep::{Folder, Plan, Progress, Summary, Threads, finish, sweep};
use std::sync::Mutex;

/// Runs what is missing, and makes the table if nothing is missing any more.
pub fn run(plan: &Plan, folder: &Folder, arguments: &SweepArguments) -> Result<(), Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let each = arguments.per_run;
    let threads = Threads { runs: (arguments.threads.unwrap_or(cores) / each).max(1), each };
    let interrupt = Interrupt::listen();
    let counter = Mutex::new(Counter::new(plan.title(), "run", arguments.quiet));
    let last = Mutex::new(Progress::default());
    let progress = |progress: &Progress| {
        // Progress is no reason to stop.
        if let (Ok(mut counter), Ok(mut last)) = (counter.lock(), last.lock()) {
            let failed =
                if progress.failed > 0 { format!(", {} failed", progress.failed) } else { String::new() };
            counter.reach(progress.before, progress.done, progress.all, &failed);
            *last = *progress;
        }
    };
    let complete = sweep(plan, folder, arguments.shard, threads, &|| interrupt.is_pressed(), &progress)?;
    if let Ok(counter) = counter.into_inner() {
        counter.finish();
    }
    if !complete {
        return Err(Failure::InterruptedSweep);
    }
    let summary = finish(plan, folder)?;
    say(plan, folder, summary.as_ref())
}

/// Prints the end of a sweep. If no run succeeded, that is a failure.
fn say(plan: &Plan, folder: &Folder, summary: Option<&Summary>) -> Result<(), Failure> {
    let Some(summary) = summary else {
        let (done, all) = (folder.finished()?.len(), plan.parts());
        return console::say(format_args!(
            "{done} of {all} parts are there; the table is made with the last"
        ));
    };
    let table = folder.path().join("rows.parquet");
    console::say(format_args!(
        "{} runs, {} failed, {:.1} s of computing time: {}",
        summary.runs,
        summary.failed,
        summary.seconds,
        table.display()
    ))?;
    match &summary.first {
        Some((run, why)) if summary.failed == summary.runs => {
            Err(Failure::Run(format!("every run failed; run {run}: {why}")))
        }
        Some((run, why)) => {
            console::warn(format_args!("run {run}, the first that failed: {why}"));
            Ok(())
        }
        None => Ok(()),
    }
}

/// Prints the runs with their values.
pub fn list(plan: &Plan) -> Result<(), Failure> {
    let quoted = |text: String| match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    };
    let names = plan.axes().iter().map(|axis| quoted(axis.name.clone()));
    let mut lines = vec![std::iter::once("run".to_owned()).chain(names).collect::<Vec<_>>().join(",")];
    for run in 0..plan.runs() {
        let values = plan.choices(run).into_iter().map(|choice| quoted(choice.value.to_string()));
        lines.push(std::iter::once(run.to_string()).chain(values).collect::<Vec<_>>().join(","));
        if lines.len() >= 10_000 {
            console::say(lines.join("\n"))?;
            lines.clear();
        }
    }
    if lines.is_empty() { Ok(()) } else { console::say(lines.join("\n")) }
}
