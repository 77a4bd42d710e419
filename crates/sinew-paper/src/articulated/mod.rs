//! Soft characters with bones [li2020].
//!
//! One file for each theme: locking, swings with few iterations and large steps, the cantilever and its convergence, bodies without flesh
//! compared with a reference, a closed ring, whole characters, and times.

mod bracelet;
mod cantilever;
mod characters;
mod convergence;
mod locking;
mod nunchuck;
mod swinging;
mod timing;

pub(super) use bracelet::ART_FIG15;
pub(super) use cantilever::{ART_FIG9, ART_FIG11};
pub(super) use characters::{ART_FIG4, ART_FIG5, ART_FIG6, ART_FIG12, ART_FIG13};
pub(super) use convergence::ART_FIG10;
pub(super) use locking::ART_FIG1;
pub(super) use nunchuck::ART_FIG14;
pub(super) use swinging::{ART_FIG7, ART_FIG8};
pub(super) use timing::{ART_TABLE1, ART_TABLE2};

use glam::DVec3;
use sinew::measure::FromPreviousFrame;
use sinew::{Simulator, State};
use sinew_scene::export::plot::{Dash, Plot, Series, Style};
use sinew_scene::run::Run;
use std::sync::Arc;

/// Overrides for flesh that is this many times stiffer in the regions of the two bones, without bones.
fn stiff_instead(young: f64, factor: f64) -> [String; 2] {
    let entry = |region: usize| format!("{{ select = {{ region = {region} }}, young = {} }}", factor * young);
    ["body.0.skeleton=false".into(), format!("body.0.override=[{}, {}]", entry(1), entry(2))]
}

/// √(mean |xᵢ − x'ᵢ|²), m.
fn distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum();
    (sum / a.len() as f64).sqrt()
}

/// A plot of lines, every other one broken.
fn plot(x_label: &str, y_label: &str, lines: Vec<(String, Vec<(f64, f64)>)>) -> Plot {
    let line = |(i, (name, points)): (usize, (String, Vec<(f64, f64)>))| {
        let dash = [Dash::Solid, Dash::Dashed][i % 2];
        Series { style: Style { dash, width: 2.2, ..Style::default() }, ..Series::new(name, points) }
    };
    Plot {
        title: String::new(),
        x_label: x_label.into(),
        y_label: y_label.into(),
        log_x: false,
        log_y: false,
        series: lines.into_iter().enumerate().map(line).collect(),
    }
}

/// Repeats the steps of the run and collects what `see` reads from each state. Runs store numbers, not states.
fn again<T>(run: &Run, see: impl Fn(&State) -> T) -> Vec<T> {
    let simulator = Simulator::new(Arc::clone(run.scene().model()), *run.scene().settings());
    let mut simulator = simulator.ok();
    repeated(run, see, |state| simulator.as_mut().is_some_and(|simulator| simulator.step(state).is_ok()))
}

/// The same with iterations that start from the last frame, like the paper's, instead of from the prediction, like the engine's.
fn from_last_frame<T>(run: &Run, see: impl Fn(&State) -> T) -> Vec<T> {
    let mut steps = FromPreviousFrame::new(run.scene().model(), *run.scene().settings()).ok();
    repeated(run, see, |state| steps.as_mut().is_some_and(|steps| steps.step(state)))
}

fn repeated<T>(run: &Run, see: impl Fn(&State) -> T, mut step: impl FnMut(&mut State) -> bool) -> Vec<T> {
    let mut state = State::new(run.scene().model());
    let mut seen = vec![see(&state)];
    for _ in 0..run.frame() {
        if !step(&mut state) {
            break;
        }
        seen.push(see(&state));
    }
    seen
}

/// Median time of a step after the first, ms.
fn step_time(run: &Run) -> f64 {
    median(run.rows().iter().skip(2).map(|row| row.times.step).collect())
}

/// The median; NaN if there are no values.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
