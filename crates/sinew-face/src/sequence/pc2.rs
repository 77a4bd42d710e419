//! PC2 point caches: a header of 32 bytes and the points of all frames in single precision. A frame is read when it is needed.

use crate::error::FaceError;
use glam::DVec3;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// An open cache.
#[derive(Debug)]
pub struct Pc2 {
    path: PathBuf,
    file: Mutex<File>,
    points: usize,
    frames: usize,
}

impl Pc2 {
    /// Opens a file and checks its header against its length.
    ///
    /// # Errors
    /// [`FaceError`] if it is no cache, or shorter than it announces.
    pub fn open(path: &Path) -> Result<Self, FaceError> {
        let mut file = File::open(path).map_err(FaceError::io(path))?;
        let mut header = [0; 32];
        file.read_exact(&mut header).map_err(|_| FaceError::file(path, "this is no PC2 point cache"))?;
        let int =
            |at: usize| i32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        if !header.starts_with(b"POINTCACHE2\0") || int(12) != 1 {
            return Err(FaceError::file(path, "this is no PC2 point cache"));
        }
        let (Ok(points), Ok(frames)) = (usize::try_from(int(16)), usize::try_from(int(28))) else {
            return Err(FaceError::file(path, "the header has negative numbers"));
        };
        let length = file.metadata().map_err(FaceError::io(path))?.len();
        if points == 0 || frames == 0 {
            return Err(FaceError::file(path, "the cache has no frames"));
        }
        let needed = (points as u64 * frames as u64).saturating_mul(12).saturating_add(32);
        if length < needed {
            let what = format!("the file is cut off: {frames} frames of {points} points are announced");
            return Err(FaceError::file(path, what));
        }
        Ok(Self { path: path.to_owned(), file: Mutex::new(file), points, frames })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Reads the points of a frame.
    ///
    /// # Errors
    /// [`FaceError::Io`].
    pub fn read(&self, frame: usize, out: &mut Vec<DVec3>) -> Result<(), FaceError> {
        let mut bytes = vec![0; self.points * 12];
        let start = 32 + frame as u64 * bytes.len() as u64;
        {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(start)).map_err(FaceError::io(&self.path))?;
            file.read_exact(&mut bytes).map_err(FaceError::io(&self.path))?;
        }
        let real = |b: &[u8]| b.first_chunk().map_or(0.0, |b| f64::from(f32::from_le_bytes(*b)));
        out.clear();
        out.extend(bytes.chunks_exact(12).map(|p| DVec3::new(real(p), real(&p[4..]), real(&p[8..]))));
        Ok(())
    }
}
