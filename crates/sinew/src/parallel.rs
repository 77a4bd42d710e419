//! Loops over fixed chunks, with the same bits for any number of threads.
//!
//! The engine owns no threads. Called inside a rayon pool (`pool.install(|| simulator.step(&mut state))`), the chunks run on that pool;
//! called outside one, they run in order on the caller's thread and nothing is allocated. Chunk boundaries and the order of every sum are the
//! same in both cases.

use rayon::prelude::*;
use std::ops::Range;

/// Elements per chunk: large enough to hide the cost of a task, small enough to balance two to sixteen cores.
pub(crate) const CHUNK: usize = 512;

/// Whether the caller runs on a pool.
fn pooled() -> bool {
    rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1
}

/// Runs both, on two threads if the pool has two. They must not depend on each other.
pub(crate) fn join(a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    if pooled() {
        rayon::join(a, b);
    } else {
        a();
        b();
    }
}

/// Number of chunks of `n` items.
pub(crate) fn chunks(n: usize) -> usize {
    n.div_ceil(CHUNK)
}

/// The items of chunk `c` of `n`.
pub(crate) fn chunk(c: usize, n: usize) -> Range<usize> {
    c * CHUNK..((c + 1) * CHUNK).min(n)
}

/// Σ over tasks of `f(task)`, one task per partial sum, added in order.
pub(crate) fn sum_tasks(partial: &mut [f64], f: impl Fn(usize) -> f64 + Sync + Send) -> f64 {
    if pooled() && partial.len() > 1 {
        partial.par_iter_mut().enumerate().for_each(|(task, sum)| *sum = f(task));
        partial.iter().sum()
    } else {
        (0..partial.len()).map(f).sum()
    }
}

/// As [`sum_tasks`]; each task also writes its own `width` outputs.
pub(crate) fn sum_tasks_into<B: Send>(
    partial: &mut [f64],
    out: &mut [B],
    width: usize,
    f: impl Fn(usize, &mut [B]) -> f64 + Sync + Send,
) -> f64 {
    // A width of zero would give no chunks, and no tasks.
    let width = width.max(1);
    if pooled() && partial.len() > 1 {
        let tasks = partial.par_iter_mut().zip(out.par_chunks_mut(width)).enumerate();
        tasks.for_each(|(task, (sum, out))| *sum = f(task, out));
        partial.iter().sum()
    } else {
        out.chunks_mut(width).enumerate().map(|(task, out)| f(task, out)).sum()
    }
}

/// Calls `f(first, items)` for every chunk of a mutable slice.
pub(crate) fn for_chunks<A: Send>(items: &mut [A], f: impl Fn(usize, &mut [A]) + Sync + Send) {
    if pooled() && items.len() > CHUNK {
        items.par_chunks_mut(CHUNK).enumerate().for_each(|(c, chunk)| f(c * CHUNK, chunk));
    } else {
        items.chunks_mut(CHUNK).enumerate().for_each(|(c, chunk)| f(c * CHUNK, chunk));
    }
}

/// As [`for_chunks`]; each chunk also leaves a partial result, for the caller to add up in the order of the chunks.
pub(crate) fn map_chunks<A: Send, P: Send>(
    items: &mut [A],
    partial: &mut [P],
    f: impl Fn(usize, &mut [A]) -> P + Sync + Send,
) {
    if pooled() && items.len() > CHUNK {
        let chunks = items.par_chunks_mut(CHUNK).zip(partial.par_iter_mut()).enumerate();
        chunks.for_each(|(c, (chunk, partial))| *partial = f(c * CHUNK, chunk));
    } else {
        let chunks = items.chunks_mut(CHUNK).zip(partial).enumerate();
        chunks.for_each(|(c, (chunk, partial))| *partial = f(c * CHUNK, chunk));
    }
}

/// Runs both, concurrently if there is a pool.
pub(crate) fn both<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    if pooled() { rayon::join(a, b) } else { (a(), b()) }
}
