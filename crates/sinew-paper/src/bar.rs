//! A bar that hangs and stretches under gravity [dinev2018stab, Fig. 7].

use super::measure::drift;
use super::{Document, Experiment, Finding, Trial, curves};
use sinew_scene::run::Run;

pub(super) const STAB_FIG7: Experiment = Experiment {
    id: "stab-fig7",
    title: "bar under gravity, blend against backward Euler",
    document: Document::Stabilizing,
    figure: "Fig. 7",
    claim: "With the blend the bar bounces back to its rest state; with backward Euler it does not.",
    trials: |length| {
        let trial = |name, set: &[&str]| Trial::new(name, "paper/hanging-bar", length.pick(300, 1000), set);
        vec![
            trial("backward Euler", &["integrator.kind=backward-euler"]),
            trial("blend", &["integrator.kind=implicit-midpoint", "correction.kind=blend"]),
        ]
    },
    judge,
    draw: |runs| {
        let mut figure = curves::energy_and_motion(runs);
        if let Some(below) = figure.panels.get_mut(1) {
            *below = curves::panel(runs, "potential energy of gravity (J)", |row| {
                row.potentials.last().copied().unwrap_or(f64::NAN)
            });
        }
        figure
    },
};

/// Height to which the bar still rises in the last third of the run, as a share of its first fall, from its gravitational energy.
fn rise(run: &Run) -> f64 {
    let column = run.potentials().iter().position(|name| name == "gravity");
    let Some(column) = column else { return f64::NAN };
    let heights: Vec<f64> = run.rows().iter().map(|row| row.potentials[column]).collect();
    let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let late = &heights[2 * heights.len() / 3..];
    let (low, high) = late.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &y| (a.min(y), b.max(y)));
    (high - low) / (heights[0] - lowest)
}

fn judge(runs: &[Run]) -> Finding {
    let (euler, blend) = (&runs[0], &runs[1]);
    Finding::default()
        .number("backward Euler: swing left in the last third", None, rise(euler))
        .number("blend: swing left in the last third", None, rise(blend))
        .number("blend: energy drift", None, drift(blend))
        .claim(rise(blend) > 0.9, "with the blend the bar bounces back to where it started")
        .claim(rise(euler) < 0.5, "with backward Euler it does not")
        .claim(drift(blend) < 0.02, "the blend keeps the energy within its ε")
        .remark("Swing left: the range of the energy of gravity in the last third over the first fall. A built-in bar of 300 vertices stands for the paper's of 290.")
}
