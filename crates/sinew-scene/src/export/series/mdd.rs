//! MDD, the point cache of LightWave, which Blender, Maya and Houdini read: frames, points, the time of each frame, then x, y, z of every point of every
//! frame; big-endian, single precision.

use super::Spool;
use crate::export::ExportError;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes all frames of a spool.
pub fn write_mdd(path: &Path, frames: &mut Spool) -> Result<(), ExportError> {
    let io = ExportError::io(path);
    let count = |count: usize| {
        let reason = "a point cache has at most 2147483647 points and frames";
        i32::try_from(count).map_err(|_| ExportError::Encode { path: path.to_owned(), reason: reason.into() })
    };
    let mut header = count(frames.times().len())?.to_be_bytes().to_vec();
    header.extend(count(frames.points())?.to_be_bytes());
    header.extend(frames.times().iter().flat_map(|time| (*time as f32).to_be_bytes()));
    let mut out = BufWriter::new(File::create(path).map_err(&io)?);
    out.write_all(&header).map_err(&io)?;
    let (mut points, mut bytes) = (Vec::new(), Vec::new());
    for frame in 0..frames.times().len() {
        frames.read(frame, 0..frames.points(), &mut points)?;
        bytes.clear();
        bytes.extend(points.iter().flat_map(|p| p.to_array()).flat_map(|v| (v as f32).to_be_bytes()));
        out.write_all(&bytes).map_err(&io)?;
    }
    out.flush().map_err(&io)
}
