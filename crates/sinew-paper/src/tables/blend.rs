//! What the blend costs, and how many substeps implicit midpoint needs to be stable [dinev2018stab, Tables I and II].

use super::{Subject, beside, count_beside, counts, short, stability};
use crate::measure::blew_up;
use crate::{Document, Experiment, Finding, Length, Table};
use sinew_scene::export::plot::{Figure, Plot, Series};
use sinew_scene::run::Run;

/// A row of both tables.
struct Row {
    subject: Subject,
    /// The paper's step, s.
    h: f64,
    /// Table I, Newton's method: backward Euler and the blend, ms.
    newton: [f64; 2],
    /// Table I, local/global: backward Euler and the blend, ms.
    local_global: [f64; 2],
    /// Table II: implicit midpoint with [`SUBSTEPS`], ms a frame.
    substeps: [f64; 5],
}

/// Substeps of a frame in Table II.
const SUBSTEPS: [usize; 5] = [1, 5, 10, 20, 100];

const MIDPOINT: &str = "integrator.kind=implicit-midpoint";
const EULER: &str = "integrator.kind=backward-euler";
const BLEND: &str = "correction.kind=blend";
/// Ten plain local/global iterations, as in the paper.
const LOCAL_GLOBAL: [&str; 3] =
    ["solver.kind=projective-dynamics", "solver.acceleration=none", "solver.iterations=10"];

const ROWS: [Row; 9] = [
    Row {
        subject: Subject {
            name: "bar",
            scene: "paper/hanging-bar",
            set: &[],
            quick: &[],
            full: &[],
            paper: [290, 716],
        },
        h: 0.033,
        newton: [148.0, 231.0],
        local_global: [3.62, 5.73],
        substeps: [3.79, 18.22, 36.42, 72.73, 361.0],
    },
    Row {
        subject: Subject {
            name: "cube (Fig. 5)",
            scene: "paper/spinning-cube",
            set: &[],
            quick: &[],
            full: &[],
            paper: [386, 996],
        },
        h: 0.033,
        newton: [277.0, 505.0],
        local_global: [5.84, 8.41],
        substeps: [6.03, 29.86, 54.95, 111.0, 541.0],
    },
    Row {
        subject: Subject {
            name: "cube (Fig. 13)",
            scene: "cube-on-spheres",
            set: &["body.0.mesh.box.cells=[6, 6, 6]"],
            quick: &[],
            full: &[],
            paper: [386, 996],
        },
        h: 0.01,
        newton: [365.0, 597.0],
        local_global: [6.93, 9.50],
        substeps: [7.16, 56.85, 122.0, 245.0, 1232.0],
    },
    Row {
        subject: Subject {
            name: "hippo",
            scene: "through-torus",
            set: crate::contact::FALLING_HIPPO,
            quick: &["body.0.mesh.model.vertices=500"],
            full: &[],
            paper: [2387, 8406],
        },
        h: 0.01,
        newton: [3985.0, 6296.0],
        local_global: [66.4, 73.3],
        substeps: [68.4, 312.0, 666.0, 1230.0, 6615.0],
    },
    Row {
        subject: Subject {
            name: "bunny (Fig. 12)",
            scene: "sliding-frictionless",
            set: crate::sliding::BUNNY,
            quick: &["body.0.mesh.model.vertices=600"],
            full: &[],
            paper: [4497, 15408],
        },
        h: 0.033,
        newton: [6288.0, 10720.0],
        local_global: [194.0, 212.0],
        substeps: [184.0, 830.0, 2014.0, 3568.0, 18907.0],
    },
    Row {
        subject: Subject {
            name: "cactus",
            scene: "paper/randomised-body",
            set: &[],
            quick: &["body.0.mesh.model.vertices=600"],
            full: &[],
            paper: [5261, 17187],
        },
        h: 0.033,
        newton: [5050.0, 7577.0],
        local_global: [115.0, 174.0],
        substeps: [120.0, 590.0, 1242.0, 2442.0, 13849.0],
    },
    Row {
        subject: Subject {
            name: "cloth",
            scene: "cloth-shaken",
            set: &[],
            quick: &["body.0.mesh.cloth.cells=[25, 25]"],
            full: &[],
            paper: [10201, 50200],
        },
        h: 0.033,
        newton: [24958.0, 42758.0],
        local_global: [110.0, 127.0],
        substeps: [109.0, 478.0, 997.0, 1976.0, 8388.0],
    },
    Row {
        subject: Subject {
            name: "dog",
            scene: "dog-nose",
            set: &["body.0.mesh.model.vertices=28390"],
            quick: &["body.0.mesh.model.vertices=800"],
            full: &[],
            paper: [28390, 117_423],
        },
        h: 0.033,
        newton: [39101.0, 99138.0],
        local_global: [916.0, 1205.0],
        substeps: [904.0, 4413.0, 9079.0, 16660.0, 79369.0],
    },
    Row {
        subject: Subject {
            name: "bunny (Fig. 8)",
            scene: "bunny-swing",
            set: &["body.0.mesh.model.vertices=34844"],
            quick: &["body.0.mesh.model.vertices=800"],
            full: &[],
            paper: [34844, 121_058],
        },
        h: 0.033,
        newton: [31624.0, 64037.0],
        local_global: [1181.0, 1510.0],
        substeps: [1101.0, 5616.0, 11293.0, 22577.0, 120_631.0],
    },
];

pub(crate) const STAB_TABLE1: Experiment = Experiment {
    id: "stab-table1",
    title: "time of the blend beside backward Euler",
    document: Document::Stabilizing,
    figure: "Table I",
    claim: "With local/global iterations the blend costs little more than backward Euler, with Newton's method up to two and a half times as much.",
    trials: |length| {
        let mut trials = Vec::new();
        for row in &ROWS {
            let h = format!("h={}", row.h);
            // A frame of Newton's method on tens of thousands of vertices takes a minute.
            let large = length == Length::Full && row.subject.paper[0] > 10_000;
            for (name, solver, frames) in [
                ("Newton", &["solver.kind=newton", "solver.iterations=50"][..], if large { 3 } else { 30 }),
                ("local/global", &LOCAL_GLOBAL[..], 30),
            ] {
                let trial = |rule: &str, set: &[&str]| {
                    row.subject.trial(format!("{name}, {rule}"), length, frames, set).with(solver).with(&[&h])
                };
                trials.push(trial("backward Euler", &[EULER]));
                trials.push(trial("blend", &[MIDPOINT, BLEND]));
            }
        }
        trials
    },
    judge: judge_times,
    draw: |runs| {
        let lines = [
            "Newton, backward Euler",
            "Newton, blend",
            "local/global, backward Euler",
            "local/global, blend",
        ];
        let at = |k: usize| runs.chunks(4).filter_map(move |row| row.get(k)).map(frame_time);
        let numbered = |values: Vec<f64>| (1..).map(f64::from).zip(values).collect();
        let series = lines.iter().enumerate().map(|(k, name)| Series::new(*name, numbered(at(k).collect())));
        plot(series.collect())
    },
};

fn plot(series: Vec<Series>) -> Figure {
    let names: Vec<_> = ROWS.iter().map(|row| row.subject.name).collect();
    let (x_label, y_label) = (names.join(", "), "ms a frame".to_owned());
    Figure { panels: vec![Plot { x_label, y_label, series, log_y: true, ..Plot::default() }] }
}

/// Mean time of a step, ms.
fn frame_time(run: &Run) -> f64 {
    run.report().time_ms.step_mean
}

fn judge_times(runs: &[Run]) -> Finding {
    let header = [
        "model",
        "vertices",
        "elements",
        "h (s)",
        "Newton: backward Euler (ms)",
        "Newton: blend (ms)",
        "of it correction",
        "local/global: backward Euler (ms)",
        "local/global: blend (ms)",
        "of it correction",
    ];
    let (mut finding, mut rows) = (Finding::default(), Vec::new());
    let (mut newton, mut local, mut speed) = (Vec::new(), Vec::new(), Vec::new());
    for (row, four) in ROWS.iter().zip(runs.chunks_exact(4)) {
        let ([vertices, elements], name) = (counts(&four[0]), row.subject.name);
        let [exact_euler, exact_blend, euler, blend] = [0, 1, 2, 3].map(|k| frame_time(&four[k]));
        let [exact_corrects, corrects] = [1, 3].map(|k| four[k].report().time_ms.correct_mean);
        newton.push(exact_blend / exact_euler);
        local.push(blend / euler);
        speed.push(exact_blend / blend);
        finding = finding
            .number(
                format!("{name}: blend over backward Euler, Newton"),
                Some(row.newton[1] / row.newton[0]),
                exact_blend / exact_euler,
            )
            .number(
                format!("{name}: blend over backward Euler, local/global"),
                Some(row.local_global[1] / row.local_global[0]),
                blend / euler,
            );
        rows.push(vec![
            name.to_owned(),
            count_beside(vertices, row.subject.paper[0]),
            count_beside(elements, row.subject.paper[1]),
            row.h.to_string(),
            beside(exact_euler, row.newton[0]),
            beside(exact_blend, row.newton[1]),
            short(exact_corrects),
            beside(euler, row.local_global[0]),
            beside(blend, row.local_global[1]),
            short(corrects),
        ]);
    }
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    };
    let [newton, local, speed] = [newton, local, speed].map(median);
    finding
        .number("blend over backward Euler, Newton, median", Some(1.73), newton)
        .number("blend over backward Euler, local/global, median", Some(1.28), local)
        .number("Newton over local/global, blend, median", Some(53.0), speed)
        .table(Table {
            title: "Mean of 30 frames; the paper's numbers in brackets.".to_owned(),
            header: header.map(str::to_owned).to_vec(),
            rows,
        })
        .claim(
            newton.is_some_and(|ratio| ratio < 2.6),
            "with Newton's method the blend costs at most 2.6 times as much, in the median",
        )
        .claim(
            local.is_some_and(|ratio| ratio < 1.6),
            "with local/global iterations at most 1.6 times as much, in the median",
        )
        .claim(
            speed.is_some_and(|ratio| ratio > 3.0),
            "local/global iterations are much faster than Newton's method",
        )
        .remark(SIZES)
        .remark("Correction: the paper's α search and the step of backward Euler that it blends with.")
}

const SIZES: &str = "Quick runs have the paper's sizes for bar and cubes, and 500 to 800 vertices of the same models for the rest; --full has the paper's. Stiffnesses and starts are not printed.";

pub(crate) const STAB_TABLE2: Experiment = Experiment {
    id: "stab-table2",
    title: "substeps of implicit midpoint beside the blend and FEPR",
    document: Document::Stabilizing,
    figure: "Table II",
    claim: "The blend is stable in one step; implicit midpoint needs many substeps, and with contact even a hundred are not enough.",
    trials: |length| {
        let mut trials = Vec::new();
        for row in &ROWS {
            let frames = length.pick(60, 300);
            let trial = |name: String, substeps: usize, set: &[&str]| {
                let h = format!("h={}", row.h / substeps as f64);
                let trial = row.subject.trial(name, length, frames * substeps, &LOCAL_GLOBAL);
                trial.with(&[MIDPOINT, &h]).with(set)
            };
            trials.push(trial("blend".to_owned(), 1, &[BLEND]));
            trials.push(trial("FEPR".to_owned(), 1, &["correction.kind=fepr"]));
            for substeps in SUBSTEPS {
                trials.push(trial(format!("{substeps} substeps"), substeps, &[]).until_it_explodes());
            }
        }
        trials
    },
    judge: judge_substeps,
    draw: |runs| {
        let numbered = |values: Vec<f64>| (1..).map(f64::from).zip(values).collect();
        let of = |k: usize, factor: f64| {
            numbered(
                runs.chunks(7).filter_map(|row| row.get(k)).map(|run| factor * frame_time(run)).collect(),
            )
        };
        let mut series = vec![Series::new("blend", of(0, 1.0)), Series::new("FEPR", of(1, 1.0))];
        for (k, substeps) in SUBSTEPS.iter().enumerate() {
            series.push(Series::new(format!("implicit midpoint, {substeps}"), of(k + 2, *substeps as f64)));
        }
        plot(series)
    },
};

fn judge_substeps(runs: &[Run]) -> Finding {
    let mut header = ["model", "vertices", "elements", "h (s)", "blend", "FEPR"].map(str::to_owned).to_vec();
    header.extend(
        SUBSTEPS.iter().map(|n| format!("implicit midpoint, {n} substep{}", if *n == 1 { "" } else { "s" })),
    );
    let (mut finding, mut rows) = (Finding::default(), Vec::new());
    let (mut unstable, mut needing, mut hippo) = ([0, 0], 0, (true, String::new()));
    let mut dearer = Vec::new();
    for (row, seven) in ROWS.iter().zip(runs.chunks_exact(7)) {
        let ([vertices, elements], name) = (counts(&seven[0]), row.subject.name);
        let mut cells = vec![
            name.to_owned(),
            count_beside(vertices, row.subject.paper[0]),
            count_beside(elements, row.subject.paper[1]),
            row.h.to_string(),
            format!("{} ms, {}", beside(frame_time(&seven[0]), row.local_global[1]), stability(&seven[0])),
            format!("{} ms, {}", short(frame_time(&seven[1])), stability(&seven[1])),
        ];
        unstable[0] += usize::from(blew_up(&seven[0]));
        unstable[1] += usize::from(blew_up(&seven[1]));
        for ((run, substeps), theirs) in seven[2..].iter().zip(SUBSTEPS).zip(row.substeps) {
            let time = substeps as f64 * frame_time(run);
            cells.push(format!("{} ms, {}", beside(time, theirs), stability(run)));
        }
        rows.push(cells);
        // Unstable at a few substeps and stable at fewer is not stable.
        let first = (0..SUBSTEPS.len()).find(|&k| !seven[2 + k..].iter().any(blew_up));
        needing += usize::from(first != Some(0));
        if let Some(k) = first.filter(|&k| k > 0) {
            dearer.push(SUBSTEPS[k] as f64 * frame_time(&seven[2 + k]) / frame_time(&seven[0]));
        }
        if row.subject.name == "hippo" {
            let highest = seven[2..].iter().map(|run| short(crate::measure::highest(run)));
            hippo = (blew_up(&seven[6]), highest.collect::<Vec<_>>().join(", "));
        }
        finding = finding
            .number(
                format!("{name}: substeps from which implicit midpoint is stable"),
                None,
                first.map(|k| SUBSTEPS[k] as f64),
            )
            .number(format!("{name}: blend, ms a frame"), Some(row.local_global[1]), frame_time(&seven[0]))
            .number(format!("{name}: FEPR, ms a frame"), None, frame_time(&seven[1]));
    }
    finding
        .number("rows on which implicit midpoint is unstable at one step", None, needing as f64)
        .table(Table {
            title: "Time of a frame and whether it stays stable; the paper's times in brackets.".to_owned(),
            header,
            rows,
        })
        .claim(unstable[0] == 0, "the blend is stable at one step on every row")
        .claim(unstable[1] == 0, "beyond the paper: so is FEPR")
        .claim(needing > 0, "implicit midpoint is unstable at one step on some rows")
        .claim(dearer.iter().all(|ratio| *ratio > 1.0), "where it is, the substeps that make it stable cost more than the blend")
        .claim(hippo.0, "on the hippo in the ring even 100 substeps are not enough")
        .remark(&format!("In the ring the energy of the hippo is at most {} times the first with 1, 5, 10, 20 and 100 substeps. The paper's contacts are stiff springs, which implicit midpoint overshoots; ours are conditions and store no energy.", hippo.1))
        .remark("Unstable: the energy grows by more than four times what there is to move, or a step fails. The colours of the paper's cells are not in its text, except that of the hippo.")
        .remark(SIZES)
}
