//! The numbers of each step, for the page's plots.

use sinew::Cause;
use sinew_scene::run::Row;
use std::collections::VecDeque;

/// Largest number of rows that wait for the page.
const MOST: usize = 256;

/// Columns before the causes of the ledger, and those after them; the potentials come last.
const FIRST: [&str; 7] = ["time", "energy", "target", "kinetic", "potential", "added", "dissipated"];
const REST: [&str; 15] = [
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
    "visible",
];
const COLUMNS: usize = FIRST.len() + Cause::ALL.len() + REST.len();

/// Names of the numbers of a row.
pub fn columns(potentials: &[String]) -> Vec<String> {
    let causes = Cause::ALL.iter().map(|cause| format!("{}.{}", cause.side().name(), cause.name()));
    let owned = |names: &'static [&'static str]| names.iter().map(|&name| name.to_owned());
    let named = potentials.iter().map(|name| format!("potential.{name}"));
    owned(&FIRST).chain(causes).chain(owned(&REST)).chain(named).collect()
}

fn numbers(row: &Row) -> impl Iterator<Item = f64> + '_ {
    let [p, l] = [row.linear, row.angular].map(|v| v.to_array());
    let first: [f64; FIRST.len()] =
        [row.time, row.total(), row.target, row.kinetic, row.potential(), row.added, row.dissipated];
    let counts = [row.iterations, row.correction.iterations, row.correction.fallbacks, row.contacts];
    let times = [row.times.step, row.times.solve, row.times.correct, row.times.contact];
    let rest = p.into_iter().chain(l).chain(counts.map(|n| n as f64)).chain(times).chain([row.visible]);
    let causes = row.entries.iter().map(|(_, joules)| joules);
    first.into_iter().chain(causes).chain(rest).chain(row.potentials.iter().copied())
}

/// Rows since the last frame; the oldest are dropped when there are too many.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    numbers: VecDeque<f64>,
    width: usize,
}

impl Rows {
    pub fn push(&mut self, row: &Row) {
        self.width = COLUMNS + row.potentials.len();
        self.numbers.extend(numbers(row));
        while self.numbers.len() > MOST * self.width {
            self.numbers.drain(..self.width);
        }
    }

    /// Removes all rows and returns them, one after the other.
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
        assert_eq!(taken.len(), MOST * (COLUMNS + 2));
        assert_eq!(taken[0], 1000.0 - MOST as f64);
        assert_eq!(taken[COLUMNS..COLUMNS + 2], [1.0, 2.0]);
        assert!(rows.take().is_empty());
        assert_eq!(columns(&["springs".to_owned()]).len(), COLUMNS + 1);
        assert_eq!(numbers(&Row::default()).count(), COLUMNS);
    }
}
