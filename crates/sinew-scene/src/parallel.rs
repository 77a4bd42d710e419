//! A loop on the threads of the caller's pool, with results in the order of the items: the same bits for any number of threads.

use rayon::prelude::*;

/// `f` of 0, 1, …, n − 1. Outside a pool it runs on the caller's thread, as the engine does.
pub(crate) fn map<T: Send>(n: usize, f: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    if rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1 {
        (0..n).into_par_iter().map(f).collect()
    } else {
        (0..n).map(f).collect()
    }
}
