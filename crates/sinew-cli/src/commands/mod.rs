//! The commands, one file each.

mod bench;
mod compare;
mod face;
mod gallery;
mod lips;
mod mesh;
mod paper;
mod run;
mod scenes;
mod schema;
mod sweep;
mod view;

use crate::failure::Failure;
use clap::Subcommand;
use std::path::Path;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Simulate a scene and report.
    Run(run::RunArguments),
    /// View a scene in the browser and interact with it.
    View(view::ViewArguments),
    /// Simulate one scene with several settings: one table, one plot.
    Compare(compare::CompareArguments),
    /// Simulate one scene with many values: one table with a row for each run.
    Sweep(sweep::SweepArguments),
    /// Reproduce a figure or table of the papers: numbers, plot, verdict.
    Paper(paper::PaperArguments),
    /// Measure kernels and steps against their references, and other simulators side by side.
    Bench(bench::BenchArguments),
    /// Look at mesh files, mend and convert them, and make tetrahedra.
    Mesh(mesh::MeshArguments),
    /// Move a face by its muscles, and find the muscles' activations in scans.
    Face(face::FaceArguments),
    /// Correct the lips of a captured face: a few frames by hand, all others by what they teach.
    Lips(lips::LipsArguments),
    /// Draw all built-in scenes into one static page.
    Gallery(gallery::GalleryArguments),
    /// List the built-in scenes.
    Scenes(scenes::ScenesArguments),
    /// Print the JSON Schema of scene files.
    Schema,
}

impl Command {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        match self {
            Self::Run(arguments) => run::run(&arguments),
            Self::View(arguments) => view::view(&arguments),
            Self::Compare(arguments) => compare::compare(&arguments),
            Self::Sweep(arguments) => sweep::sweep(&arguments),
            Self::Paper(arguments) => paper::paper(&arguments),
            Self::Bench(arguments) => bench::bench(&arguments),
            Self::Mesh(arguments) => mesh::mesh(&arguments),
            Self::Face(arguments) => face::face(&arguments),
            Self::Lips(arguments) => lips::lips(&arguments),
            Self::Gallery(arguments) => gallery::gallery(&arguments),
            Self::Scenes(arguments) => scenes::scenes(&arguments),
            Self::Schema => schema::schema(),
        }
    }
}

/// Largest number of frames that `--frames` accepts.
const MAX_FRAMES: u64 = 1_000_000;

/// Parses `--frames`.
fn frames(text: &str) -> Result<usize, String> {
    let refuse = || format!("must be a whole number from 1 to {MAX_FRAMES}");
    text.parse().ok().filter(|n| (1..=MAX_FRAMES as usize).contains(n)).ok_or_else(refuse)
}

/// Parses `--truth`.
fn finer(text: &str) -> Result<usize, String> {
    let refuse = || format!("must be a whole number from 1 to {MAX_FRAMES}");
    text.parse().ok().filter(|n| (1..=MAX_FRAMES as usize).contains(n)).ok_or_else(refuse)
}

/// Parses `--threads`.
fn threads(text: &str) -> Result<usize, String> {
    let refuse = || "must be a whole number from 1 to 1024".to_owned();
    text.parse().ok().filter(|n| (1..=1024).contains(n)).ok_or_else(refuse)
}

/// Checks before the run, not after it, that the report can be written.
fn check_writable(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if path.is_dir() || folder.is_some_and(|folder| !folder.is_dir()) {
        let message = format!("--report {}: not a file in an existing folder", path.display());
        return Err(Failure::Input(message));
    }
    Ok(())
}
