//! `sinew.State`: what changes while a simulation runs, and views of its arrays.
//!
//! A view is the memory of the engine itself, read-only. The state is behind an `Arc`: a view holds it, and a step that finds it held goes on with a copy. So a
//! view never changes and never dangles, whatever happens to its state; and as long as nobody holds one, nothing is copied at all. NumPy
//! learns the address through `__array_interface__`, so that this crate needs no `unsafe`.

use crate::arrays;
use crate::errors::Kind;
use crate::model::{Base, Model};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sinew::{AttachmentId, BodyId, BoneId, ColliderId, DQuat, DVec3, Grab, GrabId, Placement, Side};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

/// Takes a lock that another thread of Python may hold: a sentence instead of waiting, which could be for ever.
pub fn take<'a, T>(lock: &'a Mutex<T>, what: &str) -> Result<MutexGuard<'a, T>, String> {
    match lock.try_lock() {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(guard)) => Ok(guard.into_inner()),
        Err(TryLockError::WouldBlock) => Err(format!(
            "another thread is using this {what}; give each thread a {what} of its own, or take turns with a lock"
        )),
    }
}

/// Positions, velocities, time, controls, history and ledger of a simulation.
#[pyclass(module = "sinew", frozen, weakref)]
#[derive(Debug)]
pub struct State {
    pub base: Arc<Base>,
    pub state: Mutex<Arc<sinew::State>>,
}

impl State {
    pub fn new(base: Arc<Base>, state: sinew::State) -> Self {
        Self { base, state: Mutex::new(Arc::new(state)) }
    }

    /// The state as it is now.
    pub fn now(&self) -> PyResult<Arc<sinew::State>> {
        Ok(take(&self.state, "state").map_err(|sentence| Kind::Busy.error(sentence))?.clone())
    }

    fn change<T>(&self, change: impl FnOnce(&mut sinew::State) -> T) -> PyResult<T> {
        let mut state = take(&self.state, "state").map_err(|sentence| Kind::Busy.error(sentence))?;
        Ok(change(Arc::make_mut(&mut state)))
    }

    fn control<E: std::fmt::Display>(
        &self,
        change: impl FnOnce(&mut sinew::Controls) -> Result<(), E>,
    ) -> PyResult<()> {
        self.change(|state| change(state.controls_mut()))?.map_err(|error| Kind::Control.error(error))
    }

    fn view<'py>(&self, py: Python<'py>, of: Of) -> PyResult<Bound<'py, PyAny>> {
        let memory = Memory { state: self.now()?, of };
        py.import("numpy")?.call_method1("asarray", (Bound::new(py, memory)?,))
    }
}

/// Controls of a state from arrays; those that are not given stay.
#[derive(Default)]
pub struct Given {
    pub targets: Option<Vec<DVec3>>,
    pub wind: Option<DVec3>,
    pub acceleration: Option<DVec3>,
}

impl Given {
    pub fn apply(&self, controls: &mut sinew::Controls) -> Result<(), sinew::ControlError> {
        for (index, &target) in self.targets.iter().flatten().enumerate() {
            controls.move_target(AttachmentId(index), target)?;
        }
        if let Some(wind) = self.wind {
            controls.set_wind(wind)?;
        }
        if let Some(acceleration) = self.acceleration {
            controls.set_acceleration(acceleration)?;
        }
        Ok(())
    }
}

#[pymethods]
impl State {
    #[new]
    fn of_model(model: &Model) -> Self {
        Self::new(model.base.clone(), model.base.start.clone())
    }

    /// Positions, (N, 3), m: a read-only view of this moment.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, Of::Positions)
    }

    /// Velocities that carry momentum, (N, 3), m/s: a read-only view of this moment.
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, Of::Velocities)
    }

    /// Simulated time, s.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        Ok(self.now()?.time())
    }

    /// Steps taken so far.
    #[getter]
    fn steps(&self) -> PyResult<u64> {
        Ok(self.now()?.step_count())
    }

    /// 16 hexadecimal digits that differ where any bit of the state differs.
    #[getter]
    fn hash(&self) -> PyResult<String> {
        Ok(format!("{:016x}", self.now()?.hash()))
    }

    /// The energy account: a mapping from causes to J.
    #[getter]
    fn ledger<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = self.now()?;
        let ledger = state.ledger();
        let potentials = PyDict::new(py);
        for (name, &energy) in self.base.model.potential_names().zip(&ledger.potentials) {
            let before: f64 = potentials.get_item(name)?.map_or(Ok(0.0), |sum| sum.extract())?;
            potentials.set_item(name, before + energy)?;
        }
        let sides = [Side::Added, Side::Dissipated].map(|side| {
            let dict = PyDict::new(py);
            let mut entries = ledger.entries.iter().filter(|(cause, _)| cause.side() == side);
            let filled = entries.try_for_each(|(cause, joules)| dict.set_item(cause.name(), joules));
            filled.map(|()| dict)
        });
        let [added, dissipated] = sides;
        let class = py.import("sinew.ledger")?.getattr("Ledger")?;
        class.call1((ledger.initial, ledger.kinetic, potentials, added?, dissipated?))
    }

    /// Linear momentum P (kg·m/s), angular momentum L about the centre of mass (kg·m²/s), centre of mass (m) and mass (kg), of a body or of all.
    #[pyo3(signature = (body = None))]
    fn momenta<'py>(&self, py: Python<'py>, body: Option<usize>) -> PyResult<Bound<'py, PyDict>> {
        let (state, model) = (self.now()?, &self.base.model);
        let momenta = match body {
            None => state.total_momenta(model),
            Some(index) => state.momenta(model, BodyId(index)).ok_or_else(|| {
                Kind::State
                    .error(format_args!("there is no body {index}: the model has {}", model.bodies().len()))
            })?,
        };
        let dict = PyDict::new(py);
        dict.set_item("linear", PyArray1::from_slice(py, &momenta.linear.to_array()))?;
        dict.set_item("angular", PyArray1::from_slice(py, &momenta.angular.to_array()))?;
        dict.set_item("center", PyArray1::from_slice(py, &momenta.center.to_array()))?;
        dict.set_item("mass", momenta.mass)?;
        Ok(dict)
    }

    /// Strain energy density at the vertices, (N,), J/m³.
    fn strain_energy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut out = Vec::new();
        self.now()?.strain_energy(&self.base.model, &mut out);
        Ok(PyArray1::from_vec(py, out))
    }

    /// Von Mises stress at the vertices, (N,), Pa.
    fn stress<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut out = Vec::new();
        self.now()?.stress(&self.base.model, &mut out);
        Ok(PyArray1::from_vec(py, out))
    }

    /// Where a bone is: translation (3,) and quaternion x, y, z, w (4,) from its rest place.
    #[expect(clippy::type_complexity, reason = "two arrays")]
    fn bone<'py>(
        &self,
        py: Python<'py>,
        bone: usize,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)> {
        let placed = self.now()?.bone(&self.base.model, BoneId(bone));
        let Placement { rotation, translation } = placed.ok_or_else(|| {
            Kind::State.error(format_args!(
                "there is no bone {bone}: the model has {}",
                self.base.model.bone_count()
            ))
        })?;
        Ok((
            PyArray1::from_slice(py, &translation.to_array()),
            PyArray1::from_slice(py, &rotation.to_array()),
        ))
    }

    /// Sets positions (N, 3), m, and velocities (N, 3), m/s; the ledger books the change of energy as *edits*.
    #[pyo3(signature = (*, positions = None, velocities = None))]
    fn edit(
        &self,
        positions: Option<&Bound<'_, PyAny>>,
        velocities: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let count = self.base.model.vertex_count();
        let x = positions.map(|given| arrays::rows("positions", given, count)).transpose()?;
        let v = velocities.map(|given| arrays::rows("velocities", given, count)).transpose()?;
        self.change(|state| edit(state, &self.base.model, x.as_deref(), v.as_deref()))?
            .map_err(|error| Kind::State.error(error))
    }

    /// Sets controls for the steps to come: targets of all attachments (A, 3), m; velocity of the air (3,), m/s; acceleration (3,), m/s².
    #[pyo3(name = "control", signature = (*, targets = None, wind = None, acceleration = None))]
    fn set_controls(
        &self,
        targets: Option<&Bound<'_, PyAny>>,
        wind: Option<&Bound<'_, PyAny>>,
        acceleration: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let count = self.base.model.attached().len();
        let given = Given {
            targets: targets.map(|given| arrays::rows("targets", given, count)).transpose()?,
            wind: wind.map(|given| arrays::vector("wind", given)).transpose()?,
            acceleration: acceleration.map(|given| arrays::vector("acceleration", given)).transpose()?,
        };
        self.control(|controls| given.apply(controls))
    }

    /// Where the targets of the attachments are, (A, 3), m.
    #[getter]
    fn targets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::to_array(py, self.now()?.controls().targets())
    }

    /// Moves a collider: it arrives there at the end of the next step.
    #[pyo3(signature = (collider, *, position, rotation = None))]
    fn move_collider(
        &self,
        collider: usize,
        position: &Bound<'_, PyAny>,
        rotation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let to = placement(position, rotation)?;
        self.control(|controls| controls.move_collider(ColliderId(collider), to).map(drop))
    }

    /// Moves a kinematic bone, from its rest place: it arrives there at the end of the next step.
    #[pyo3(signature = (bone, *, position, rotation = None))]
    fn move_bone(
        &self,
        bone: usize,
        position: &Bound<'_, PyAny>,
        rotation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let to = placement(position, rotation)?;
        self.control(|controls| controls.move_bone(BoneId(bone), to).map(drop))
    }

    /// Pulls a vertex to a target (3,), m, by a spring of this stiffness, N/m. Returns the number of the grab.
    #[pyo3(signature = (vertex, target, *, stiffness))]
    fn grab(&self, vertex: u32, target: &Bound<'_, PyAny>, stiffness: f64) -> PyResult<usize> {
        let target = arrays::vector("target", target)?;
        let grab = Grab { corners: [vertex; 3], weights: [1.0, 0.0, 0.0], target, stiffness };
        let model = self.base.model.clone();
        self.change(|state| state.controls_mut().grab(&model, grab))?
            .map(|GrabId(id)| id)
            .map_err(|error| Kind::Control.error(error))
    }

    /// Moves the target of a grab, (3,), m.
    fn move_grab(&self, grab: usize, target: &Bound<'_, PyAny>) -> PyResult<()> {
        let target = arrays::vector("target", target)?;
        self.control(|controls| controls.move_grab(GrabId(grab), target).map(drop))
    }

    /// Ends a grab.
    fn release(&self, grab: usize) -> PyResult<()> {
        self.control(|controls| controls.release(GrabId(grab)).map(drop))
    }

    /// An independent copy.
    fn copy(&self) -> PyResult<Self> {
        Ok(Self { base: self.base.clone(), state: Mutex::new(self.now()?) })
    }

    /// The same motion in a model with other constants: bodies with the same numbers of vertices.
    fn carry_over(&self, model: &Model) -> PyResult<Self> {
        let state = self.now()?.carry_over(&self.base.model, &model.base.model);
        Ok(Self::new(model.base.clone(), state.map_err(|error| Kind::State.error(error))?))
    }

    /// Everything that the next step depends on, as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.now()?.to_bytes()))
    }

    /// A state of a model from `to_bytes`.
    #[staticmethod]
    fn from_bytes(model: &Model, data: &[u8]) -> PyResult<Self> {
        let state = sinew::State::from_bytes(&model.base.model, data);
        Ok(Self::new(model.base.clone(), state.map_err(|error| Kind::State.error(error))?))
    }

    /// Writes `to_bytes` to a file.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        std::fs::write(&path, self.now()?.to_bytes())
            .map_err(|error| Kind::Output.error(format_args!("{}: {error}", path.display())))
    }

    /// Reads what `save` wrote.
    #[staticmethod]
    fn load(model: &Model, path: PathBuf) -> PyResult<Self> {
        let refuse =
            |error: &dyn std::fmt::Display| Kind::State.error(format_args!("{}: {error}", path.display()));
        let bytes = std::fs::read(&path).map_err(|error| refuse(&error))?;
        let state = sinew::State::from_bytes(&model.base.model, &bytes).map_err(|error| refuse(&error))?;
        Ok(Self::new(model.base.clone(), state))
    }

    fn __repr__(&self) -> PyResult<String> {
        let state = self.now()?;
        let name = &self.base.source.name;
        Ok(format!(
            "<sinew.State of {name}: t = {:.4} s, {} vertices>",
            state.time(),
            state.positions().len()
        ))
    }
}

/// Edits a state with whole arrays.
pub fn edit(
    state: &mut sinew::State,
    model: &sinew::Model,
    x: Option<&[DVec3]>,
    v: Option<&[DVec3]>,
) -> Result<(), sinew::StateError> {
    state.edit(model, |positions, velocities| {
        if let Some(x) = x {
            positions.copy_from_slice(x);
        }
        if let Some(v) = v {
            velocities.copy_from_slice(v);
        }
    })
}

fn placement(position: &Bound<'_, PyAny>, rotation: Option<&Bound<'_, PyAny>>) -> PyResult<Placement> {
    let rotation = rotation.map_or(Ok(DQuat::IDENTITY), |given| arrays::rotation("rotation", given))?;
    Ok(Placement { rotation, translation: arrays::vector("position", position)? })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Positions,
    Velocities,
}

/// The owner of the memory of a view: its `base`. It holds the moment that the view shows.
#[pyclass(module = "sinew", frozen)]
#[derive(Debug)]
pub struct Memory {
    state: Arc<sinew::State>,
    of: Of,
}

#[pymethods]
impl Memory {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let points = match self.of {
            Of::Positions => self.state.positions(),
            Of::Velocities => self.state.velocities(),
        };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", if cfg!(target_endian = "little") { "<f8" } else { ">f8" })?;
        interface.set_item("shape", (points.len(), 3))?;
        interface.set_item("data", (points.as_ptr().addr(), true))?;
        Ok(interface)
    }

    fn __repr__(&self) -> String {
        let of = if self.of == Of::Positions { "positions" } else { "velocities" };
        format!("<sinew memory: {of} at t = {:.4} s, kept alive by its views>", self.state.time())
    }
}
