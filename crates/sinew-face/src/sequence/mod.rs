//! Sequences of frames, read one at a time and in any order: a folder of OBJ files, a PC2 cache, an array of an `.npz` file, morph targets of a glTF
//! file, or frames in memory; and sequences that are written.
//!
//! One frame is in memory, however many there are; only compressed `.npz` files and glTF files are read as a whole.

mod npz;
mod pc2;
mod write;

pub use npz::Npz;
pub use pc2::Pc2;
pub use write::SequenceWriter;

use crate::error::FaceError;
use crate::mesh::ObjFile;
use glam::DVec3;
use sinew_scene::mesh_io::MorphClip;
use std::path::{Path, PathBuf};

/// Frames of a performance, in any order.
pub trait Frames: Sync {
    /// Number of frames.
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The name of a frame, for messages.
    fn name(&self, frame: usize) -> String;
    /// Reads the points of a frame.
    ///
    /// # Errors
    /// [`FaceError`] if it cannot be read.
    fn read(&self, frame: usize, points: &mut Vec<DVec3>) -> Result<(), FaceError>;
}

/// Frames in memory.
impl Frames for Vec<Vec<DVec3>> {
    fn len(&self) -> usize {
        self.as_slice().len()
    }

    fn name(&self, frame: usize) -> String {
        format!("frame {frame}")
    }

    fn read(&self, frame: usize, points: &mut Vec<DVec3>) -> Result<(), FaceError> {
        let there = self.as_slice().get(frame).ok_or_else(|| missing(frame))?;
        points.clone_from(there);
        Ok(())
    }
}

fn missing(frame: usize) -> FaceError {
    FaceError::Training(format!("there is no frame {frame}"))
}

/// Frames of files.
#[derive(Debug)]
pub enum Sequence {
    /// A folder of OBJ files, in the order of their names.
    Folder(Vec<PathBuf>),
    /// A PC2 cache.
    Pc2(Pc2),
    /// An array frames × #V × 3.
    Npz(Npz),
    /// Morph targets.
    Gltf {
        /// The file.
        path: PathBuf,
        /// Its shapes.
        clip: Box<MorphClip>,
    },
}

impl Sequence {
    /// Opens a folder of OBJ files, an `.obj`, `.pc2`, `.npz`, `.glb` or `.gltf` file.
    ///
    /// # Errors
    /// [`FaceError`] if there is no frame, or the file is something else.
    pub fn open(path: &Path) -> Result<Self, FaceError> {
        if path.is_dir() {
            let files = obj_files(path)?;
            if files.is_empty() {
                return Err(FaceError::file(path, "the folder has no .obj files"));
            }
            return Ok(Self::Folder(files));
        }
        match path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).as_deref() {
            _ if !path.exists() => Err(FaceError::file(path, "there is no such file or folder")),
            _ if !path.is_file() => Err(FaceError::file(path, "only regular files and folders are read")),
            Some("obj") => Ok(Self::Folder(vec![path.to_owned()])),
            Some("pc2") => Pc2::open(path).map(Self::Pc2),
            Some("npz") => Npz::open(path).map(Self::Npz),
            Some("glb" | "gltf") => {
                let clip = MorphClip::read(path).map_err(FaceError::mesh)?;
                Ok(Self::Gltf { path: path.to_owned(), clip: Box::new(clip) })
            }
            _ => Err(FaceError::file(
                path,
                "a sequence is a folder of .obj files, or a .pc2, .npz, .glb or .gltf file",
            )),
        }
    }

    /// The OBJ file of a frame, if it is one.
    pub fn obj(&self, frame: usize) -> Option<&Path> {
        match self {
            Self::Folder(files) => files.get(frame).map(PathBuf::as_path),
            _ => None,
        }
    }

    /// A short name of a frame, for a file.
    pub fn stem(&self, frame: usize) -> String {
        let of_file =
            self.obj(frame).and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
        of_file.unwrap_or_else(|| format!("frame_{frame:05}"))
    }
}

/// The OBJ files of a folder, in the order of their names, numbers by their value.
///
/// # Errors
/// [`FaceError::Io`].
pub fn obj_files(folder: &Path) -> Result<Vec<PathBuf>, FaceError> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(FaceError::io(folder))? {
        let path = entry.map_err(FaceError::io(folder))?.path();
        if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("obj")) {
            files.push(path);
        }
    }
    files.sort_by_key(|path| {
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let digits = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        (name[..digits].to_owned(), name[digits..].parse::<u64>().unwrap_or(0), name)
    });
    Ok(files)
}

impl Frames for Sequence {
    fn len(&self) -> usize {
        match self {
            Self::Folder(files) => files.len(),
            Self::Pc2(cache) => cache.frames(),
            Self::Npz(array) => array.frames(),
            Self::Gltf { clip, .. } => clip.frames(),
        }
    }

    fn name(&self, frame: usize) -> String {
        match self {
            Self::Folder(files) => files.get(frame).map(|f| f.display().to_string()).unwrap_or_default(),
            Self::Pc2(cache) => format!("{}, frame {frame}", cache.path().display()),
            Self::Npz(array) => format!("{}, frame {frame}", array.path().display()),
            Self::Gltf { path, .. } => format!("{}, frame {frame}", path.display()),
        }
    }

    fn read(&self, frame: usize, out: &mut Vec<DVec3>) -> Result<(), FaceError> {
        if frame >= self.len() {
            return Err(missing(frame));
        }
        match self {
            Self::Folder(files) => *out = ObjFile::read(&files[frame])?.points,
            Self::Pc2(cache) => cache.read(frame, out)?,
            Self::Npz(array) => array.read(frame, out)?,
            Self::Gltf { clip, .. } => *out = clip.frame(frame).map_err(FaceError::mesh)?,
        }
        Ok(())
    }
}
