//! Few iterations and large steps damp a swing and do nothing worse [li2020, Fig. 7 and 8].

use super::super::measure::last;
use super::super::{Document, Experiment, Finding, Length, Trial};
use super::plot;
use crate::export::plot::Figure;
use crate::run::{Row, Run};
use glam::DVec3;

const CHAIN: &str = "paper/swinging-chain";
/// Simulated, s.
const SECONDS: (f64, f64) = (5.0, 13.2);

const ITERATIONS: [usize; 4] = [1, 5, 10, 20];
/// Steps a second.
const RATES: [usize; 4] = [240, 120, 60, 30];

pub(in super::super) const ART_FIG7: Experiment = Experiment {
    id: "art-fig7",
    title: "a swing seen from above, numbers of iterations",
    document: Document::Articulated,
    figure: "Fig. 7",
    claim: "Few local/global iterations damp the motion, so that the circle of the swing is smaller, and cause no other artefact.",
    trials: |length| {
        let trial = |n: &usize| {
            let set = format!("solver.iterations={n}");
            Trial::new(format!("{n} iterations"), CHAIN, frames(length, 30), &[&set])
        };
        ITERATIONS.iter().map(trial).collect()
    },
    judge: |runs| {
        let circles: Vec<f64> = runs.iter().map(circle).collect();
        numbers(runs)
            .claim(
                circles[0] < 0.7 * circles[3],
                "one iteration damps so much that the circle is much smaller than with 20",
            )
            .claim(
                circles.windows(2).all(|pair| pair[0] < 1.02 * pair[1]),
                "more iterations do not make it smaller",
            )
            .claim(
                runs.iter().all(sound),
                "nothing else goes wrong: no more energy than at first, no more than a tenth longer",
            )
            .remark(REMARK)
    },
    draw: from_above,
};

pub(in super::super) const ART_FIG8: Experiment = Experiment {
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
    judge: |runs| {
        let circles: Vec<f64> = runs.iter().map(circle).collect();
        numbers(runs)
            .claim(
                circles.windows(2).all(|pair| pair[0] > pair[1]),
                "the larger the step, the smaller the circle",
            )
            .claim(
                runs.iter().all(sound),
                "nothing else goes wrong: no more energy than at first, no more than a tenth longer",
            )
            .remark(REMARK)
    },
    draw: from_above,
};

const REMARK: &str = "A soft chain with five bones and four joints, hung by one end, stands for the acrobat with nine bones; steps and sizes of the paper are not printed. Circle: mean horizontal distance of the centre of mass from the axis in the last quarter.";

fn frames(length: Length, rate: usize) -> usize {
    (length.pick(SECONDS.0, SECONDS.1) * rate as f64) as usize
}

fn numbers(runs: &[Run]) -> Finding {
    let mut finding = Finding::default();
    for run in runs {
        finding = finding.number(format!("{}: circle (m)", run.name()), None, circle(run)).number(
            format!("{}: energy lost (J)", run.name()),
            None,
            last(run).target - last(run).total(),
        );
    }
    finding
}

/// No more energy than there was, and the body about as long as it was.
fn sound(run: &Run) -> bool {
    let start = run.rows()[0].total();
    let scale = run.rows().iter().map(|row| row.kinetic).fold(0.0, f64::max);
    let good = |row: &Row| row.total() < start + 1e-3 * scale && row.growth < 1.1;
    run.failure().is_none() && run.rows().iter().all(good)
}

/// Where the centre of mass is seen from the point of suspension, frame by frame, m. For backward Euler the velocity at the end of a
/// step is the way of the step over h, so that momenta add up to the way.
fn path(run: &Run) -> Vec<(f64, DVec3)> {
    let (model, state) = (run.scene().model(), run.state());
    let held: Vec<DVec3> =
        (0..model.vertices()).filter(|&i| model.dofs().is_pinned(i)).map(|i| state.positions()[i]).collect();
    let axis = held.iter().copied().sum::<DVec3>() / held.len().max(1) as f64;
    let mass: f64 = model.masses().iter().sum();
    let end = model.masses().iter().zip(state.positions()).map(|(m, x)| *x * *m).sum::<DVec3>() / mass;
    let (mut place, mut points) = (end - axis, Vec::new());
    for (i, row) in run.rows().iter().enumerate().rev() {
        points.push((row.time, place));
        let before = i.checked_sub(1).map_or(row.time, |i| run.rows()[i].time);
        place -= row.linear * ((row.time - before) / mass);
    }
    points.reverse();
    points
}

fn circle(run: &Run) -> f64 {
    let path = path(run);
    let late = &path[3 * path.len() / 4..];
    late.iter().map(|(_, place)| place.with_y(0.0).length()).sum::<f64>() / late.len() as f64
}

fn from_above(runs: &[Run]) -> Figure {
    let line = |run: &Run| {
        (run.name().to_owned(), path(run).into_iter().map(|(_, place)| (place.x, place.z)).collect())
    };
    let distance = |run: &Run| {
        let far = |(time, place): (f64, DVec3)| (time, place.with_y(0.0).length());
        (run.name().to_owned(), path(run).into_iter().map(far).collect())
    };
    Figure {
        panels: vec![
            plot("x of the centre of mass (m)", "z (m)", runs.iter().map(line).collect()),
            plot("time (s)", "distance from the axis (m)", runs.iter().map(distance).collect()),
        ],
    }
}
