//! PLY in binary with double precision: what is written reads back to the same bits.

use crate::export::ExportError;
use glam::DVec3;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes points and triangles (0-based).
pub fn write_ply(path: &Path, points: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), ExportError> {
    write(path, points, triangles).map_err(ExportError::io(path))
}

fn write(path: &Path, points: &[DVec3], triangles: &[[u32; 3]]) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\n\
         element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
        points.len(),
        triangles.len()
    )?;
    for value in points.iter().flat_map(|p| p.to_array()) {
        out.write_all(&value.to_le_bytes())?;
    }
    for triangle in triangles {
        out.write_all(&[3])?;
        for vertex in triangle {
            out.write_all(&vertex.to_le_bytes())?;
        }
    }
    out.flush()
}
