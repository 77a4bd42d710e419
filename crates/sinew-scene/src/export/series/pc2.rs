//! PC2, the point cache of Blender and 3ds Max: a header of 32 bytes (`POINTCACHE2`, version 1, points, first frame, frames per sample, samples), then
//! x, y, z of every point of every sample; little-endian, single precision.

use crate::export::ExportError;
use glam::DVec3;
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Writes a cache sample by sample.
#[derive(Debug)]
pub struct Pc2Writer {
    path: PathBuf,
    out: BufWriter<File>,
    points: usize,
    samples: u32,
    bytes: Vec<u8>,
}

impl Pc2Writer {
    /// Creates the file; `first` is the number of the first frame.
    pub fn create(path: &Path, points: usize, first: usize) -> Result<Self, ExportError> {
        let io = ExportError::io(path);
        let count = i32::try_from(points).map_err(|_| too_many(path))?;
        let mut header = b"POINTCACHE2\0".to_vec();
        header.extend(1_i32.to_le_bytes());
        header.extend(count.to_le_bytes());
        header.extend((first as f32).to_le_bytes());
        header.extend(1_f32.to_le_bytes());
        header.extend(0_i32.to_le_bytes());
        let mut out = BufWriter::new(File::create(path).map_err(&io)?);
        out.write_all(&header).map_err(&io)?;
        Ok(Self { path: path.to_owned(), out, points, samples: 0, bytes: Vec::new() })
    }

    /// Adds a sample.
    pub fn push(&mut self, points: &[DVec3]) -> Result<(), ExportError> {
        debug_assert_eq!(points.len(), self.points);
        self.bytes.clear();
        self.bytes.extend(points.iter().flat_map(|p| p.to_array()).flat_map(|v| (v as f32).to_le_bytes()));
        self.samples += 1;
        self.out.write_all(&self.bytes).map_err(ExportError::io(&self.path))
    }

    /// Writes the number of samples into the header.
    pub fn finish(mut self) -> Result<(), ExportError> {
        let samples = i32::try_from(self.samples).map_err(|_| too_many(&self.path))?;
        let mut write = || {
            self.out.seek(SeekFrom::Start(28))?;
            self.out.write_all(&samples.to_le_bytes())?;
            self.out.flush()
        };
        write().map_err(ExportError::io(&self.path))
    }
}

fn too_many(path: &Path) -> ExportError {
    ExportError::Encode {
        path: path.to_owned(),
        reason: "a point cache has at most 2147483647 points and samples".into(),
    }
}
