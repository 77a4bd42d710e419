//! Closed loops need no special treatment: a bracelet of beads [li2020, Fig. 15].

use crate::measure::{drift, first, highest, last};
use crate::{Document, Experiment, Finding, Trial, curves};
use glam::{DMat3, DVec3};
use sinew_scene::export::plot::Figure;
use sinew_scene::run::{Row, Run};

const BRACELET: &str = "paper/bracelet";
/// Values of the scene: number of beads, and radius of the ring, m.
const BEADS: usize = 12;
const RADIUS: f64 = 0.2;
const HINGES: [&str; 2] = ["body.0.mesh.bracelet.hinges=true", "body.0.initial.rotate.degrees=0"];

pub(crate) const ART_FIG15: Experiment = Experiment {
    id: "art-fig15",
    title: "bracelet of twelve beads",
    document: Document::Articulated,
    figure: "Fig. 15",
    claim: "A closed ring of twelve beads and twelve joints, held at one bead, falls and stays closed.",
    trials: |length| {
        let frames = length.pick(180, 1200);
        vec![
            Trial::new("balls", BRACELET, frames, &[]),
            // Hinges keep the ring in its plane, so it stands upright to be able to fall.
            Trial::new("hinges, upright", BRACELET, frames, &HINGES),
            Trial::new("balls, FEPR", BRACELET, frames, &["correction.kind=fepr"]),
        ]
    },
    judge,
    draw: |runs| Figure {
        panels: vec![
            curves::panel(runs, "kinetic energy (J)", |row| row.kinetic),
            curves::panel(runs, "energy lost (J)", |row| row.target - row.total()),
        ],
    },
};

fn judge(runs: &[Run]) -> Finding {
    let [balls, hinges, fepr] = std::array::from_fn(|i| &runs[i]);
    let mut finding = Finding::default();
    for run in runs {
        finding = finding
            .number(format!("{}: widest gap over the radius", run.name()), None, gap(run) / RADIUS)
            .number(
                format!("{}: lowest bead below the held one, over the diameter", run.name()),
                None,
                depth(run),
            );
    }
    let fell = |run: &Run| depth(run) > 1.0;
    let lost = |run: &Run| last(run).target - last(run).total();
    finding
        .number("balls: energy lost (J)", None, lost(balls))
        .number("FEPR: energy drift", None, drift(fepr))
        .claim(runs.iter().all(|run| gap(run) < 1e-12 * RADIUS), "the ring stays closed, to rounding")
        .claim(fell(balls) && fell(hinges), "it falls and hangs below the bead that is held")
        .claim([balls, hinges].into_iter().all(|run| !gains(run)), "no energy comes from the joints")
        .claim(drift(fepr) < 1e-8, "beyond the paper: FEPR keeps its energy")
        .remark("Gaps are those of the last frame. Hinges make 3 of 60 rows of a planar ring redundant.")
}

/// Whether its energy ever exceeds that of the start.
fn gains(run: &Run) -> bool {
    let scale = run.rows().iter().map(|row: &Row| row.kinetic).fold(0.0, f64::max);
    highest(run).is_nan() || run.rows().iter().any(|row| row.total() > first(run).total() + 1e-6 * scale)
}

/// Rotation and translation of a bead from the rest positions of its vertices to the current ones: x = R X + t.
fn placement(run: &Run, bead: usize) -> (DMat3, DVec3) {
    let (rest, now) = (run.scene().model().rest(), run.state().positions());
    let each = rest.len() / BEADS;
    let (rest, now) = (&rest[bead * each..(bead + 1) * each], &now[bead * each..(bead + 1) * each]);
    // A least-squares map is exact for a rigid motion.
    let mean = |points: &[DVec3]| points.iter().copied().sum::<DVec3>() / points.len() as f64;
    let (before, after) = (mean(rest), mean(now));
    let (mut moved, mut square) = (DMat3::ZERO, DMat3::ZERO);
    for (a, b) in rest.iter().zip(now) {
        let (a, b) = (*a - before, *b - after);
        moved += DMat3::from_cols(b * a.x, b * a.y, b * a.z);
        square += DMat3::from_cols(a * a.x, a * a.y, a * a.z);
    }
    let turn = moved * square.inverse();
    (turn, after - turn * before)
}

/// Centre of a bead at rest: the mean of its vertices.
fn middle(run: &Run, bead: usize) -> DVec3 {
    let rest = run.scene().model().rest();
    let each = rest.len() / BEADS;
    rest[bead * each..(bead + 1) * each].iter().copied().sum::<DVec3>() / each as f64
}

/// The widest gap between two beads at their common joint, m.
fn gap(run: &Run) -> f64 {
    let apart = |k: usize| {
        let next = (k + 1) % BEADS;
        let shared = middle(run, k).midpoint(middle(run, next));
        let [a, b] = [k, next].map(|bead| placement(run, bead)).map(|(turn, shift)| turn * shared + shift);
        a.distance(b)
    };
    (0..BEADS).map(apart).fold(0.0, f64::max)
}

/// How far the lowest bead is below the first, over the diameter of the ring.
fn depth(run: &Run) -> f64 {
    let height = |k: usize| {
        let (turn, shift) = placement(run, k);
        (turn * middle(run, k) + shift).y
    };
    (height(0) - (0..BEADS).map(height).fold(f64::INFINITY, f64::min)) / (2.0 * RADIUS)
}
