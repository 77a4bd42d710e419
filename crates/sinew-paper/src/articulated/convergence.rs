//! How fast the iterations of one step approach its exact solution [li2020, Fig. 10].

use super::{distance, plot};
use crate::{Document, Experiment, Finding, Trial};
use glam::DVec3;
use sinew::{Acceleration, Budget, Settings, Simulator, Solver};
use sinew_scene::export::plot::Figure;
use sinew_scene::run::Run;
use std::sync::Arc;

/// Iterations after which the error is measured.
const COUNTS: [usize; 15] = [1, 2, 3, 4, 5, 7, 10, 15, 20, 25, 30, 40, 50, 70, 100];
/// Below this the error is rounding.
const ROUNDING: f64 = 1e-12;

pub(crate) const ART_FIG10: Experiment = Experiment {
    id: "art-fig10",
    title: "convergence to the exact solution of a step",
    document: Document::Articulated,
    figure: "Fig. 10",
    claim: "The iterations converge to the exact solution, with bones as without: fast at first, then slower.",
    trials: |_| {
        let exact = ["solver.kind=newton", "solver.iterations=50"];
        vec![
            Trial::new("flesh alone", "paper/cantilever", 30, &exact).with(&["body.0.skeleton=false"]),
            Trial::new("flesh and bones", "paper/cantilever", 30, &exact),
            Trial::new("bones alone", "paper/bare-bones", 30, &exact),
            Trial::new("softer flesh and bones", "paper/cantilever", 30, &exact)
                .with(&["material.young=1e4"]),
        ]
    },
    judge,
    draw: |runs| {
        let lines = runs.iter().flat_map(curves).map(|curve| {
            let points = curve.errors.iter().map(|&(n, error)| (n as f64, error.max(ROUNDING)));
            (curve.name, points.collect())
        });
        let mut panel = plot("iterations", "distance from the solution over that at first", lines.collect());
        panel.log_y = true;
        Figure { panels: vec![panel] }
    },
};

/// Error after each number of iterations.
struct Curve {
    name: String,
    errors: Vec<(usize, f64)>,
}

impl Curve {
    fn after(&self, iterations: usize) -> f64 {
        self.errors.iter().find(|(n, _)| *n == iterations).map_or(f64::NAN, |(_, error)| *error)
    }

    /// Decimal digits gained per iteration between two counts; an error at the level of rounding gains no more.
    fn digits(&self, from: usize, to: usize) -> f64 {
        (self.after(from).max(ROUNDING) / self.after(to).max(ROUNDING)).log10() / (to - from) as f64
    }
}

/// The step after the last frame of the run, solved exactly and with different numbers of plain and accelerated iterations:
/// ‖x⁽ⁱ⁾ − x*‖/‖x⁽⁰⁾ − x*‖ [li2020, Eq. 18].
fn curves(run: &Run) -> Vec<Curve> {
    let (model, settings) = (run.scene().model(), *run.scene().settings());
    let exact = Solver::Newton(Budget::to(100, 1e-15));
    let Some(solution) = Stepper::new(model, settings).and_then(|mut s| s.step(run, exact)) else {
        return Vec::new();
    };
    let start = distance(run.state().positions(), &solution);
    let accelerated = |budget| match Solver::accelerated(1) {
        Solver::ProjectiveDynamics { acceleration, .. } => {
            Solver::ProjectiveDynamics { budget, acceleration }
        }
        other => other,
    };
    let plain = |budget| Solver::ProjectiveDynamics { budget, acceleration: Acceleration::None };
    let kinds: [(&str, &dyn Fn(Budget) -> Solver); 2] = [("plain", &plain), ("accelerated", &accelerated)];
    let mut all = Vec::new();
    for (kind, solver) in kinds {
        let Some(mut stepper) = Stepper::new(model, settings) else { continue };
        let mut errors = vec![(0, 1.0)];
        for count in COUNTS {
            let Some(x) = stepper.step(run, solver(Budget::fixed(count))) else { break };
            errors.push((count, distance(&x, &solution) / start));
        }
        all.push(Curve { name: format!("{}, {kind}", run.name()), errors });
    }
    all
}

/// Solves the same step in different ways.
struct Stepper {
    simulator: Simulator,
}

impl Stepper {
    fn new(model: &Arc<sinew::Model>, settings: Settings) -> Option<Self> {
        Simulator::new(Arc::clone(model), settings).ok().map(|simulator| Self { simulator })
    }

    fn step(&mut self, run: &Run, solver: Solver) -> Option<Vec<DVec3>> {
        let settings = Settings { solver, ..*self.simulator.settings() };
        self.simulator.set_settings(settings).ok()?;
        let mut state = run.state().clone();
        self.simulator.step(&mut state).ok()?;
        Some(state.positions().to_vec())
    }
}

fn judge(runs: &[Run]) -> Finding {
    let all: Vec<Curve> = runs.iter().flat_map(curves).collect();
    let mut finding = Finding::default();
    for curve in &all {
        for count in [1, 5, 10, 20, 50] {
            let name = format!("{}: error after {count}", curve.name);
            finding = finding.number(name, None, curve.after(count));
        }
    }
    // Flesh, flesh and bones, bones, softer flesh and bones; plain and accelerated each.
    let [Some(flesh), Some(both), Some(fast), Some(bones), Some(soft), Some(soft_fast)] =
        [0, 2, 3, 4, 6, 7].map(|i: usize| all.get(i))
    else {
        return finding.claim(false, "every step can be solved");
    };
    finding
        .number("flesh alone, plain: digits per iteration, 1 to 10", None, flesh.digits(1, 10))
        .number("flesh and bones, plain: digits per iteration, 1 to 10", None, both.digits(1, 10))
        .number("flesh and bones, plain: digits per iteration, 10 to 50", None, both.digits(10, 50))
        .number("flesh and bones, plain: error after 100", None, both.after(100))
        .number("flesh and bones, accelerated: error after 100", None, fast.after(100))
        .claim(
            both.after(100) < 1e-3 && fast.after(100) < 1e-6 && bones.after(100) < 1e-10,
            "it converges to the exact solution",
        )
        .claim(both.digits(1, 10) > 0.5 * flesh.digits(1, 10), "with bones as fast as projective dynamics without: at least half as many digits per iteration")
        .claim(both.digits(1, 5) > both.digits(20, 50), "fast at first, then slower")
        .claim(fast.after(20) < 0.1 * both.after(20), "beyond the paper: accelerated, the error is ten times smaller after 20 iterations")
        .claim(
            soft.after(10) < 3e-3 && soft_fast.after(10) < 3e-4,
            "flesh of 10 kPa: below 3e-3 after 10 plain iterations, and below 3e-4 after 10 accelerated ones",
        )
        .remark("30 frames by Newton's method, the next one by iterations. The paper prints its curves only as a picture: there are no numbers to stand next to ours.")
}
