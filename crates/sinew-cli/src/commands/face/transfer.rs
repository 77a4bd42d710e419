//! `sinew face transfer`.

use super::{bad, targets};
use crate::commands::lips::files;
use crate::failure::Failure;
use crate::{console, threads};
use clap::Args;
use serde::Serialize;
use sinew_face::mesh::Neutral;
use sinew_face::muscles::picture::FaceStudio;
use sinew_face::muscles::transfer::{TransferOptions, transfer as warp};
use sinew_face::muscles::{Face, Scan, parse_pairs};
use std::path::PathBuf;

/// Warp a face to the neutral scan of a subject: flesh, bones and muscles follow pairs of landmarks, then the skin is brought onto the scan.
///
/// A line of the file of pairs is `LANDMARK = VERTEX` (from 0) or `LANDMARK = X Y Z` (in the unit of the scan). `--list` prints the names that the face has.
#[derive(Debug, Args)]
pub struct TransferArguments {
    /// The face, written by `sinew face make`.
    #[arg(long, value_name = "FILE")]
    face: PathBuf,
    /// The neutral scan: .obj, .glb or .gltf.
    #[arg(long, value_name = "FILE", required_unless_present = "list")]
    neutral: Option<PathBuf>,
    /// Millimetres of a unit of the scan; 1000 for metres, 10 for centimetres.
    #[arg(long, value_name = "MM", default_value_t = 1000.0, value_parser = files::length)]
    unit: f64,
    /// The file of pairs.
    #[arg(long, value_name = "FILE", required_unless_present = "list")]
    landmarks: Option<PathBuf>,
    /// Print the names of the face's landmarks with their places in metres, and do nothing else.
    #[arg(long)]
    list: bool,
    /// Vertices of the scan that are skin, as `0-11247` or a file with such a list; without eyes, teeth and the inside of the mouth. Default: all.
    #[arg(long, value_name = "LIST|FILE", value_parser = targets::skin)]
    skin: Option<targets::Skin>,
    /// Skin that is farther than this from the scan after the warp is not brought onto it, mm.
    #[arg(long, value_name = "MM", default_value_t = 20.0, value_parser = files::length)]
    reach: f64,
    /// The file to write.
    #[arg(long, value_name = "FILE", required_unless_present = "list")]
    out: Option<PathBuf>,
    /// Draw the face into this picture.
    #[arg(long, value_name = "FILE.png")]
    preview: Option<PathBuf>,
    /// Number of threads; it changes the time, never the result. Default: one per core.
    #[arg(long, value_name = "N", value_parser = crate::commands::threads)]
    threads: Option<usize>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Lengths in mm.
#[derive(Debug, Serialize)]
struct Report {
    pairs: usize,
    /// Smoothing of the warp, so that nothing is inverted, and what the landmarks miss by it.
    smoothing: f64,
    landmarks_mean: f64,
    landmarks_worst: f64,
    worst_landmark: String,
    skin_on_scan: usize,
    skin_left: usize,
    distance_mean: f64,
    distance_worst: f64,
    least_volume: f64,
}

/// Warps and writes.
pub fn transfer(arguments: &TransferArguments) -> Result<(), Failure> {
    let face = Face::load(&arguments.face).map_err(bad)?;
    if arguments.list {
        for mark in &face.landmarks {
            let p = mark.point;
            console::say(format_args!("{:<24} {:8.4} {:8.4} {:8.4}", mark.name, p.x, p.y, p.z))?;
        }
        return Ok(());
    }
    let (Some(neutral), Some(landmarks), Some(out)) =
        (&arguments.neutral, &arguments.landmarks, &arguments.out)
    else {
        return Err(Failure::Input("give --neutral, --landmarks and --out".into()));
    };
    files::check_file(out)?;
    arguments.preview.as_deref().map_or(Ok(()), files::check_file)?;
    let unit = 1e-3 * arguments.unit;
    let mesh = Neutral::read(neutral).map_err(bad)?;
    let mut triangles = mesh.triangles;
    if let Some(skin) = &arguments.skin {
        let inside = skin.mask(mesh.points.len(), neutral)?;
        triangles.retain(|t| t.iter().all(|v| inside[*v as usize]));
    }
    let scan = Scan { points: mesh.points.iter().map(|p| unit * *p).collect(), triangles };
    let text = sinew_scene::input::read_text(landmarks)
        .map_err(|error| Failure::Input(format!("{}: {error}", landmarks.display())))?;
    let pairs = parse_pairs(&text, &face, &scan.points, unit)
        .map_err(|what| Failure::Input(format!("{}: {what}", landmarks.display())))?;
    let options = TransferOptions { reach: 1e-3 * arguments.reach, ..TransferOptions::default() };
    let done = threads::with(arguments.threads, || warp(&face, &pairs, &scan, &options).map_err(bad))?;
    let run = |error: sinew_face::FaceError| Failure::Run(error.to_string());
    done.face.save(out).map_err(run)?;
    if let Some(path) = &arguments.preview {
        let studio = FaceStudio::new(&done.face, (640, 720));
        let image = studio.face(&done.face.points, "").map_err(run)?;
        image.write_png(path).map_err(|error| files::unwritten(path, error))?;
    }
    let worst = done.landmarks.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let mean = |n: usize, sum: f64| 1e3 * sum / n.max(1) as f64;
    let report = Report {
        pairs: pairs.len(),
        smoothing: 1e3 * done.smoothing,
        landmarks_mean: mean(pairs.len(), done.landmarks.iter().map(|(_, d)| d).sum()),
        landmarks_worst: worst.map_or(0.0, |(_, d)| 1e3 * d),
        worst_landmark: worst.map_or(String::new(), |(name, _)| name.clone()),
        skin_on_scan: done.skin[0],
        skin_left: done.skin[1],
        distance_mean: mean(done.distances.len(), done.distances.iter().sum()),
        distance_worst: 1e3 * done.distances.iter().copied().fold(0.0, f64::max),
        least_volume: done.least_volume,
    };
    if arguments.json {
        return console::say(files::json(&report)?);
    }
    if report.smoothing > 0.0 {
        console::warn(format_args!(
            "the warp was smoothed by {} mm so that no tetrahedron is inverted; `{}` misses its partner by {:.1} mm",
            report.smoothing, report.worst_landmark, report.landmarks_worst
        ));
    }
    console::say(format_args!(
        "{}: {} landmark pairs, missed by {:.2} mm in the mean before the skin was brought to the scan; {} vertices of skin on the scan within {:.3} mm in the mean, {:.2} mm at most, {} left as they were; no tetrahedron inverted, volumes at least {:.2} of those of the warp",
        out.display(),
        report.pairs,
        report.landmarks_mean,
        report.skin_on_scan,
        report.distance_mean,
        report.distance_worst,
        report.skin_left,
        report.least_volume
    ))
}
