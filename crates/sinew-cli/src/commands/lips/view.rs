//! `sinew lips view`.

use super::files::{self, FaceArguments, bad};
use crate::commands::view::serve;
use crate::failure::Failure;
use clap::Args;
use sinew_face::desk::Desk;
use sinew_face::sequence::{Frames, Sequence};
use sinew_face::{Model, Ridge};
use sinew_viewer::server::{Lips, Options};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Correct frames in the browser: draw contours, see the result, learn from it. Ctrl-C ends it.
///
/// The page marks the frames that are worth correcting. Trace a lip, draw its contour where it should be, and add the frame to the training set: it is written
/// into the folder of corrected frames, and all other frames follow at once. Corrections that are in the folder already are learned at the start.
#[derive(Debug, Args)]
pub struct ViewArguments {
    #[command(flatten)]
    face: FaceArguments,
    /// The captured frames: a folder of OBJ files, or a .pc2, .npz, .glb or .gltf file.
    #[arg(long, value_name = "SEQUENCE")]
    sequence: PathBuf,
    /// The folder of corrected frames, as for `train`; it is created if it is not there.
    #[arg(long, value_name = "DIR")]
    corrected: PathBuf,
    /// Keep the model in this file, written after each change.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Landmarks of a lip line, from end to end: `3,20,7`; can be given several times. The page can trace others.
    #[arg(long, value_name = "LIST")]
    line: Vec<String>,
    /// Number of frames to suggest at a time.
    #[arg(long, value_name = "K", default_value_t = 5)]
    count: usize,
    /// Port on 127.0.0.1; by default any free one.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Do not open the browser; the address is printed in any case.
    #[arg(long)]
    no_open: bool,
    /// Number of threads of each page; by default one per core.
    #[arg(long, value_name = "N", value_parser = super::super::threads)]
    threads: Option<usize>,
}

/// Serves the page until Ctrl-C.
pub fn view(arguments: &ViewArguments) -> Result<(), Failure> {
    if let Some(out) = &arguments.out {
        files::check_file(out)?;
    }
    let (patch, model) = arguments.face.read()?;
    let model = model.unwrap_or_else(|| Model::new(patch, Ridge::None));
    let sequence = Sequence::open(&arguments.sequence).map_err(bad)?;
    let frames = sequence.len();
    let mut desk = Desk::new(model, sequence, &arguments.corrected, arguments.out.clone()).map_err(bad)?;
    for line in &arguments.line {
        let landmarks = files::vertices(line).map_err(|what| Failure::Input(format!("--line: {what}")))?;
        desk.keep_line(&landmarks).map_err(|error| Failure::Input(format!("--line {line}: {error}")))?;
    }
    let remark = format!(
        "{frames} frames, {} corrected; corrections go to {}; Ctrl-C ends it",
        desk.model().examples().len(),
        arguments.corrected.display()
    );
    let lips = Some(Lips { desk: Arc::new(Mutex::new(desk)), count: arguments.count });
    let folder = PathBuf::from(".").canonicalize().unwrap_or_default();
    let (port, threads) = (arguments.port, arguments.threads);
    serve(Options { port, folder, threads, lips, ..Options::default() }, &remark, arguments.no_open)
}
