//! A body that slides over a plane, with and without friction [dinev2018stab, Fig. 12].

use super::measure::{drift, first, last};
use super::{Document, Experiment, Finding, Trial, curves};
use sinew::State;
use sinew_scene::export::plot::Figure;
use sinew_scene::run::Run;

const BLEND: [&str; 2] = ["integrator.kind=implicit-midpoint", "correction.kind=blend"];
/// Value of the scenes: initial speed, m/s.
const SPEED: f64 = 2.0;
/// Distance after which Coulomb friction stops a body of that speed, v²/(2μg), m.
const STOP: f64 = SPEED * SPEED / (2.0 * 0.3 * 9.81);

/// The bunny in place of the block of the scenes.
pub(super) const BUNNY: &[&str] = &[
    "body.0.mesh={ model = { name = \"bunny\", vertices = 4497, size = 0.5 } }",
    "body.0.initial.translate=[0, 0.226, 0]",
];

pub(super) const STAB_FIG12: Experiment = Experiment {
    id: "stab-fig12",
    title: "sliding with and without friction",
    document: Document::Stabilizing,
    figure: "Fig. 12",
    claim: "Without friction a body slides on indefinitely; with friction it slows down.",
    trials: |length| {
        let frames = length.pick(150, 300);
        let size = length.pick(&["body.0.mesh.model.vertices=600"][..], &[]);
        let trial = |name, scene, set: &[&str]| Trial::new(name, scene, frames, BUNNY).with(size).with(set);
        vec![
            trial("blend, no friction", "sliding-frictionless", &BLEND),
            trial("blend, friction", "sliding-block", &BLEND),
            trial("FEPR, no friction", "sliding-frictionless", &["correction.kind=fepr"]),
            trial("FEPR, friction", "sliding-block", &["correction.kind=fepr"]),
        ]
    },
    judge,
    draw: |runs| {
        let energy = curves::panel(runs, "total energy (J)", sinew_scene::run::Row::total);
        Figure {
            panels: vec![
                energy,
                curves::panel(runs, "momentum along the plane (kg m/s)", |row| row.linear.x),
            ],
        }
    },
};

/// The speed at the end over that at the start.
fn speed_kept(run: &Run) -> f64 {
    last(run).linear.x / first(run).linear.x
}

/// How far the centre of mass went along the plane, m. It does not start at x = 0: the middle of a model is that of its box.
fn way(run: &Run) -> f64 {
    let model = run.scene().model();
    let masses = model.masses();
    let place = |state: &State| -> f64 {
        let moment: f64 = state.positions().iter().zip(masses).map(|(x, m)| x.x * m).sum();
        moment / masses.iter().sum::<f64>()
    };
    place(run.state()) - place(&State::new(model))
}

/// The distance over that of a motion with the initial speed.
fn way_kept(run: &Run) -> f64 {
    way(run) / (SPEED * last(run).time)
}

fn judge(runs: &[Run]) -> Finding {
    let [free, braked, fepr_free, fepr_braked] = [0, 1, 2, 3].map(|i| &runs[i]);
    let slides_on = |run| (speed_kept(run) - 1.0).abs() < 1e-3 && (way_kept(run) - 1.0).abs() < 1e-3;
    let stops = |run| speed_kept(run).abs() < 0.05;
    let as_coulomb_says = |run| (way(run) / STOP - 1.0).abs() < 0.05;
    Finding::default()
        .number("blend, no friction: speed kept", None, speed_kept(free))
        .number("blend, no friction: way over vt", None, way_kept(free))
        .number("FEPR, no friction: speed kept", None, speed_kept(fepr_free))
        .number("FEPR, no friction: way over vt", None, way_kept(fepr_free))
        .number("FEPR, no friction: steps that fell back", None, fepr_free.report().correction.fallbacks as f64)
        .number("blend, friction: speed kept", None, speed_kept(braked))
        .number("FEPR, friction: speed kept", None, speed_kept(fepr_braked))
        .number("blend, friction: way over v²/(2μg)", None, way(braked) / STOP)
        .number("FEPR, friction: way over v²/(2μg)", None, way(fepr_braked) / STOP)
        .number("FEPR, friction: energy drift", None, drift(fepr_braked))
        .claim(slides_on(free), "with the blend and no friction it slides on")
        .claim(slides_on(fepr_free), "so it does with FEPR")
        .claim(stops(braked), "with the blend and friction it stops")
        .claim(stops(fepr_braked), "so it does with FEPR")
        .claim(as_coulomb_says(braked), "with the blend it stops where Coulomb's law says, to 5 %")
        .claim(as_coulomb_says(fepr_braked), "so it does with FEPR")
        .remark("A bunny of about 600 vertices, with --full 4497 as the paper's. Friction is Coulomb's with μ = 0.3; the paper subtracts a share of 0.8 of the tangential acceleration, which is another law.")
}
