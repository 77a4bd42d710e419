//! Loops over fixed chunks: the same bits for any number of threads.
//!
//! The engine owns no threads. Called inside a rayon pool (`pool.install(|| simulator.step(&mut state))`) the
//! chunks run on that pool; called outside of one they run in order on the caller's thread and nothing is
//! allocated. Chunk boundaries and the order of every sum are the same in both cases.

use rayon::prelude::*;

/// Elements per chunk: large enough to hide the cost of a task, small enough to balance two to sixteen cores.
pub(crate) const CHUNK: usize = 512;

/// Whether a pool is there to be used.
pub(crate) fn pooled() -> bool {
    rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1
}

/// Number of partial sums that [`sum_chunks`] writes for `n` items.
pub(crate) fn partials(n: usize) -> usize {
    n.div_ceil(CHUNK)
}

/// Σ over chunks of `f(first, items)`, added in the order of the chunks.
pub(crate) fn sum_chunks<A: Sync>(
    items: &[A],
    partial: &mut [f64],
    f: impl Fn(usize, &[A]) -> f64 + Sync + Send,
) -> f64 {
    if pooled() && items.len() > CHUNK {
        items
            .par_chunks(CHUNK)
            .zip(partial.par_iter_mut())
            .enumerate()
            .for_each(|(c, (chunk, sum))| *sum = f(c * CHUNK, chunk));
        partial[..partials(items.len())].iter().sum()
    } else {
        items.chunks(CHUNK).enumerate().map(|(c, chunk)| f(c * CHUNK, chunk)).sum()
    }
}

/// As [`sum_chunks`], each chunk also writing `width` outputs per item.
pub(crate) fn sum_chunks_into<A: Sync, B: Send>(
    items: &[A],
    width: usize,
    out: &mut [B],
    partial: &mut [f64],
    f: impl Fn(usize, &[A], &mut [B]) -> f64 + Sync + Send,
) -> f64 {
    if pooled() && items.len() > CHUNK {
        items
            .par_chunks(CHUNK)
            .zip(out.par_chunks_mut(CHUNK * width))
            .zip(partial.par_iter_mut())
            .enumerate()
            .for_each(|(c, ((chunk, out), sum))| *sum = f(c * CHUNK, chunk, out));
        partial[..partials(items.len())].iter().sum()
    } else {
        items
            .chunks(CHUNK)
            .zip(out.chunks_mut(CHUNK * width))
            .enumerate()
            .map(|(c, (chunk, out))| f(c * CHUNK, chunk, out))
            .sum()
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

/// As [`for_chunks`], each chunk also leaving a partial result, for the caller to add up in the order of the chunks.
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

/// Runs both, at once if a pool is there.
pub(crate) fn both<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    if pooled() { rayon::join(a, b) } else { (a(), b()) }
}
