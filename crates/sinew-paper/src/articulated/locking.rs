//! Stiff flesh in place of bones locks [li2020, Fig. 1].

use super::{again, from_last_frame, plot, stiff_instead};
use crate::{Document, Experiment, Finding, Trial};
use glam::DVec3;
use sinew::State;
use sinew_scene::export::plot::Figure;
use sinew_scene::run::Run;

/// Value of the scene, Pa.
const YOUNG: f64 = 1e4;
const BAR: &str = "paper/spinning-bar";

pub(crate) const ART_FIG1: Experiment = Experiment {
    id: "art-fig1",
    title: "a turning bar: bones against stiff flesh",
    document: Document::Articulated,
    figure: "Fig. 1",
    claim: "Imitating rigid bodies by a stiffness 500 times higher locks their orientation; bones do not lock.",
    trials: |_| {
        // One second, whatever the length: half a turn.
        let stiff = |factor: f64| {
            let set = stiff_instead(YOUNG, factor);
            Trial::new(format!("flesh × {factor}"), BAR, 30, &set.each_ref().map(String::as_str))
        };
        vec![
            Trial::new("bones", BAR, 30, &[]),
            Trial::new("flesh × 1", BAR, 30, &["body.0.skeleton=false"]),
            stiff(100.0),
            stiff(500.0),
        ]
    },
    judge,
    draw: |runs| {
        let ours = runs.iter().map(|run| (run.name().to_owned(), turning(run)));
        let theirs = runs
            .iter()
            .map(|run| (format!("{}, from the last frame", run.name()), turning_from_last_frame(run)));
        let lines = ours.zip(theirs).flat_map(|(ours, theirs)| [ours, theirs]).collect();
        Figure { panels: vec![plot("time (s)", "angle turned (°)", lines)] }
    },
};

fn judge(runs: &[Run]) -> Finding {
    let mut finding = Finding::default().number("free of forces (°)", None, 180.0);
    let end = |line: Vec<(f64, f64)>| line.last().map_or(0.0, |point| point.1);
    let ours: Vec<f64> = runs.iter().map(|run| turned(run, run.state())).collect();
    let theirs: Vec<f64> = runs.iter().map(|run| end(turning_from_last_frame(run))).collect();
    for (run, (ours, theirs)) in runs.iter().zip(ours.iter().zip(&theirs)) {
        let name = run.name();
        finding = finding.number(format!("{name}: angle after 1 s (°)"), None, *ours).number(
            format!("{name}: the same, iterations from the last frame (°)"),
            None,
            *theirs,
        );
    }
    finding
        .claim(ours[0] >= 150.0 && theirs[0] >= 150.0, "with bones the bar turns, by at least 150°")
        .claim(theirs[3] <= 10.0, "with flesh 500 times stiffer it is locked: at most 10°")
        .claim(theirs[2] < 0.25 * theirs[1], "with flesh 100 times stiffer most of the turn is lost")
        .remark("A soft bar of 1715 vertices with two bones, π rad/s, 10 iterations a step of 1/30 s. What bones lack to 180° is backward Euler's damping. The paper starts its iterations from the last frame, and then stiff flesh locks; we start from the prediction, and then it does not lock here.")
}

/// The angle about z by which the vertices have rotated, fitted in the plane, °.
fn turned(run: &Run, state: &State) -> f64 {
    let model = run.scene().model();
    let (masses, rest, now) = (model.masses(), model.rest(), state.positions());
    let [before, after] = [rest, now].map(|x| center(masses, x));
    let (mut sine, mut cosine) = (0.0, 0.0);
    for ((m, a), b) in masses.iter().zip(rest).zip(now) {
        let (a, b) = (*a - before, *b - after);
        sine += m * (a.x * b.y - a.y * b.x);
        cosine += m * (a.x * b.x + a.y * b.y);
    }
    sine.atan2(cosine).to_degrees()
}

fn center(masses: &[f64], x: &[DVec3]) -> DVec3 {
    masses.iter().zip(x).map(|(m, x)| *x * *m).sum::<DVec3>() / masses.iter().sum::<f64>()
}

/// The angle over time.
fn turning(run: &Run) -> Vec<(f64, f64)> {
    again(run, |state| (state.time(), turned(run, state)))
}

/// The same with iterations that start from the last frame.
fn turning_from_last_frame(run: &Run) -> Vec<(f64, f64)> {
    from_last_frame(run, |state| (state.time(), turned(run, state)))
}
