//! The threads of a command.

use crate::failure::Failure;

/// Runs `work` on `count` threads, by default one per core. The count affects the time, never the result.
pub fn with<T: Send>(
    count: Option<usize>,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(count.unwrap_or(cores))
        .build()
        .map_err(|error| Failure::Run(format!("threads cannot be started: {error}")))?;
    pool.install(work)
}
