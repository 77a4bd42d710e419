//! The end of a sweep: the rows of all parts in one table, in the order of the runs.

use crate::column::Cell;
use crate::error::SweepError;
use crate::folder::{Draft, Folder};
use crate::part::{run_of, seconds_of};
use crate::plan::Plan;
use crate::table::{TableWriter, read};
use parquet::errors::ParquetError;
use std::fmt::Write as _;
use std::fs::File;
use std::io::BufWriter;

/// Rows that are in memory at a time.
const GROUP: usize = 1 << 16;

/// A finished sweep in a few numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Number of runs.
    pub runs: u64,
    /// Number of runs that failed.
    pub failed: u64,
    /// The first that failed, and why.
    pub first: Option<(u64, String)>,
    /// Computing time of all runs, s.
    pub seconds: f64,
}

/// Writes `rows.parquet` and `costs.csv` if all parts are there; `None` if some are missing.
///
/// # Errors
/// [`SweepError::Table`] if a part is damaged or has other runs than it should.
pub fn finish(plan: &Plan, folder: &Folder) -> Result<Option<Summary>, SweepError> {
    let finished = folder.finished()?;
    if (0..plan.parts()).any(|part| !finished.contains(&part)) {
        return Ok(None);
    }
    let rows = Draft::new(folder.path().join("rows.parquet"));
    let costs = Draft::new(folder.path().join("costs.csv"));
    let file = File::create(rows.draft()).map_err(SweepError::write(rows.draft()))?;
    let encode = |error: ParquetError| SweepError::Encode(error.to_string());
    let mut writer = TableWriter::new(BufWriter::new(file), plan.columns(), &[]).map_err(encode)?;
    let (mut group, mut list, mut summary) = (Vec::new(), String::from("run,seconds\n"), Summary::default());
    for part in 0..plan.parts() {
        let path = folder.part(part);
        let table = read(&path)?;
        let runs = plan.runs_of(part);
        let whole = table.columns == plan.columns()
            && table.rows.len() as u64 == runs.end - runs.start
            && table.rows.iter().zip(runs.clone()).all(|(row, run)| run_of(row) == Some(run as i64));
        if !whole {
            let what =
                "it has not the runs that it should; delete it, and the same command makes it anew".into();
            return Err(SweepError::Table { path, what });
        }
        for (run, seconds) in runs.zip(seconds_of(&table.remarks)) {
            summary.seconds += seconds;
            let _ = writeln!(list, "{run},{seconds}");
        }
        for row in &table.rows {
            summary.count(plan, row);
        }
        group.extend(table.rows);
        if group.len() >= GROUP {
            writer.group(&group).map_err(encode)?;
            group.clear();
        }
    }
    if !group.is_empty() {
        writer.group(&group).map_err(encode)?;
    }
    writer
        .finish()
        .map_err(encode)?
        .into_inner()
        .map_err(|error| SweepError::write(rows.draft())(error.into_error()))?;
    std::fs::write(costs.draft(), list).map_err(SweepError::write(costs.draft()))?;
    costs.keep()?;
    rows.keep()?;
    folder.tidy();
    Ok(Some(summary))
}

impl Summary {
    fn count(&mut self, plan: &Plan, row: &[Cell]) {
        let cell = |name: &str| {
            let at = plan.columns().iter().position(|column| column.name == name);
            at.and_then(|at| row.get(at))
        };
        self.runs += 1;
        if cell("ok") == Some(&Cell::Boolean(false)) {
            self.failed += 1;
            if let (None, Some(run), Some(Cell::Text(why))) = (&self.first, run_of(row), cell("failure")) {
                self.first = Some((run as u64, why.clone()));
            }
        }
    }
}
