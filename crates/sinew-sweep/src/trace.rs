//! Traces: numbers of every k-th frame of a run, in a long table.

use crate::column::{Cell, Column, Kind};
use sinew_scene::run::Row;

/// What a column of a trace takes from a frame.
type Taken = fn(&Row) -> f64;

/// What a trace may hold. What depends on the machine is not among it.
const VALUES: [(&str, Taken); 19] = [
    ("time", |row| row.time),
    ("kinetic", |row| row.kinetic),
    ("potential", Row::potential),
    ("total", Row::total),
    ("target", |row| row.target),
    ("added", |row| row.added),
    ("dissipated", |row| row.dissipated),
    ("visible", |row| row.visible),
    ("frequency", |row| row.frequency),
    ("Px", |row| row.linear.x),
    ("Py", |row| row.linear.y),
    ("Pz", |row| row.linear.z),
    ("Lx", |row| row.angular.x),
    ("Ly", |row| row.angular.y),
    ("Lz", |row| row.angular.z),
    ("iterations", |row| row.iterations as f64),
    ("contacts", |row| row.contacts as f64),
    ("depth", |row| row.depth),
    ("residual", |row| row.residual),
];

/// Names of all columns.
pub(crate) fn names() -> Vec<&'static str> {
    VALUES.iter().map(|(name, _)| *name).collect()
}

/// The columns of a table of traces.
pub(crate) fn columns(chosen: &[String]) -> Vec<Column> {
    let whole = ["run", "frame"].map(|name| Column { name: name.to_owned(), kind: Kind::Integer });
    let reals = chosen.iter().map(|name| Column { name: name.clone(), kind: Kind::Real });
    whole.into_iter().chain(reals).collect()
}

/// The row of a frame.
pub(crate) fn cells(chosen: &[String], run: u64, frame: usize, row: &Row) -> Vec<Cell> {
    let value = |name: &String| {
        let found = VALUES.iter().find(|(known, _)| known == name);
        found.map_or(Cell::Missing, |(_, value)| Cell::Real(value(row)))
    };
    let head = [Cell::Integer(run as i64), Cell::Integer(frame as i64)];
    head.into_iter().chain(chosen.iter().map(value)).collect()
}
