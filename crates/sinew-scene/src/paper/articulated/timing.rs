//! What bones cost, body by body [li2020, Tables 1 and 2].

use super::super::{Document, Experiment, Finding, Length, Trial};
use super::{plot, step_time};
use crate::export::plot::Figure;
use crate::run::Run;

/// A row of the tables: its name, scene, what the scene changes for a quick and for a full run, and the paper's ms per frame of plain
/// projective dynamics and with bones.
struct Subject {
    name: &'static str,
    scene: &'static str,
    quick: &'static [&'static str],
    full: &'static [&'static str],
    paper: [f64; 2],
}

const SUBJECTS: [Subject; 6] = [
    Subject { name: "cantilever", scene: "paper/cantilever", quick: &[], full: &[], paper: [70.0, 139.0] },
    Subject { name: "bead bracelet", scene: "paper/bracelet", quick: &[], full: &[], paper: [40.0, 51.0] },
    Subject {
        name: "nunchuck",
        scene: "paper/nunchuck",
        quick: &[],
        full: &["body.0.mesh.nunchuck.cells=[30, 14, 14]"],
        paper: [712.0, 791.0],
    },
    Subject {
        name: "snail",
        scene: "paper/character",
        quick: &["body.0.mesh.character={ vertices = 2884, elastic = 1432, bones = 1 }"],
        full: &["body.0.mesh.character={ vertices = 28840, elastic = 14318, bones = 1 }"],
        paper: [1029.0, 1795.0],
    },
    Subject {
        name: "frog",
        scene: "paper/character",
        quick: &["body.0.mesh.character={ vertices = 2947, elastic = 2462, bones = 18, joints = 13 }"],
        full: &["body.0.mesh.character={ vertices = 29466, elastic = 24615, bones = 18, joints = 13 }"],
        paper: [1140.0, 5750.0],
    },
    Subject {
        name: "monster",
        scene: "paper/character",
        quick: &["body.0.mesh.character={ vertices = 5000, elastic = 4000, bones = 59, joints = 9 }"],
        full: &["body.0.mesh.character={ vertices = 37689, elastic = 29623, bones = 59, joints = 9 }"],
        paper: [1319.0, 16958.0],
    },
];

pub(in super::super) const ART_TABLE1: Experiment = Experiment {
    id: "art-table1",
    title: "time of a frame without and with bones",
    document: Document::Articulated,
    figure: "Table 1",
    claim: "Comparable to projective dynamics in simple cases; an order of magnitude slower with many bones.",
    trials,
    judge: judge_frames,
    draw,
};

fn trials(length: Length) -> Vec<Trial> {
    let mut trials = Vec::new();
    for subject in &SUBJECTS {
        let set = length.pick(subject.quick, subject.full);
        for (kind, skeleton) in [("plain", "body.0.skeleton=false"), ("bones", "body.0.skeleton=true")] {
            let mut trial = Trial::new(format!("{}, {kind}", subject.name), subject.scene, 22, set);
            // Bones need a factor: the same method for both. And joints of the scene need bones.
            trial = trial.with(&["solver.global=direct"]);
            if skeleton.ends_with("false") {
                trial = trial.with(&["joint=[]"]);
            }
            trials.push(trial.with(&[skeleton]));
        }
    }
    trials
}

fn judge_frames(runs: &[Run]) -> Finding {
    let mut finding = Finding::default();
    let mut ratios = Vec::new();
    for (subject, pair) in SUBJECTS.iter().zip(runs.chunks(2)) {
        let [plain, bones] = [0, 1].map(|i| step_time(&pair[i]));
        let model = pair[1].scene().model();
        let [theirs_plain, theirs] = subject.paper;
        ratios.push(bones / plain);
        let name = subject.name;
        finding = finding
            .number(format!("{name}: vertices"), None, model.vertices() as f64)
            .number(format!("{name}: bones"), None, model.bones() as f64)
            .number(format!("{name}: plain, ms per frame"), Some(theirs_plain), plain)
            .number(format!("{name}: with bones, ms per frame"), Some(theirs), bones)
            .number(format!("{name}: with bones over plain"), Some(theirs / theirs_plain), bones / plain);
    }
    let most = |ratios: &[f64]| ratios.iter().copied().fold(0.0, f64::max);
    finding
        .claim(most(&ratios[..3]) < 2.0, "in simple cases (the first three) bones cost less than twice the time")
        .claim(most(&ratios[3..]) > 5.0, "with many bones, many times as much")
        .claim(most(&ratios) < 1.25, "beyond the paper: bones never cost more than a quarter")
        .remark("10 iterations. Generated bodies with the counts of vertices, bones and joints of the paper's stand for its characters; --full has its sizes, quick runs a tenth of them. What is rigid needs no projection of its tetrahedra, so that bones can even be cheaper than flesh.")
}

fn draw(runs: &[Run]) -> Figure {
    let ratio = |pair: &[Run]| step_time(&pair[1]) / step_time(&pair[0]);
    let ours = runs.chunks(2).enumerate().map(|(i, pair)| (i as f64 + 1.0, ratio(pair))).collect();
    let paper = SUBJECTS.iter().enumerate().map(|(i, s)| (i as f64 + 1.0, s.paper[1] / s.paper[0])).collect();
    let names = SUBJECTS.map(|subject| subject.name).join(", ");
    let lines = vec![("ours".to_owned(), ours), ("the paper's".to_owned(), paper)];
    let mut panel = plot(&names, "time with bones over time without", lines);
    panel.log_y = true;
    Figure { panels: vec![panel] }
}
