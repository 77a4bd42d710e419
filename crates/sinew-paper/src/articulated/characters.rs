//! Whole characters: acrobat, frog, snail and monster [li2020, Fig. 4, 5, 6, 12 and 13].

use crate::measure::{blew_up, drift, first, gravity};
use crate::{Document, Experiment, Finding, Length, Trial, curves};
use sinew_scene::run::Run;

/// Frames of a quick run: enough to see the character swing or land.
const QUICK: usize = 30;

/// A centre of mass that has been this far from its height at first has moved, m.
const MOVED: f64 = 0.01;

/// A character of the paper.
struct Figure {
    scene: &'static str,
    /// Override of the number of vertices for a full run: the paper's.
    full: &'static [&'static str],
    /// Bones, joints and ms a frame of the paper.
    paper: [f64; 3],
}

fn trials(figure: &Figure, length: Length) -> Vec<Trial> {
    let trial = |name: &str, frames| {
        Trial::new(name, figure.scene, frames, length.pick(&[], figure.full)).unchanged()
    };
    vec![trial(figure.scene, length.pick(QUICK, 90))]
}

fn judge(figure: &Figure, runs: &[Run], remark: &str) -> Finding {
    let run = &runs[0];
    let (report, [bones, joints, time]) = (run.report(), figure.paper);
    // Who hangs swings up again: what counts is how far the centre of mass has been from where it started.
    let height = |row| (gravity(run, row) - gravity(run, first(run))) / weight(run);
    let way = run.rows().iter().map(|row| height(row).abs()).fold(0.0, f64::max);
    Finding::default()
        .number("vertices", None, report.vertices as f64)
        .number("bones", Some(bones), report.bones as f64)
        .number("joints", Some(joints), report.joints as f64)
        .number("ms a frame", Some(time), report.time_ms.step_mean)
        .number("way of the centre of mass, up or down (m)", None, way)
        .number("energy drift", None, drift(run))
        .number("deepest vertex over the body's size", None, report.contact.deepest)
        .claim(!blew_up(run) && run.failure().is_none(), "it does not explode")
        .claim(report.bones as f64 >= bones, "it has as many bones as the paper's")
        .claim(way > MOVED, "it moves: its centre of mass rises or falls by more than a centimetre")
        .claim(report.contact.deepest <= 0.01, "it stays out of what it meets")
        .remark(remark)
}

/// Weight, N.
fn weight(run: &Run) -> f64 {
    let mass: f64 = run.scene().model().masses().iter().sum();
    mass * glam::DVec3::from(run.scene().scene.gravity).length()
}

const SIZES: &str =
    "Quick runs have as few vertices as the bones allow, --full has the paper's. Joints to the world count.";

const ACROBAT: Figure =
    Figure { scene: "acrobat", full: &["body.0.mesh.model.vertices=12683"], paper: [9.0, 8.0, f64::NAN] };
const FROG: Figure =
    Figure { scene: "frog", full: &["body.0.mesh.model.vertices=29466"], paper: [18.0, 13.0, 5750.0] };
const SNAIL: Figure =
    Figure { scene: "snail", full: &["body.0.mesh.model.vertices=28840"], paper: [1.0, 0.0, 1795.0] };
const HANGING: Figure = Figure {
    scene: "monster-hanging",
    full: &["body.0.mesh.model.vertices=37689"],
    paper: [59.0, 9.0, 16958.0],
};
const STAIRS: Figure = Figure {
    scene: "monster-stairs",
    full: &["body.0.mesh.model.vertices=37689"],
    paper: [59.0, 9.0, 17347.0],
};

pub(crate) const ART_FIG4: Experiment = Experiment {
    id: "art-fig4",
    title: "acrobat on aerial silk",
    document: Document::Articulated,
    figure: "Fig. 4",
    claim: "A soft acrobat with nine bones swings on a silk.",
    trials: |length| trials(&ACROBAT, length),
    judge: |runs| judge(&ACROBAT, runs, SIZES),
    draw: curves::energy_and_motion,
};

pub(crate) const ART_FIG5: Experiment = Experiment {
    id: "art-fig5",
    title: "frog",
    document: Document::Articulated,
    figure: "Fig. 5",
    claim: "A frog with 18 bones and 13 joints is moved by its skeleton, and its flesh follows.",
    trials: |length| trials(&FROG, length),
    judge: |runs| judge(&FROG, runs, SIZES),
    draw: curves::energy_and_motion,
};

pub(crate) const ART_FIG6: Experiment = Experiment {
    id: "art-fig6",
    title: "snail with a rigid shell",
    document: Document::Articulated,
    figure: "Fig. 6",
    claim: "A soft snail whose shell is one rigid bone collides without harm.",
    trials: |length| trials(&SNAIL, length),
    judge: |runs| judge(&SNAIL, runs, SIZES),
    draw: curves::energy_and_motion,
};

pub(crate) const ART_FIG12: Experiment = Experiment {
    id: "art-fig12",
    title: "monster that hangs by a horn",
    document: Document::Articulated,
    figure: "Fig. 12",
    claim: "A monster whose horns, teeth and claws are rigid, with a skeleton inside, swings from one horn.",
    trials: |length| trials(&HANGING, length),
    judge: |runs| judge(&HANGING, runs, SIZES),
    draw: curves::energy_and_motion,
};

pub(crate) const ART_FIG13: Experiment = Experiment {
    id: "art-fig13",
    title: "monster on the stairs",
    document: Document::Articulated,
    figure: "Fig. 13",
    claim: "The monster rolls down the stairs: soft and rigid parts collide.",
    trials: |length| {
        // It is in the air at first.
        let mut trials = trials(&STAIRS, length);
        trials.iter_mut().for_each(|trial| trial.frames = length.pick(60, 180));
        trials
    },
    judge: |runs| judge(&STAIRS, runs, SIZES),
    draw: curves::energy_and_motion,
};
