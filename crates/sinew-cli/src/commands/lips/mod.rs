//! `sinew lips`: correct the lips of a captured face.

mod apply;
mod evaluate;
pub(super) mod files;
mod perform;
mod regions;
mod sketch;
mod sketch_page;
mod suggest;
mod train;
mod view;

use crate::failure::Failure;
use clap::{Args, Subcommand};

/// Correct the lips of a captured face: a few frames by hand, all others by what they teach.
///
/// A sequence is a folder of OBJ files, or a .pc2, .npz, .glb or .gltf file.
#[derive(Debug, Args)]
pub struct LipsArguments {
    #[command(subcommand)]
    command: LipsCommand,
}

#[derive(Debug, Subcommand)]
enum LipsCommand {
    /// Say which vertices are the mouth and which the inner lips.
    Regions(regions::RegionsArguments),
    /// Learn from corrected frames.
    Train(train::TrainArguments),
    /// Correct all frames of a sequence.
    Apply(apply::ApplyArguments),
    /// Say which frames to correct next.
    Suggest(suggest::SuggestArguments),
    /// Move the lips of one frame to a contour that was drawn over its image.
    Sketch(sketch::SketchArguments),
    /// Correct frames in the browser: draw contours, see the result, learn from it.
    View(view::ViewArguments),
    /// Compare a correction with the truth.
    Evaluate(evaluate::EvaluateArguments),
    /// Make a performance with its truth and a flawed capture.
    Perform(perform::PerformArguments),
}

/// Runs the command.
pub fn lips(arguments: &LipsArguments) -> Result<(), Failure> {
    match &arguments.command {
        LipsCommand::Regions(arguments) => regions::regions(arguments),
        LipsCommand::Train(arguments) => train::train(arguments),
        LipsCommand::Apply(arguments) => apply::apply(arguments),
        LipsCommand::Suggest(arguments) => suggest::suggest(arguments),
        LipsCommand::Sketch(arguments) => sketch::sketch(arguments),
        LipsCommand::View(arguments) => view::view(arguments),
        LipsCommand::Evaluate(arguments) => evaluate::evaluate(arguments),
        LipsCommand::Perform(arguments) => perform::perform(arguments),
    }
}
