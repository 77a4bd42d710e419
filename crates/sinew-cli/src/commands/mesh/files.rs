//! Mesh files in and out.

use crate::console;
use crate::failure::Failure;
use sinew_scene::mesh_data::MeshData;
use sinew_scene::mesh_io::{self, MeshFile, Orientation};
use std::path::Path;

/// Reads a file as it is, for diagnosis.
pub fn read(path: &Path) -> Result<MeshFile, Failure> {
    mesh_io::read_file(path, Orientation::AsInFile).map_err(|error| Failure::Input(error.to_string()))
}

/// Reads a file and says what was left out.
pub fn read_aloud(path: &Path) -> Result<MeshFile, Failure> {
    let file = read(path)?;
    file.notes.iter().for_each(|note| console::remark(format_args!("{}: {note}", path.display())));
    Ok(file)
}

/// Checks before a long computation that a mesh can be written to a file.
pub fn check_writable(path: &Path, solid: bool) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if path.is_dir() || folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(Failure::Input(format!("{}: not a file in an existing folder", path.display())));
    }
    if mesh_io::writable(path) {
        return Ok(());
    }
    let list = |endings: &[&str]| endings.iter().map(|e| format!("`.{e}`")).collect::<Vec<_>>().join(", ");
    let (solids, surfaces) = (list(&mesh_io::SOLID_ENDINGS), list(&mesh_io::SURFACE_ENDINGS));
    let of = if solid { "for their surface" } else { "for a surface" };
    Err(Failure::Input(format!(
        "{}: the name of a mesh to write ends in {solids} for tetrahedra, or {surfaces} {of}",
        path.display()
    )))
}

/// Writes a mesh by the extension of its name; a file of a surface has the boundary of tetrahedra.
pub fn write(path: &Path, mesh: &MeshData) -> Result<(), Failure> {
    check_writable(path, !mesh.tets.is_empty())?;
    mesh_io::write(path, mesh).map_err(|error| Failure::Run(error.to_string()))
}
