//! `sinew face pose`.

use super::bad;
use crate::commands::lips::files;
use crate::failure::Failure;
use crate::{console, threads};
use clap::Args;
use serde::Serialize;
use sinew_face::muscles::picture::FaceStudio;
use sinew_face::muscles::{
    Blendshapes, CROSSING, Drive, Expression, Face, Mouth, Precision, System, Touch, jaw_of,
};
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
    /// Expressions by name, such as `smile=1,jawOpen=0.5`, instead of contractions.
    #[arg(long, value_name = "LIST", conflicts_with = "activations")]
    show: Option<String>,
    /// A file of `sinew face blendshapes`, for `--mix`.
    #[arg(long, value_name = "FILE.npz", requires = "mix")]
    blendshapes: Option<PathBuf>,
    /// A mixture of blendshapes, `NAME=WEIGHT,…`: their activations and jaws are mixed, and the flesh comes to rest.
    #[arg(long, value_name = "LIST", requires = "blendshapes", conflicts_with_all = ["activations", "show"])]
    mix: Option<String>,
    /// The jaw: opening and turn in degrees, then a translation in mm; it replaces that of a file.
    #[arg(long, value_name = "OPEN,TURN,X,Y,Z", value_delimiter = ',', num_args = 1..=5, allow_negative_numbers = true)]
    jaw: Vec<f64>,
    /// Scale of passive tissue: above 1 fatter, below 1 thinner.
    #[arg(long, value_name = "F", default_value_t = 1.0)]
    fat: f64,
    /// Gravity, m/s² along y, for flesh of 1000 kg/m³.
    #[arg(long, value_name = "G", default_value_t = 0.0, allow_negative_numbers = true)]
    gravity: f64,
    /// Wind, m/s, on the skin.
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', num_args = 1..=3, allow_negative_numbers = true)]
    wind: Vec<f64>,
    /// Let lips pass through each other, and teeth.
    #[arg(long)]
    no_contact: bool,
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
    /// Vertices of the lips that press on the other lip, the force of all of them (N), and how deep one still is in the other lip, with contact and without (mm).
    lips_touching: usize,
    lips_force: f64,
    lips_depth: f64,
    lips_depth_without_contact: f64,
    /// How much of the movement of the jaw its teeth allowed.
    jaw_allowed: f64,
    /// Mean distance of the skin from a linear mixture of the positions of blendshapes, mm.
    from_linear_mix: Option<f64>,
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
    if !arguments.gravity.is_finite() || arguments.jaw.iter().chain(&arguments.wind).any(|v| !v.is_finite()) {
        return Err(Failure::Input("gravity, wind and jaw must be finite numbers".into()));
    }
    let wind = match arguments.wind[..] {
        [] => None,
        [x, y, z] => Some(glam::DVec3::new(x, y, z)),
        _ => return Err(Failure::Input("wind has three components, such as `--wind 20,0,-5`".into())),
    };
    let face = Face::load(&arguments.face).map_err(bad)?;
    let path = PathBuf::from(&arguments.activations);
    let mut linear = None;
    let mut expression = match (&arguments.blendshapes, &arguments.mix, &arguments.show) {
        (Some(file), Some(mix), _) => {
            let (mixed, positions) =
                Blendshapes::read(file, &face).and_then(|shapes| shapes.mix(&face, mix)).map_err(bad)?;
            linear = Some(positions);
            mixed
        }
        (.., Some(names)) => Expression::named(&face, names).map_err(bad)?,
        _ if path.is_file() => Expression::load(&face, &path).map_err(bad)?,
        _ => Expression::parse(&face, &arguments.activations).map_err(bad)?,
    };
    if !arguments.jaw.is_empty() {
        expression.jaw = jaw_of(&arguments.jaw);
    }
    let mouth = (!arguments.no_contact).then(|| Mouth::new(&face));
    let (jaw, allowed) =
        mouth.as_ref().map_or((expression.jaw, 1.0), |mouth| mouth.stopped(&face, expression.jaw));
    expression.jaw = jaw;
    if allowed < 1.0 {
        console::warn(format_args!(
            "the teeth meet after {:.0} % of this movement of the jaw, and it stops there",
            100.0 * allowed
        ));
    }
    let (balance, touch) = threads::with(arguments.threads, || {
        let system = System::new(&face, arguments.fat).map_err(bad)?;
        let activations = system.blended(&face.blend, &expression.activations);
        let drive = Drive { activations, jaw: expression.jaw, forces: Vec::new() };
        let start = system.placed(&expression.jaw);
        let weights = system.weights(1000.0 * arguments.gravity);
        let forces = |x: &[glam::DVec3]| {
            let mut forces = weights.clone();
            if let Some(wind) = wind {
                let blown = system.wind(&face, x, wind);
                forces.resize(blown.len(), glam::DVec3::ZERO);
                forces.iter_mut().zip(blown).for_each(|(f, b)| *f += b);
            }
            forces
        };
        system
            .equilibrium_in_contact(&drive, &start, &Precision::default(), mouth.as_ref(), &forces)
            .map_err(|error| Failure::Run(error.to_string()))
    })?;
    warn_of_lips(&touch);
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
        let image = studio.face(&balance.x, "").map_err(|error| Failure::Run(error.to_string()))?;
        image.write_png(path).map_err(|error| files::unwritten(path, error))?;
    }
    if let Some(path) = &arguments.write_pose {
        files::write(path, &expression.to_text(&face))?;
    }
    let moved: Vec<f64> =
        face.scanned.iter().map(|&v| 1e3 * balance.x[v as usize].distance(face.points[v as usize])).collect();
    let apart = linear.map(|linear| {
        let apart = face.scanned.iter().map(|&v| 1e3 * balance.x[v as usize].distance(linear[v as usize]));
        apart.sum::<f64>() / face.scanned.len().max(1) as f64
    });
    let report = Report {
        steps: balance.iterations,
        factorisations: balance.factorisations,
        saddles_left: balance.saddles,
        inverted: balance.inverted,
        lips_touching: touch.vertices,
        lips_force: touch.force,
        lips_depth: 1e3 * touch.depth,
        lips_depth_without_contact: 1e3 * touch.depth_before,
        jaw_allowed: allowed,
        from_linear_mix: apart,
        moved_mean: moved.iter().sum::<f64>() / moved.len().max(1) as f64,
        moved_most: moved.iter().copied().fold(0.0, f64::max),
    };
    if arguments.json {
        return console::say(files::json(&report)?);
    }
    if report.lips_touching > 0 {
        console::say(format_args!(
            "lips press on each other with {:.3} N at {} vertices; without contact they would cross by {:.2} mm",
            report.lips_force, report.lips_touching, report.lips_depth_without_contact
        ))?;
    }
    if let Some(apart) = report.from_linear_mix {
        console::say(format_args!("a linear mixture of positions would be {apart:.3} mm away in the mean"))?;
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

/// Lips that still cross after all rounds.
fn warn_of_lips(touch: &Touch) {
    if touch.depth > CROSSING && touch.rounds > 0 {
        console::warn(format_args!(
            "after {} rounds the lips still cross by {:.3} mm",
            touch.rounds,
            1e3 * touch.depth
        ));
    }
}
