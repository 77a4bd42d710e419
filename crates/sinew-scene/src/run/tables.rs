//! `final.csv`.

use super::Run;
use crate::export::ExportError;
use crate::export::csv::{CsvWriter, Digits};
use std::path::Path;

/// Position (m) and velocity (m/s) of each vertex at the end, with all bits.
pub(super) fn write_final(run: &Run, path: &Path) -> Result<(), ExportError> {
    let mut table = CsvWriter::create(path, &["x", "y", "z", "vx", "vy", "vz"], Digits::Seventeen)?;
    let (model, state) = (run.scene.model(), run.state());
    for (i, x) in state.positions().iter().enumerate() {
        let v = state.velocity(model, i).unwrap_or_default();
        table.row(&[x.x, x.y, x.z, v.x, v.y, v.z])?;
    }
    table.finish()
}
