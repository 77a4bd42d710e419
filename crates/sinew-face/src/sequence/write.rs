//! Sequences on their way to disk: a folder of OBJ files, a PC2 cache, an `.npz` array or a `.glb` with morph targets. Memory holds one frame; what a format
//! needs at the end waits in a file beside the result.

use crate::error::FaceError;
use crate::mesh::{ObjFile, write_obj};
use crate::perform::RATE;
use glam::DVec3;
use sinew_scene::export::series::{Array, NpzWriter, Part, Pc2Writer, Spool, write_gltf};
use std::path::{Path, PathBuf};

/// Writes frames one after the other.
#[derive(Debug)]
pub struct SequenceWriter {
    path: PathBuf,
    triangles: Vec<[u32; 3]>,
    manner: Manner,
}

#[derive(Debug)]
enum Manner {
    Folder,
    Pc2(Pc2Writer),
    /// `.npz` or `.glb`.
    Spooled(Spool),
}

impl SequenceWriter {
    /// Creates a file by its ending, `.pc2`, `.npz` or `.glb`, for frames of so many points; any other name without an ending is a folder.
    ///
    /// # Errors
    /// [`FaceError`] if the ending is unknown, or nothing can be written there.
    pub fn create(path: &Path, points: usize, triangles: &[[u32; 3]]) -> Result<Self, FaceError> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        let manner = match ending.as_deref() {
            Some("pc2") => Manner::Pc2(Pc2Writer::create(path, points, 0).map_err(FaceError::export)?),
            Some("npz" | "glb") => {
                let mut beside = path.as_os_str().to_owned();
                beside.push(".part");
                Manner::Spooled(Spool::create(Path::new(&beside), points).map_err(FaceError::export)?)
            }
            Some(ending @ ("obj" | "gltf" | "ply" | "mdd" | "usda" | "abc" | "fbx")) => {
                let what = format!(
                    "frames are not written as .{ending}: give a folder for OBJ files, or a name that ends in .pc2, .npz or .glb"
                );
                return Err(FaceError::file(path, what));
            }
            _ => {
                std::fs::create_dir_all(path).map_err(FaceError::io(path))?;
                Manner::Folder
            }
        };
        Ok(Self { path: path.to_owned(), triangles: triangles.to_vec(), manner })
    }

    /// A folder that is there, whatever its name.
    pub fn folder(path: &Path, triangles: &[[u32; 3]]) -> Self {
        Self { path: path.to_owned(), triangles: triangles.to_vec(), manner: Manner::Folder }
    }

    /// Whether each frame is a file of its own, and frames can be written in any order with [`SequenceWriter::write_obj`].
    pub fn is_folder(&self) -> bool {
        matches!(self.manner, Manner::Folder)
    }

    /// Writes a frame into a folder. Of a frame that was an OBJ file everything but the vertices in `moved` is copied byte by byte.
    ///
    /// # Errors
    /// [`FaceError`] if it cannot be written.
    pub fn write_obj(
        &self,
        name: &str,
        source: Option<&ObjFile>,
        moved: &[u32],
        points: &[DVec3],
    ) -> Result<PathBuf, FaceError> {
        let path = self.path.join(format!("{name}.obj"));
        match source {
            Some(source) if source.path.canonicalize().ok() == path.canonicalize().ok() && path.exists() => {
                return Err(FaceError::file(&path, "the result would replace its own input"));
            }
            Some(source) => source.write_moved(&path, moved, points)?,
            None => write_obj(&path, points, &self.triangles)?,
        }
        Ok(path)
    }

    /// Adds the next frame of a file.
    ///
    /// # Errors
    /// [`FaceError`] if it cannot be written.
    pub fn push(&mut self, frame: usize, points: &[DVec3]) -> Result<(), FaceError> {
        match &mut self.manner {
            Manner::Folder => {
                let path = self.path.join(format!("frame_{frame:05}.obj"));
                write_obj(&path, points, &self.triangles)
            }
            Manner::Pc2(out) => out.push(points).map_err(FaceError::export),
            Manner::Spooled(out) => out.push(frame as f64 / RATE, points).map_err(FaceError::export),
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// [`FaceError`] if it cannot be written.
    pub fn finish(self) -> Result<(), FaceError> {
        let Self { path, triangles, manner } = self;
        match manner {
            Manner::Folder => Ok(()),
            Manner::Pc2(out) => out.finish().map_err(FaceError::export),
            Manner::Spooled(mut frames) => {
                let glb = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("glb"));
                finish_spooled(&path, glb, triangles, &mut frames).map_err(FaceError::export)
            }
        }
    }
}

fn finish_spooled(
    path: &Path,
    glb: bool,
    triangles: Vec<[u32; 3]>,
    frames: &mut Spool,
) -> Result<(), sinew_scene::export::ExportError> {
    if glb {
        let part =
            Part { name: "face".into(), vertices: 0..frames.points(), triangles, segments: Vec::new() };
        return write_gltf(path, &[part], frames, None);
    }
    let mut out = NpzWriter::create(path)?;
    let flat: Vec<u32> = triangles.iter().flatten().copied().collect();
    out.array("triangles", &[triangles.len(), 3], Array::Indices(&flat))?;
    let times = frames.times().to_vec();
    out.array("time", &[times.len()], Array::Reals(&times))?;
    out.frames("positions", frames)?;
    out.finish()
}
