//! Is the remaining energy motion or noise? The paper's own future work, on three bodies.
//!
//! Frozen strain and jitter can also keep H. The kinetic energy and the frequency of the motion, compared with a run with tiny steps, show
//! which it is.

use super::{Document, Experiment, Finding, Trial, curves};
use sinew_scene::export::plot::Figure;
use sinew_scene::run::Run;

const BODIES: [&str; 3] = ["trampoline", "bar", "cube"];

pub(super) const FEPR_FREQUENCY: Experiment = Experiment {
    id: "fepr-frequency",
    title: "motion or noise",
    document: Document::Fepr,
    figure: "Sec. 5",
    claim: "Future work of the paper: energy that FEPR keeps should stay in the frequencies that the true motion has.",
    trials: |length| {
        let cells = format!("body.0.mesh.cloth.cells={}", length.pick("[20, 20]", "[60, 60]"));
        let trampoline = length.pick(150, 300);
        let solid = length.pick(120, 300);
        let projective = "solver.kind=projective-dynamics";
        let mut trials =
            four("trampoline", "trampoline", trampoline, (400, "h=0.00008333333333333333"), &[&cells]);
        trials.extend(four(
            "bar",
            "bar",
            solid,
            (50, "h=0.00066"),
            &["integrator.kind=backward-euler", projective],
        ));
        trials.extend(four(
            "cube",
            "paper/stretched-cube",
            solid,
            (20, "h=0.00165"),
            &["integrator.kind=backward-euler", "solver.iterations=20"],
        ));
        trials
    },
    judge,
    draw: |runs| {
        let panel = |(body, runs): (&str, &[Run])| {
            curves::panel(runs, &format!("kinetic energy of the {body} (J)"), |row| row.kinetic)
        };
        Figure { panels: BODIES.into_iter().zip(runs.chunks(4)).map(panel).collect() }
    },
};

/// Trials without correction, with two smoothings, and a reference with `finer` times as many steps.
fn four(
    body: &str,
    scene: &'static str,
    frames: usize,
    (finer, step): (usize, &str),
    set: &[&str],
) -> Vec<Trial> {
    let trial =
        |name: &str, more: &[&str]| Trial::new(format!("{body}, {name}"), scene, frames, set).with(more);
    let mut truth = trial("truth", &["integrator.kind=symplectic-euler", step]);
    truth.frames = finer * frames;
    vec![
        trial("no correction", &[]),
        trial("smoothing 0", &["correction.kind=fepr", "fepr.smoothing=0"]),
        trial("smoothing 1", &["correction.kind=fepr", "fepr.smoothing=1"]),
        truth,
    ]
}

fn judge(runs: &[Run]) -> Finding {
    let motion: Vec<_> = runs.iter().map(|run| run.report().motion).collect();
    let kept = |i: usize| motion[i].kinetic_kept.unwrap_or(f64::NAN);
    let hertz = |i: usize| motion[i].frequency_hz.unwrap_or(f64::NAN);
    let mut finding = Finding::default();
    for (i, run) in runs.iter().enumerate() {
        finding = finding.number(format!("{}: kinetic energy kept", run.name()), None, kept(i)).number(
            format!("{}: frequency (Hz)", run.name()),
            None,
            hertz(i),
        );
    }
    for (b, body) in BODIES.iter().enumerate() {
        let [none, plain, smooth, truth] = std::array::from_fn(|i| 4 * b + i);
        let error = |i: usize| (kept(i) / kept(truth)).ln().abs();
        finding = finding
            .claim(
                error(smooth) < error(none) && error(smooth) < 0.3,
                &format!("on the {body} smoothed FEPR keeps the kinetic energy of the true motion to 30 %"),
            )
            .claim(
                hertz(smooth) < 1.1 * hertz(truth),
                &format!("on the {body} its frequency is not above the true one"),
            );
        if hertz(smooth) >= 1.1 * hertz(truth) {
            finding = finding.remark(&format!(
                "On the {body} the energy is kept at {:.1} Hz, where the true motion has {:.1}, and without smoothing {:.1}: what the iterations leave unsolved of a stiff body is given back as finer motion.",
                hertz(smooth),
                hertz(truth),
                hertz(plain)
            ));
        }
        let gain = error(plain) - error(smooth);
        if gain < 0.1 {
            finding = finding.remark(&format!("On the {body} smoothing helps little."));
        }
    }
    finding.remark("Truth is symplectic Euler with steps 20 to 400 times smaller. Base: backward Euler, 20 iterations of projective dynamics.")
}
