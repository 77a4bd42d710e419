//! A struck trampoline of 61 × 61 vertices [dinev2018fepr, Fig. 7 to 9].

use super::measure::{alive, drift, highest, last, still_after};
use super::{Document, Experiment, Finding, Trial, curves};
use sinew_scene::run::Run;

pub(super) const FEPR_FIG8: Experiment = Experiment {
    id: "fepr-fig8",
    title: "trampoline, projective dynamics",
    document: Document::Fepr,
    figure: "Fig. 8 and 9",
    claim: "Backward Euler with projective dynamics damps a lot; a fifth of the step helps at four times the cost; FEPR keeps the energy at a quarter more.",
    trials: |length| {
        let frames = length.pick(120, 600);
        vec![
            Trial::new("backward Euler", "trampoline", frames, &["solver.acceleration=lbfgs"]),
            Trial::new("step / 5", "trampoline", 5 * frames, &["solver.acceleration=lbfgs", "h=1/150"]),
            Trial::new("FEPR", "trampoline", frames, &["solver.acceleration=lbfgs", "correction.kind=fepr"]),
        ]
    },
    judge: judge_projective,
    draw: curves::energy_and_motion,
};

fn judge_projective(runs: &[Run]) -> Finding {
    let (plain, reduced, fepr) = (&runs[0], &runs[1], &runs[2]);
    let [plain_time, reduced_time, fepr_time] = [plain, reduced, fepr].map(|run| run.report().time_ms);
    let correction = fepr.report().correction;
    Finding::default()
        .number("backward Euler: motion left", None, alive(plain))
        .number("step / 5: motion left", None, alive(reduced))
        .number("FEPR: motion left", None, alive(fepr))
        .number("backward Euler: still after (s)", None, still_after(plain))
        .number("step / 5: still after (s)", None, still_after(reduced))
        .number("FEPR: energy drift", None, drift(fepr))
        .number("backward Euler: ms per frame", Some(53.0), plain_time.step_mean)
        .number("step / 5: ms per frame", Some(255.0), 5.0 * reduced_time.step_mean)
        .number("FEPR: ms per frame", Some(67.0), fepr_time.step_mean)
        .number("FEPR: time over that of the solver", Some(14.0 / 53.0), fepr_time.correct_mean / fepr_time.solve_mean)
        .number("FEPR: iterations per step", Some(9.1), correction.iterations_mean)
        .number("FEPR: steps that fell back", None, correction.fallbacks as f64)
        .claim(alive(plain) < 0.1, "backward Euler damps the motion out")
        .claim(
            still_after(reduced) > 2.0 * still_after(plain) && still_after(reduced) < last(reduced).time,
            "a fifth of the step helps and does not resolve the problem",
        )
        .claim(drift(fepr) < 1e-9, "FEPR keeps the energy perfectly")
        .claim(alive(fepr) > 0.8, "the trampoline keeps oscillating")
        .claim(fepr_time.step_mean < 2.5 * reduced_time.step_mean, "FEPR costs less than half of the reduced step")
        .remark("Motion left: mean kinetic energy of the last fifth over that of the first. Still: kinetic energy below a hundredth of its largest. The paper's stiffness and strike are not printed.")
}

pub(super) const FEPR_FIG7: Experiment = Experiment {
    id: "fepr-fig7",
    title: "trampoline, XPBD",
    document: Document::Fepr,
    figure: "Fig. 7",
    claim: "FEPR after under-solved XPBD gives more vivid motion; the excessive stretch stays.",
    trials: |length| {
        let frames = length.pick(150, 600);
        let xpbd = ["solver.kind=xpbd", "solver.iterations=40"];
        vec![
            Trial::new("XPBD", "trampoline", frames, &xpbd),
            Trial::new("XPBD + FEPR", "trampoline", frames, &xpbd).with(&["correction.kind=fepr"]),
        ]
    },
    judge: judge_xpbd,
    draw: curves::energy_and_motion,
};

fn judge_xpbd(runs: &[Run]) -> Finding {
    let (plain, fepr) = (&runs[0], &runs[1]);
    let (report, time) = (fepr.report(), fepr.report().time_ms);
    Finding::default()
        .number("XPBD: largest energy over the first", None, highest(plain))
        .number("XPBD: motion left", None, alive(plain))
        .number("FEPR: motion left", None, alive(fepr))
        .number("FEPR: energy drift", None, drift(fepr))
        .number("XPBD: ms per step", Some(21.0), time.solve_mean)
        .number("FEPR: ms per step", Some(7.0), time.correct_mean)
        .number("FEPR: iterations per step", Some(4.8), report.correction.iterations_mean)
        .number("FEPR: steps that fell back", None, report.correction.fallbacks as f64)
        .claim(drift(fepr) < 1e-9, "FEPR keeps the energy after XPBD")
        .claim(alive(fepr) > 2.0 * alive(plain), "the motion is more vivid")
        .claim(time.correct_mean < time.solve_mean, "it costs less than XPBD itself")
        .remark("Wrinkles are for the eye; motion left is the mean kinetic energy of the last fifth over that of the first.")
}
