//! Plots in the papers' form: one curve for each trial over time.

use super::measure::first;
use sinew_scene::export::colour::Colour;
use sinew_scene::export::plot::{Dash, Figure, Plot, Series, Style};
use sinew_scene::run::{Row, Run};

/// Largest number of points of a curve; a trial with tiny steps has a hundred times as many, which no screen shows.
const MOST_POINTS: usize = 2000;
/// If a curve rises above this many times the largest start value, the axis is logarithmic, so that the others stay visible.
const LOGARITHMIC: f64 = 20.0;
/// Angular momenta beyond this many times the first are not drawn.
const SPIN_LIMIT: f64 = 2.0;

/// Total energy over time.
pub(super) fn energy(runs: &[Run]) -> Figure {
    Figure { panels: vec![panel(runs, "total energy (J)", Row::total)] }
}

/// Total energy above, angular momentum below.
pub(super) fn energy_and_spin(runs: &[Run]) -> Figure {
    Figure { panels: vec![panel(runs, "total energy (J)", Row::total), spin(runs)] }
}

/// The angular momentum along its initial direction, relative to its initial magnitude. Rounded, so that a conserved one is a straight line
/// and does not show rounding errors.
pub(super) fn spin(runs: &[Run]) -> Plot {
    let start = runs.first().map(|run| first(run).angular).unwrap_or_default();
    let along = start / start.length_squared();
    // An explosion leaves the picture instead of flattening the others.
    let value = |row: &Row| {
        let share = (row.angular.dot(along) * 1e6).round() / 1e6;
        if share.abs() < SPIN_LIMIT { share } else { f64::NAN }
    };
    panel(runs, "angular momentum over its start", value)
}

/// Total energy above, kinetic energy below.
pub(super) fn energy_and_motion(runs: &[Run]) -> Figure {
    let kinetic = panel(runs, "kinetic energy (J)", |row| row.kinetic);
    Figure { panels: vec![panel(runs, "total energy (J)", Row::total), kinetic] }
}

/// One quantity of all trials over time.
pub(super) fn panel(runs: &[Run], label: &str, value: impl Fn(&Row) -> f64) -> Plot {
    let mut series = Vec::new();
    for (i, run) in runs.iter().enumerate() {
        let every = run.rows().len().div_ceil(MOST_POINTS).max(1);
        let points = run.rows().iter().step_by(every).map(|row| (row.time, value(row))).collect();
        // Curves coincide where methods agree; broken ones let those below show.
        let dash = [Dash::Solid, Dash::Dashed][i % 2];
        let style = Style { colour: Some(Colour::distinct(i)), width: 2.2, dash };
        series.push(Series { style, ..Series::new(run.name(), points) });
    }
    Plot {
        title: String::new(),
        x_label: "time (s)".into(),
        y_label: label.into(),
        log_y: wants_logarithm(&series),
        log_x: false,
        series,
    }
}

fn wants_logarithm(series: &[Series]) -> bool {
    let values = || series.iter().flat_map(|line| line.points.iter().map(|point| point.1));
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(0.0, f64::max);
    let start = series.iter().filter_map(|line| line.points.first()).fold(0.0, |most: f64, p| most.max(p.1));
    low > 0.0 && start > 0.0 && high > LOGARITHMIC * start
}
