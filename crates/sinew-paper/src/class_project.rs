//! A class project's reimplementation: linearised backward Euler with and without FEPR.

use super::measure::{alive, drift, kept};
use super::{Document, Experiment, Finding, Length, Trial, curves};
use sinew_scene::run::Run;

fn trials(scene: &'static str, frames: usize) -> Vec<Trial> {
    vec![
        Trial::new("linearised backward Euler", scene, frames, &[]),
        Trial::new("FEPR", scene, frames, &["correction.kind=fepr"]),
        Trial::new("FEPR as printed", scene, frames, &["correction.kind=fepr", "fepr.variant=paper"]),
    ]
}

pub(super) const WU_FIG1: Experiment = Experiment {
    id: "wu-fig1",
    title: "tetrahedron of springs",
    document: Document::ClassProject,
    figure: "Fig. 1",
    claim: "With FEPR the energy stays level after a drag; without it oscillates. Up to 100 iterations a step.",
    trials: |length: Length| trials("paper/dragged-tetrahedron", length.pick(300, 1000)),
    judge: |runs| {
        let printed = runs[2].report().correction;
        basics(runs)
            .number("FEPR as printed: most iterations of a step", Some(100.0), printed.iterations_max as f64)
            .claim(drift(&runs[1]) < 1e-9, "with FEPR the energy stays level")
            .claim(drift(&runs[0]) > 0.05, "without it does not")
            .remark("Stiffness and drag are not printed; the drag is an initial displacement.")
    },
    draw: curves::energy,
};

pub(super) const WU_FIG2: Experiment = Experiment {
    id: "wu-fig2",
    title: "soft body held at its feet and dragged",
    document: Document::ClassProject,
    figure: "Fig. 2",
    claim: "With FEPR the body keeps swaying and the energy is kept; without it decays to that of rest. Fewer than 6 iterations.",
    trials: |length: Length| trials("paper/dragged-body", length.pick(300, 1000)),
    judge: |runs| {
        let (plain, fepr) = (&runs[0], &runs[1]);
        let printed = runs[2].report().correction;
        let late = |run: &Run| run.rows().iter().rev().take(60).map(|row| row.kinetic).sum::<f64>() / 60.0;
        basics(runs)
            .number("FEPR as printed: most iterations of a step", Some(6.0), printed.iterations_max as f64)
            .number("without: kinetic energy of the last two seconds (J)", None, late(plain))
            .number("FEPR: kinetic energy of the last two seconds (J)", None, late(fepr))
            .claim(drift(fepr) < 1e-9, "with FEPR the energy is kept after the drag")
            .claim(late(plain) < 0.1 * late(fepr), "without it the motion decays to rest")
            .claim(printed.iterations_max <= 6, "FEPR takes at most 6 iterations")
            .number("FEPR as printed: iterations per step", None, printed.iterations_mean)
            .remark(&format!("The project's bunny has point masses of its own mesh; ours is the built-in one, of {} vertices, whose edges are springs. The dragging springs stay attached at rest. FEPR as printed takes {:.1} iterations on average and {} at most until the norm of its constraints is below 1e-7; the project prints no tolerance, and iterations follow from it.", plain.report().vertices, printed.iterations_mean, printed.iterations_max))
    },
    draw: curves::energy,
};

fn basics(runs: &[Run]) -> Finding {
    let (plain, fepr, printed) = (&runs[0], &runs[1], &runs[2]);
    Finding::default()
        .number("without: energy drift", None, drift(plain))
        .number("without: energy at the end over the target", None, kept_of_target(plain))
        .number("FEPR: energy drift", None, drift(fepr))
        .number("FEPR: motion left", None, alive(fepr))
        .number("FEPR as printed: energy drift", None, drift(printed))
        .number("FEPR: most iterations of a step", None, fepr.report().correction.iterations_max as f64)
}

fn kept_of_target(run: &Run) -> f64 {
    let last = super::measure::last(run);
    if last.target > 0.0 { last.total() / last.target } else { kept(run) }
}
