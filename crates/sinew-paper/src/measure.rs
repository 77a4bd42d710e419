//! Quantities measured from a run.

use sinew::Cause;
use sinew_scene::run::{Row, Run};

/// A run whose energy exceeds this many times its initial energy counts as blown up, even if it still computes.
const BLOWN_UP: f64 = 5.0;

/// The largest H over the first.
pub(super) fn highest(run: &Run) -> f64 {
    run.rows().iter().map(Row::total).fold(0.0, f64::max) / first(run).total()
}

/// The last H over the first.
pub(super) fn kept(run: &Run) -> f64 {
    last(run).total() / first(run).total()
}

/// max |H − H_total| over the energy scale of the run.
pub(super) fn drift(run: &Run) -> f64 {
    run.report().energy.drift
}

/// Whether energy grew out of bounds, or the run could not continue.
pub(super) fn blew_up(run: &Run) -> bool {
    blow_up_time(run).is_some()
}

/// The time of the blow-up, s.
pub(super) fn blow_up_time(run: &Run) -> Option<f64> {
    // The scale of a hanging body is not its total energy, whose zero is arbitrary.
    let scale = run.rows().iter().take(10).map(|row| row.kinetic).fold(0.0, f64::max)
        + (first(run).total() - lowest_potential(run)).abs();
    let out = |row: &&Row| (row.total() - budget(row)) > (BLOWN_UP - 1.0) * scale;
    run.rows().iter().find(out).map(|row| row.time).or(run.failure().map(|_| last(run).time))
}

/// H_total, J. Methods that the engine does not have edit the state, which the ledger books as added; here it is not.
pub(super) fn budget(row: &Row) -> f64 {
    row.target - row.entries[Cause::Edits]
}

fn lowest_potential(run: &Run) -> f64 {
    run.rows().iter().map(Row::potential).fold(f64::INFINITY, f64::min)
}

/// The angular momentum about the y axis at the end over that at the start.
pub(super) fn spin_kept(run: &Run) -> f64 {
    last(run).angular.y / first(run).angular.y
}

/// The largest |L − L₀|/|L₀|.
pub(super) fn angular_drift(run: &Run) -> f64 {
    let start = first(run).angular;
    run.rows().iter().map(|row| row.angular.distance(start)).fold(0.0, f64::max) / start.length()
}

/// The first row: the initial state.
pub(super) fn first(run: &Run) -> &Row {
    &run.rows()[0]
}

/// The last row.
pub(super) fn last(run: &Run) -> &Row {
    &run.rows()[run.rows().len() - 1]
}

/// Mean kinetic energy of the last fifth of the run over that of the first fifth.
pub(super) fn alive(run: &Run) -> f64 {
    run.report().motion.kinetic_kept.unwrap_or(f64::NAN)
}

/// Time at which the kinetic energy fell below a hundredth of its largest value for good, s; the end if it never did.
pub(super) fn still_after(run: &Run) -> f64 {
    let most = run.rows().iter().map(|row| row.kinetic).fold(0.0, f64::max);
    run.rows().iter().rev().find(|row| row.kinetic > 0.01 * most).map_or(0.0, |row| row.time)
}

/// The gravitational energy in a row, J.
pub(super) fn gravity(run: &Run, row: &Row) -> f64 {
    let column = run.potentials().iter().position(|name| name == "gravity");
    column.map_or(0.0, |column| row.potentials[column])
}
