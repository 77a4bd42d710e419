//! Threads of our own, which survive a fork.
//!
//! The threads of a pool do not exist in a child that `fork` made: work given to it would wait for ever. Each pool therefore remembers the
//! process that started it, and a child makes its own. The pools of the parent are forgotten, not dropped: dropping them
//! would talk to threads that are gone. Locks here are only taken while the interpreter is attached, so that no other thread of Python can fork in
//! between.

use crate::errors::Kind;
use pyo3::prelude::*;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

struct Pools {
    process: u32,
    by_threads: BTreeMap<usize, Arc<ThreadPool>>,
}

static POOLS: Mutex<Pools> = Mutex::new(Pools { process: 0, by_threads: BTreeMap::new() });

/// A number of threads: `None` is one for each core.
pub type Threads = Option<NonZeroUsize>;

/// Checks the argument `threads`.
pub fn threads(given: Option<i64>) -> PyResult<Threads> {
    match given {
        None => Ok(None),
        Some(count) => match usize::try_from(count).ok().and_then(NonZeroUsize::new) {
            Some(count) if count.get() <= 1024 => Ok(Some(count)),
            _ => Err(Kind::Settings.error(format_args!("threads must be from 1 to 1024, is {count}"))),
        },
    }
}

/// Runs `work` without the interpreter, on this many threads.
pub fn work<T: Send>(py: Python<'_>, threads: Threads, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let count = threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    if count == 1 {
        return Ok(py.detach(work));
    }
    let pool = pool(count)?;
    Ok(py.detach(|| pool.install(work)))
}

/// Calls `f` for each item, side by side if the caller runs on a pool. Loops of rayon outside of one would start threads of their own, for which nobody asked and
/// which no child of a fork would have.
pub fn for_each<T: Send>(items: &mut [T], f: impl Fn(&mut T) + Sync + Send) {
    match rayon::current_thread_index() {
        Some(_) => items.par_iter_mut().with_max_len(1).for_each(f),
        None => items.iter_mut().for_each(f),
    }
}

fn pool(count: usize) -> PyResult<Arc<ThreadPool>> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if pools.process != process {
        std::mem::forget(std::mem::take(&mut pools.by_threads));
        pools.process = process;
    }
    if let Some(pool) = pools.by_threads.get(&count) {
        return Ok(pool.clone());
    }
    let built = ThreadPoolBuilder::new().num_threads(count).thread_name(|i| format!("sinew-{i}")).build();
    let pool = Arc::new(
        built.map_err(|error| Kind::Step.error(format_args!("threads cannot be started: {error}")))?,
    );
    pools.by_threads.insert(count, pool.clone());
    Ok(pool)
}
