//! A cloth shaken by a corner [dinev2018stab, Fig. 9].

use super::{Document, Experiment, Finding, Trial, curves};
use crate::run::Run;

pub(super) const STAB_FIG9: Experiment = Experiment {
    id: "stab-fig9",
    title: "cloth shaken by a corner",
    document: Document::Stabilizing,
    figure: "Fig. 9",
    claim: "Backward Euler and BDF2 quickly damp the waves of a shaken cloth; the blend keeps them.",
    trials: |length| {
        let cells = length.pick("[50, 50]", "[100, 100]");
        let cells = format!("body.0.mesh.cloth.cells={cells}");
        let trial = |name, set: &[&str]| {
            Trial::new(name, "cloth-shaken", length.pick(120, 300), &["solver.iterations=10", &cells])
                .with(set)
        };
        vec![
            trial("backward Euler", &[]),
            trial("BDF2", &["integrator.kind=bdf2"]),
            trial("blend", &["integrator.kind=implicit-midpoint", "correction.kind=blend"]),
        ]
    },
    judge,
    draw: curves::energy_and_motion,
};

/// Mean kinetic energy over the last second.
fn motion(run: &Run) -> f64 {
    let rows = run.rows();
    let late = &rows[rows.len().saturating_sub(30)..];
    late.iter().map(|row| row.kinetic).sum::<f64>() / late.len() as f64
}

fn judge(runs: &[Run]) -> Finding {
    let (euler, bdf2, blend) = (&runs[0], &runs[1], &runs[2]);
    Finding::default()
        .number("backward Euler: kinetic energy of the last second (J)", None, motion(euler))
        .number("BDF2: kinetic energy of the last second (J)", None, motion(bdf2))
        .number("blend: kinetic energy of the last second (J)", None, motion(blend))
        .number("blend: energy drift", None, blend.report().energy.drift)
        .number("backward Euler: ms per step", Some(110.0), euler.report().time_ms.step_mean)
        .number("blend: ms per step", Some(127.0), blend.report().time_ms.step_mean)
        .claim(motion(blend) > 3.0 * motion(euler), "the blend keeps the waves that backward Euler damps out")
        .claim(motion(blend) > 1.5 * motion(bdf2), "and those that BDF2 damps out")
        .claim(blend.report().energy.drift < 0.02, "the blend keeps the energy within its ε")
        .remark("The times of the paper are for 10 201 vertices, which is what --full simulates.")
}
