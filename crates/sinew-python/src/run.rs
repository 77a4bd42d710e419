//! `sinew._sinew.Run`: a run with its records, from which `sinew.run` makes a result.

use crate::arrays;
use crate::errors::Kind;
use crate::model::Model;
use crate::pool::{self, Threads};
use crate::state::take;
use crate::values;
use numpy::{PyArray1, PyArray3};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::DVec3;
use sinew_scene::run::{Format, Moment, Output, OutputError, Replay, trace_columns, write_gif};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// A run of a model, frame by frame.
#[pyclass(module = "sinew._sinew", frozen)]
pub struct Run {
    inner: Mutex<Inner>,
    threads: Threads,
}

struct Inner {
    run: sinew_scene::run::Run,
    /// Every how many frames a moment is kept; 0: none.
    every: usize,
    moments: Vec<Moment>,
    /// Velocities of the same moments, if they are wanted.
    velocities: Option<Vec<Vec<DVec3>>>,
    output: Option<Output>,
}

impl Inner {
    fn record(&mut self) -> Result<(), OutputError> {
        let state = self.run.state();
        if self.every > 0 && self.run.frame().is_multiple_of(self.every) {
            self.moments.push(Moment::of(state));
            if let Some(velocities) = &mut self.velocities {
                let model = self.run.scene().model();
                let of = |vertex| state.velocity(model, vertex).unwrap_or_default();
                velocities.push((0..state.positions().len()).map(of).collect());
            }
        }
        match &mut self.output {
            Some(output) => output.frame(&self.run),
            None => Ok(()),
        }
    }
}

impl Run {
    fn take(&self) -> PyResult<MutexGuard<'_, Inner>> {
        take(&self.inner, "run").map_err(|sentence| Kind::Busy.error(sentence))
    }
}

/// A format by its name in `--format`.
fn format(name: &str) -> PyResult<Format> {
    Format::named(name).ok_or_else(|| {
        let names: Vec<&str> = Format::names().collect();
        Kind::Output.error(format_args!("there is no format `{name}`; there are {}", names.join(", ")))
    })
}

#[pymethods]
impl Run {
    #[new]
    #[pyo3(signature = (model, *, frames = None, every = 1, velocities = false, threads = None, out = None, formats = Vec::new(), settings = None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn new(
        py: Python<'_>,
        model: &Model,
        frames: Option<usize>,
        every: usize,
        velocities: bool,
        threads: Option<i64>,
        out: Option<PathBuf>,
        formats: Vec<String>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let (base, threads) = (model.base.clone(), pool::threads(threads)?);
        let (scene, chosen) = base.settings(&values::overrides(settings)?)?;
        let simulator = pool::work(py, threads, || base.simulator(chosen))??;
        let frames = frames.unwrap_or(scene.frames);
        // The recorded scene has the bodies of the model, not those of the text that settings are read from.
        let scene = sinew_scene::format::Scene { bodies: base.scene.bodies.clone(), ..scene };
        let built = base.built(scene, simulator, base.start.clone());
        let run = sinew_scene::run::Run::new(&base.source.name, built, frames).keeping_all_rows();
        let formats: Vec<Format> = formats.iter().map(|name| format(name)).collect::<PyResult<_>>()?;
        let output = out.map(|folder| Output::create(&folder, &formats, &run)).transpose();
        let output = output.map_err(|error| Kind::Output.error(error))?;
        let velocities = velocities.then(Vec::new);
        let mut inner = Inner { run, every, moments: Vec::new(), velocities, output };
        inner.record().map_err(|error| Kind::Output.error(error))?;
        Ok(Self { inner: Mutex::new(inner), threads })
    }

    /// Runs for about this many seconds, or to the end. Returns the number of frames done. Ctrl-C stops between two steps.
    fn advance(&self, py: Python<'_>, seconds: f64) -> PyResult<usize> {
        let limit = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let inner = &self.inner;
        let done = pool::work(py, self.threads, || {
            let mut inner = take(inner, "run").map_err(|sentence| Kind::Busy.error(sentence))?;
            let begin = Instant::now();
            while !inner.run.is_over() {
                if inner.run.step().is_err() {
                    break;
                }
                inner.record().map_err(|error| Kind::Output.error(error))?;
                if begin.elapsed() >= limit {
                    break;
                }
            }
            Ok::<usize, PyErr>(inner.run.frame())
        })??;
        py.check_signals()?;
        Ok(done)
    }

    /// Writes what needs the whole run into the folder of `out`.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        let mut guard = self.take()?;
        let inner = &mut *guard;
        match inner.output.take() {
            Some(output) => {
                py.detach(move || output.finish(&inner.run)).map_err(|error| Kind::Output.error(error))
            }
            None => Ok(()),
        }
    }

    #[getter]
    fn frames(&self) -> PyResult<usize> {
        Ok(self.take()?.run.frames())
    }

    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        Ok(self.take()?.run.is_over())
    }

    /// Why the run ended early, if it did.
    #[getter]
    fn failure(&self) -> PyResult<Option<String>> {
        Ok(self.take()?.run.failure().map(ToString::to_string))
    }

    /// Times of the recorded moments, s.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let times: Vec<f64> = self.take()?.moments.iter().map(|moment| moment.time).collect();
        Ok(PyArray1::from_vec(py, times))
    }

    /// Positions at the recorded moments, (F, N, 3), m.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let inner = self.take()?;
        let count = inner.run.scene().model().vertex_count();
        arrays::to_stack(py, count, inner.moments.iter().map(|moment| moment.positions.as_slice()))
    }

    /// Velocities at the recorded moments, (F, N, 3), m/s, if they were asked for.
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray3<f64>>>> {
        let inner = self.take()?;
        let count = inner.run.scene().model().vertex_count();
        let Some(velocities) = &inner.velocities else { return Ok(None) };
        arrays::to_stack(py, count, velocities.iter().map(Vec::as_slice)).map(Some)
    }

    /// The columns of trace.csv.
    #[getter]
    fn trace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let inner = self.take()?;
        let names = trace_columns(&inner.run);
        let mut columns: Vec<Vec<f64>> = vec![Vec::with_capacity(inner.run.rows().len()); names.len()];
        for row in inner.run.rows() {
            columns.iter_mut().zip(row.numbers()).for_each(|(column, number)| column.push(number));
        }
        let dict = PyDict::new(py);
        for (name, column) in names.iter().zip(columns) {
            dict.set_item(name, PyArray1::from_vec(py, column))?;
        }
        Ok(dict)
    }

    /// What `--report` writes, as dicts.
    #[getter]
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, &self.take()?.run.report())
    }

    /// Draws the recorded moments into a GIF.
    #[pyo3(signature = (path, *, width = None, height = None))]
    fn write_gif(
        &self,
        py: Python<'_>,
        path: PathBuf,
        width: Option<u32>,
        height: Option<u32>,
    ) -> PyResult<()> {
        let mut guard = self.take()?;
        let inner = &mut *guard;
        let render = &inner.run.scene().scene.render;
        let size = (width.unwrap_or(render.width), height.unwrap_or(render.height));
        let time = inner.run.frame_time() * inner.every.max(1) as f64;
        py.detach(move || write_gif(&inner.run, &inner.moments, time, size, &path))
            .map_err(|error| Kind::Output.error(error))
    }

    /// The page that replays the recorded moments.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        let mut guard = self.take()?;
        let inner = &mut *guard;
        Ok(py.detach(move || {
            let mut replay = Replay::new(&inner.run);
            inner.moments.iter().for_each(|moment| replay.add(moment));
            replay.page()
        }))
    }
}
