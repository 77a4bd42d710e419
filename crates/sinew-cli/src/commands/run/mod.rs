//! `sinew run`.

mod next;

use crate::console;
use crate::drive::{self, Ending, drive};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::source::{self, Source};
use crate::{table, threads};
use clap::{Args, ValueEnum};
use sinew_scene::run::{Format, Report, Run, check_report, write_report};
use std::path::PathBuf;
use std::time::Instant;

/// Simulate a scene and report.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// A scene file, or the name of a built-in scene (`sinew scenes` lists them).
    scene: String,
    /// Number of frames, instead of the scene's; with --resume, counted from the start of the original run.
    #[arg(long, value_name = "N", value_parser = super::frames)]
    frames: Option<usize>,
    /// Change a value of the scene, for example solver.iterations=20.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Write tables, plots, a picture, the report and checkpoints into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write every frame, as meshes, pictures or an animation; needs --out.
    #[arg(long, value_name = "FMT", requires = "out")]
    format: Vec<FormatName>,
    /// Write the report as JSON to this file.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Number of threads; by default one per core. It affects the time, never the result.
    #[arg(long, value_name = "N", value_parser = super::threads)]
    threads: Option<usize>,
    /// Continue from a checkpoint of the same scene.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Fail unless the report meets the scene's `[expect]`.
    #[arg(long)]
    check: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
    /// Print the report as JSON instead of a summary.
    #[arg(long)]
    json: bool,
}

/// Names of the formats.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatName {
    /// obj/frame_00000.obj, …: the surface.
    Obj,
    /// ply/frame_00000.ply, …: the surface, in binary with double precision.
    Ply,
    /// animation.glb: the surface as glTF with a morph target for each frame.
    Gltf,
    /// cache.pc2 and cache.obj: a point cache of the surface, and its shape at rest.
    Pc2,
    /// cache.mdd and cache.obj: a point cache of the surface, and its shape at rest.
    Mdd,
    /// animation.usda: the surface as USD.
    #[value(alias = "usd")]
    Usda,
    /// vtu.pvd and vtu/frame_00000.vtu, …: tetrahedra, velocities and energy density for ParaView.
    Vtu,
    /// run.npz: positions and velocities of all vertices in all frames for NumPy.
    Npz,
    /// frames/frame_00000.png, …
    Png,
    /// animation.gif
    Gif,
    /// replay.html: a page that replays the run, without a server.
    Html,
}

/// Runs a scene.
pub fn run(arguments: &RunArguments) -> Result<(), Failure> {
    let overrides = source::overrides(&arguments.set)?;
    let source = Source::load(&arguments.scene)?;
    if let Some(path) = &arguments.report {
        super::check_writable(path)?;
    }
    threads::with(arguments.threads, || {
        let built = source.build(&overrides)?;
        built.notices.iter().for_each(console::warn);
        let frames = arguments.frames.unwrap_or(built.scene.frames);
        let mut run = match &arguments.resume {
            Some(path) => Run::resume(&source.name, built, frames, path)?,
            None => Run::new(&source.name, built, frames),
        };
        simulate(&mut run, arguments)
    })
}

fn simulate(run: &mut Run, arguments: &RunArguments) -> Result<(), Failure> {
    let formats: Vec<Format> = arguments.format.iter().map(|name| name.format()).collect();
    let output = match &arguments.out {
        Some(folder) => Some(drive::open(folder, &formats, run)?),
        None => None,
    };
    let begin = Instant::now();
    let ending = drive(run, output, &Interrupt::listen(), arguments.quiet)?;
    let seconds = begin.elapsed().as_secs_f64();
    if let Some(path) = &arguments.report {
        write_report(run, path)?;
    }
    let report = run.report();
    if let Some(advice) = &report.solve.advice {
        console::warn(advice);
    }
    report.contact.advice.iter().for_each(console::warn);
    if arguments.json {
        let text = serde_json::to_string_pretty(&report).map_err(|error| Failure::Run(error.to_string()))?;
        console::say(text)?;
    } else {
        console::say(summary(&report, arguments))?;
        if !arguments.quiet {
            console::remark(next::remark(run, arguments.out.as_deref(), seconds));
        }
    }
    match ending {
        Ending::Interrupted => Err(Failure::Interrupted { frame: run.frame(), frames: run.frames() }),
        Ending::Failed => {
            Err(Failure::Run(run.failure().map_or_else(|| "the run failed".into(), ToString::to_string)))
        }
        Ending::Complete if arguments.check => check(run, &report, arguments.quiet),
        Ending::Complete => Ok(()),
    }
}

fn check(run: &Run, report: &Report, quiet: bool) -> Result<(), Failure> {
    let verdicts = check_report(report, &run.scene().scene.expect);
    let total = verdicts.len();
    let failed: Vec<_> = verdicts.iter().filter(|v| !v.holds).map(|v| format!("  {}", v.sentence)).collect();
    if !failed.is_empty() {
        return Err(Failure::Check { failed: failed.len(), total, sentences: failed.join("\n") });
    }
    if !quiet {
        console::remark(format_args!("check: all {total} expectations are met"));
    }
    Ok(())
}

fn summary(report: &Report, arguments: &RunArguments) -> String {
    let number = table::number;
    let Report { energy, time_ms, motion, solve, .. } = report;
    let mut rows = vec![
        ("scene", format!("{}, {} vertices, {} elements", report.scene, report.vertices, report.elements)),
        (
            "method",
            format!("{}, {}, correction {}", report.integrator, report.solver, report.correction.kind),
        ),
        ("frames", format!("{} of {} s", report.frames, number(report.h))),
        (
            "energy",
            format!("{} J at the start, {} J at the end", number(energy.initial), number(energy.r#final)),
        ),
        ("drift", format!("{} of the energy in motion", number(energy.drift))),
    ];
    if solve.residual > 0.0 {
        let text = format!(
            "{} iterations a step; unbalanced forces {} of those that move the bodies, {} at most",
            number(solve.iterations_mean),
            number(solve.residual),
            number(solve.residual_max)
        );
        rows.push(("solve", text));
    }
    if energy.added != 0.0 || energy.dissipated != 0.0 {
        let text = format!("{} J added, {} J dissipated", number(energy.added), number(energy.dissipated));
        rows.push(("ledger", text));
    }
    if report.contact.contacts_max > 0 {
        let contact = &report.contact;
        let text = format!(
            "{} a step, {} at most, in {} rounds, {} at most; deepest {} of the body's size",
            number(contact.contacts_mean),
            contact.contacts_max,
            number(contact.rounds_mean),
            contact.rounds_max,
            number(contact.deepest)
        );
        rows.push(("contacts", text));
    }
    if let (Some(first), Some(last), Some(kept)) =
        (motion.visible_first, motion.visible_last, motion.visible_kept)
    {
        let text = format!("{} J in the first fifth, {} J in the last: ", number(first), number(last));
        rows.push(("visible motion", text + &format!("{} kept", number(kept))));
    }
    if let Some(hertz) = motion.visible_hz {
        rows.push(("visible frequency", format!("{} Hz", number(hertz))));
    }
    if let Some(kept) = motion.kinetic_kept {
        let text = format!("{} kept, which includes vibration too fast to see", number(kept));
        rows.push(("kinetic energy", text));
    }
    rows.push(("time", format!("{} ms a step", number(time_ms.step_mean))));
    rows.push(("state", report.state_hash.clone()));
    if report.exploded {
        rows.push(("exploded", "yes".into()));
    }
    if let Some(folder) = &arguments.out {
        let files = "picture.png, energy.png, energy.svg, trace.csv, final.csv, report.json, checkpoint.bin";
        let more: String = arguments.format.iter().map(|name| format!(", {}", name.files())).collect();
        rows.push(("written", format!("{}: {files}{more}", folder.display())));
    }
    if let Some(path) = &arguments.report {
        rows.push(("report", path.display().to_string()));
    }
    let rows: Vec<_> = rows.into_iter().map(|(key, value)| vec![key.to_owned(), value]).collect();
    table::aligned(&rows, false)
}

impl FormatName {
    /// What it writes.
    fn files(self) -> &'static str {
        match self {
            Self::Obj => "obj/",
            Self::Ply => "ply/",
            Self::Gltf => "animation.glb",
            Self::Pc2 => "cache.pc2, cache.obj",
            Self::Mdd => "cache.mdd, cache.obj",
            Self::Usda => "animation.usda",
            Self::Vtu => "vtu.pvd",
            Self::Npz => "run.npz",
            Self::Png => "frames/",
            Self::Gif => "animation.gif",
            Self::Html => "replay.html",
        }
    }

    fn format(self) -> Format {
        match self {
            Self::Obj => Format::Obj,
            Self::Ply => Format::Ply,
            Self::Gltf => Format::Gltf,
            Self::Pc2 => Format::Pc2,
            Self::Mdd => Format::Mdd,
            Self::Usda => Format::Usda,
            Self::Vtu => Format::Vtu,
            Self::Npz => Format::Npz,
            Self::Png => Format::Png,
            Self::Gif => Format::Gif,
            Self::Html => Format::Html,
        }
    }
}
