//! `sinew lips perform`.

use super::files::{self, bad};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{console, threads};
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use sinew_face::mesh::write_obj;
use sinew_face::perform::ict::{IctOptions, IctPerformer, Repertoire};
use sinew_face::perform::mouth::{MouthOptions, MouthPerformer};
use sinew_face::perform::{Performer, Take};
use sinew_face::sequence::SequenceWriter;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Make a performance with its truth and a flawed capture, for trying everything without a camera.
///
/// Writes neutral.obj, regions.txt, good.csv (frames that were captured without fault), and the sequences `truth` and `captured`. Lengths are in centimetres.
#[derive(Debug, Args)]
pub struct PerformArguments {
    /// The folder to write.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Move the face of the ICT FaceKit instead of the built-in mouth: a folder with ict_neutral.obj and ict_expressions_dev24.npz.
    #[arg(long, value_name = "DIR")]
    ict: Option<PathBuf>,
    /// Which expressions of the ICT face.
    #[arg(long, value_enum, default_value = "speech", requires = "ict")]
    repertoire: Kind,
    /// Number of frames, 30 a second.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = super::super::frames)]
    frames: usize,
    /// Which performance.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How the sequences are written.
    #[arg(long, value_enum, default_value = "obj")]
    format: Format,
    /// Number of threads; it changes the time, never the result. Default: one per core.
    #[arg(long, value_name = "N", value_parser = super::super::threads)]
    threads: Option<usize>,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// Eight expressions of speech.
    Speech,
    /// Sixteen expressions.
    Rich,
    /// Speech and a smile.
    SpeechAndSmile,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Folders of OBJ files.
    Obj,
    /// Point caches.
    Pc2,
    /// NumPy arrays.
    Npz,
    /// glTF with morph targets.
    Glb,
}

/// Makes a performance.
pub fn perform(arguments: &PerformArguments) -> Result<(), Failure> {
    let performer: Box<dyn Performer> = match &arguments.ict {
        Some(folder) => {
            let repertoire = match arguments.repertoire {
                Kind::Speech => Repertoire::Speech,
                Kind::Rich => Repertoire::Rich,
                Kind::SpeechAndSmile => Repertoire::SpeechAndSmile,
            };
            let options = IctOptions { repertoire, frames: arguments.frames, seed: arguments.seed };
            Box::new(IctPerformer::load(folder, &options).map_err(bad)?)
        }
        None => Box::new(MouthPerformer::new(&MouthOptions {
            frames: arguments.frames,
            seed: arguments.seed,
            ..MouthOptions::default()
        })),
    };
    files::folder(&arguments.out)?;
    write_obj(&arguments.out.join("neutral.obj"), &performer.face().neutral, &performer.face().triangles)
        .map_err(bad)?;
    files::write(&arguments.out.join("regions.txt"), &performer.face().regions.to_text())?;
    let good = threads::with(arguments.threads, || write_frames(arguments, performer.as_ref()))?;
    files::write(&arguments.out.join("good.csv"), &good)?;
    console::say(format_args!(
        "{}: {} frames of {} vertices, {} of them captured without fault",
        arguments.out.display(),
        performer.frames(),
        performer.face().neutral.len(),
        good.lines().filter(|line| line.ends_with(",1")).count()
    ))
}

fn write_frames(arguments: &PerformArguments, performer: &dyn Performer) -> Result<String, Failure> {
    let ending = match arguments.format {
        Format::Obj => "",
        Format::Pc2 => ".pc2",
        Format::Npz => ".npz",
        Format::Glb => ".glb",
    };
    let create = |name: &str| {
        let path = arguments.out.join(format!("{name}{ending}"));
        SequenceWriter::create(Path::new(&path), performer.face().neutral.len(), &performer.face().triangles)
            .map_err(bad)
    };
    let (mut truth, mut captured) = (create("truth")?, create("captured")?);
    let mut good = String::from("frame,good\n");
    let mut progress = Progress::new("perform", 0, performer.frames(), arguments.quiet);
    let batch = 4 * rayon::current_num_threads().max(1);
    let mut start = 0;
    while start < performer.frames() {
        let end = (start + batch).min(performer.frames());
        let takes: Vec<Take> = (start..end).into_par_iter().map(|k| performer.take(k)).collect();
        for (frame, take) in (start..).zip(&takes) {
            truth.push(frame, &take.truth).map_err(|error| Failure::Run(error.to_string()))?;
            captured.push(frame, &take.captured).map_err(|error| Failure::Run(error.to_string()))?;
            let _ = writeln!(good, "{frame},{}", u8::from(take.good));
        }
        start = end;
        progress.reach(end);
    }
    progress.finish();
    truth.finish().map_err(|error| Failure::Run(error.to_string()))?;
    captured.finish().map_err(|error| Failure::Run(error.to_string()))?;
    Ok(good)
}
