//! `sinew.Scene`: a scene file and the values that were set.

use crate::errors::{Kind, of_scene};
use crate::model::{Base, Model};
use crate::{pool, values};
use pyo3::prelude::*;
use sinew_scene::build::{Audience, build_for};
use sinew_scene::format::{Override, ParsedScene, parse};
use sinew_scene::{builtin, input};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The text of a scene, where it is from, and the values that were set.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name in reports.
    pub name: String,
    pub text: String,
    /// Its name in errors.
    pub origin: String,
    /// The file that it was read from.
    pub file: Option<PathBuf>,
    /// The folder in which relative paths start.
    pub folder: PathBuf,
    pub overrides: Vec<Override>,
}

impl Source {
    /// Parses the scene with further values.
    pub fn parse(&self, more: &[Override], kind: Kind) -> PyResult<ParsedScene> {
        let all: Vec<Override> = self.overrides.iter().chain(more).cloned().collect();
        parse(&self.text, &self.origin, &all).map_err(|error| of_scene(&error, kind))
    }
}

/// A scene: bodies, colliders, what moves, and how to simulate it.
#[pyclass(module = "sinew", frozen)]
#[derive(Debug)]
pub struct Scene {
    source: Mutex<Source>,
}

impl Scene {
    fn of(source: Source) -> PyResult<Self> {
        source.parse(&[], Kind::Scene)?;
        Ok(Self { source: Mutex::new(source) })
    }

    /// The source as it is now.
    pub fn source(&self) -> Source {
        self.source.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[pymethods]
impl Scene {
    /// Reads a scene file; relative paths in it start at its folder.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        let origin = path.display().to_string();
        let text =
            input::read_text(&path).map_err(|error| Kind::Scene.error(format_args!("{origin}: {error}")))?;
        let name =
            path.file_stem().map_or_else(|| origin.clone(), |stem| stem.to_string_lossy().into_owned());
        let folder = path.parent().map(PathBuf::from).unwrap_or_default();
        Self::of(Source { name, text, origin, file: Some(path), folder, overrides: Vec::new() })
    }

    /// Parses the text of a scene; relative paths in it start at `folder`.
    #[staticmethod]
    #[pyo3(signature = (text, *, name = "scene", folder = None))]
    fn parse(text: String, name: &str, folder: Option<PathBuf>) -> PyResult<Self> {
        let folder = folder.unwrap_or_default();
        Self::of(Source {
            name: name.to_owned(),
            text,
            origin: name.to_owned(),
            file: None,
            folder,
            overrides: Vec::new(),
        })
    }

    /// A scene that comes with Sinew; `scenes()` lists them.
    #[staticmethod]
    fn builtin(name: &str) -> PyResult<Self> {
        let Some(found) = builtin::find(name) else {
            let hint =
                builtin::closest(name).map_or_else(String::new, |close| format!("; did you mean `{close}`?"));
            return Err(Kind::Scene.error(format_args!("there is no scene `{name}`{hint}")));
        };
        let origin = format!("{}.toml (built-in)", found.name);
        Self::of(Source {
            name: found.name.to_owned(),
            text: found.text.to_owned(),
            origin,
            file: None,
            folder: PathBuf::new(),
            overrides: Vec::new(),
        })
    }

    /// Sets a value by its dotted key, as `--set` of the command does. Returns the scene.
    fn set<'py>(slf: Bound<'py, Self>, key: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        let set = values::set(key, value)?;
        let mut source = slf.get().source();
        source.overrides.push(set);
        source.parse(&[], Kind::Scene)?;
        *slf.get().source.lock().unwrap_or_else(PoisonError::into_inner) = source;
        Ok(slf)
    }

    /// A copy, whose values can be set on their own.
    fn copy(&self) -> Self {
        Self { source: Mutex::new(self.source()) }
    }

    /// Reads meshes, checks everything and factors what is constant.
    #[pyo3(signature = (*, grabs = false, threads = None))]
    fn model(slf: Bound<'_, Self>, grabs: bool, threads: Option<i64>) -> PyResult<Model> {
        let py = slf.py();
        let source = slf.get().source();
        let parsed = source.parse(&[], Kind::Scene)?;
        let audience = if grabs { Audience::Interactive { most: usize::MAX } } else { Audience::Nobody };
        let built = pool::work(py, pool::threads(threads)?, || build_for(&parsed, &source.folder, audience))?
            .map_err(|error| of_scene(&error, Kind::Scene))?;
        Ok(Model::new(Base::of_scene(source, built), Some((slf.into_any().unbind(), grabs))))
    }

    /// Its name in reports.
    #[getter]
    fn name(&self) -> String {
        self.source().name
    }

    /// Number of frames that it is meant to run.
    #[getter]
    fn frames(&self) -> PyResult<usize> {
        Ok(self.source().parse(&[], Kind::Scene)?.scene.frames)
    }

    /// Its text, without the values that were set.
    #[getter]
    fn text(&self) -> String {
        self.source().text
    }

    /// The scene with the values that were set, as the text of a file.
    fn to_toml(&self) -> PyResult<String> {
        let scene = self.source().parse(&[], Kind::Scene)?.scene;
        let text = toml::to_string(&scene).map_err(|error| Kind::Scene.error(error))?;
        // What is written must read back as the same scene.
        let again = parse(&text, "scene", &[]).map_err(|error| of_scene(&error, Kind::Scene))?;
        match again.scene == scene {
            true => Ok(text),
            false => Err(Kind::Scene.error("the scene cannot be written as a file without a change")),
        }
    }

    /// Whether it comes with Sinew.
    #[getter]
    fn is_builtin(&self) -> bool {
        let source = self.source();
        builtin::find(&source.name).is_some_and(|scene| scene.text == source.text)
    }

    /// The file that it was read from.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.source().file
    }

    /// The folder in which relative paths start.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.source().folder
    }

    /// The values that were set, KEY=VALUE.
    #[getter]
    fn overrides(&self) -> Vec<String> {
        self.source().overrides.iter().map(|set| set.as_str().to_owned()).collect()
    }

    /// The whole scene as dicts and lists, with all values that were left out.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, &self.source().parse(&[], Kind::Scene)?.scene)
    }

    #[staticmethod]
    fn _restore(
        text: String,
        name: String,
        origin: String,
        file: Option<PathBuf>,
        folder: PathBuf,
        overrides: Vec<String>,
    ) -> PyResult<Self> {
        let sets: Result<Vec<Override>, _> = overrides.iter().map(|set| Override::parse(set)).collect();
        let overrides = sets.map_err(|error| of_scene(&error, Kind::Scene))?;
        Self::of(Source { name, text, origin, file, folder, overrides })
    }

    #[expect(clippy::type_complexity, reason = "what pickle wants")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, String, String, Option<PathBuf>, PathBuf, Vec<String>))> {
        let Source { name, text, origin, file, folder, .. } = self.source();
        let restore = py.get_type::<Self>().getattr("_restore")?;
        // Another process may have another current folder.
        let fixed = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
        let own = file.is_some() || !folder.as_os_str().is_empty();
        let folder = match own {
            true if folder.as_os_str().is_empty() => fixed(PathBuf::from(".")),
            true => fixed(folder),
            false => folder,
        };
        Ok((restore, (text, name, origin, file.map(fixed), folder, self.overrides())))
    }

    fn __repr__(&self) -> String {
        let source = self.source();
        let sets: String = source.overrides.iter().map(|set| format!(" {}", set.as_str())).collect();
        format!("<sinew.Scene {}{sets}>", source.name)
    }
}

/// Names of the built-in scenes.
#[pyfunction]
pub fn scene_names() -> Vec<&'static str> {
    builtin::SCENES.iter().map(|scene| scene.name).collect()
}
