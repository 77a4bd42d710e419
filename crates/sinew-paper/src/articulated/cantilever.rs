//! A cantilever with two bones: the result and its energy compared with the exact solution of each step [li2020, Fig. 9 and 11].

use super::{distance, step_time, stiff_instead};
use crate::measure::{drift, first};
use crate::{Document, Experiment, Finding, Trial, curves};
use sinew_scene::run::{Row, Run};

const CANTILEVER: &str = "paper/cantilever";
/// Values of the scene, Pa and m.
const YOUNG: f64 = 1e5;
const LENGTH: f64 = 1.7;
const EXACT: [&str; 2] = ["solver.kind=newton", "solver.iterations=50"];

pub(crate) const ART_FIG9: Experiment = Experiment {
    id: "art-fig9",
    title: "cantilever with two bones against the exact solution",
    document: Document::Articulated,
    figure: "Fig. 9",
    claim: "Ten iterations look like the exact solution and take a fraction of its time; stiff flesh moves differently.",
    trials: |length| {
        let frames = length.pick(30, 120);
        let stiff = stiff_instead(YOUNG, 500.0);
        vec![
            Trial::new("Newton on the constraints", CANTILEVER, frames, &EXACT),
            Trial::new("10 iterations", CANTILEVER, frames, &[]),
            Trial::new("flesh × 500", CANTILEVER, frames, &stiff.each_ref().map(String::as_str)),
        ]
    },
    judge: judge_result,
    draw: curves::energy_and_motion,
};

fn judge_result(runs: &[Run]) -> Finding {
    let [exact, ours, stiff] = std::array::from_fn(|i| &runs[i]);
    let far = |run: &Run| distance(run.state().positions(), exact.state().positions()) / LENGTH;
    let times = step_time(exact) / step_time(ours);
    Finding::default()
        .number("10 iterations: distance from the exact solution over the length", None, far(ours))
        .number("flesh × 500: the same", None, far(stiff))
        .number("10 iterations: ms per step", Some(139.0), step_time(ours))
        .number("exact: ms per step", Some(8370.0), step_time(exact))
        .number("exact over 10 iterations", Some(8370.0 / 139.0), times)
        .claim(far(ours) < 0.02, "10 iterations cannot be told from the exact solution: within 2 % of the length")
        .claim(far(stiff) > 3.0 * far(ours), "stiff flesh in place of bones moves differently")
        .claim(times > 2.0, "10 iterations are much faster")
        .remark("Newton's method on the constrained problem stands for IPOPT; the paper's third method, stable constrained dynamics, is not made again: plain iterations on flesh 500 times stiffer stand for it. 1715 vertices against 1690.")
}

pub(crate) const ART_FIG11: Experiment = Experiment {
    id: "art-fig11",
    title: "energy of the cantilever",
    document: Document::Articulated,
    figure: "Fig. 11",
    claim: "The total energy with ten iterations is very similar to that of the exact solution; none is injected.",
    trials: |length| {
        let frames = length.pick(60, 200);
        vec![
            Trial::new("Newton on the constraints", CANTILEVER, frames, &EXACT),
            Trial::new("10 iterations", CANTILEVER, frames, &[]),
            Trial::new("10 iterations, accelerated", CANTILEVER, frames, &["solver.acceleration=lbfgs"]),
            Trial::new("10 iterations, FEPR", CANTILEVER, frames, &["correction.kind=fepr"]),
        ]
    },
    judge: judge_energy,
    draw: curves::energy_and_motion,
};

fn judge_energy(runs: &[Run]) -> Finding {
    let [exact, plain, fast, fepr] = std::array::from_fn(|i| &runs[i]);
    let lost = scale(exact);
    let apart = |run: &Run| {
        let pairs = run.rows().iter().zip(exact.rows());
        pairs.map(|(a, b)| (a.total() - b.total()).abs()).fold(0.0, f64::max) / lost
    };
    let rises = |run: &Run| {
        run.rows().windows(2).map(|pair| pair[1].total() - pair[0].total()).fold(0.0, f64::max) / lost
    };
    let mut finding = Finding::default();
    for run in [plain, fast] {
        finding = finding
            .number(
                format!("{}: greatest distance of the energy from the exact one", run.name()),
                None,
                apart(run),
            )
            .number(format!("{}: greatest rise in a step", run.name()), None, rises(run));
    }
    finding
        .number("FEPR: energy drift", None, drift(fepr))
        .claim(apart(plain) < 0.1, "10 iterations and the exact solution have very similar energies: within a tenth of what moves")
        .claim(rises(plain) < 1e-3 && rises(fast) < 1e-3, "no energy is injected")
        .claim(drift(fepr) < 1e-8, "beyond the paper: FEPR keeps the energy of a body with bones")
        .remark("Energies over the largest kinetic energy of the exact solution. The previous method of the same authors, which injects energy, is not made again.")
}

/// The largest kinetic energy, J.
fn scale(run: &Run) -> f64 {
    run.rows()
        .iter()
        .map(|row: &Row| row.kinetic)
        .fold(f64::MIN_POSITIVE + 1e-9 * first(run).total().abs(), f64::max)
}
