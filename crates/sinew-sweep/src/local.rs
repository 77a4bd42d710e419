//! A sweep on this machine: threads that take parts from a list.

use crate::error::SweepError;
use crate::folder::{Folder, Shard};
use crate::part::Part;
use crate::plan::Plan;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How a sweep uses the cores.
#[derive(Clone, Copy, Debug)]
pub struct Threads {
    /// Runs at the same time.
    pub runs: usize,
    /// Threads of each run; they change its time, never its result.
    pub each: usize,
}

/// How far a sweep is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Runs that are done, with those that were there at the start.
    pub done: u64,
    /// Runs that were there at the start.
    pub before: u64,
    /// Runs of the sweep, or of this shard.
    pub all: u64,
    /// Runs that failed since the start.
    pub failed: u64,
}

/// Makes the missing parts of a shard; `false` if it was told to stop.
///
/// # Errors
/// [`SweepError`] if something cannot be written; runs that fail are rows.
pub fn sweep(
    plan: &Plan,
    folder: &Folder,
    shard: Shard,
    threads: Threads,
    stop: &(dyn Fn() -> bool + Sync),
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<bool, SweepError> {
    let missing = folder.missing(plan, shard)?;
    let length =
        |parts: &[u64]| parts.iter().map(|&part| plan.runs_of(part)).map(|runs| runs.end - runs.start).sum();
    let all: Vec<u64> = (0..plan.parts()).filter(|&part| shard.has(part)).collect();
    let (left, all): (u64, u64) = (length(&missing), length(&all));
    let state = Mutex::new(Progress { done: all - left, before: all - left, all, failed: 0 });
    let made = |failed: bool| {
        // A thread that panicked while it counted has spoilt nothing.
        let mut state = state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        state.done += 1;
        state.failed += u64::from(failed);
        progress(&state);
    };
    let (next, broken) = (AtomicUsize::new(0), AtomicBool::new(false));
    let halt = || broken.load(Ordering::Relaxed) || stop();
    let work = || -> Result<bool, SweepError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.each).build();
        let pool = pool.map_err(|error| SweepError::Ask(format!("threads cannot be started: {error}")))?;
        while let Some(&part) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
            let stored = match pool.install(|| Part::make(plan, part, Some(folder), &halt, &made)) {
                Ok(Ok(part)) => folder.store(&part),
                Ok(Err(_)) => return Ok(false),
                Err(error) => Err(error),
            };
            // A full disk is full for the other threads, too.
            stored.inspect_err(|_| broken.store(true, Ordering::Relaxed))?;
        }
        Ok(true)
    };
    let workers = threads.runs.min(missing.len()).max(1);
    let outcomes: Vec<Result<bool, SweepError>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        handles.into_iter().filter_map(|handle| handle.join().ok()).collect()
    });
    let mut complete = true;
    for outcome in outcomes {
        complete &= outcome?;
    }
    Ok(complete)
}
