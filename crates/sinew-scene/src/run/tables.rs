//! `trace.csv` and `final.csv`.

use super::Run;
use crate::export::ExportError;
use crate::export::csv::{CsvWriter, Digits};
use sinew::Cause;
use std::path::Path;

/// One row per frame, the initial state first: energies (J), momenta, iterations and computing times, then energies by cause, the largest
/// depth below a surface, the number of contacts and the visible motion.
pub(super) fn write_trace(run: &Run, path: &Path) -> Result<(), ExportError> {
    let mut columns = vec!["time", "kinetic"];
    columns.extend(run.potentials().iter().map(String::as_str));
    columns.extend(["total", "target", "added", "dissipated"]);
    columns.extend(["Px", "Py", "Pz", "Lx", "Ly", "Lz", "iterations", "milliseconds"]);
    let causes: Vec<String> =
        Cause::ALL.iter().map(|cause| format!("{}_{}", cause.side().name(), cause.name())).collect();
    columns.extend(causes.iter().map(String::as_str));
    columns.extend(["depth", "contacts", "visible"]);
    let mut table = CsvWriter::create(path, &columns, Digits::Shortest)?;
    for row in run.rows() {
        let mut numbers = vec![row.time, row.kinetic];
        numbers.extend(&row.potentials);
        numbers.extend([row.total(), row.target, row.added, row.dissipated]);
        numbers.extend(row.linear.to_array());
        numbers.extend(row.angular.to_array());
        numbers.extend([row.iterations as f64, row.times.step]);
        numbers.extend(row.entries.iter().map(|(_, joules)| joules));
        numbers.extend([row.depth, row.contacts as f64, row.visible]);
        table.row(&numbers)?;
    }
    table.finish()
}

/// Position (m) and velocity (m/s) of each vertex at the end, with all bits.
pub(super) fn write_final(run: &Run, path: &Path) -> Result<(), ExportError> {
    let mut table = CsvWriter::create(path, &["x", "y", "z", "vx", "vy", "vz"], Digits::Seventeen)?;
    for (x, v) in run.state().positions().iter().zip(run.state().velocities()) {
        table.row(&[x.x, x.y, x.z, v.x, v.y, v.z])?;
    }
    table.finish()
}
