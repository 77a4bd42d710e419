//! `sinew.Simulator`: makes steps.

use crate::errors::Kind;
use crate::model::{Base, Model, settings_dict};
use crate::pool::{self, Threads};
use crate::state::{State, take};
use crate::values;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::{StepError, StepReport};
use sinew_scene::build::Motions;
use sinew_scene::format::{Override, Scene};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long a loop of steps runs before it looks for Ctrl-C, unless one step takes longer.
pub const BREATH: Duration = Duration::from_millis(20);

/// Advances states of one model with one choice of integrator, solver and correction.
#[pyclass(module = "sinew", frozen)]
#[derive(Debug)]
pub struct Simulator {
    base: Arc<Base>,
    inner: Mutex<Inner>,
    threads: Threads,
    motions: bool,
}

#[derive(Debug)]
struct Inner {
    simulator: sinew::Simulator,
    scene: Scene,
    options: Vec<Override>,
}

/// Makes a step with what the scene moves.
pub fn step(
    simulator: &mut sinew::Simulator,
    motions: Option<&Motions>,
    state: &mut sinew::State,
) -> Result<StepReport, StepError> {
    if let Some(motions) = motions {
        let end = state.time() + simulator.settings().h;
        motions.apply(simulator.model(), state, end)?;
    }
    simulator.step(state)
}

/// Why steps did not happen.
enum Trouble {
    Busy(String),
    Step(StepError),
}

impl From<Trouble> for PyErr {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Busy(sentence) => Kind::Busy.error(sentence),
            Trouble::Step(error) => Kind::Step.error(error),
        }
    }
}

impl Simulator {
    /// Makes up to `most` steps without the interpreter, as long as one breath lasts.
    fn advance(&self, py: Python<'_>, state: &State, most: u64) -> PyResult<(u64, StepReport)> {
        if !Arc::ptr_eq(&self.base, &state.base) {
            let sentence = "the state belongs to another model; state.carry_over(model) takes it to this one";
            return Err(Kind::State.error(sentence));
        }
        let motions = self.motions.then_some(&self.base.motions);
        let (inner, state) = (&self.inner, &state.state);
        let result = pool::work(py, self.threads, || {
            let mut inner = take(inner, "simulator").map_err(Trouble::Busy)?;
            let mut state = take(state, "state").map_err(Trouble::Busy)?;
            let state = Arc::make_mut(&mut state);
            let begin = Instant::now();
            let (mut done, mut report) = (0, StepReport::default());
            while done < most && (done == 0 || begin.elapsed() < BREATH) {
                report = step(&mut inner.simulator, motions, state).map_err(Trouble::Step)?;
                done += 1;
            }
            Ok((done, report))
        })?;
        result.map_err(|trouble: Trouble| trouble.into())
    }
}

#[pymethods]
impl Simulator {
    #[new]
    #[pyo3(signature = (model, *, threads = None, motions = true, **settings))]
    fn new(
        py: Python<'_>,
        model: &Model,
        threads: Option<i64>,
        motions: bool,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let (base, threads) = (model.base.clone(), pool::threads(threads)?);
        let options = values::overrides(settings)?;
        let (scene, chosen) = base.settings(&options)?;
        let simulator = pool::work(py, threads, || base.simulator(chosen))??;
        Ok(Self { base, inner: Mutex::new(Inner { simulator, scene, options }), threads, motions })
    }

    /// Makes one step. Returns what it took.
    fn step<'py>(&self, py: Python<'py>, state: &State) -> PyResult<Bound<'py, PyDict>> {
        let (_, report) = self.advance(py, state, 1)?;
        report_dict(py, &report)
    }

    /// Makes a number of steps. Ctrl-C stops between two of them.
    fn run(&self, py: Python<'_>, state: &State, steps: u64) -> PyResult<()> {
        let mut left = steps;
        while left > 0 {
            left -= self.advance(py, state, left)?.0;
            py.check_signals()?;
        }
        Ok(())
    }

    /// Changes settings; what was set before stays. A refusal leaves all as it was.
    #[pyo3(signature = (**settings))]
    fn set(&self, settings: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let mut inner = take(&self.inner, "simulator").map_err(|sentence| Kind::Busy.error(sentence))?;
        let mut options = inner.options.clone();
        options.extend(values::overrides(settings)?);
        let (scene, chosen) = self.base.settings(&options)?;
        inner.simulator.set_settings(chosen).map_err(|error| Kind::Settings.error(error))?;
        (inner.scene, inner.options) = (scene, options);
        Ok(())
    }

    /// Integrator, solver, correction and damping as dicts.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let inner = take(&self.inner, "simulator").map_err(|sentence| Kind::Busy.error(sentence))?;
        settings_dict(py, &inner.scene)
    }

    /// Time step, s.
    #[getter]
    fn h(&self) -> PyResult<f64> {
        let inner = take(&self.inner, "simulator").map_err(|sentence| Kind::Busy.error(sentence))?;
        Ok(inner.simulator.settings().h)
    }

    fn __repr__(&self) -> PyResult<String> {
        let inner = take(&self.inner, "simulator").map_err(|sentence| Kind::Busy.error(sentence))?;
        let settings = inner.simulator.settings();
        Ok(format!(
            "<sinew.Simulator of {}: {}, {}, correction {}, h = {} s>",
            self.base.source.name,
            settings.integrator.name(),
            settings.solver.name(),
            settings.correction.name(),
            settings.h
        ))
    }
}

fn report_dict<'py>(py: Python<'py>, report: &StepReport) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("iterations", report.iterations)?;
    dict.set_item("residual", report.residual)?;
    dict.set_item("at_limit", report.at_limit)?;
    dict.set_item("correction_iterations", report.correction.iterations)?;
    dict.set_item("fallbacks", report.correction.fallbacks)?;
    dict.set_item("contacts", report.contact.pressing)?;
    dict.set_item("rounds", report.contact.rounds)?;
    dict.set_item("unclosed", report.contact.unclosed)?;
    dict.set_item("held_back", report.contact.held_back)?;
    Ok(dict)
}
