//! Runs of many scenes with many variants, as tables of what is left of the true motion.

use super::outcome::{Outcome, TrueMotion, median};
use super::scenes::{List, Scene};
use crate::{Length, Table, Trial};
use sinew_scene::export::plot::{Figure, Plot, Series};
use sinew_scene::run::Run;
use std::collections::BTreeMap;

/// The variant whose runs the others are compared with.
const TRUTH: &str = "truth";
/// Below this share of the true motion nobody sees at what frequency it is.
const SEEN: f64 = 0.05;
/// The least share that counts in the mean of |ln kept|.
const LEAST: f64 = 1e-6;

/// A time step: its name, which is also its value in a scene, and the steps of a second.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub name: &'static str,
    pub per_second: usize,
}

/// The steps that real-time simulation uses.
pub(super) const STEPS: [Step; 2] =
    [Step { name: "1/30", per_second: 30 }, Step { name: "1/60", per_second: 60 }];

/// The trial of a cell. Its name says which cell it is: `list/scene, variant, h`.
pub(super) fn trial(list: &List, scene: &Scene, variant: &str, step: Step, seconds: usize) -> Trial {
    let name = format!("{}/{}, {variant}, {}", list.name, scene.name, step.name);
    Trial::new(name, scene.source(), seconds * step.per_second, &[&format!("h={}", step.name)])
}

/// The truth of a scene. It serves all time steps: its frames are those of the longest, which shows the visible motion just as well.
pub(super) fn truth(list: &List, scene: &Scene, seconds: usize, length: Length) -> Trial {
    trial(list, scene, TRUTH, STEPS[0], seconds).truth(scene.finer(length))
}

/// A run and where it belongs.
pub(super) struct Cell<'a> {
    pub list: &'a str,
    pub scene: &'a str,
    pub variant: &'a str,
    pub step: &'a str,
    pub outcome: Outcome,
}

/// All runs but the truths, in the order of the trials.
pub(super) struct Grid<'a> {
    pub cells: Vec<Cell<'a>>,
}

impl<'a> Grid<'a> {
    /// Finds the place of each run by its name, and its truth among the others. A run of another length than its truth has no place.
    pub fn new(runs: &'a [Run]) -> Self {
        let named = |run: &'a Run| {
            let mut parts = run.name().split(", ");
            Some((parts.next()?, parts.next()?, parts.next()?))
        };
        let mut truths = BTreeMap::new();
        for run in runs {
            if let Some((scene, TRUTH, _)) = named(run) {
                truths.insert(scene, (TrueMotion::of(run), duration(run)));
            }
        }
        let mut cells = Vec::new();
        for run in runs {
            let Some((place, variant, step)) = named(run) else { continue };
            let (Some((list, scene)), Some(&(truth, length))) = (place.split_once('/'), truths.get(place))
            else {
                continue;
            };
            if variant != TRUTH && (duration(run) / length - 1.0).abs() < 1e-9 {
                cells.push(Cell { list, scene, variant, step, outcome: Outcome::of(run, truth) });
            }
        }
        Self { cells }
    }

    /// The cells of a list and a variant, for all scenes and steps.
    pub fn of<'b>(
        &'b self,
        list: &'b List,
        variant: &'b str,
    ) -> impl Iterator<Item = &'b Cell<'a>> + Clone + 'b {
        self.cells.iter().filter(move |cell| cell.list == list.name && cell.variant == variant)
    }

    /// A table for each list and each step.
    pub fn tables(&self) -> Vec<Table> {
        let mut tables = Vec::new();
        for list in distinct(self.cells.iter().map(|cell| cell.list)) {
            for step in distinct(self.cells.iter().map(|cell| cell.step)) {
                tables.extend(self.table(list, step));
            }
        }
        tables
    }

    fn table(&self, list: &str, step: &str) -> Option<Table> {
        let cells = || self.cells.iter().filter(move |cell| cell.list == list && cell.step == step);
        let scenes = distinct(cells().map(|cell| cell.scene));
        if scenes.is_empty() {
            return None;
        }
        let mut header = vec![String::new()];
        header.extend(scenes.iter().map(|&scene| scene.to_owned()));
        header.extend(["mean |ln kept|", "drift", "over", "cost", "time"].map(str::to_owned));
        let mut rows = Vec::new();
        // The variant of the first row measures the time of the others, scene by scene.
        let usual: BTreeMap<_, _> = cells().rev().map(|cell| (cell.scene, cell.outcome.step_time)).collect();
        for variant in distinct(cells().map(|cell| cell.variant)) {
            let of_variant = || cells().filter(move |cell| cell.variant == variant);
            let mut row = vec![variant.to_owned()];
            for scene in &scenes {
                let cell = of_variant().find(|cell| cell.scene == *scene);
                row.push(cell.map_or_else(|| "–".to_owned(), |cell| shown(&cell.outcome)));
            }
            let most = |value: fn(&Outcome) -> f64| {
                format!("{:.0e}", of_variant().map(|cell| value(&cell.outcome)).fold(0.0, f64::max))
            };
            row.push(log_error(of_variant()).map_or_else(|| "–".to_owned(), |error| format!("{error:.2}")));
            row.extend([most(|outcome| outcome.drift), most(|outcome| outcome.over)]);
            row.push(format!("{:.1} %", 100.0 * median(of_variant().map(|cell| cell.outcome.share))));
            row.push(format!(
                "{:.2}",
                median(of_variant().map(|cell| cell.outcome.step_time / usual[cell.scene]))
            ));
            rows.push(row);
        }
        let title = format!(
            "Scenes: {list}, h = {step} s. Visible motion over the truth's · frequency over the truth's"
        );
        Some(Table { title, header, rows })
    }

    /// What is left of the motion, scene by scene, at the first step; a panel for each list.
    pub fn figure(&self) -> Figure {
        let mut panels = Vec::new();
        for list in distinct(self.cells.iter().map(|cell| cell.list)) {
            let cells =
                || self.cells.iter().filter(move |cell| cell.list == list && cell.step == STEPS[0].name);
            let scenes = distinct(cells().map(|cell| cell.scene));
            let line = |variant: &str| {
                let point = |(i, scene): (usize, &&str)| {
                    let cell = cells().find(|cell| cell.scene == *scene && cell.variant == variant)?;
                    Some((i as f64 + 1.0, cell.outcome.kept?.max(1e-3)))
                };
                Series::new(variant, scenes.iter().enumerate().filter_map(point).collect())
            };
            panels.push(Plot {
                title: String::new(),
                x_label: scenes.join(", "),
                y_label: "visible motion over the truth's".into(),
                log_y: true,
                log_x: false,
                series: distinct(cells().map(|cell| cell.variant)).into_iter().map(line).collect(),
            });
        }
        Figure { panels }
    }
}

/// Mean |ln kept|: how many times too much or too little motion there is, on average. `None` if one has none to compare.
pub(super) fn log_error<'a, 'b: 'a>(cells: impl Iterator<Item = &'a Cell<'b>>) -> Option<f64> {
    let errors: Option<Vec<f64>> = cells.map(|cell| Some(cell.outcome.kept?.max(LEAST).ln().abs())).collect();
    let errors = errors?;
    (!errors.is_empty()).then(|| errors.iter().sum::<f64>() / errors.len() as f64)
}

/// `kept · frequency`.
fn shown(outcome: &Outcome) -> String {
    match (outcome.kept, outcome.frequency) {
        _ if outcome.exploded => "explodes".into(),
        (None, _) => "–".into(),
        (Some(kept), Some(frequency)) if kept >= SEEN => format!("{kept:.2} · {frequency:.2}"),
        (Some(kept), _) => format!("{kept:.2}"),
    }
}

/// Simulated time of a whole run, s.
fn duration(run: &Run) -> f64 {
    run.frames() as f64 * run.frame_time()
}

/// Each value once, in the order of its first appearance.
fn distinct<'a>(values: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found = Vec::new();
    for value in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}
