//! The numbers of each step, for the page's plots.

use sinew_scene::run::Row;
use std::collections::VecDeque;

/// Rows that wait for the page at most.
const MOST: usize = 256;

const COLUMNS: [&str; 33] = [
    "time",
    "energy",
    "target",
    "kinetic",
    "potential",
    "added",
    "dissipated",
    "added.attachments",
    "added.bones",
    "added.colliders",
    "added.contacts",
    "added.wind",
    "added.acceleration",
    "added.grabs",
    "added.edits",
    "dissipated.ether",
    "dissipated.rigid_preserving",
    "dissipated.friction",
    "dissipated.restitution",
    "linear.x",
    "linear.y",
    "linear.z",
    "angular.x",
    "angular.y",
    "angular.z",
    "iterations",
    "correction.iterations",
    "correction.fallbacks",
    "contacts",
    "ms.step",
    "ms.solve",
    "ms.correct",
    "ms.contact",
];

/// Names of the numbers of a row.
pub fn columns(potentials: &[String]) -> Vec<String> {
    let named = potentials.iter().map(|name| format!("potential.{name}"));
    COLUMNS.iter().map(|&name| name.to_owned()).chain(named).collect()
}

fn numbers(row: &Row) -> impl Iterator<Item = f64> + '_ {
    let (a, d) = (&row.added_by, &row.dissipated_by);
    let [linear, angular] = [row.linear, row.angular].map(|v| v.to_array());
    let fixed: [f64; COLUMNS.len()] = [
        row.time,
        row.total(),
        row.target,
        row.kinetic,
        row.potential(),
        row.added,
        row.dissipated,
        a.attachments,
        a.bones,
        a.colliders,
        a.contacts,
        a.wind,
        a.acceleration,
        a.grabs,
        a.edits,
        d.ether,
        d.rigid_preserving,
        d.friction,
        d.restitution,
        linear[0],
        linear[1],
        linear[2],
        angular[0],
        angular[1],
        angular[2],
        row.iterations as f64,
        row.correction.iterations as f64,
        row.correction.fallbacks as f64,
        row.contacts as f64,
        row.times.step,
        row.times.solve,
        row.times.correct,
        row.times.contact,
    ];
    fixed.into_iter().chain(row.potentials.iter().copied())
}

/// Rows since the last frame; the oldest give way.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    numbers: VecDeque<f64>,
    width: usize,
}

impl Rows {
    pub fn push(&mut self, row: &Row) {
        self.width = COLUMNS.len() + row.potentials.len();
        self.numbers.extend(numbers(row));
        while self.numbers.len() > MOST * self.width {
            self.numbers.drain(..self.width);
        }
    }

    /// All rows, one after the other; then there are none.
    pub fn take(&mut self) -> Vec<f64> {
        self.numbers.drain(..).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_rows_are_kept() {
        let mut rows = Rows::default();
        for k in 0..1000 {
            rows.push(&Row { time: f64::from(k), potentials: vec![1.0, 2.0], ..Row::default() });
        }
        let taken = rows.take();
        assert_eq!(taken.len(), MOST * (COLUMNS.len() + 2));
        assert_eq!(taken[0], 1000.0 - MOST as f64);
        assert_eq!(taken[COLUMNS.len()..COLUMNS.len() + 2], [1.0, 2.0]);
        assert!(rows.take().is_empty());
        assert_eq!(columns(&["springs".to_owned()]).len(), COLUMNS.len() + 1);
    }
}
