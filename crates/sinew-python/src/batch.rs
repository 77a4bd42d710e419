//! `sinew.Batch`: many states of one model, or of models with as many vertices, stepped side by side.

use crate::arrays;
use crate::errors::Kind;
use crate::model::{Base, Model};
use crate::pool::{self, Threads};
use crate::simulator::step;
use crate::state::{Given, State, edit, take};
use crate::values;
use numpy::{PyArray1, PyArray3};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use sinew::{DVec3, Settings};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

/// How long the runs go on on their own before all wait for the last and look for Ctrl-C, s, unless one step takes longer.
const TURN: f64 = 0.1;

/// States that are stepped side by side; each has its own simulator, and may have its own model, settings and controls.
#[pyclass(module = "sinew", frozen)]
#[derive(Debug)]
pub struct Batch {
    runs: Mutex<Vec<Lane>>,
    /// Steps that fit into a turn, from how long the last ones took.
    turn: AtomicU64,
    count: usize,
    vertices: usize,
    attachments: usize,
    threads: Threads,
    motions: bool,
}

/// One run.
#[derive(Debug)]
struct Lane {
    base: Arc<Base>,
    simulator: sinew::Simulator,
    state: sinew::State,
    /// Why it stopped; it stays where it is until it is reset.
    failure: Option<String>,
}

impl Batch {
    fn take(&self) -> PyResult<MutexGuard<'_, Vec<Lane>>> {
        take(&self.runs, "batch").map_err(|sentence| Kind::Busy.error(sentence))
    }

    fn index(&self, run: isize) -> PyResult<usize> {
        let index = if run < 0 { run + self.count as isize } else { run };
        usize::try_from(index).ok().filter(|&index| index < self.count).ok_or_else(|| {
            pyo3::exceptions::PyIndexError::new_err(format!(
                "there is no run {run}: the batch has {}",
                self.count
            ))
        })
    }

    fn numbers<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&Lane) -> f64,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let numbers: Vec<f64> = self.take()?.iter().map(of).collect();
        Ok(PyArray1::from_vec(py, numbers))
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (model, n = None, *, each = None, threads = None, motions = true, **settings))]
    fn new(
        py: Python<'_>,
        model: &Bound<'_, PyAny>,
        n: Option<usize>,
        each: Option<Vec<Bound<'_, PyDict>>>,
        threads: Option<i64>,
        motions: bool,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let bases: Vec<Arc<Base>> = match model.cast::<Model>() {
            Ok(model) => {
                let Some(count) = n.or(each.as_ref().map(Vec::len)) else {
                    return Err(Kind::Model.error("Batch(model, n) needs n, the number of runs"));
                };
                vec![model.get().base.clone(); count]
            }
            Err(_) => {
                let models: Vec<PyRef<'_, Model>> = model.extract()?;
                models.iter().map(|model| model.base.clone()).collect()
            }
        };
        let count = bases.len();
        if count == 0
            || n.is_some_and(|n| n != count)
            || each.as_ref().is_some_and(|each| each.len() != count)
        {
            let sentence =
                "a batch needs at least one run, and as many models, n and entries of each as runs";
            return Err(Kind::Model.error(sentence));
        }
        let vertices = bases[0].model.vertex_count();
        let attachments = bases[0].model.attached().len();
        for (run, base) in bases.iter().enumerate() {
            let found = base.model.vertex_count();
            if found != vertices {
                let sentence = format!(
                    "run {run} has {found} vertices, run 0 has {vertices}: arrays need equal numbers"
                );
                return Err(Kind::Model.error(sentence));
            }
        }
        let common = values::overrides(settings)?;
        let mut jobs: Vec<(Arc<Base>, Settings)> = Vec::with_capacity(count);
        let mut shared: Option<(Arc<Base>, Settings)> = None;
        for (run, base) in bases.into_iter().enumerate() {
            let chosen = match (&each, &shared) {
                // Parsing a thousand times what is the same would take longer than the steps.
                (None, Some((known, settings))) if Arc::ptr_eq(known, &base) => *settings,
                _ => {
                    let mut options = common.clone();
                    options.extend(values::overrides(each.as_ref().map(|each| &each[run]))?);
                    base.settings(&options)?.1
                }
            };
            shared = Some((base.clone(), chosen));
            jobs.push((base, chosen));
        }
        let threads = pool::threads(threads)?;
        type Made = Option<Result<Lane, sinew::SettingsError>>;
        let mut places: Vec<((Arc<Base>, Settings), Made)> =
            jobs.into_iter().map(|job| (job, None)).collect();
        pool::work(py, threads, || {
            pool::for_each(&mut places, |((base, settings), made)| *made = Some(Lane::new(base, *settings)));
        })?;
        let runs: Result<Vec<Lane>, _> = places.into_iter().filter_map(|(_, made)| made).collect();
        let runs = Mutex::new(runs.map_err(|error| Kind::Settings.error(error))?);
        let turn = AtomicU64::new(1);
        Ok(Self { runs, turn, count, vertices, attachments, threads, motions })
    }

    /// Makes steps in every run that has not failed. Ctrl-C stops between two steps of all.
    #[pyo3(signature = (steps = 1, *, strict = true))]
    fn step(&self, py: Python<'_>, steps: u64, strict: bool) -> PyResult<()> {
        let mut left = steps;
        while left > 0 {
            let (runs, motions) = (&self.runs, self.motions);
            // Several steps of a run at a time: its memory is at hand then, and no core waits for the slowest run after each step.
            let turn = self.turn.load(Ordering::Relaxed).min(left);
            let made = pool::work(py, self.threads, || {
                let mut runs = take(runs, "batch")?;
                let begin = Instant::now();
                pool::for_each(&mut runs, |lane| (0..turn).for_each(|_| lane.step(motions)));
                let alive = runs.iter().any(|lane| lane.failure.is_none());
                Ok(alive.then(|| begin.elapsed().as_secs_f64() / turn as f64))
            })?;
            if let Some(seconds) = made.map_err(|sentence: String| Kind::Busy.error(sentence))? {
                let fitting = (TURN / seconds.max(1e-9)) as u64;
                self.turn.store(fitting.max(1), Ordering::Relaxed);
            }
            left -= turn;
            py.check_signals()?;
        }
        let runs = self.take()?;
        let failed = runs.iter().enumerate().find_map(|(run, lane)| Some((run, lane.failure.as_ref()?)));
        match failed {
            Some((run, why)) if strict => Err(Kind::Step.error(format_args!("run {run}: {why}"))),
            _ => Ok(()),
        }
    }

    /// Positions of all runs, (n, N, 3), m: a new array.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let runs = self.take()?;
        arrays::to_stack(py, self.vertices, runs.iter().map(|lane| lane.state.positions()))
    }

    /// Velocities of all runs, (n, N, 3), m/s: a new array.
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let runs = self.take()?;
        arrays::to_stack(py, self.vertices, runs.iter().map(|lane| lane.state.velocities()))
    }

    /// Simulated time of each run, (n,), s.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.numbers(py, |lane| lane.state.time())
    }

    /// Kinetic energy plus potentials of each run, (n,), J.
    #[getter]
    fn energies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.numbers(py, |lane| lane.state.ledger().energy())
    }

    /// The hash of each run's state.
    #[getter]
    fn hashes(&self) -> PyResult<Vec<String>> {
        Ok(self.take()?.iter().map(|lane| format!("{:016x}", lane.state.hash())).collect())
    }

    /// Why each run stopped, or `None`.
    #[getter]
    fn failures(&self) -> PyResult<Vec<Option<String>>> {
        Ok(self.take()?.iter().map(|lane| lane.failure.clone()).collect())
    }

    /// Puts the runs of a mask, (n,) of bool, back to their starts; all without one.
    #[pyo3(signature = (mask = None))]
    fn reset(&self, mask: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mask = arrays::mask("mask", mask, self.count)?;
        for (lane, _) in self.take()?.iter_mut().zip(mask).filter(|(_, chosen)| *chosen) {
            lane.state.clone_from(&lane.base.start);
            lane.failure = None;
        }
        Ok(())
    }

    /// Sets positions and velocities, (n, N, 3), of the runs of a mask; their ledgers book the changes.
    #[pyo3(signature = (*, positions = None, velocities = None, mask = None))]
    fn edit(
        &self,
        positions: Option<&Bound<'_, PyAny>>,
        velocities: Option<&Bound<'_, PyAny>>,
        mask: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let read = |what, given: Option<&Bound<'_, PyAny>>| {
            given.map(|given| arrays::stacked(what, given, self.count, self.vertices)).transpose()
        };
        let (x, v) = (read("positions", positions)?, read("velocities", velocities)?);
        let mask = arrays::mask("mask", mask, self.count)?;
        let part = |all: &Option<Vec<DVec3>>, run: usize| {
            all.as_ref().map(|all| all[run * self.vertices..(run + 1) * self.vertices].to_vec())
        };
        let mut runs = self.take()?;
        // All or none: a run that refuses leaves the others as they were.
        let mut changed = Vec::new();
        for (run, lane) in runs.iter().enumerate().filter(|(run, _)| mask[*run]) {
            let mut state = lane.state.clone();
            edit(&mut state, &lane.base.model, part(&x, run).as_deref(), part(&v, run).as_deref())
                .map_err(|error| Kind::State.error(format_args!("run {run}: {error}")))?;
            changed.push((run, state));
        }
        changed.into_iter().for_each(|(run, state)| runs[run].state = state);
        Ok(())
    }

    /// Sets controls of every run: targets (n, A, 3), m; wind (n, 3), m/s; acceleration (n, 3), m/s².
    #[pyo3(signature = (*, targets = None, wind = None, acceleration = None))]
    fn control(
        &self,
        targets: Option<&Bound<'_, PyAny>>,
        wind: Option<&Bound<'_, PyAny>>,
        acceleration: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (n, attachments) = (self.count, self.attachments);
        let targets = targets.map(|given| arrays::stacked("targets", given, n, attachments)).transpose()?;
        let wind = wind.map(|given| arrays::rows("wind", given, n)).transpose()?;
        let acceleration = acceleration.map(|given| arrays::rows("acceleration", given, n)).transpose()?;
        for (run, lane) in self.take()?.iter_mut().enumerate() {
            let given = Given {
                targets: targets.as_ref().map(|all| all[run * attachments..(run + 1) * attachments].to_vec()),
                wind: wind.as_ref().map(|all| all[run]),
                acceleration: acceleration.as_ref().map(|all| all[run]),
            };
            given
                .apply(lane.state.controls_mut())
                .map_err(|error| Kind::Control.error(format_args!("run {run}: {error}")))?;
        }
        Ok(())
    }

    /// A copy of a run's state.
    fn state(&self, run: isize) -> PyResult<State> {
        let index = self.index(run)?;
        let lane = &self.take()?[index];
        Ok(State::new(lane.base.clone(), lane.state.clone()))
    }

    /// Puts a run into a state of its model.
    fn set_state(&self, run: isize, state: &State) -> PyResult<()> {
        let (index, new) = (self.index(run)?, state.now()?);
        let lane = &mut self.take()?[index];
        if !Arc::ptr_eq(&lane.base, &state.base) {
            return Err(
                Kind::State.error(format_args!("the state belongs to another model than run {index}"))
            );
        }
        lane.state.clone_from(&new);
        lane.failure = None;
        Ok(())
    }

    /// (n, N, 3).
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, [self.count, self.vertices, 3])
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("<sinew.Batch of {} runs: {} vertices each>", self.count, self.vertices)
    }
}

impl Lane {
    fn new(base: &Arc<Base>, settings: Settings) -> Result<Self, sinew::SettingsError> {
        let simulator = sinew::Simulator::new(base.model.clone(), settings)?;
        Ok(Self { base: base.clone(), simulator, state: base.start.clone(), failure: None })
    }

    fn step(&mut self, motions: bool) {
        if self.failure.is_none() {
            let motions = motions.then_some(&self.base.motions);
            self.failure =
                step(&mut self.simulator, motions, &mut self.state).err().map(|error| error.to_string());
        }
    }
}
