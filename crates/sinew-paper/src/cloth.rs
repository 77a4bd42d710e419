//! Cloth: Lagrange multipliers that lock it, and waves that a blend keeps [dinev2018stab, Fig. 1 and 9].

use super::measure::{alive, drift};
use super::{Document, Experiment, Finding, Trial, curves};
use sinew_scene::run::Run;

pub(super) const STAB_FIG1: Experiment = Experiment {
    id: "stab-fig1",
    title: "Lagrange multipliers on cloth",
    document: Document::Stabilizing,
    figure: "Fig. 1",
    claim: "The Lagrange multiplier keeps the energy of a cloth perfectly, and the motion gets stuck.",
    trials: |length| {
        let trial = |name, set: &[&str]| Trial::new(name, "paper/hanging-cloth", length.pick(300, 1000), set);
        vec![
            trial("Lagrange multiplier", &["correction.kind=lagrange-multiplier"]),
            trial("FEPR", &["correction.kind=fepr"]),
        ]
    },
    judge: judge_multiplier,
    draw: curves::energy_and_motion,
};

fn judge_multiplier(runs: &[Run]) -> Finding {
    let (multiplier, fepr) = (&runs[0], &runs[1]);
    Finding::default()
        .number("Lagrange multiplier: energy drift", None, drift(multiplier))
        .number("Lagrange multiplier: motion left", None, alive(multiplier))
        .number("Lagrange multiplier: steps that failed", None, multiplier.report().correction.fallbacks as f64)
        .number("FEPR: energy drift", None, drift(fepr))
        .number("FEPR: motion left", None, alive(fepr))
        .claim(drift(multiplier) < 1e-5, "the Lagrange multiplier keeps the energy perfectly")
        .claim(alive(multiplier) < 0.2, "the motion gets stuck")
        .remark("Motion left: mean kinetic energy of the last fifth over that of the first. A cloth of 21 × 21 vertices held at two corners.")
}

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
        .number(
            "blend: steps in which even backward Euler has too much energy",
            None,
            blend.report().correction.fallbacks as f64,
        )
        .number("backward Euler: ms per step", Some(110.0), euler.report().time_ms.step_mean)
        .number("blend: ms per step", Some(127.0), blend.report().time_ms.step_mean)
        .claim(motion(blend) > 3.0 * motion(euler), "the blend keeps the waves that backward Euler damps out")
        .claim(motion(blend) > 1.5 * motion(bdf2), "and those that BDF2 damps out")
        .claim(blend.report().energy.drift < 0.02, "the blend keeps the energy within its ε")
        .remark("The times of the paper are for 10 201 vertices, which is what --full simulates.")
}
