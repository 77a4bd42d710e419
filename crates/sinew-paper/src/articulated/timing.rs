//! The cost of bones, body by body [li2020, Tables 1 and 2].

use super::{median, plot, step_time};
use crate::{Document, Experiment, Finding, Length, Trial};
use sinew::measure::{FleshElimination, LocalStep};
use sinew_scene::export::plot::Figure;
use sinew_scene::run::Run;
use std::hint::black_box;
use std::time::Instant;

/// A row of the tables: its name, scene, overrides for a quick and for a full run, and the paper's times.
struct Subject {
    name: &'static str,
    scene: &'static str,
    quick: &'static [&'static str],
    full: &'static [&'static str],
    /// Time of a frame with plain projective dynamics and with bones, ms.
    frame: [f64; 2],
    /// Times of an iteration: local step, Q_f⁻¹Q_cᵀ and S⁻¹ together, total, ms.
    iteration: [f64; 3],
}

/// Iterations per frame, in the scenes and in the paper.
const ITERATIONS: f64 = 10.0;

const SUBJECTS: [Subject; 6] = [
    Subject {
        name: "cantilever",
        scene: "paper/cantilever",
        quick: &[],
        full: &[],
        frame: [70.0, 139.0],
        iteration: [9.264, 4.336, 13.964],
    },
    Subject {
        name: "bead bracelet",
        scene: "paper/bracelet",
        quick: &[],
        full: &[],
        frame: [40.0, 51.0],
        iteration: [4.927, 0.027, 5.109],
    },
    Subject {
        name: "nunchuck",
        scene: "paper/nunchuck",
        quick: &[],
        full: &["body.0.mesh.nunchuck.cells=[30, 14, 14]"],
        frame: [712.0, 791.0],
        iteration: [76.955, 0.027, 79.145],
    },
    Subject {
        name: "snail",
        scene: "paper/character",
        quick: &["body.0.mesh.character={ vertices = 2884, elastic = 1432, bones = 1 }"],
        full: &["body.0.mesh.character={ vertices = 28840, elastic = 14318, bones = 1 }"],
        frame: [1029.0, 1795.0],
        iteration: [144.955, 25.672, 179.464],
    },
    Subject {
        name: "frog",
        scene: "paper/character",
        quick: &["body.0.mesh.character={ vertices = 2947, elastic = 2462, bones = 18, joints = 13 }"],
        full: &["body.0.mesh.character={ vertices = 29466, elastic = 24615, bones = 18, joints = 13 }"],
        frame: [1140.0, 5750.0],
        iteration: [111.627, 451.673, 575.145],
    },
    Subject {
        name: "monster",
        scene: "paper/character",
        quick: &["body.0.mesh.character={ vertices = 5000, elastic = 4000, bones = 59, joints = 9 }"],
        full: &["body.0.mesh.character={ vertices = 37689, elastic = 29623, bones = 59, joints = 9 }"],
        frame: [1319.0, 16958.0],
        iteration: [126.764, 1545.909, 1695.81],
    },
];

pub(crate) const ART_TABLE1: Experiment = Experiment {
    id: "art-table1",
    title: "time of a frame without and with bones",
    document: Document::Articulated,
    figure: "Table 1",
    claim: "Comparable to projective dynamics in simple cases; an order of magnitude slower with many bones.",
    trials: |length| trials(length, true),
    judge: judge_frames,
    draw,
};

/// Runs of all subjects: plain and with bones, or with bones alone.
fn trials(length: Length, plain: bool) -> Vec<Trial> {
    let mut trials = Vec::new();
    for subject in &SUBJECTS {
        let set = length.pick(subject.quick, subject.full);
        // Bones need a factor: use the same method for both.
        let trial = |kind: &str| {
            let trial = Trial::new(format!("{}, {kind}", subject.name), subject.scene, 22, set);
            trial.with(&["solver.global=direct"])
        };
        if plain {
            // Joints of the scene need bones.
            trials.push(trial("plain").with(&["body.0.skeleton=false", "joint=[]"]));
        }
        trials.push(trial("bones"));
    }
    trials
}

fn judge_frames(runs: &[Run]) -> Finding {
    let mut finding = Finding::default();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for (subject, pair) in SUBJECTS.iter().zip(runs.chunks(2)) {
        let [plain, bones] = [0, 1].map(|i| step_time(&pair[i]));
        let printed = bones + ITERATIONS * elimination_time(&pair[1]);
        ours.push(bones / plain);
        theirs.push(printed / plain);
        let (name, model) = (subject.name, pair[1].scene().model());
        let [paper_plain, paper_bones] = subject.frame;
        finding = finding
            .number(format!("{name}: vertices"), None, model.vertex_count() as f64)
            .number(format!("{name}: bones"), None, model.bone_count() as f64)
            .number(format!("{name}: plain, ms per frame"), Some(paper_plain), plain)
            .number(format!("{name}: with bones, ms per frame"), Some(paper_bones), bones)
            .number(format!("{name}: with bones over plain"), Some(paper_bones / paper_plain), bones / plain)
            .number(
                format!("{name}: eliminating as printed, over plain"),
                Some(paper_bones / paper_plain),
                printed / plain,
            );
    }
    let most = |ratios: &[f64]| ratios.iter().copied().fold(0.0, f64::max);
    let many =
        SUBJECTS.iter().zip(&ours).skip(3).map(|(subject, ratio)| format!("{} {ratio:.2}", subject.name));
    let many = many.collect::<Vec<_>>().join(", ");
    finding
        .claim(
            most(&ours[..3]) < 2.0,
            "in simple cases (the first three) bones cost less than twice the time",
        )
        .claim(
            most(&theirs[3..]) > 5.0,
            "with many bones, eliminating the flesh as printed, many times as much",
        )
        .claim(
            most(&ours) < 1.25,
            "beyond the paper: with a constant elimination bones never cost more than a quarter",
        )
        .remark(&format!("With many bones the time over that without is {many}. What it adds grows with the number of bones and not with the flesh, so it shows most on the small bodies of a quick run: the monster has 59 bones in a seventh of the paper's vertices."))
        .remark(REMARK)
}

const REMARK: &str = "10 iterations. Generated bodies with the counts of vertices, bones and joints of the paper's stand for its characters; --full has its sizes, quick runs about a tenth of them. What is rigid needs no projection of its tetrahedra, so that bones can even be cheaper than flesh. Eliminating as printed: Q_f⁻¹Q_cᵀ by a solve for each of six columns a bone, one after the other, in every iteration, by our solver, added to our step.";

pub(crate) const ART_TABLE2: Experiment = Experiment {
    id: "art-table2",
    title: "parts of an iteration with bones",
    document: Document::Articulated,
    figure: "Table 2",
    claim: "Up to nine tenths of an iteration are the elimination of the flesh, Q_f⁻¹Q_cᵀ and S⁻¹.",
    trials: |length| trials(length, false),
    judge: judge_parts,
    draw: |runs| {
        let at = |values: Vec<f64>| (1..).map(f64::from).zip(values).collect();
        let lines = vec![
            ("ours".to_owned(), at(runs.iter().map(iteration_time).collect())),
            ("the paper's".to_owned(), at(SUBJECTS.iter().map(|s| s.iteration[2]).collect())),
        ];
        let mut panel = plot(&SUBJECTS.map(|subject| subject.name).join(", "), "ms per iteration", lines);
        panel.log_y = true;
        Figure { panels: vec![panel] }
    },
};

fn judge_parts(runs: &[Run]) -> Finding {
    let mut finding = Finding::default();
    let mut shares = Vec::new();
    for (subject, run) in SUBJECTS.iter().zip(runs) {
        let (name, [local, elimination, all]) = (subject.name, subject.iteration);
        let (printed, ours) = (elimination_time(run), iteration_time(run));
        shares.push(printed / (printed + ours));
        finding = finding
            .number(format!("{name}: local step (ms)"), Some(local), local_time(run))
            .number(format!("{name}: Q_f⁻¹Q_cᵀ and S as printed (ms)"), Some(elimination), printed)
            .number(format!("{name}: iteration (ms)"), Some(all), ours)
            .number(format!("{name}: as printed over our iteration"), None, printed / ours);
    }
    let most = shares.iter().copied().fold(0.0, f64::max);
    finding
        .number("share of the elimination as printed, most", Some(1545.909 / 1695.81), most)
        .claim(most > 0.5, "with many bones most of an iteration is the elimination as printed")
        .claim(
            shares[4..].iter().all(|share| *share > 0.9),
            "beyond the paper: with many bones a whole iteration of ours takes less than a ninth of it",
        )
        .remark(REMARK)
}

/// Median time of the solver over its iterations, ms.
fn iteration_time(run: &Run) -> f64 {
    median(run.rows().iter().skip(2).map(|row| row.times.solve / ITERATIONS).collect())
}

/// ∇g at the end of the run, ms.
fn local_time(run: &Run) -> f64 {
    let mut local = LocalStep::new(run.scene().model());
    let x = run.state().positions();
    timed(|| _ = black_box(local.gradient(black_box(x))))
}

/// Time to eliminate the flesh once as the paper does, ms; zero if there is no flesh.
fn elimination_time(run: &Run) -> f64 {
    match FleshElimination::new(run.scene().model(), run.scene().settings().h) {
        Ok(elimination) if elimination.right_hand_sides() == 0 => 0.0,
        Ok(mut elimination) => timed(|| _ = black_box(elimination.eliminate())),
        Err(_) => f64::NAN,
    }
}

/// Median of a few times, ms; long work is measured once.
fn timed(mut work: impl FnMut()) -> f64 {
    let begin = Instant::now();
    let mut times = Vec::new();
    while times.is_empty() || (times.len() < 15 && begin.elapsed().as_secs_f64() < 0.3) {
        let start = Instant::now();
        work();
        times.push(1e3 * start.elapsed().as_secs_f64());
    }
    median(times)
}

fn draw(runs: &[Run]) -> Figure {
    let ratio = |pair: &[Run]| step_time(&pair[1]) / step_time(&pair[0]);
    let ours = runs.chunks(2).enumerate().map(|(i, pair)| (i as f64 + 1.0, ratio(pair))).collect();
    let paper = SUBJECTS.iter().enumerate().map(|(i, s)| (i as f64 + 1.0, s.frame[1] / s.frame[0])).collect();
    let names = SUBJECTS.map(|subject| subject.name).join(", ");
    let lines = vec![("ours".to_owned(), ours), ("the paper's".to_owned(), paper)];
    let mut panel = plot(&names, "time with bones over time without", lines);
    panel.log_y = true;
    Figure { panels: vec![panel] }
}
