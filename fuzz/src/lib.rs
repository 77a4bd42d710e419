//! What the fuzz targets ask of every reader of meshes: it returns, and what it returns is sound or names the file.

#![forbid(unsafe_code)]

use sinew_scene::input::Shelf;
use sinew_scene::mesh_io::{self, Figure, Orientation};

/// Reads the last of some files. They are in memory only.
pub fn mesh(files: &[(&str, &[u8])]) {
    let Some((shelf, path)) = shelf(files) else { return };
    for orientation in [Orientation::Positive, Orientation::AsInFile] {
        match mesh_io::read_file(&path, orientation) {
            Ok(file) => {
                let mesh = &file.mesh;
                let mut corners = mesh.tets.iter().flatten().chain(mesh.triangles.iter().flatten());
                assert!(corners.all(|&vertex| (vertex as usize) < mesh.points.len()), "a vertex that is not there");
                assert!(mesh.points.iter().all(|point| point.is_finite()), "a point that is not finite");
            }
            // The file itself, or one that it names.
            Err(error) => {
                let folder = shelf.folder().to_string_lossy().into_owned();
                assert!(error.to_string().contains(&folder), "an error without its file: {error}");
            }
        }
    }
}

/// Reads the skeleton and the first clip of a glTF file.
pub fn figure(name: &str, bytes: &[u8]) {
    let Some((_shelf, path)) = shelf(&[(name, bytes)]) else { return };
    let _ = Figure::read(&path, None);
}

/// A folder in memory with the files, and the path of the last.
fn shelf(files: &[(&str, &[u8])]) -> Option<(Shelf, std::path::PathBuf)> {
    let mut shelf = Shelf::new();
    for (name, bytes) in files {
        shelf.put(name, bytes.to_vec()).ok()?;
    }
    let path = shelf.folder().join(files.last()?.0);
    Some((shelf, path))
}
