//! `sinew face fit`.

use super::{bad, targets};
use crate::commands::lips::files;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::{console, table, threads};
use clap::Args;
use serde::Serialize;
use sinew_face::muscles::fit::{self, Cost, FreePose, Observation, Prepared, Stop, Target, Weights};
use sinew_face::muscles::picture::FaceStudio;
use sinew_face::muscles::{Blend, Expression, Face, System};
use sinew_scene::export::image::Image;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Find activations and jaw, or also the blending of the muscles, for scans.
///
/// Scans are .obj files of one folder, with the vertices of the face in the same order (as `sinew face pose` writes them), or with those of a neutral scan.
#[derive(Debug, Args)]
pub struct FitArguments {
    /// The face, written by `sinew face make`, or by a fit.
    #[arg(long, value_name = "FILE")]
    face: PathBuf,
    /// A folder of scans.
    #[arg(long, value_name = "DIR")]
    targets: PathBuf,
    /// The neutral scan, in the place of the face; its points lie on the nearest places of the skin.
    #[arg(long, value_name = "FILE.obj")]
    neutral: Option<PathBuf>,
    /// Millimetres of a unit of the scans; 1000 for metres, 10 for centimetres.
    #[arg(long, value_name = "MM", default_value_t = 1000.0, value_parser = files::length)]
    unit: f64,
    /// Vertices of the scans that are skin, as `0-9408` or a file with such a list. Default: all.
    #[arg(long, value_name = "LIST|FILE", value_parser = targets::skin)]
    skin: Option<targets::Skin>,
    /// Scans have no correspondences: every point of the face belongs to the closest place of the scan that faces the same way.
    #[arg(long, conflicts_with = "neutral")]
    closest: bool,
    /// Also fit how muscles blend, from all scans together, and write OUT/fitted.face.
    #[arg(long)]
    learn: bool,
    /// Go on with OUT/fitted.face after the turns that were done.
    #[arg(long, requires = "learn")]
    resume: bool,
    /// The baseline: six numbers for every tetrahedron instead of every muscle.
    #[arg(long, conflicts_with = "learn")]
    per_tetrahedron: bool,
    /// Weight of activations towards rest.
    #[arg(long, value_name = "W", default_value_t = 1e-4, value_parser = files::length)]
    weight: f64,
    /// The folder to write: NAME.obj and NAME.pose for each scan, report.json and maps.png.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Number of threads; it changes the time, never the result. Default: one per core.
    #[arg(long, value_name = "N", value_parser = crate::commands::threads)]
    threads: Option<usize>,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    /// Distance of the scan from the face at rest, mm.
    displacement: f64,
    mean: f64,
    worst: f64,
    iterations: usize,
    factorisations: usize,
    solves: usize,
    inverted: usize,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct Report {
    observed_points: usize,
    scans: Vec<Row>,
    /// Mean of the means, mm.
    mean: f64,
    /// Distance of the fitted blend from that of the face, and of its rows from the simplex.
    blend_moved: Option<f64>,
    off_simplex: Option<f64>,
}

struct Fitted {
    x: Vec<glam::DVec3>,
    expression: Option<Expression>,
    cost: Cost,
    inverted: usize,
    seconds: f64,
}

/// Fits and writes.
pub fn fit(arguments: &FitArguments) -> Result<(), Failure> {
    let mut face = Face::load(&arguments.face).map_err(bad)?;
    let how = targets::Reading {
        neutral: arguments.neutral.as_deref(),
        unit: arguments.unit,
        skin: arguments.skin.as_ref(),
        closest: arguments.closest,
    };
    let mut scans = targets::read(&face, &arguments.targets, &how)?;
    let weights = Weights { activation: arguments.weight, ..Weights::default() };
    files::folder(&arguments.out)?;
    let interrupt = Interrupt::listen();
    threads::with(arguments.threads, || {
        let system = System::new(&face, 1.0).map_err(bad)?;
        scans.correspond(&face, &system, &weights)?;
        let (mut moved, mut off) = (None, None);
        if arguments.learn {
            let first = face.blend.clone();
            face.blend = learn(arguments, &face, &system, &scans, &interrupt)?;
            let (sum, least) = face.blend.faults();
            (moved, off) = (Some(face.blend.distance(&first)), Some(sum.max(-least)));
            scans.correspond(&face, &system, &weights)?;
        }
        let prepared = match arguments.per_tetrahedron {
            true => None,
            false => Some(Prepared::new(&system, &face.blend, &scans.seen, face.muscles.len()).map_err(bad)?),
        };
        let mut all = Vec::new();
        for (k, target) in scans.targets.iter().enumerate() {
            if interrupt.is_pressed() {
                return Err(Failure::Interrupted { frame: k, frames: scans.targets.len() });
            }
            all.push(one(arguments, &face, &system, &scans.seen, prepared.as_ref(), (target, &weights))?);
            if !arguments.quiet {
                console::remark(format_args!(
                    "{}: fitted, {} of {}",
                    target.name,
                    k + 1,
                    scans.targets.len()
                ));
            }
        }
        write(arguments, &face, &scans, &all, (moved, off))
    })
}

/// The blend of all scans together, saved after every turn.
fn learn(
    arguments: &FitArguments,
    face: &Face,
    system: &System,
    scans: &targets::Scans,
    interrupt: &Interrupt,
) -> Result<Blend, Failure> {
    let (saved, note) = (arguments.out.join("fitted.face"), arguments.out.join("turns.txt"));
    let (mut blend, mut from) = (face.blend.clone(), 0);
    if arguments.resume {
        let before = Face::load(&saved).map_err(bad)?;
        if before.points != face.points {
            return Err(Failure::Input(format!("{}: this is another face", saved.display())));
        }
        let text = sinew_scene::input::read_text(&note).map_err(|error| files::unwritten(&note, error))?;
        from = text
            .trim()
            .parse()
            .map_err(|_| Failure::Input(format!("{}: no number of turns", note.display())))?;
        blend = before.blend;
    }
    let mut broken = None;
    let mut see = |progress: &fit::Progress| {
        let mean = progress.errors.iter().sum::<f64>() / progress.errors.len().max(1) as f64;
        if !arguments.quiet {
            console::remark(format_args!(
                "turn {} of {}: {mean:.4} mm in the mean",
                progress.turn, progress.turns
            ));
        }
        let now = Face { blend: progress.blend.clone(), ..face.clone() };
        broken =
            now.save(&saved).err().map(bad).or_else(|| files::write(&note, &progress.turn.to_string()).err());
        broken.is_none() && !interrupt.is_pressed()
    };
    let done = fit::fit_together(
        system,
        &face.blend,
        &blend,
        &scans.seen,
        &scans.targets,
        &fit::stages(),
        from,
        &mut see,
    )
    .map_err(bad)?;
    match broken {
        Some(failure) => Err(failure),
        None if done.turn < done.turns => Err(Failure::Interrupted { frame: done.turn, frames: done.turns }),
        None => Ok(done.blend),
    }
}

fn one(
    arguments: &FitArguments,
    face: &Face,
    system: &System,
    seen: &Observation,
    prepared: Option<&Prepared<'_>>,
    (target, weights): (&Target, &Weights),
) -> Result<Fitted, Failure> {
    let (stop, muscles) = (Stop::default(), face.muscles.len());
    if arguments.per_tetrahedron {
        let rest = FreePose::rest(system).map_err(bad)?;
        let begin = Instant::now();
        let pose = fit::fit_freely(system, seen, target, &rest, weights, &stop, muscles).map_err(bad)?;
        let (cost, inverted) = (pose.cost, pose.balance.inverted);
        return Ok(Fitted {
            x: pose.balance.x,
            expression: None,
            cost,
            inverted,
            seconds: begin.elapsed().as_secs_f64(),
        });
    }
    let Some(prepared) = prepared else {
        return Err(Failure::Run("the face was not prepared".into()));
    };
    let begin = Instant::now();
    let pose = prepared.fit_thoroughly(target, weights, &stop).map_err(bad)?;
    Ok(Fitted {
        cost: pose.cost,
        inverted: pose.balance.inverted,
        seconds: begin.elapsed().as_secs_f64(),
        expression: Some(Expression { activations: pose.activations, jaw: pose.jaw }),
        x: pose.balance.x,
    })
}

fn mean(list: &[f64]) -> f64 {
    list.iter().sum::<f64>() / list.len().max(1) as f64
}

fn write(
    arguments: &FitArguments,
    face: &Face,
    scans: &targets::Scans,
    all: &[Fitted],
    (blend_moved, off_simplex): (Option<f64>, Option<f64>),
) -> Result<(), Failure> {
    let run = |error: sinew_face::FaceError| Failure::Run(error.to_string());
    let mut rows = Vec::new();
    for (k, (target, fitted)) in scans.targets.iter().zip(all).enumerate() {
        let path = |ending: &str| arguments.out.join(format!("{}.{ending}", target.name));
        sinew_face::mesh::write_obj(&path("obj"), &fitted.x, &face.surface).map_err(run)?;
        if let Some(expression) = &fitted.expression {
            files::write(&path("pose"), &expression.to_text(face))?;
        }
        let errors = scans.of_found(k, scans.seen.errors(&fitted.x, target));
        rows.push(Row {
            name: target.name.clone(),
            displacement: mean(&scans.of_found(k, scans.seen.errors(&face.points, target))),
            mean: mean(&errors),
            worst: errors.iter().copied().fold(0.0, f64::max),
            iterations: fitted.cost.iterations,
            factorisations: fitted.cost.factorisations,
            solves: fitted.cost.solves,
            inverted: fitted.inverted,
            seconds: fitted.seconds,
        });
    }
    maps(face, scans, all, &arguments.out.join("maps.png"))?;
    let mean = mean(&rows.iter().map(|row| row.mean).collect::<Vec<_>>());
    let report = Report { observed_points: scans.seen.len(), scans: rows, mean, blend_moved, off_simplex };
    let json = files::json(&report)?;
    files::write(&arguments.out.join("report.json"), &json)?;
    if arguments.json {
        return console::say(json);
    }
    let head = [
        "scan",
        "moved (mm)",
        "mean (mm)",
        "worst (mm)",
        "iterations",
        "factorisations",
        "solves",
        "inverted",
        "s",
    ];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for row in &report.scans {
        let counts = [row.iterations, row.factorisations, row.solves, row.inverted].map(|n| n.to_string());
        let mut line = vec![row.name.clone()];
        line.extend([row.displacement, row.mean, row.worst].map(table::number));
        line.extend(counts);
        line.push(table::number(row.seconds));
        lines.push(line);
    }
    let observed = report.observed_points;
    console::say(format_args!("{}\nmean of {observed} points: {mean:.4} mm", table::aligned(&lines, true)))
}

/// Scans as the face shows them, fits and maps of errors, one column for each scan.
fn maps(face: &Face, scans: &targets::Scans, all: &[Fitted], path: &Path) -> Result<(), Failure> {
    const SHOWN: usize = 8;
    let run = |error: sinew_face::FaceError| Failure::Run(error.to_string());
    let studio = FaceStudio::new(face, (320, 360));
    let largest = 2.0;
    let mut images: Vec<Image> = Vec::new();
    let shown: Vec<(&Target, &Fitted)> = scans.targets.iter().zip(all).take(SHOWN).collect();
    for (target, fitted) in &shown {
        images.push(studio.face(&fitted.x, &target.name).map_err(run)?);
    }
    for (target, fitted) in &shown {
        let errors = scans.seen.errors_by_vertex(&fitted.x, target);
        images.push(studio.errors(face, &fitted.x, &errors, largest, "0 to 2 mm").map_err(run)?);
    }
    let sheet = sinew_face::picture::sheet(&images, shown.len()).map_err(run)?;
    sheet.write_png(path).map_err(|error| files::unwritten(path, error))
}
