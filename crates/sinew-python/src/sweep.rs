//! Sweeps for the driver on a cluster, `sinew.sweep`: plans that travel as bytes, parts that are made without the GIL.

use crate::errors::Kind;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew_sweep::{Folder, Part, Plan, Shard, SweepError, finish};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often a running part looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(100);

/// A checked sweep.
#[pyclass(frozen, module = "sinew._sinew")]
pub struct SweepPlan {
    plan: Plan,
}

#[pymethods]
impl SweepPlan {
    /// Reads a SWEEP.toml and tries its values.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| Plan::load(&path)).map(|plan| Self { plan }).map_err(refuse)
    }

    /// The plan that another process packed.
    #[staticmethod]
    fn unpack(packed: &[u8]) -> PyResult<Self> {
        Plan::unpack(packed).map(|plan| Self { plan }).map_err(refuse)
    }

    /// The plan as bytes.
    fn pack<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.plan.pack())
    }

    /// What the sweep is about.
    #[getter]
    fn title(&self) -> &str {
        self.plan.title()
    }

    /// Number of runs.
    #[getter]
    fn runs(&self) -> u64 {
        self.plan.runs()
    }

    /// Number of parts.
    #[getter]
    fn parts(&self) -> u64 {
        self.plan.parts()
    }

    /// Whether runs leave more than rows.
    #[getter]
    fn writes_more_than_rows(&self) -> bool {
        self.plan.writes_more_than_rows()
    }

    /// The first run of a part, and the one after its last.
    fn runs_of(&self, part: u64) -> (u64, u64) {
        let runs = self.plan.runs_of(part);
        (runs.start, runs.end)
    }

    /// The parts that are missing in a folder, which is created if it is not there.
    fn missing(&self, out: PathBuf) -> PyResult<Vec<u64>> {
        let folder = Folder::open(&out, &self.plan).map_err(refuse)?;
        folder.missing(&self.plan, Shard::ALL).map_err(refuse)
    }

    /// Makes a part on so many threads: its rows as the bytes of a Parquet file, the number of failed runs, seconds.
    ///
    /// With `out`, traces and trajectories are written there; `store` also writes the rows there, and returns None for them.
    #[pyo3(signature = (part, *, threads = 1, out = None, store = false))]
    fn make<'py>(
        &self,
        py: Python<'py>,
        part: u64,
        threads: usize,
        out: Option<PathBuf>,
        store: bool,
    ) -> PyResult<(Option<Bound<'py, PyBytes>>, u64, f64)> {
        if part >= self.plan.parts() {
            return Err(Kind::Scene.error(format_args!("there is no part {part}")));
        }
        let folder = out.map(|out| Folder::open(&out, &self.plan)).transpose().map_err(refuse)?;
        let (looked, signal) = (Mutex::new(Instant::now()), Mutex::new(None));
        let stop = || {
            let Ok(mut looked) = looked.lock() else { return false };
            if looked.elapsed() < LOOK {
                return false;
            }
            *looked = Instant::now();
            match Python::attach(|py| py.check_signals()) {
                Ok(()) => false,
                Err(error) => {
                    if let Ok(mut signal) = signal.lock() {
                        *signal = Some(error);
                    }
                    true
                }
            }
        };
        let made = py.detach(|| {
            let make = || Part::make(&self.plan, part, folder.as_ref(), &stop, &|_| {});
            if threads > 1 {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let pool =
                    pool.map_err(|error| SweepError::Ask(format!("threads cannot be started: {error}")))?;
                pool.install(make)
            } else {
                make()
            }
        });
        let part = match made.map_err(refuse)? {
            Ok(part) => part,
            Err(_) => {
                let signal = signal.into_inner().ok().flatten();
                return Err(signal.unwrap_or_else(|| Kind::Output.error("the part was stopped")));
            }
        };
        let (failed, seconds) = (part.failed, part.seconds);
        if let Some(folder) = &folder {
            if store {
                folder.store(&part).map_err(refuse)?;
                return Ok((None, failed, seconds));
            }
            folder.store_traces(&part).map_err(refuse)?;
        }
        Ok((Some(PyBytes::new(py, &part.rows)), failed, seconds))
    }

    /// Stores the rows of a part in a folder.
    fn store(&self, out: PathBuf, part: u64, rows: &[u8]) -> PyResult<()> {
        let folder = Folder::open(&out, &self.plan).map_err(refuse)?;
        folder.store_rows(part, rows).map_err(refuse)
    }

    /// Makes the table if all parts are there: runs, failed runs, the first of them with its reason, seconds of computing.
    #[allow(clippy::type_complexity)]
    fn finish(
        &self,
        py: Python<'_>,
        out: PathBuf,
    ) -> PyResult<Option<(u64, u64, Option<(u64, String)>, f64)>> {
        let folder = Folder::open(&out, &self.plan).map_err(refuse)?;
        let summary = py.detach(|| finish(&self.plan, &folder)).map_err(refuse)?;
        Ok(summary.map(|summary| (summary.runs, summary.failed, summary.first, summary.seconds)))
    }
}

/// A sweep is wrong like a scene is; the rest could not be written.
fn refuse(error: SweepError) -> PyErr {
    let kind = if error.is_input() { Kind::Scene } else { Kind::Output };
    kind.error(error)
}
