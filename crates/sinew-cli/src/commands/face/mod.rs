//! `sinew face`: faces that move by muscles.

mod blendshapes;
mod fit;
mod make;
mod pose;
mod targets;
mod transfer;

use crate::failure::Failure;
use clap::{Args, Subcommand};
use sinew_face::FaceError;

/// Move a face by its muscles, and find the muscles' activations in scans.
#[derive(Debug, Args)]
pub struct FaceArguments {
    #[command(subcommand)]
    command: FaceCommand,
}

#[derive(Debug, Subcommand)]
enum FaceCommand {
    /// Make a face of flesh, bones and muscles: the built-in head, or surfaces of your own.
    Make(make::MakeArguments),
    /// Contract muscles, move the jaw, and write where the flesh comes to rest.
    Pose(pose::PoseArguments),
    /// Write volumetric blendshapes: activations, jaw and all vertices of each expression.
    Blendshapes(blendshapes::BlendshapesArguments),
    /// Warp a face to the neutral scan of a subject.
    Transfer(transfer::TransferArguments),
    /// Find activations and jaw, or also the blending of the muscles, for scans.
    Fit(fit::FitArguments),
}

/// Runs the command.
pub fn face(arguments: &FaceArguments) -> Result<(), Failure> {
    match &arguments.command {
        FaceCommand::Make(arguments) => make::make(arguments),
        FaceCommand::Pose(arguments) => pose::pose(arguments),
        FaceCommand::Blendshapes(arguments) => blendshapes::blendshapes(arguments),
        FaceCommand::Transfer(arguments) => transfer::transfer(arguments),
        FaceCommand::Fit(arguments) => fit::fit(arguments),
    }
}

/// An error of the input.
fn bad(error: FaceError) -> Failure {
    Failure::Input(error.to_string())
}
