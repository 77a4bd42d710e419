//! `sinew mesh`: look at mesh files, mend and convert them, and make tetrahedra.

mod check;
mod convert;
mod files;
mod info;
mod model;
mod tetgen;
mod tetrahedralize;

use crate::failure::Failure;
use clap::{Args, Subcommand};

/// Look at mesh files, mend and convert them, and make tetrahedra.
#[derive(Debug, Args)]
pub struct MeshArguments {
    #[command(subcommand)]
    command: MeshCommand,
}

#[derive(Debug, Subcommand)]
enum MeshCommand {
    /// Say what a mesh file contains.
    Info(info::InfoArguments),
    /// Find what is wrong with a mesh, and mend what is safe to mend.
    Check(check::CheckArguments),
    /// Write a mesh in another format.
    Convert(convert::ConvertArguments),
    /// Fill closed surfaces with tetrahedra.
    Tetrahedralize(tetrahedralize::TetrahedralizeArguments),
    /// Make a built-in model: hippo, cactus, octopus and others.
    Model(model::ModelArguments),
}

/// Runs the command.
pub fn mesh(arguments: &MeshArguments) -> Result<(), Failure> {
    match &arguments.command {
        MeshCommand::Info(arguments) => info::info(arguments),
        MeshCommand::Check(arguments) => check::check(arguments),
        MeshCommand::Convert(arguments) => convert::convert(arguments),
        MeshCommand::Tetrahedralize(arguments) => tetrahedralize::tetrahedralize(arguments),
        MeshCommand::Model(arguments) => model::model(arguments),
    }
}
