//! The papers' experiments: scenes, trials, numbers next to the papers', verdicts.
//!
//! ```text
//! Experiment ─ trials ─→ Trial ─ start ─→ Run (someone steps it) ─┬─ judge ──→ Finding
//!                                                                 └─ figure ─→ Figure
//! ```
//!
//! An experiment is data and two functions, one file for each or for a few that share a scene. Nothing here runs a simulation or writes a
//! file: the caller does, with its own progress bar and Ctrl-C. A judge may try single steps from the end of a run. Our number stands next to
//! a number of the paper only where the paper prints one; the verdict follows from the claims that the judge checks one by one. A figure without a
//! simulation is a [`Study`].
#![forbid(unsafe_code)]

mod articulated;
mod bar;
mod class_project;
mod cloth;
mod contact;
mod curves;
mod face;
mod face_scans;
mod face_speed;
mod face_wind;
mod finding;
mod frequency;
mod hanging;
mod lips;
mod measure;
mod motion;
mod pictures;
mod projection;
mod simple_spring;
mod sliding;
mod spinning_cube;
mod study;
mod tables;
mod trampoline;
mod trial;
mod two_springs;

pub use finding::{Finding, Number, Table, Verdict};
pub use study::{Outcome, Study};
pub use trial::{Source, Trial};

use sinew_scene::export::plot::Figure;
use sinew_scene::run::Run;

/// The document that an experiment comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// FEPR: Fast Energy Projection for Real-Time Simulation of Deformable Objects \[dinev2018fepr\].
    Fepr,
    /// Stabilizing Integrators for Real-Time Physics \[dinev2018stab\].
    Stabilizing,
    /// The dissertation that contains both \[dinev2020\].
    Dissertation,
    /// A class project that reimplements FEPR.
    ClassProject,
    /// Soft Articulated Characters in Projective Dynamics \[li2020\].
    Articulated,
    /// No paper: claims that Sinew makes about itself.
    Sinew,
}

impl Document {
    /// Its name in lists.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fepr => "FEPR (2018)",
            Self::Stabilizing => "Stabilizing Integrators (2018)",
            Self::Dissertation => "Dinev's dissertation (2020)",
            Self::ClassProject => "FEPR class project (Wu)",
            Self::Articulated => "Soft Articulated Characters (2020)",
            Self::Sinew => "Sinew's own",
        }
    }
}

/// How long the trials are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// Long enough to see the effect: seconds.
    Quick,
    /// The paper's length and size.
    Full,
}

impl Length {
    fn pick<T>(self, quick: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

/// A figure or table of a paper, to be reproduced.
#[derive(Clone, Copy)]
pub struct Experiment {
    /// Its name on the command line.
    pub id: &'static str,
    /// The comparison.
    pub title: &'static str,
    /// The document that it comes from.
    pub document: Document,
    /// The figure or section in that document.
    pub figure: &'static str,
    /// The paper's claim.
    pub claim: &'static str,
    trials: fn(Length) -> Vec<Trial>,
    judge: fn(&[Run]) -> Finding,
    draw: fn(&[Run]) -> Figure,
}

impl std::fmt::Debug for Experiment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Experiment").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Experiment {
    /// The simulations to run, in the order that [`Experiment::judge`] and [`Experiment::figure`] expect.
    pub fn trials(&self, length: Length) -> Vec<Trial> {
        (self.trials)(length)
    }

    /// Numbers and verdict of the finished trials, one run for each of [`Experiment::trials`].
    pub fn judge(&self, runs: &[Run]) -> Finding {
        let mut finding = (self.judge)(runs);
        finding.id = self.id;
        finding
    }

    /// The plot in the paper's form.
    pub fn figure(&self, runs: &[Run]) -> Figure {
        let mut figure = (self.draw)(runs);
        if let Some(first) = figure.panels.first_mut() {
            first.title = format!("{}, {}: {}", self.document.name(), self.figure, self.title);
        }
        figure
    }
}

/// All experiments.
pub const EXPERIMENTS: &[Experiment] = &[
    projection::FEPR_FIG3,
    contact::FEPR_FIG4,
    projection::FEPR_FIG5,
    contact::FEPR_FIG6,
    trampoline::FEPR_FIG7,
    trampoline::FEPR_FIG8,
    contact::FEPR_FIG10,
    hanging::FEPR_FIG11,
    hanging::FEPR_FIG12,
    hanging::FEPR_FIG13,
    spinning_cube::FEPR_FIG14,
    projection::FEPR_FIG15,
    projection::FEPR_FIG16,
    hanging::FEPR_FIG17,
    spinning_cube::FEPR_FIG18,
    frequency::FEPR_FREQUENCY,
    tables::FEPR_TABLE1,
    cloth::STAB_FIG1,
    simple_spring::STAB_FIG3,
    spinning_cube::STAB_FIG5,
    hanging::STAB_FIG6,
    bar::STAB_FIG7,
    cloth::STAB_FIG9,
    contact::STAB_FIG11,
    sliding::STAB_FIG12,
    contact::STAB_FIG13,
    two_springs::STAB_FIG15,
    tables::STAB_TABLE1,
    tables::STAB_TABLE2,
    spinning_cube::STAB_ALPHA,
    spinning_cube::STAB_EPSILON,
    class_project::WU_FIG1,
    class_project::WU_FIG2,
    articulated::ART_FIG1,
    articulated::ART_FIG4,
    articulated::ART_FIG5,
    articulated::ART_FIG6,
    articulated::ART_FIG7,
    articulated::ART_FIG8,
    articulated::ART_FIG9,
    articulated::ART_FIG10,
    articulated::ART_FIG11,
    articulated::ART_FIG12,
    articulated::ART_FIG13,
    articulated::ART_FIG14,
    articulated::ART_FIG15,
    articulated::ART_TABLE1,
    articulated::ART_TABLE2,
    motion::MOTION,
    motion::RIVALS_MOTION,
];

/// Figures without a simulation.
pub const STUDIES: &[Study] = &[
    lips::LIPS_FIG27,
    lips::LIPS_FIG29,
    face_wind::FACE_FIG330,
    face::FACE_FIG42,
    face::FACE_FIG43,
    face::FACE_FIG44,
    face::FACE_FIG45,
    face::FACE_FIG46,
    face_wind::FACE_FIG47,
    face::FACE_FIG48,
    face_speed::FACE_SPEED,
    face_scans::FACE_SCANS,
];

/// The study of this name.
pub fn find_study(id: &str) -> Option<&'static Study> {
    STUDIES.iter().find(|study| study.id == id)
}

/// The experiment of this name.
pub fn find(id: &str) -> Option<&'static Experiment> {
    EXPERIMENTS.iter().find(|experiment| experiment.id == id)
}

/// The name that was probably meant.
pub fn closest(id: &str) -> Option<&'static str> {
    let known = EXPERIMENTS.iter().map(|e| e.id).chain(STUDIES.iter().map(|s| s.id));
    let scored = known.map(|known| (strsim::damerau_levenshtein(id, known), known));
    scored.min().filter(|(distance, _)| *distance <= 3).map(|(_, id)| id)
}
