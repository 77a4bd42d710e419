//! The same step on one thread and on two.

use super::iteration::Repeated;
use super::{CELLS_30K, cells};
use crate::bodies::cube;
use crate::catalogue::Options;
use crate::error::BenchError;
use crate::machine;
use crate::record::{Bound, Detail, Record};
use crate::rounds::{Plan, side_by_side};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Iterations of the step.
const ITERATIONS: usize = 20;

/// A pool of this many threads.
pub fn pool(threads: usize) -> Result<ThreadPool, BenchError> {
    let refuse = |error| BenchError::CannotRun(format!("threads cannot be started: {error}"));
    ThreadPoolBuilder::new().num_threads(threads).build().map_err(refuse)
}

/// Milliseconds per step of 20 iterations.
pub fn threads_30k(
    id: &'static str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    if machine::cores() < 2 {
        return Err(BenchError::CannotRun("two threads need two cores, and there is one".into()));
    }
    let (one, two) = (pool(1)?, pool(2)?);
    let model = cube(cells(CELLS_30K, options.quick), false)?;
    progress("factors the matrix");
    let (mut on_one, mut on_two) = (Repeated::new(&model, ITERATIONS)?, Repeated::new(&model, ITERATIONS)?);
    one.install(|| on_one.check())?;
    two.install(|| on_two.check())?;
    progress("steps on two threads and on one in turn");
    let plan = Plan { rounds: if options.quick { 5 } else { 15 }, turn: 0.0, budget: 60.0 };
    let samples = side_by_side(
        plan,
        &mut [&mut || two.install(|| on_two.step()), &mut || one.install(|| on_one.step())],
    );
    let ratio = samples[1].median() / samples[0].median();
    Ok(Record::new(id, &samples[0].scaled(1e3), "ms")
        .against("the same step on one thread", &samples[1].scaled(1e3))
        .detail(Detail::bounded("ratio to one thread", ratio, "", Bound::AtLeast(1.5)))
        .note(format!(
            "{} vertices, {} tetrahedra, {ITERATIONS} iterations; value is the time on two threads",
            model.vertex_count(),
            model.element_count()
        )))
}
