//! Single kernels of a step, each compared with a reference and with the limits of the machine.

mod iteration;
mod rotations;
mod solve;
mod threads;

pub use iteration::iteration_5k;
pub use rotations::rotations;
pub use solve::{solve_5k, solve_30k};
pub use threads::threads_30k;

/// Cells to a side of the cubes that benchmarks are named after: 17³ = 4,913 and 31³ = 29,791 vertices.
const CELLS_5K: usize = 16;
const CELLS_30K: usize = 30;

/// Cells for quick runs: 6³ = 216 vertices.
const CELLS_QUICK: usize = 5;

/// Time step, s.
const H: f64 = 1.0 / 30.0;

/// Cells of a cube, fewer for a quick run.
fn cells(full: usize, quick: bool) -> usize {
    if quick { CELLS_QUICK } else { full }
}
