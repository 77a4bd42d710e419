//! `sinew.Model`: what does not change while a simulation runs.

use crate::errors::{Kind, of_scene};
use crate::parts::{Body, Collider, Joint, friction};
use crate::scene::Source;
use crate::state::State;
use crate::{arrays, values};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::contact::{BadStart, ContactLaw};
use sinew::{DVec3, Settings};
use sinew_scene::build::{BuiltScene, EmbeddedSurface, Motions, settings_of};
use sinew_scene::format::{Override, Scene};
use std::path::PathBuf;
use std::sync::Arc;

/// The model and what belongs to it.
#[derive(Debug)]
pub struct Base {
    pub source: Source,
    pub model: Arc<sinew::Model>,
    pub scene: Scene,
    pub motions: Motions,
    pub start: sinew::State,
    surfaces: Vec<Option<EmbeddedSurface>>,
    fingerprint: u64,
    notices: Vec<String>,
}

impl Base {
    pub fn of_scene(source: Source, built: BuiltScene) -> Self {
        let model = built.model().clone();
        let BuiltScene { scene, state, motions, fingerprint, surfaces, notices, .. } = built;
        Self { source, model, scene, motions, start: state, surfaces, fingerprint, notices }
    }

    /// The scene's settings with further values.
    pub fn settings(&self, more: &[Override]) -> PyResult<(Scene, Settings)> {
        let parsed = self.source.parse(more, Kind::Settings)?;
        let settings = settings_of(&parsed).map_err(|error| of_scene(&error, Kind::Settings))?;
        Ok((parsed.scene, settings))
    }

    /// A simulator for the model, with the sentences of the engine.
    pub fn simulator(&self, settings: Settings) -> PyResult<sinew::Simulator> {
        sinew::Simulator::new(self.model.clone(), settings).map_err(|error| Kind::Settings.error(error))
    }

    /// The scene as a run wants it.
    pub fn built(&self, scene: Scene, simulator: sinew::Simulator, state: sinew::State) -> BuiltScene {
        BuiltScene {
            scene,
            simulator,
            state,
            motions: self.motions.clone(),
            fingerprint: self.fingerprint,
            surfaces: self.surfaces.clone(),
            notices: self.notices.clone(),
        }
    }
}

/// Meshes, masses, materials, bones and colliders: checked once, shared by states and simulators.
#[pyclass(module = "sinew", frozen)]
#[derive(Debug)]
pub struct Model {
    pub base: Arc<Base>,
    /// The scene that it was made of, and whether it can be grabbed.
    scene: Option<(Py<PyAny>, bool)>,
}

impl Model {
    pub fn new(base: Base, scene: Option<(Py<PyAny>, bool)>) -> Self {
        Self { base: Arc::new(base), scene }
    }
}

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (bodies, *, colliders = Vec::new(), joints = Vec::new(), gravity = None, contact = None, air = 0.0, grabs = false, name = "model"))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn build(
        bodies: Vec<PyRef<'_, Body>>,
        colliders: Vec<PyRef<'_, Collider>>,
        joints: Vec<PyRef<'_, Joint>>,
        gravity: Option<&Bound<'_, PyAny>>,
        contact: Option<&Bound<'_, PyAny>>,
        air: f64,
        grabs: bool,
        name: &str,
    ) -> PyResult<Self> {
        let mut builder = sinew::Model::builder();
        let (mut bones, mut attachments) = (Vec::new(), Vec::new());
        bodies.iter().for_each(|body| body.add_to(&mut builder, &mut bones, &mut attachments));
        for joint in &joints {
            builder.joint(joint.joint(&bones)?);
        }
        for collider in &colliders {
            builder.collider(collider.collider.clone());
        }
        let law = contact.map(law).transpose()?.flatten();
        let touches = law.is_some() || !colliders.is_empty();
        if let Some(law) = law {
            builder.contact(law);
        }
        let gravity = gravity.map_or(Ok(DVec3::ZERO), |given| arrays::vector("gravity", given))?;
        builder.gravity(gravity).air(air);
        if grabs {
            builder.grabs();
        }
        let model = builder.build().map_err(|error| Kind::Model.error(error))?;
        // Settings are read as a scene's, which needs a body; that of this one is never built.
        let mut text = String::from("[[body]]\nmesh.tetrahedron = { edge = 1.0 }\n");
        if touches {
            text.insert_str(0, "[contact]\n");
        }
        let source = Source {
            name: name.to_owned(),
            text,
            origin: name.to_owned(),
            file: None,
            folder: PathBuf::new(),
            overrides: Vec::new(),
        };
        let mut scene = source.parse(&[], Kind::Model)?.scene;
        scene.bodies.clear();
        let start = sinew::State::new(&model);
        let surfaces = vec![None; model.bodies().len()];
        let base = Base {
            source,
            model: Arc::new(model),
            scene,
            motions: Motions::default(),
            start,
            surfaces,
            fingerprint: 0,
            notices: Vec::new(),
        };
        Ok(Self::new(base, None))
    }

    /// The state at time 0.
    fn state(&self) -> State {
        State::new(self.base.clone(), self.base.start.clone())
    }

    /// Number of vertices.
    #[getter]
    fn vertex_count(&self) -> usize {
        self.base.model.vertex_count()
    }

    /// Number of tetrahedra and springs.
    #[getter]
    fn element_count(&self) -> usize {
        self.base.model.element_count()
    }

    #[getter]
    fn bone_count(&self) -> usize {
        self.base.model.bone_count()
    }

    #[getter]
    fn joint_count(&self) -> usize {
        self.base.model.joint_count()
    }

    /// Rest positions, (N, 3), m.
    #[getter]
    fn rest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::to_array(py, self.base.model.rest())
    }

    /// Masses of the vertices, (N,), kg.
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.base.model.masses()[..self.base.model.vertex_count()])
    }

    /// Vertices with an attachment, in the order of the attachments.
    #[getter]
    fn attached<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        PyArray1::from_slice(py, self.base.model.attached())
    }

    /// Names of the potentials, each once.
    #[getter]
    fn potentials(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in self.base.model.potential_names() {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// Names of the colliders.
    #[getter]
    fn colliders(&self) -> Vec<String> {
        self.base.model.colliders().iter().map(|collider| collider.name.clone()).collect()
    }

    /// Each body: its name, range of vertices and arrays of elements, with vertex numbers of the model.
    #[getter]
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let of = |body: &sinew::BodyInfo| {
            let dict = PyDict::new(py);
            dict.set_item("name", &body.name)?;
            dict.set_item("start", body.vertices.start)?;
            dict.set_item("stop", body.vertices.end)?;
            dict.set_item("rigid", body.rigid)?;
            dict.set_item("tetrahedra", corners(py, &body.tetrahedra)?)?;
            dict.set_item("surface", corners(py, &body.surface)?)?;
            dict.set_item("springs", corners(py, &body.springs)?)?;
            Ok(dict)
        };
        self.base.model.bodies().iter().map(of).collect()
    }

    /// Sentences about what was left out or changed while reading mesh files.
    #[getter]
    fn notices(&self) -> Vec<String> {
        self.base.notices.clone()
    }

    #[getter]
    fn name(&self) -> &str {
        &self.base.source.name
    }

    /// Settings of the scene, or the recommended ones.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        settings_dict(py, &self.base.settings(&[])?.0)
    }

    #[expect(clippy::type_complexity, reason = "what pickle wants")]
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Py<PyAny>, bool))> {
        let Some((scene, grabs)) = &self.scene else {
            let sentence =
                "a model made of arrays cannot be pickled; make it in each process from the arrays";
            return Err(pyo3::exceptions::PyTypeError::new_err(sentence));
        };
        let restore = py.get_type::<Self>().getattr("_restore")?;
        Ok((restore, (scene.clone_ref(py), *grabs)))
    }

    #[staticmethod]
    fn _restore(scene: Bound<'_, PyAny>, grabs: bool) -> PyResult<Bound<'_, PyAny>> {
        let options = PyDict::new(scene.py());
        options.set_item("grabs", grabs)?;
        scene.call_method("model", (), Some(&options))
    }

    fn __repr__(&self) -> String {
        let Base { model, source, .. } = &*self.base;
        format!(
            "<sinew.Model {}: {} vertices, {} elements>",
            source.name,
            model.vertex_count(),
            model.element_count()
        )
    }
}

fn corners<'py, const K: usize>(
    py: Python<'py>,
    elements: &[[u32; K]],
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    PyArray1::from_slice(py, elements.as_flattened()).reshape([elements.len(), K])
}

/// The tables of settings of a scene as dicts.
pub fn settings_dict<'py>(py: Python<'py>, scene: &Scene) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("h", scene.h)?;
    dict.set_item("integrator", values::to_python(py, &scene.integrator)?)?;
    dict.set_item("solver", values::to_python(py, &scene.solver)?)?;
    dict.set_item("correction", values::to_python(py, &scene.correction)?)?;
    dict.set_item("fepr", values::to_python(py, &scene.fepr)?)?;
    dict.set_item("damping", values::to_python(py, &scene.damping)?)?;
    Ok(dict)
}

/// The contact law: `True`, or a dict with the keys of a scene's `[contact]`.
fn law(given: &Bound<'_, PyAny>) -> PyResult<Option<ContactLaw>> {
    if let Ok(on) = given.extract::<bool>() {
        return Ok(on.then(ContactLaw::default));
    }
    let Ok(dict) = given.cast::<PyDict>() else {
        return Err(
            Kind::Model.error("contact must be True, False or a dict with the keys of a scene's [contact]")
        );
    };
    let mut law = ContactLaw::default();
    for (key, value) in dict {
        let key: String = key.extract()?;
        match key.as_str() {
            "thickness" => law.thickness = value.extract()?,
            "friction" => law.friction = friction(&value)?,
            "restitution" => law.restitution = value.extract()?,
            "bodies" => law.bodies = value.extract()?,
            "own" => law.own = value.extract()?,
            "verify" => law.verify = value.extract()?,
            "start" => {
                law.start = match value.extract::<String>()?.as_str() {
                    "untangle" => BadStart::Untangle,
                    "ignore" => BadStart::Ignore,
                    "refuse" => BadStart::Refuse,
                    other => {
                        let sentence =
                            format!("contact.start must be untangle, ignore or refuse, is {other}");
                        return Err(Kind::Model.error(sentence));
                    }
                }
            }
            other => {
                let keys = "thickness, friction, restitution, bodies, own, start, verify";
                return Err(Kind::Model.error(format_args!("contact has no `{other}`; it has {keys}")));
            }
        }
    }
    Ok(Some(law))
}
