//! Mesh files in and out.

use crate::console;
use crate::failure::Failure;
use sinew_scene::mesh_check;
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
    match extension(path).as_str() {
        "mesh" | "obj" => Ok(()),
        _ => {
            let kinds = if solid {
                "`.mesh` (tetrahedra with regions) or `.obj` (their surface)"
            } else {
                "`.obj` or `.mesh`"
            };
            Err(Failure::Input(format!("{}: the name of a mesh to write ends in {kinds}", path.display())))
        }
    }
}

/// Writes a mesh by the extension of its name; an OBJ file of tetrahedra has their boundary.
pub fn write(path: &Path, mesh: &MeshData) -> Result<(), Failure> {
    check_writable(path, !mesh.tets.is_empty())?;
    let written = match extension(path).as_str() {
        "obj" if mesh.tets.is_empty() => mesh_io::write_obj(path, &mesh.points, &mesh.triangles),
        "obj" => {
            let boundary = MeshData {
                points: mesh.points.clone(),
                triangles: mesh_check::boundary(&mesh.tets),
                ..MeshData::default()
            };
            // Inner vertices would be isolated ones.
            let surface = mesh_check::repair(&boundary).mesh;
            mesh_io::write_obj(path, &surface.points, &surface.triangles)
        }
        _ => mesh_io::write_medit(path, mesh),
    };
    written.map_err(|error| Failure::Run(error.to_string()))
}

fn extension(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}
