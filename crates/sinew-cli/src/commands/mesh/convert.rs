//! `sinew mesh convert`.

use super::files;
use crate::console;
use crate::failure::Failure;
use clap::Args;
use std::path::PathBuf;

/// Write a mesh in another format.
#[derive(Debug, Args)]
pub struct ConvertArguments {
    /// The mesh file to read.
    input: PathBuf,
    /// The file to write; its extension is the format.
    output: PathBuf,
}

/// Reads and writes.
pub fn convert(arguments: &ConvertArguments) -> Result<(), Failure> {
    let file = files::read_aloud(&arguments.input)?;
    files::write(&arguments.output, &file.mesh)?;
    console::remark(format_args!(
        "{}: {} vertices, {} tetrahedra, {} triangles",
        arguments.output.display(),
        file.mesh.points.len(),
        file.mesh.tets.len(),
        file.mesh.triangles.len()
    ));
    Ok(())
}
