//! An installed `tetgen` in place of our own method.

use crate::failure::Failure;
use sinew_scene::mesh_data::MeshData;
use sinew_scene::mesh_io;
use sinew_scene::tetrahedralize::{ClosedSurface, write_smesh};
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

/// Runs `tetgen` on the surfaces with tetrahedra of about the size.
pub fn run(surfaces: &[ClosedSurface], size: f64) -> Result<MeshData, Failure> {
    let folder = std::env::temp_dir().join(format!("sinew-tetgen-{}", std::process::id()));
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::Run(format!("{}: {error}", folder.display())))?;
    let result = in_folder(&folder, surfaces, size);
    // What is left behind in a folder for temporary files does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    result
}

fn in_folder(folder: &Path, surfaces: &[ClosedSurface], size: f64) -> Result<MeshData, Failure> {
    let input = folder.join("domain.smesh");
    write_smesh(&input, surfaces).map_err(|error| Failure::Run(format!("{}: {error}", input.display())))?;
    // The volume of a regular tetrahedron with edges of this size.
    let volume = size.powi(3) / (6.0 * 2.0_f64.sqrt());
    let output = Command::new("tetgen").arg(format!("-pqAQa{volume:e}")).arg(&input).output();
    let output = output.map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::Input(
            "--with tetgen: there is no program `tetgen` on the path; install it (TetGen is under the AGPL), or leave the option out: Sinew's own method needs nothing".into(),
        ),
        _ => Failure::Run(format!("tetgen: {error}")),
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stdout);
        let last: Vec<&str> = said.lines().rev().filter(|line| !line.trim().is_empty()).take(3).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        return Err(Failure::Run(format!(
            "tetgen failed ({}); it needs surfaces that do not cross each other. It said: {}",
            output.status,
            last.join(" / ")
        )));
    }
    mesh_io::read(&folder.join("domain.1.node"))
        .map_err(|error| Failure::Run(format!("what tetgen made: {error}")))
}
