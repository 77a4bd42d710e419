//! `sinew lips apply`.

use super::files::{self, bad};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::{console, table, threads};
use clap::Args;
use serde::Serialize;
use sinew_face::sequence::{Frames, Sequence, SequenceWriter};
use sinew_face::{Correction, Model, correct};
use std::path::PathBuf;
use std::time::Instant;

/// Correct all frames of a sequence.
///
/// Only inner lips move; every other vertex, and every other line of an OBJ file, stays as it is.
#[derive(Debug, Args)]
pub struct ApplyArguments {
    /// The model.
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// The captured frames: a folder of OBJ files, or a .pc2, .npz, .glb or .gltf file.
    #[arg(long, value_name = "SEQUENCE")]
    sequence: PathBuf,
    /// Where to write: a folder for OBJ files, or a file that ends in .pc2, .npz or .glb.
    #[arg(long, value_name = "OUT")]
    out: PathBuf,
    /// Number of threads; it changes the time, never the result. Default: one per core.
    #[arg(long, value_name = "N", value_parser = super::super::threads)]
    threads: Option<usize>,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Report {
    frames: usize,
    seconds: f64,
    /// Mean distance by which inner vertices moved, in the unit of the mesh.
    moved: f64,
    least_explained_frame: usize,
    unexplained: f64,
}

/// Corrects a sequence.
pub fn apply(arguments: &ApplyArguments) -> Result<(), Failure> {
    let model = Model::load(&arguments.model).map_err(bad)?;
    let input = Sequence::open(&arguments.sequence).map_err(bad)?;
    let same = |a: &std::path::Path, b: &std::path::Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if same(&arguments.sequence, &arguments.out) {
        let out = arguments.out.display();
        return Err(Failure::Input(format!("{out}: the result would replace its own input")));
    }
    // The first frame is checked before anything is written.
    let mut points = Vec::new();
    input.read(0, &mut points).map_err(bad)?;
    model.patch().check(&input.name(0), &points).map_err(bad)?;
    let mut out =
        SequenceWriter::create(&arguments.out, points.len(), model.patch().triangles()).map_err(bad)?;
    let interrupt = Interrupt::listen();
    let frames = input.len();
    let mut progress = Progress::new("lips", 0, frames, arguments.quiet);
    let begin = Instant::now();
    let done = threads::with(arguments.threads, || {
        let mut step = |frame: usize| {
            progress.reach(frame);
            !interrupt.is_pressed()
        };
        correct(&model, &input, &mut out, &mut step).map_err(bad)
    })?;
    progress.finish();
    out.finish().map_err(|error| Failure::Run(error.to_string()))?;
    if done.len() < frames {
        return Err(Failure::Interrupted { frame: done.len(), frames });
    }
    say(arguments, &done, begin.elapsed().as_secs_f64())
}

fn say(arguments: &ApplyArguments, done: &[Correction], seconds: f64) -> Result<(), Failure> {
    let worst = done.iter().max_by(|a, b| a.unexplained.total_cmp(&b.unexplained));
    let report = Report {
        frames: done.len(),
        seconds,
        moved: done.iter().map(|c| c.moved).sum::<f64>() / done.len().max(1) as f64,
        least_explained_frame: worst.map_or(0, |c| c.frame),
        unexplained: worst.map_or(0.0, |c| c.unexplained),
    };
    if arguments.json {
        return console::say(files::json(&report)?);
    }
    console::say(format_args!(
        "{}: {} frames in {} s; inner lips moved by {} in the mean; least explained: frame {} ({})",
        arguments.out.display(),
        report.frames,
        table::number(seconds),
        table::number(report.moved),
        report.least_explained_frame,
        table::number(report.unexplained)
    ))
}
