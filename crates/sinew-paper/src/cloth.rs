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
        let trial =
            |name: String, set: &[&str]| Trial::new(name, "paper/hanging-cloth", length.pick(300, 1000), set);
        let mut trials = Vec::new();
        for (name, set) in
            [("Lagrange multiplier", "correction.kind=lagrange-multiplier"), ("FEPR", "correction.kind=fepr")]
        {
            for stiffness in STIFFNESSES {
                let springs = format!("material.stiffness={}", 1e3 * stiffness);
                trials.push(trial(format!("{name}, {stiffness} kN/m"), &[set, &springs]));
            }
        }
        trials
    },
    judge: judge_multiplier,
    draw: curves::energy_and_motion,
};

/// Stiffnesses of the springs, kN/m: the paper prints none.
const STIFFNESSES: [f64; 3] = [1.0, 10.0, 100.0];

/// Mean of the visible motion over the second half of a run, J.
fn seen(run: &Run) -> f64 {
    let late = &run.rows()[run.rows().len() / 2..];
    late.iter().map(|row| row.visible).sum::<f64>() / late.len() as f64
}

fn judge_multiplier(runs: &[Run]) -> Finding {
    let (multiplier, fepr) = runs.split_at(STIFFNESSES.len());
    let share = |k: usize| seen(&multiplier[k]) / seen(&fepr[k]);
    let mut finding = Finding::default();
    for (k, run) in multiplier.iter().enumerate() {
        finding = finding
            .number(format!("{}: energy drift", run.name()), None, drift(run))
            .number(format!("{}: visible motion over FEPR's", run.name()), None, share(k))
            .number(format!("{}: kinetic energy left", run.name()), None, alive(run));
    }
    let (worst, least) = (
        multiplier.iter().map(drift).fold(0.0, f64::max),
        (0..STIFFNESSES.len()).map(share).fold(f64::INFINITY, f64::min),
    );
    fepr.iter()
        .fold(finding, |finding, run| {
            finding
                .number(format!("{}: energy drift", run.name()), None, drift(run))
                .number(format!("{}: motion left", run.name()), None, alive(run))
        })
        .claim(worst < 1e-5, "the Lagrange multiplier keeps the energy perfectly")
        .claim(least < 0.01, "the motion gets stuck: on one of the cloths less than a hundredth of FEPR's is seen")
        .remark("A cloth of 21 × 21 vertices held at two corners. Stiffness and size are not printed: three stiffnesses are tried. On the stiffest the cloth stays where it started, level; on the others it swings. Visible motion: that of displacements over a tenth of a second, in the second half of the run. Motion left: mean kinetic energy of the last fifth over that of the first.")
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
