//! `sinew lips suggest`.

use super::files::{self, FaceArguments, bad};
use crate::failure::Failure;
use crate::{console, table, threads};
use clap::Args;
use serde::Serialize;
use sinew_face::mesh::{ObjFile, write_obj};
use sinew_face::sequence::{Frames, Sequence};
use sinew_face::{FaceError, Patch};
use std::path::{Path, PathBuf};

/// Say which frames to correct next: the most extreme, and those that the frames before explain least.
#[derive(Debug, Args)]
pub struct SuggestArguments {
    #[command(flatten)]
    face: FaceArguments,
    /// The captured frames.
    #[arg(long, value_name = "SEQUENCE")]
    sequence: PathBuf,
    /// How many frames.
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = count)]
    count: usize,
    /// Copy the frames as OBJ files into this folder, to be corrected there.
    #[arg(long, value_name = "DIR")]
    copy: Option<PathBuf>,
    /// Copy them from another sequence with the same frames, such as the truth of a made performance.
    #[arg(long, value_name = "SEQUENCE", requires = "copy")]
    from: Option<PathBuf>,
    /// Number of threads; it changes the time, never the result. Default: one per core.
    #[arg(long, value_name = "N", value_parser = super::super::threads)]
    threads: Option<usize>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn count(text: &str) -> Result<usize, String> {
    let good = text.parse().ok().filter(|n| (1..=10_000).contains(n));
    good.ok_or_else(|| "must be a whole number from 1 to 10000".into())
}

#[derive(Debug, Serialize)]
struct Chosen {
    frame: usize,
    name: String,
    /// Root mean square of what was unexplained when it was chosen.
    residual: f64,
}

/// Chooses frames.
pub fn suggest(arguments: &SuggestArguments) -> Result<(), Failure> {
    let (patch, model) = arguments.face.read()?;
    let sequence = Sequence::open(&arguments.sequence).map_err(bad)?;
    let from = arguments.from.as_deref().map(Sequence::open).transpose().map_err(bad)?;
    if let Some(from) = from.as_ref().filter(|from| from.len() != sequence.len()) {
        let (a, b) = (from.len(), sequence.len());
        return Err(Failure::Input(format!("--from has {a} frames, --sequence {b}")));
    }
    let found = threads::with(arguments.threads, || {
        sinew_face::suggest(&patch, model.as_ref(), &sequence, arguments.count).map_err(bad)
    })?;
    if let Some(folder) = &arguments.copy {
        files::folder(folder)?;
        for chosen in &found {
            let source = from.as_ref().unwrap_or(&sequence);
            copy(source, chosen.frame, &patch, folder).map_err(bad)?;
        }
    }
    let chosen: Vec<Chosen> = (found.iter())
        .map(|s| Chosen { frame: s.frame, name: sequence.name(s.frame), residual: s.residual })
        .collect();
    if arguments.json {
        return console::say(files::json(&chosen)?);
    }
    if chosen.is_empty() {
        return console::say(
            "nothing is left to explain: every frame is a combination of those of the model",
        );
    }
    let mut rows = vec![["frame", "unexplained", "file"].map(str::to_owned).to_vec()];
    rows.extend(chosen.into_iter().map(|c| vec![c.frame.to_string(), table::number(c.residual), c.name]));
    console::say(table::aligned(&rows, false))
}

fn copy(source: &Sequence, frame: usize, patch: &Patch, folder: &Path) -> Result<(), FaceError> {
    let path = folder.join(format!("{}.obj", source.stem(frame)));
    if let Some(obj) = source.obj(frame) {
        return ObjFile::read(obj)?.write_moved(&path, &[], &[]);
    }
    let mut points = Vec::new();
    source.read(frame, &mut points)?;
    write_obj(&path, &points, patch.triangles())
}
