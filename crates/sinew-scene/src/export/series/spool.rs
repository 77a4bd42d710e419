//! Frames on their way into a file: kept on disk until all are known.

use crate::export::ExportError;
use glam::DVec3;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Points of many frames in a file, which is removed with the spool.
#[derive(Debug)]
pub struct Spool {
    path: PathBuf,
    file: BufWriter<File>,
    /// Points of a frame.
    points: usize,
    times: Vec<f64>,
    bytes: Vec<u8>,
}

const POINT: usize = 24;

impl Spool {
    /// Creates the file, for frames of so many points.
    pub fn create(path: &Path, points: usize) -> Result<Self, ExportError> {
        let file = File::options().create(true).truncate(true).read(true).write(true).open(path);
        let file = BufWriter::new(file.map_err(ExportError::io(path))?);
        Ok(Self { path: path.to_owned(), file, points, times: Vec::new(), bytes: Vec::new() })
    }

    /// Adds the frame at `time`, s.
    pub fn push(&mut self, time: f64, points: &[DVec3]) -> Result<(), ExportError> {
        if points.len() != self.points {
            let (frame, path) = (self.times.len(), self.path.clone());
            let reason = format!("frame {frame} has {} points, the first had {}", points.len(), self.points);
            return Err(ExportError::Table { path, line: frame, reason });
        }
        self.times.push(time);
        self.bytes.clear();
        self.bytes.extend(points.iter().flat_map(|p| p.to_array()).flat_map(f64::to_le_bytes));
        self.file.write_all(&self.bytes).map_err(ExportError::io(&self.path))
    }

    /// Time of each frame, s.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Points of a frame.
    pub fn points(&self) -> usize {
        self.points
    }

    /// Reads some points of a frame into `out`.
    pub fn read(
        &mut self,
        frame: usize,
        range: Range<usize>,
        out: &mut Vec<DVec3>,
    ) -> Result<(), ExportError> {
        let start = (frame * self.points + range.start) * POINT;
        self.bytes.resize(range.len() * POINT, 0);
        let read = |spool: &mut Self| {
            spool.file.flush()?;
            let mut file = spool.file.get_ref();
            file.seek(SeekFrom::Start(start as u64))?;
            file.read_exact(&mut spool.bytes)?;
            file.seek(SeekFrom::End(0)).map(drop)
        };
        read(self).map_err(ExportError::io(&self.path))?;
        let real = |bytes: &[u8]| bytes.first_chunk().map_or(0.0, |bytes| f64::from_le_bytes(*bytes));
        out.clear();
        out.extend(
            self.bytes.chunks_exact(POINT).map(|p| DVec3::new(real(p), real(&p[8..]), real(&p[16..]))),
        );
        Ok(())
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // A leftover is no reason to fail: the result is complete.
        let _ = std::fs::remove_file(&self.path);
    }
}
