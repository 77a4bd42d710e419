//! The tables of the papers: their scenes row by row, with our counts, times and stability beside theirs.
//!
//! A quick run has the papers' sizes where they are small and smaller ones of the same models otherwise; `--full` has the papers' sizes.

mod blend;
mod energy;

pub(super) use blend::{STAB_TABLE1, STAB_TABLE2};
pub(super) use energy::FEPR_TABLE1;

use super::measure::{blew_up, blow_up_time, highest};
use super::{Length, Trial};
use sinew_scene::run::Run;

/// A body that is simulated: its scene, and what a quick and a full run change in it.
struct Subject {
    name: &'static str,
    scene: &'static str,
    set: &'static [&'static str],
    quick: &'static [&'static str],
    full: &'static [&'static str],
    /// Vertices and elements of the paper's.
    paper: [usize; 2],
}

impl Subject {
    fn trial(&self, name: impl std::fmt::Display, length: Length, frames: usize, set: &[&str]) -> Trial {
        let trial = Trial::new(format!("{}, {name}", self.name), self.scene, frames, self.set);
        trial.with(length.pick(self.quick, self.full)).with(set)
    }
}

/// Vertices and elements.
fn counts(run: &Run) -> [usize; 2] {
    let report = run.report();
    [report.vertices, report.elements]
}

/// Our number, and the paper's in brackets.
fn beside(ours: f64, theirs: f64) -> String {
    format!("{} ({})", short(ours), short(theirs))
}

/// Counts, and the paper's in brackets.
fn count_beside(ours: usize, theirs: usize) -> String {
    format!("{ours} ({theirs})")
}

/// About three digits.
fn short(x: f64) -> String {
    match x.abs() {
        _ if !x.is_finite() => "–".to_owned(),
        size if size >= 100.0 => format!("{x:.0}"),
        size if size >= 10.0 => format!("{x:.1}"),
        size if size >= 0.095 || size == 0.0 => format!("{x:.2}"),
        _ => format!("{x:.1e}"),
    }
}

/// What happened to the energy, in words.
fn what_happened(run: &Run) -> String {
    match (blow_up_time(run), run.failure()) {
        (Some(time), Some(_)) => format!("unstable: no step after {} s", short(time)),
        (Some(time), None) => format!("unstable: explodes at {} s", short(time)),
        (None, _) => format!("stable: at most {} × the first energy", short(highest(run))),
    }
}

/// `stable` or `unstable`.
fn stability(run: &Run) -> &'static str {
    if blew_up(run) { "unstable" } else { "stable" }
}
