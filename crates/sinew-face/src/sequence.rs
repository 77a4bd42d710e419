//! Sequences of frames, read one at a time: a folder of OBJ files, a PC2 cache, an array of an `.npz` file, or frames in memory.
//!
//! OBJ folders and PC2 hold one frame in memory, however many there are; an `.npz` file is read as a whole.

use crate::error::FaceError;
use crate::mesh::ObjFile;
use glam::DVec3;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Frames of a performance, in any order.
pub trait Frames {
    /// Number of frames.
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The name of a frame, for messages and files.
    fn name(&self, frame: usize) -> String;
    /// Reads the points of a frame.
    ///
    /// # Errors
    /// [`FaceError`] if it cannot be read.
    fn read(&mut self, frame: usize, points: &mut Vec<DVec3>) -> Result<(), FaceError>;
}

/// Frames in memory.
impl Frames for &[Vec<DVec3>] {
    fn len(&self) -> usize {
        <[_]>::len(self)
    }

    fn name(&self, frame: usize) -> String {
        format!("frame {frame}")
    }

    fn read(&mut self, frame: usize, points: &mut Vec<DVec3>) -> Result<(), FaceError> {
        points.clone_from(&self[frame]);
        Ok(())
    }
}

/// Frames of files.
#[derive(Debug)]
pub enum Sequence {
    /// A folder of OBJ files, in the order of their names.
    Folder(Vec<PathBuf>),
    /// A PC2 cache.
    Pc2 {
        /// The file.
        path: PathBuf,
        /// The same, open.
        file: File,
        /// Points of a frame.
        points: usize,
        /// Number of frames.
        frames: usize,
    },
    /// An array frames × #V × 3.
    Npz {
        /// The file.
        path: PathBuf,
        /// Points of a frame.
        points: usize,
        /// The numbers.
        numbers: Vec<f64>,
    },
}

/// Names of the array of frames.
const ARRAYS: [&str; 4] = ["frames", "positions", "vertices", "V"];

impl Sequence {
    /// Opens a folder of OBJ files, a `.pc2` or a `.npz`.
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
            Some("obj") => Ok(Self::Folder(vec![path.to_owned()])),
            Some("pc2") => open_pc2(path),
            Some("npz") => open_npz(path),
            _ if !path.exists() => Err(FaceError::file(path, "there is no such file or folder")),
            _ => Err(FaceError::file(path, "a sequence is a folder of .obj files, a .pc2 or a .npz file")),
        }
    }

    /// The OBJ file of a frame, if it is one.
    pub fn obj(&self, frame: usize) -> Option<&Path> {
        match self {
            Self::Folder(files) => files.get(frame).map(PathBuf::as_path),
            _ => None,
        }
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

fn open_pc2(path: &Path) -> Result<Sequence, FaceError> {
    let mut file = File::open(path).map_err(FaceError::io(path))?;
    let mut header = [0; 32];
    file.read_exact(&mut header).map_err(FaceError::io(path))?;
    let int = |at: usize| i32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    if !header.starts_with(b"POINTCACHE2\0") || int(12) != 1 {
        return Err(FaceError::file(path, "this is no PC2 point cache"));
    }
    let (Ok(points), Ok(frames)) = (usize::try_from(int(16)), usize::try_from(int(28))) else {
        return Err(FaceError::file(path, "the header has negative numbers"));
    };
    let length = file.metadata().map_err(FaceError::io(path))?.len();
    if points == 0 || frames == 0 || length < 32 + points as u64 * frames as u64 * 12 {
        let what = format!("the file is cut off: {frames} frames of {points} points are announced");
        return Err(FaceError::file(path, what));
    }
    Ok(Sequence::Pc2 { path: path.to_owned(), file, points, frames })
}

fn open_npz(path: &Path) -> Result<Sequence, FaceError> {
    let array = sinew_scene::mesh_io::read_npz_array(path, &ARRAYS);
    let array = array.map_err(|error| FaceError::file(path, error.to_string()))?;
    match array.shape[..] {
        [frames, points, 3] if frames * points > 0 => {
            Ok(Sequence::Npz { path: path.to_owned(), points, numbers: array.numbers })
        }
        _ => {
            let what =
                format!("the frames have the shape {:?}; frames × vertices × 3 is needed", array.shape);
            Err(FaceError::file(path, what))
        }
    }
}

impl Frames for Sequence {
    fn len(&self) -> usize {
        match self {
            Self::Folder(files) => files.len(),
            Self::Pc2 { frames, .. } => *frames,
            Self::Npz { points, numbers, .. } => numbers.len() / (3 * points),
        }
    }

    fn name(&self, frame: usize) -> String {
        match self {
            Self::Folder(files) => files.get(frame).map(|f| f.display().to_string()).unwrap_or_default(),
            Self::Pc2 { path, .. } | Self::Npz { path, .. } => format!("{}, frame {frame}", path.display()),
        }
    }

    fn read(&mut self, frame: usize, out: &mut Vec<DVec3>) -> Result<(), FaceError> {
        match self {
            Self::Folder(files) => {
                let file = files
                    .get(frame)
                    .ok_or_else(|| FaceError::Training(format!("there is no frame {frame}")))?;
                *out = ObjFile::read(file)?.points;
            }
            Self::Pc2 { path, file, points, .. } => {
                let mut bytes = vec![0; *points * 12];
                let start = 32 + frame as u64 * bytes.len() as u64;
                file.seek(SeekFrom::Start(start)).map_err(FaceError::io(path))?;
                file.read_exact(&mut bytes).map_err(FaceError::io(path))?;
                let real = |b: &[u8]| b.first_chunk().map_or(0.0, |b| f64::from(f32::from_le_bytes(*b)));
                out.clear();
                out.extend(bytes.chunks_exact(12).map(|p| DVec3::new(real(p), real(&p[4..]), real(&p[8..]))));
            }
            Self::Npz { points, numbers, .. } => {
                let n = 3 * *points;
                out.clear();
                out.extend(numbers[frame * n..(frame + 1) * n].chunks_exact(3).map(DVec3::from_slice));
            }
        }
        Ok(())
    }
}
