//! Bones without flesh are rigid bodies: a nunchuck compared with an accurate reference [li2020, Fig. 14].

use super::{distance, plot};
use crate::{Document, Experiment, Finding, Trial};
use glam::DVec3;
use sinew_reference::{Articulated, BallJoint, RigidBody};
use sinew_scene::export::plot::Figure;
use sinew_scene::run::Run;

/// Values of the scene: size of a stick, gap between them, and position of the suspension, m; kg/m³; m/s².
const STICK: DVec3 = DVec3::new(0.4, 0.2, 0.2);
const GAP: f64 = 0.05;
const HOOK: DVec3 = DVec3::new(-0.425, 0.1, 0.1);
const DENSITY: f64 = 1000.0;
const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

/// Steps in the simulated second: the paper's 0.1 s, the same divided by 10 and by 100, and some between.
const STEPS: [usize; 5] = [10, 20, 100, 200, 1000];
const METHODS: [(&str, &[&str]); 3] = [
    ("backward Euler", &[]),
    ("implicit midpoint", &["integrator.kind=implicit-midpoint"]),
    ("backward Euler with FEPR", &["correction.kind=fepr"]),
];

pub(crate) const ART_FIG14: Experiment = Experiment {
    id: "art-fig14",
    title: "a nunchuck against a reference for rigid bodies",
    document: Document::Articulated,
    figure: "Fig. 14",
    claim: "Without flesh the method is a simulator of rigid bodies, and converges to their motion as the step gets smaller.",
    trials: |_| {
        let mut trials = Vec::new();
        for (name, set) in METHODS {
            for n in STEPS {
                let step = format!("h=1/{n}");
                trials.push(Trial::new(format!("{name}, 1/{n} s"), "paper/nunchuck", n, set).with(&[&step]));
            }
        }
        trials
    },
    judge,
    draw: |runs| {
        let lines = METHODS.iter().zip(errors(runs)).map(|((name, _), errors)| {
            (name.to_string(), STEPS.iter().zip(errors).map(|(&n, error)| (1.0 / n as f64, error)).collect())
        });
        let mut panel = plot("time step (s)", "error after 1 s (m)", lines.collect());
        (panel.log_x, panel.log_y) = (true, true);
        Figure { panels: vec![panel] }
    },
};

/// The nunchuck of the scene after this many seconds, by the reference.
fn truth(seconds: f64) -> Articulated {
    let mass = DENSITY * STICK.x * STICK.y * STICK.z;
    let stick = |side: f64| RigidBody::cuboid(mass, DVec3::X * (side * 0.5 * (GAP + STICK.x)), STICK);
    let joints = vec![
        BallJoint { bodies: [Some(0), None], position: HOOK },
        BallJoint { bodies: [Some(0), Some(1)], position: DVec3::ZERO },
    ];
    let mut reference = Articulated::new(vec![stick(-1.0), stick(1.0)], joints, GRAVITY);
    reference.advance(seconds, (10_000.0 * seconds).ceil() as usize);
    reference
}

/// Root mean square of the distances of the vertices from the reference, m, for each method and step.
fn errors(runs: &[Run]) -> Vec<Vec<f64>> {
    let mut reference = (0.0, truth(0.0));
    let mut error = |run: &Run| {
        // All runs end at the same time, unless one was interrupted.
        let time = run.state().time();
        if (time - reference.0).abs() > 1e-9 {
            reference = (time, truth(time));
        }
        let rest = run.scene().model().rest();
        let place = |p: &DVec3| reference.1.point(usize::from(p.x > 0.0), *p);
        distance(run.state().positions(), &rest.iter().map(place).collect::<Vec<_>>())
    };
    runs.chunks(STEPS.len()).map(|runs| runs.iter().map(&mut error).collect()).collect()
}

/// Order of accuracy between each step and the next smaller one, as a power of the step.
fn orders(errors: &[f64]) -> Vec<f64> {
    let pairs = errors.windows(2).zip(STEPS.windows(2));
    pairs.map(|(e, n)| (e[0] / e[1]).ln() / (n[1] as f64 / n[0] as f64).ln()).collect()
}

fn judge(runs: &[Run]) -> Finding {
    let all = errors(runs);
    let mut finding = Finding::default();
    for ((name, _), errors) in METHODS.iter().zip(&all) {
        for (n, error) in STEPS.iter().zip(errors) {
            finding = finding.number(format!("{name}: error at h = {} s (m)", 1.0 / *n as f64), None, *error);
        }
        finding = finding.number(format!("{name}: order"), None, orders(errors)[STEPS.len() - 2]);
    }
    let euler = &all[0];
    let order = orders(euler)[STEPS.len() - 2];
    finding
        .claim(euler.windows(2).all(|pair| pair[1] < pair[0]), "the smaller the step, the closer to rigid bodies")
        .claim((0.85..1.15).contains(&order), "at the order of backward Euler, 1")
        .claim(all[2][2] < 0.5 * euler[2], "beyond the paper: with FEPR the error at 10 ms is less than half")
        .remark("Two sticks of 4 × 2 × 2, hung at a corner, after 1 s; the paper looks at its 820th frame, where a double pendulum is chaotic. The reference is a Runge–Kutta integrator in maximal coordinates with steps of 0.1 ms.")
}
