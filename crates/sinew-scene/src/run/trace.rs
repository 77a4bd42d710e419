//! `trace.csv`: one row per frame, written as the run goes, so that no run is too long for the memory.
//!
//! A checkpoint holds a [`Mark`]: how long the file was and a hash of it. A resumed run continues the file from there, and so ends with the
//! same rows as one that was never interrupted.

use super::mark::Mark;
use super::{OutputError, Row, Run};
use crate::export::ExportError;
use sinew::Cause;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Name of the file in its folder.
pub(super) const TRACE: &str = "trace.csv";

/// The file, open at its end.
#[derive(Debug)]
pub(super) struct Trace {
    path: PathBuf,
    out: BufWriter<File>,
    mark: Mark,
    /// The frame of the next row.
    next: usize,
    line: String,
}

impl Trace {
    /// Creates the file in a folder, or continues that of the run's checkpoint.
    pub fn open(folder: &Path, run: &Run) -> Result<Self, OutputError> {
        let path = folder.join(TRACE);
        match &run.resumed {
            Some((beside, mark)) => {
                let file = continued(&beside.join(TRACE), *mark, &path)?;
                let next = run.frame() + 1;
                Ok(Self { out: BufWriter::new(file), path, mark: *mark, next, line: String::new() })
            }
            None => {
                let out = BufWriter::new(File::create(&path).map_err(ExportError::io(&path))?);
                let line = trace_columns(run).join(",") + "\n";
                let mut trace = Self { path, out, mark: Mark::default(), next: 0, line };
                trace.write()?;
                Ok(trace)
            }
        }
    }

    /// Writes the row of the run's current frame, unless the file has it.
    pub fn frame(&mut self, run: &Run) -> Result<(), OutputError> {
        let Some(row) = run.rows().last().filter(|_| run.frame() >= self.next) else { return Ok(()) };
        self.next = run.frame() + 1;
        self.line.clear();
        for (i, number) in row.numbers().enumerate() {
            // `{:?}` is the shortest form that reads back as the same number.
            let _ = write!(self.line, "{}{number:?}", if i == 0 { "" } else { "," });
        }
        self.line.push('\n');
        self.write()
    }

    fn write(&mut self) -> Result<(), OutputError> {
        self.mark.pass(self.line.as_bytes());
        Ok(self.out.write_all(self.line.as_bytes()).map_err(ExportError::io(&self.path))?)
    }

    /// Puts everything on disk; the mark is then good for a checkpoint.
    pub fn save(&mut self) -> Result<Mark, OutputError> {
        let saved = self.out.flush().and_then(|()| match self.out.get_ref().sync_data() {
            // Pipes and some devices cannot.
            Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => Ok(()),
            other => other,
        });
        saved.map_err(ExportError::io(&self.path))?;
        Ok(self.mark)
    }
}

/// Opens `path` with the first part of the trace at `old`, which the mark describes; both may be the same file.
fn continued(old: &Path, mark: Mark, path: &Path) -> Result<File, OutputError> {
    let missing = |what: String| OutputError::Trace { path: old.to_owned(), what };
    let mut source = File::open(old).map_err(|error| missing(error.to_string()))?;
    let mut found = Mark::default();
    let mut part = vec![0; 1 << 16];
    while found.bytes < mark.bytes {
        let wanted = part.len().min((mark.bytes - found.bytes) as usize);
        match source.read(&mut part[..wanted]).map_err(|error| missing(error.to_string()))? {
            0 => return Err(missing("it is too short".into())),
            n => found.pass(&part[..n]),
        }
    }
    if found != mark {
        return Err(missing("it belongs to another run".into()));
    }
    let same = matches!((old.canonicalize(), path.canonicalize()), (Ok(a), Ok(b)) if a == b);
    let opened = (|| {
        if same {
            let mut file = File::options().write(true).open(path)?;
            // Rows after the checkpoint will be written again.
            file.set_len(mark.bytes)?;
            file.seek(SeekFrom::End(0))?;
            return Ok(file);
        }
        source.rewind()?;
        let mut file = File::create(path)?;
        std::io::copy(&mut source.take(mark.bytes), &mut file)?;
        Ok(file)
    })();
    Ok(opened.map_err(ExportError::io(path))?)
}

/// Names of the columns of `trace.csv`, whose numbers are [`Row::numbers`].
pub fn trace_columns(run: &Run) -> Vec<String> {
    let mut columns: Vec<String> = vec!["time".into(), "kinetic".into()];
    columns.extend_from_slice(run.potentials());
    let more = ["total", "target", "added", "dissipated"].into_iter();
    let more = more.chain(["Px", "Py", "Pz", "Lx", "Ly", "Lz", "iterations", "milliseconds"]);
    columns.extend(more.map(str::to_owned));
    columns.extend(Cause::ALL.iter().map(|cause| format!("{}_{}", cause.side().name(), cause.name())));
    columns.extend(["depth", "contacts", "visible", "residual"].map(str::to_owned));
    columns
}

impl Row {
    /// The columns of `trace.csv`: energies (J), momenta, iterations and computing time, then energies by cause, the largest depth below a
    /// surface, the number of contacts, the visible motion (J) and the unbalanced force of the solve.
    pub fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let energies = [self.time, self.kinetic].into_iter().chain(self.potentials.iter().copied());
        let energies = energies.chain([self.total(), self.target, self.added, self.dissipated]);
        let momenta = self.linear.to_array().into_iter().chain(self.angular.to_array());
        let work = [self.iterations as f64, self.times.step];
        let causes = self.entries.iter().map(|(_, joules)| joules);
        energies.chain(momenta).chain(work).chain(causes).chain([
            self.depth,
            self.contacts as f64,
            self.visible,
            self.residual,
        ])
    }
}
