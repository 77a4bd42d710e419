//! Runs a simulation from its current frame to its end, with output and progress.

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use sinew_scene::run::{Format, Output, Run};
use std::path::Path;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All frames are done.
    Complete,
    /// The simulation could not continue; [`Run::failure`] says why.
    Failed,
    /// The user pressed Ctrl-C.
    Interrupted,
}

/// Opens the folder of `--out`. An error here is bad input; a later one is a failed run.
pub fn open(folder: &Path, formats: &[Format], run: &Run) -> Result<Output, Failure> {
    Output::create(folder, formats, run)
        .map_err(|error| Failure::Input(format!("--out {}: {error}", folder.display())))
}

/// Steps until the end, an error or Ctrl-C, and writes the results in any case.
pub fn drive(
    run: &mut Run,
    output: Option<Output>,
    interrupt: &Interrupt,
    quiet: bool,
) -> Result<Ending, Failure> {
    drive_while(run, output, interrupt, quiet, |run| !run.is_over())
}

/// The same while `goes_on` says so.
pub fn drive_while(
    run: &mut Run,
    mut output: Option<Output>,
    interrupt: &Interrupt,
    quiet: bool,
    goes_on: impl Fn(&Run) -> bool,
) -> Result<Ending, Failure> {
    let mut progress = Progress::new(run.name(), run.frame(), run.frames(), quiet);
    if let Some(output) = &mut output {
        output.frame(run)?;
    }
    let mut ending = Ending::Complete;
    while goes_on(run) {
        if interrupt.is_pressed() {
            ending = Ending::Interrupted;
            break;
        }
        if run.step().is_err() {
            ending = Ending::Failed;
            break;
        }
        if let Some(output) = &mut output {
            output.frame(run)?;
        }
        progress.reach(run.frame());
    }
    progress.finish();
    if let Some(output) = output {
        output.finish(run)?;
    }
    Ok(ending)
}
