//! The projection itself: compared with the exact one, its order of accuracy, and the discrete gradient.

use super::measure::{drift, first};
use super::{Document, Experiment, Finding, Trial, curves};
use sinew_scene::export::plot::{Dash, Figure, Plot, Series, Style};
use sinew_scene::run::{Row, Run};

const FEPR: &str = "correction.kind=fepr";
const PRINTED: &str = "fepr.variant=paper";

/// √(mean |xᵢ − x'ᵢ|²), m.
fn distance(a: &Run, b: &Run) -> f64 {
    let (a, b) = (a.state().positions(), b.state().positions());
    let sum: f64 = a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum();
    (sum / a.len() as f64).sqrt()
}

pub(super) const FEPR_FIG3: Experiment = Experiment {
    id: "fepr-fig3",
    title: "exact projection against the fast one",
    document: Document::Fepr,
    figure: "Fig. 3",
    claim: "The fast projection (Eq. 8) is close to the fully solved one (Eq. 2) and much faster.",
    trials: |length| {
        let midpoint = "integrator.kind=implicit-midpoint";
        let trial = |name, set: &[&str]| {
            Trial::new(name, "paper/free-cube", length.pick(30, 300), set).with(&[midpoint])
        };
        vec![
            trial("fast, as printed", &[FEPR, PRINTED]),
            trial("exact (SQP)", &["correction.kind=fepr-sqp"]),
            trial("fast, safe", &[FEPR]),
        ]
    },
    judge: judge_exact,
    draw: curves::energy_and_motion,
};

fn judge_exact(runs: &[Run]) -> Finding {
    let (fast, exact, safe) = (&runs[0], &runs[1], &runs[2]);
    let time = |run: &Run| run.report().time_ms.correct_mean;
    Finding::default()
        .number("distance of the fast from the exact at the end (m)", None, distance(fast, exact))
        .number("distance of the safe from the exact at the end (m)", None, distance(safe, exact))
        .number("exact: energy drift", None, drift(exact))
        .number("fast, as printed: energy drift", None, drift(fast))
        .number("time of the exact over the fast", None, time(exact) / time(fast))
        .claim(distance(fast, exact) < 0.1, "the results are alike: within a tenth of the body's side")
        .claim(drift(fast) < 1e-6 && drift(exact) < 1e-6, "both keep the energy")
        .claim(time(exact) > 3.0 * time(fast), "the fast one is much faster")
        .remark("A free spinning cube of 27 vertices, because the exact projection solves a dense system.")
}

/// Steps of the trials, s: halved four times.
const STEPS: [f64; 4] = [0.033, 0.0165, 0.00825, 0.004125];

pub(super) const FEPR_FIG5: Experiment = Experiment {
    id: "fepr-fig5",
    title: "order of accuracy, with and without",
    document: Document::Fepr,
    figure: "Fig. 5",
    claim: "FEPR does not change the order of accuracy of the integrator under it.",
    trials: |_| {
        let mut trials = Vec::new();
        for (name, correction) in [("implicit midpoint", "correction.kind=none"), ("FEPR", FEPR)] {
            for (i, h) in STEPS.iter().enumerate() {
                let step = format!("h={h}");
                let name = format!("{name}, {:.1} ms", 1e3 * h);
                trials.push(Trial::new(name, "paper/stretched-cube", 50 << i, &[&step, correction]));
            }
        }
        trials.push(Trial::new(
            "truth",
            "paper/stretched-cube",
            50 << 7,
            &["h=0.0002578125", "solver.kind=newton", "solver.iterations=50"],
        ));
        trials
    },
    judge: judge_order,
    draw: draw_order,
};

/// Error at the end of each trial, without and with FEPR.
fn errors(runs: &[Run]) -> [[f64; 4]; 2] {
    let truth = &runs[8];
    std::array::from_fn(|series| std::array::from_fn(|i| distance(&runs[4 * series + i], truth)))
}

/// Order of accuracy between the two smallest steps.
fn order(errors: [f64; 4]) -> f64 {
    (errors[2] / errors[3]).log2()
}

fn judge_order(runs: &[Run]) -> Finding {
    let [plain, fepr] = errors(runs);
    Finding::default()
        .number("implicit midpoint: order", Some(2.0), order(plain))
        .number("FEPR: order", Some(2.0), order(fepr))
        .number("implicit midpoint: error at 33 ms (m)", None, plain[0])
        .number("FEPR: error at 33 ms (m)", None, fepr[0])
        .number("implicit midpoint: error at 4.1 ms (m)", None, plain[3])
        .number("FEPR: error at 4.1 ms (m)", None, fepr[3])
        .claim((order(plain) - order(fepr)).abs() < 0.25, "the order is the same with and without")
        .claim(order(fepr) > 1.5, "it is that of a second-order rule")
        .remark("Global error at 1.65 s against steps 128 times smaller; the local error of the figure is not measured. The paper prints no slopes: 2 is the order of the midpoint rule.")
}

fn draw_order(runs: &[Run]) -> Figure {
    let [plain, fepr] = errors(runs);
    let line = |name: &str, dash, errors: [f64; 4]| {
        let points = STEPS.iter().zip(errors).map(|(h, error)| ((1e3 * h).log2(), error)).collect();
        Series { style: Style { dash, width: 2.6, ..Style::default() }, ..Series::new(name, points) }
    };
    let plot = Plot {
        title: String::new(),
        x_label: "log₂ of the step in ms".into(),
        y_label: "error at 1.65 s (m)".into(),
        log_y: true,
        log_x: false,
        series: vec![line("implicit midpoint", Dash::Solid, plain), line("with FEPR", Dash::Dashed, fepr)],
    };
    Figure { panels: vec![plot] }
}

/// Initial states of the sweep: x in m and v in m/s.
const STARTS: [(f64, f64); 6] = [(0.1, 0.0), (0.5, 0.0), (1.0, 0.0), (2.0, 0.0), (0.5, 20.0), (1.0, -50.0)];

pub(super) const FEPR_FIG15: Experiment = Experiment {
    id: "fepr-fig15",
    title: "discrete gradient on 128 x⁴",
    document: Document::Fepr,
    figure: "Fig. 15",
    claim: "At 33 ms the root finder of the discrete gradient gets stuck in a local minimum; at 6.6 ms it does not.",
    trials: |length| {
        let mut trials = Vec::new();
        for (x, v) in STARTS {
            let (x0, v0) = (
                format!("body.0.mesh.inline.positions=[[0, 0, 0], [{x}, 0, 0]]"),
                format!("body.0.mesh.inline.velocities=[[0, 0, 0], [{v}, 0, 0]]"),
            );
            trials.push(Trial::new(
                format!("x = {x}, v = {v}"),
                "paper/quartic",
                length.pick(2000, 20_000),
                &[&x0, &v0],
            ));
        }
        trials
    },
    judge: judge_quartic,
    draw: |runs| Figure {
        panels: vec![curves::panel(runs, "H − H at the start (J)", |row| row.total() - row.target)],
    },
};

fn judge_quartic(runs: &[Run]) -> Finding {
    // A step whose root was not found does not conserve the energy.
    let stuck = runs
        .iter()
        .flat_map(|run| {
            run.rows().iter().map(|row| (row.total() - row.target).abs() > 1e-6 * first(run).total())
        })
        .filter(|failed| *failed)
        .count();
    let worst = runs.iter().map(drift).fold(0.0, f64::max);
    let steps: usize = runs.iter().map(Run::frame).sum();
    Finding::default()
        .number("steps tried", None, steps as f64)
        .number("steps whose root was not found", None, stuck as f64)
        .number("largest energy drift", None, worst)
        .claim(stuck > 0, "the root finder gets stuck at 33 ms")
        .remark(&format!("Of {steps} steps of six starts, {stuck} did not find the root; mass and start are not printed. It cannot be otherwise: the discrete gradient of 128 x⁴ between x₀ and x is 128 (x + x₀)(x² + x₀²), with the derivative 128 (2x² + (x + x₀)²), which is never negative. So the Jacobian of g has a determinant of at least 1 for every mass and step, and gᵀg is stationary at the root alone. A solver that stops elsewhere, as the paper's did, has another reason than a local minimum."))
}

pub(super) const FEPR_FIG16: Experiment = Experiment {
    id: "fepr-fig16",
    title: "bouncing ball, discrete gradient against FEPR",
    document: Document::Fepr,
    figure: "Fig. 16",
    claim: "The discrete gradient runs into local minima at 33 ms, later also at 3.3 ms; FEPR bounces on.",
    trials: |length| {
        let frames = length.pick(90, 300);
        let ball = length.pick(
            "body.0.mesh={ model = { name = \"ball\", vertices = 300, size = 0.5 } }",
            "body.0.mesh={ model = { name = \"ball\", vertices = 889, size = 0.5 } }",
        );
        let gradient = ["integrator.kind=discrete-gradient", "solver.kind=newton", "solver.iterations=50"];
        vec![
            Trial::new("discrete gradient, 33 ms", "bouncing-ball", frames, &gradient).with(&[ball]),
            Trial::new("discrete gradient, 3.3 ms", "bouncing-ball", 10 * frames, &gradient)
                .with(&["h=1/300", ball]),
            Trial::new("FEPR", "bouncing-ball", frames, &["integrator.kind=implicit-midpoint", FEPR])
                .with(&[ball]),
            // The same ball on springs: the rule without contact.
            Trial::new("discrete gradient on springs, 33 ms", "paper/bouncing-ball", frames, &gradient),
        ]
    },
    judge: judge_ball,
    draw: curves::energy_and_motion,
};

/// Steps in which nothing touches and the energy changes all the same, by more than a millionth: those whose root was not found.
fn stuck_in_the_air(run: &Run) -> usize {
    let limit = 1e-6 * first(run).total().abs();
    let jumps = |pair: &&[Row]| pair[1].contacts == 0 && (pair[1].total() - pair[0].total()).abs() > limit;
    run.rows().windows(2).filter(jumps).count()
}

fn judge_ball(runs: &[Run]) -> Finding {
    let (large, small, fepr) = (&runs[0], &runs[1], &runs[2]);
    let time = fepr.report().time_ms;
    Finding::default()
        .number("discrete gradient, 33 ms: energy drift", None, drift(large))
        .number("discrete gradient, 33 ms: frames done", None, large.frame() as f64)
        .number("discrete gradient, 3.3 ms: energy drift", None, drift(small))
        .number("discrete gradient, 3.3 ms: frames done", None, small.frame() as f64)
        .number("FEPR: energy drift", None, drift(fepr))
        .number("FEPR: iterations per step", Some(16.3), fepr.report().correction.iterations_mean)
        .number("FEPR: time over that of the solver", Some(24.0 / 30.0), time.correct_mean / time.solve_mean)
        .number("discrete gradient, 33 ms: steps in the air whose root is not found", None, stuck_in_the_air(large) as f64)
        .number("discrete gradient, 3.3 ms: steps in the air whose root is not found", None, stuck_in_the_air(small) as f64)
        .claim(drift(large) > 1e-3 || large.failure().is_some(), "the discrete gradient loses the energy at 33 ms")
        .claim(drift(small) > 1e-3 || small.failure().is_some(), "it also does at 3.3 ms")
        .claim(stuck_in_the_air(large) > 0, "at 33 ms because its root finder gets stuck: also in steps in which nothing touches")
        .claim(stuck_in_the_air(small) > 0, "at 3.3 ms for the same reason")
        .claim(drift(fepr) < 1e-9, "FEPR keeps the energy at 33 ms")
        .number("discrete gradient on springs, 33 ms: energy drift", None, drift(&runs[3]))
        .remark("A ball of 300 vertices, with --full 889 as the paper's, falls 2 m on a floor. The equation that the rule solves does not know our contacts, which are conditions and no springs, so it loses energy where the ball touches, at any step; whether roots are found shows where it does not. On springs in place of the floor, which pull as well as push, all roots are found at 33 ms.")
}
