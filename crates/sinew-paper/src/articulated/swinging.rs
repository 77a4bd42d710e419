//! Few iterations and large steps damp a swing, but do nothing worse [li2020, Fig. 7 and 8].

use super::{again, from_last_frame, plot};
use crate::measure::{first, last};
use crate::{Document, Experiment, Finding, Length, Trial};
use glam::DVec3;
use sinew_scene::export::plot::Figure;
use sinew_scene::run::{Row, Run};

const CHAIN: &str = "paper/swinging-chain";
/// Simulated times, s.
const SECONDS: (f64, f64) = (5.0, 13.2);

const ITERATIONS: [usize; 4] = [1, 5, 10, 20];
/// Steps per second.
const RATES: [usize; 4] = [240, 120, 60, 30];

pub(crate) const ART_FIG7: Experiment = Experiment {
    id: "art-fig7",
    title: "a swing seen from above, numbers of iterations",
    document: Document::Articulated,
    figure: "Fig. 7",
    claim: "Few local/global iterations damp the motion, so that the circle of the swing is smaller, and cause no other artefact.",
    trials: |length| {
        let trial = |n: &usize| {
            let set = format!("solver.iterations={n}");
            Trial::new(format!("{n} iterations"), CHAIN, frames(length, 60), &[&set])
        };
        ITERATIONS.iter().map(trial).collect()
    },
    judge: judge_iterations,
    draw: |runs| {
        let theirs = runs
            .iter()
            .map(|run| (format!("{}, from the last frame", run.name()), path_from_last_frame(run)));
        from_above(named(runs).into_iter().zip(theirs).flat_map(|(a, b)| [a, b]).collect())
    },
};

fn judge_iterations(runs: &[Run]) -> Finding {
    let ours: Vec<f64> = runs.iter().map(|run| circle(&path(run))).collect();
    let theirs: Vec<f64> = runs.iter().map(|run| circle(&path_from_last_frame(run))).collect();
    let mut finding = Finding::default();
    for (run, (ours, theirs)) in runs.iter().zip(ours.iter().zip(&theirs)) {
        let name = run.name();
        finding = finding
            .number(format!("{name}: circle (m)"), None, *ours)
            .number(format!("{name}: circle, iterations from the last frame (m)"), None, *theirs)
            .number(format!("{name}: greatest rise of the energy above the first (J)"), None, rise(run));
    }
    let (worst, best) = (&runs[0], &runs[1..]);
    finding
        .claim(theirs[0] < 0.5 * theirs[3], "one iteration damps so much that the circle is less than half of that of 20")
        .claim(
            theirs.windows(2).all(|pair| pair[0] < 1.02 * pair[1]),
            "the fewer iterations, the smaller the circle, if they start from the last frame",
        )
        .claim(best.iter().all(sound), "5 and more of our iterations do no harm: no more energy than at first, no more than a quarter longer")
        .claim(sound(worst), "nor does a single one")
        .remark(REMARK)
}

pub(crate) const ART_FIG8: Experiment = Experiment {
    id: "art-fig8",
    title: "a swing seen from above, time steps",
    document: Document::Articulated,
    figure: "Fig. 8",
    claim: "With larger time steps the circle of the swing gets smaller: backward Euler's damping.",
    trials: |length| {
        let trial = |rate: &usize| {
            let step = format!("h=1/{rate}");
            let name = format!("h = 1/{rate} s");
            Trial::new(name, CHAIN, frames(length, *rate), &[&step, "solver.iterations=20"])
        };
        RATES.iter().map(trial).collect()
    },
    judge: judge_steps,
    draw: |runs| from_above(named(runs)),
};

fn judge_steps(runs: &[Run]) -> Finding {
    let circles: Vec<f64> = runs.iter().map(|run| circle(&path(run))).collect();
    let mut finding = Finding::default();
    for (run, circle) in runs.iter().zip(&circles) {
        finding = finding.number(format!("{}: circle (m)", run.name()), None, *circle).number(
            format!("{}: energy lost (J)", run.name()),
            None,
            last(run).target - last(run).total(),
        );
    }
    finding
        .claim(
            circles.windows(2).all(|pair| pair[0] > pair[1]),
            "the larger the step, the smaller the circle",
        )
        .claim(
            runs.iter().all(sound),
            "nothing else goes wrong: no more energy than at first, no more than a quarter longer",
        )
        .remark(REMARK)
}

const REMARK: &str = "A soft chain with five bones and four joints, hung by one end, stands for the acrobat with nine bones; steps and sizes of the paper are not printed. Circle: mean horizontal distance of the centre of mass from the axis in the last quarter.";

fn frames(length: Length, rate: usize) -> usize {
    (length.pick(SECONDS.0, SECONDS.1) * rate as f64) as usize
}

/// Largest rise of the energy above that of the start, J.
fn rise(run: &Run) -> f64 {
    run.rows().iter().map(|row| row.total() - first(run).total()).fold(0.0, f64::max)
}

/// Whether the energy did not grow, and the body kept about its length.
fn sound(run: &Run) -> bool {
    let scale = run.rows().iter().map(|row| row.kinetic).fold(0.0, f64::max);
    let grown = |row: &Row| row.growth > 1.25;
    run.failure().is_none() && rise(run) < 1e-3 * scale && !run.rows().iter().any(grown)
}

/// Time, and position of the centre of mass relative to the suspension.
type Path = Vec<(f64, DVec3)>;

/// The centre of the pinned vertices, from which it hangs, m.
fn suspension(run: &Run) -> DVec3 {
    let (model, x) = (run.scene().model(), run.state().positions());
    let held: Vec<DVec3> = (0..x.len()).filter(|&i| model.is_held(i)).map(|i| x[i]).collect();
    held.iter().copied().sum::<DVec3>() / held.len().max(1) as f64
}

fn path(run: &Run) -> Path {
    let (model, axis) = (run.scene().model(), suspension(run));
    again(run, |state| (state.time(), state.total_momenta(model).center - axis))
}

fn path_from_last_frame(run: &Run) -> Path {
    let (model, axis) = (run.scene().model(), suspension(run));
    from_last_frame(run, |state| (state.time(), state.total_momenta(model).center - axis))
}

fn circle(path: &Path) -> f64 {
    let late = &path[3 * path.len() / 4..];
    late.iter().map(|(_, place)| place.with_y(0.0).length()).sum::<f64>() / late.len() as f64
}

fn named(runs: &[Run]) -> Vec<(String, Path)> {
    runs.iter().map(|run| (run.name().to_owned(), path(run))).collect()
}

fn from_above(paths: Vec<(String, Path)>) -> Figure {
    let lines = |point: fn(&(f64, DVec3)) -> (f64, f64)| {
        paths.iter().map(|(name, path)| (name.clone(), path.iter().map(point).collect())).collect()
    };
    Figure {
        panels: vec![
            plot("x of the centre of mass (m)", "z (m)", lines(|(_, place)| (place.x, place.z))),
            plot(
                "time (s)",
                "distance from the axis (m)",
                lines(|(t, place)| (*t, place.with_y(0.0).length())),
            ),
        ],
    }
}
