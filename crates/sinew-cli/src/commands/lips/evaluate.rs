//! `sinew lips evaluate`.

use super::files::{self, FaceArguments, bad};
use crate::failure::Failure;
use crate::{console, table, threads};
use clap::Args;
use serde::Serialize;
use sinew_face::sequence::{Frames, Sequence};
use sinew_face::study::{Errors, TrainingPoint, errors_over, training_curve};
use sinew_face::{Model, Patch};
use std::path::PathBuf;
use std::sync::Arc;

/// Compare a capture and its correction with the truth: errors of frames and vertices, error against the number of training frames, pictures.
#[derive(Debug, Args)]
pub struct EvaluateArguments {
    #[command(flatten)]
    face: FaceArguments,
    /// The true frames.
    #[arg(long, value_name = "SEQUENCE")]
    truth: PathBuf,
    /// The captured frames.
    #[arg(long, value_name = "SEQUENCE")]
    captured: PathBuf,
    /// The corrected frames; without them, --model corrects the captured ones.
    #[arg(long, value_name = "SEQUENCE")]
    result: Option<PathBuf>,
    /// Numbers of training frames to try: chosen as `suggest` does, learned from the truth.
    #[arg(long, value_name = "K,K…", value_delimiter = ',')]
    counts: Vec<usize>,
    /// Millimetres of a unit of the mesh; 10 for centimetres.
    #[arg(long, value_name = "MM", default_value_t = 10.0, value_parser = files::length)]
    unit: f64,
    /// Write frames.csv, vertices.csv, map.png and faces.png into this folder, with --counts also training.csv, training.png and training.svg.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of threads; it changes the time, never the result. Default: one per core.
    #[arg(long, value_name = "N", value_parser = super::super::threads)]
    threads: Option<usize>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Report {
    frames: usize,
    captured: Errors,
    result: Option<Errors>,
    /// The result's mean error over the capture's.
    ratio: Option<f64>,
    training: Vec<TrainingPoint>,
}

/// Measures and writes.
pub fn evaluate(arguments: &EvaluateArguments) -> Result<(), Failure> {
    let (patch, model) = arguments.face.read()?;
    let open = |path: &PathBuf| Sequence::open(path).map_err(bad);
    let (truth, captured) = (open(&arguments.truth)?, open(&arguments.captured)?);
    let result = arguments.result.as_ref().map(open).transpose()?;
    for (name, other) in [("--captured", Some(&captured)), ("--result", result.as_ref())] {
        if let Some(other) = other.filter(|other| other.len() != truth.len()) {
            let (a, b) = (other.len(), truth.len());
            return Err(Failure::Input(format!("{name} has {a} frames, --truth {b}")));
        }
    }
    if let Some(out) = &arguments.out {
        files::folder(out)?;
    }
    threads::with(arguments.threads, || {
        measure(arguments, &patch, model.as_ref(), &truth, &captured, result.as_ref())
    })
}

fn measure(
    arguments: &EvaluateArguments,
    patch: &Arc<Patch>,
    model: Option<&Model>,
    truth: &Sequence,
    captured: &Sequence,
    result: Option<&Sequence>,
) -> Result<(), Failure> {
    let unit = arguments.unit;
    let before = errors_over(patch, truth, captured, None, unit).map_err(bad)?;
    let after = match (result, model) {
        (Some(result), _) => Some(errors_over(patch, truth, result, None, unit).map_err(bad)?),
        (None, Some(model)) => Some(errors_over(patch, truth, captured, Some(model), unit).map_err(bad)?),
        (None, None) => None,
    };
    let training = if arguments.counts.is_empty() {
        Vec::new()
    } else {
        training_curve(patch, truth, captured, &arguments.counts, unit).map_err(bad)?
    };
    if let Some(out) = &arguments.out {
        let study = sinew_face::study::Sheet {
            patch,
            truth,
            captured,
            result: result.map(|result| result as &dyn Frames),
            model,
            unit,
        };
        study
            .write(out, &before, after.as_ref(), &training)
            .map_err(|error| Failure::Run(error.to_string()))?;
    }
    let ratio = after.as_ref().map(|after| after.mean / before.mean).filter(|r| r.is_finite());
    let report = Report { frames: truth.len(), captured: before, result: after, ratio, training };
    if arguments.json {
        return console::say(files::json(&report)?);
    }
    console::say(text(&report))
}

fn text(report: &Report) -> String {
    let head = ["mm", "mean", "95th frame", "worst frame", "Hausdorff"].map(str::to_owned).to_vec();
    let mut rows = vec![head];
    let row = |name: &str, e: &Errors| {
        let numbers = [e.mean, e.frame_95, e.frame_worst, e.hausdorff].map(table::number);
        std::iter::once(name.to_owned()).chain(numbers).collect::<Vec<_>>()
    };
    rows.push(row("captured", &report.captured));
    if let Some(result) = &report.result {
        rows.push(row("corrected", result));
    }
    let mut lines = vec![table::aligned(&rows, true)];
    if let Some(ratio) = report.ratio {
        lines.push(format!("the error of the correction is {ratio:.3} of the capture's"));
    }
    if !report.training.is_empty() {
        let head = ["training frames", "mean (mm)", "95th frame (mm)", "of the capture's", "gradients"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows.extend(report.training.iter().map(|t| {
            let numbers = [t.mean, t.frame_95, t.ratio, t.gradients].map(table::number);
            std::iter::once(t.frames.to_string()).chain(numbers).collect()
        }));
        lines.push(table::aligned(&rows, true));
    }
    lines.join("\n")
}
