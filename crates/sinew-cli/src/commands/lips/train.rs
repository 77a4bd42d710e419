//! `sinew lips train`.

use super::files::{self, FaceArguments, bad};
use crate::failure::Failure;
use crate::{console, table};
use clap::Args;
use serde::Serialize;
use sinew_face::sequence::{Frames, Sequence};
use sinew_face::{Model, Ridge, WINDOWS};
use std::path::PathBuf;
use std::time::Instant;

/// Learn from corrected frames.
///
/// With --model, the corrected frames are added to those that the model has already learned.
#[derive(Debug, Args)]
pub struct TrainArguments {
    #[command(flatten)]
    face: FaceArguments,
    /// The corrected frames: a folder of OBJ files or another sequence.
    #[arg(long, value_name = "SEQUENCE")]
    corrected: PathBuf,
    /// The model to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// What to add to the diagonal of the Gram matrix, relative to its mean. 0 reproduces corrected frames exactly; 0.001 calms
    /// corrections that contradict each other. Default: 0, or that of the model.
    #[arg(long, value_name = "R", value_parser = ridge)]
    ridge: Option<f64>,
    /// How many parts of the lips are predicted each by itself, from the mouth near it; 1 is the method of the dissertation.
    #[arg(long, value_name = "N", default_value_t = WINDOWS, value_parser = windows, conflicts_with = "model")]
    windows: usize,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn windows(text: &str) -> Result<usize, String> {
    let good = text.parse().ok().filter(|n| (1..=64).contains(n));
    good.ok_or_else(|| "must be a whole number from 1 to 64".into())
}

fn ridge(text: &str) -> Result<f64, String> {
    let good = text.parse().ok().filter(|x: &f64| (0.0..=1.0).contains(x));
    good.ok_or_else(|| "must be a number from 0 to 1".into())
}

#[derive(Debug, Serialize)]
struct Report {
    examples: usize,
    mouth_triangles: usize,
    inner_triangles: usize,
    seconds: f64,
    warnings: Vec<String>,
}

/// Trains a model and writes it.
pub fn train(arguments: &TrainArguments) -> Result<(), Failure> {
    files::check_file(&arguments.out)?;
    let (patch, known) = arguments.face.read()?;
    let corrected = Sequence::open(&arguments.corrected).map_err(bad)?;
    let ridge = match (arguments.ridge, &known) {
        (None, Some(known)) => known.ridge(),
        (None | Some(0.0), _) => Ridge::None,
        (Some(ridge), _) => Ridge::Relative(ridge),
    };
    let begin = Instant::now();
    let mut model = match known {
        Some(known) => known.with_ridge(ridge),
        None => Model::with_windows(patch.clone(), ridge, arguments.windows),
    };
    let mut points = Vec::new();
    for frame in 0..corrected.len() {
        corrected.read(frame, &mut points).map_err(bad)?;
        model.add(&corrected.name(frame), &points).map_err(bad)?;
    }
    let seconds = begin.elapsed().as_secs_f64();
    model.save(&arguments.out).map_err(|error| Failure::Run(error.to_string()))?;
    let counts = patch.triangle_counts();
    let report = Report {
        examples: model.examples().len(),
        mouth_triangles: counts.0,
        inner_triangles: counts.1,
        seconds,
        warnings: model.warnings(),
    };
    report.warnings.iter().for_each(console::warn);
    if arguments.json {
        return console::say(files::json(&report)?);
    }
    console::say(format_args!(
        "{}: {} corrected frames, {} triangles of the mouth, {} of the inner lips, {} s",
        arguments.out.display(),
        report.examples,
        report.mouth_triangles,
        report.inner_triangles,
        table::number(seconds)
    ))
}
