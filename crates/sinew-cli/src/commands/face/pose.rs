//! `sinew face pose`.

use super::bad;
use crate::commands::lips::files;
use crate::failure::Failure;
use crate::{console, threads};
use clap::Args;
use serde::Serialize;
use sinew_face::muscles::picture::FaceStudio;
use sinew_face::muscles::{Drive, Expression, Face, Precision, System, jaw_of};
use std::path::PathBuf;

/// Contract muscles, move the jaw, and write where the flesh comes to rest.
#[derive(Debug, Args)]
pub struct PoseArguments {
    /// The face, written by `sinew face make`.
    #[arg(long, value_name = "FILE")]
    face: PathBuf,
    /// Contractions `MUSCLE=LENGTH,…`, the length of fibres over that at rest; a name without a side means both. Or a file of a pose, as `sinew face fit` writes it.
    #[arg(long, value_name = "LIST|FILE", default_value = "")]
    activations: String,
    /// The jaw: opening and turn in degrees, then a translation in mm; it replaces that of a file.
    #[arg(long, value_name = "OPEN,TURN,X,Y,Z", value_delimiter = ',', num_args = 1..=5, allow_negative_numbers = true)]
    jaw: Vec<f64>,
    /// Scale of passive tissue: above 1 fatter, below 1 thinner.
    #[arg(long, value_name = "F", default_value_t = 1.0)]
    fat: f64,
    /// Gravity, m/s² along y, for flesh of 1000 kg/m³.
    #[arg(long, value_name = "G", default_value_t = 0.0, allow_negative_numbers = true)]
    gravity: f64,
    /// The surface in this pose, an .obj file in metres.
    #[arg(long, value_name = "FILE.obj")]
    out: PathBuf,
    /// Draw it into this picture.
    #[arg(long, value_name = "FILE.png")]
    preview: Option<PathBuf>,
    /// Write activations and jaw into this file.
    #[arg(long, value_name = "FILE")]
    write_pose: Option<PathBuf>,
    /// Number of threads; it changes the time, never the result. Default: one per core.
    #[arg(long, value_name = "N", value_parser = crate::commands::threads)]
    threads: Option<usize>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Report {
    steps: usize,
    factorisations: usize,
    saddles_left: usize,
    inverted: usize,
    /// Mean and largest movement of the skin that scans see, mm.
    moved_mean: f64,
    moved_most: f64,
}

/// Solves and writes.
pub fn pose(arguments: &PoseArguments) -> Result<(), Failure> {
    files::check_file(&arguments.out)?;
    for path in arguments.preview.iter().chain(&arguments.write_pose) {
        files::check_file(path)?;
    }
    if !arguments.gravity.is_finite() || arguments.jaw.iter().any(|v| !v.is_finite()) {
        return Err(Failure::Input("gravity and jaw must be finite numbers".into()));
    }
    let face = Face::load(&arguments.face).map_err(bad)?;
    let path = PathBuf::from(&arguments.activations);
    let mut expression = match path.is_file() {
        true => Expression::load(&face, &path),
        false => Expression::parse(&face, &arguments.activations),
    }
    .map_err(bad)?;
    if !arguments.jaw.is_empty() {
        expression.jaw = jaw_of(&arguments.jaw);
    }
    let balance = threads::with(arguments.threads, || {
        let system = System::new(&face, arguments.fat).map_err(bad)?;
        let activations = system.blended(&face.blend, &expression.activations);
        let forces = system.weights(1000.0 * arguments.gravity);
        let drive = Drive { activations, jaw: expression.jaw, forces };
        let start = system.placed(&expression.jaw);
        system
            .equilibrium(&drive, &start, &Precision::default())
            .map_err(|error| Failure::Run(error.to_string()))
    })?;
    if balance.inverted > 0 {
        console::warn(format_args!(
            "{} tetrahedra are inverted: this is beyond the range of the face (contraction to 0.5, an opening of 9 mm at 70 mm)",
            balance.inverted
        ));
    }
    sinew_face::mesh::write_obj(&arguments.out, &balance.x, &face.surface)
        .map_err(|error| Failure::Run(error.to_string()))?;
    if let Some(path) = &arguments.preview {
        let studio = FaceStudio::new(&face, (640, 720));
        let image = studio.face(&face, &balance.x, "").map_err(|error| Failure::Run(error.to_string()))?;
        image.write_png(path).map_err(|error| files::unwritten(path, error))?;
    }
    if let Some(path) = &arguments.write_pose {
        files::write(path, &expression.to_text(&face))?;
    }
    let moved: Vec<f64> =
        face.scanned.iter().map(|&v| 1e3 * balance.x[v as usize].distance(face.points[v as usize])).collect();
    let report = Report {
        steps: balance.iterations,
        factorisations: balance.factorisations,
        saddles_left: balance.saddles,
        inverted: balance.inverted,
        moved_mean: moved.iter().sum::<f64>() / moved.len().max(1) as f64,
        moved_most: moved.iter().copied().fold(0.0, f64::max),
    };
    if arguments.json {
        return console::say(files::json(&report)?);
    }
    console::say(format_args!(
        "{}: at rest after {} steps of Newton; skin moved by {:.2} mm in the mean, {:.2} mm at most; {} tetrahedra inverted",
        arguments.out.display(),
        report.steps,
        report.moved_mean,
        report.moved_most,
        report.inverted
    ))
}
