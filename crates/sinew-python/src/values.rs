//! Values of Python to the text of scene files, and JSON to values of Python.

use crate::errors::Kind;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use sinew_scene::format::Override;

/// Options as values of a scene: `h=0.01`, `solver="newton"`, `solver={"kind": "newton", "iterations": 5}`, `**{"solver.iterations": 5}`.
pub fn overrides(options: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<Override>> {
    let mut out = Vec::new();
    for (key, value) in options.into_iter().flatten() {
        add(&key.extract::<String>()?, &value, &mut out)?;
    }
    Ok(out)
}

/// One value of a scene.
pub fn set(key: &str, value: &Bound<'_, PyAny>) -> PyResult<Override> {
    let text = format!("{key}={}", text(key, value)?);
    Override::parse(&text).map_err(|error| crate::errors::of_scene(&error, Kind::Scene))
}

/// Tables of settings that have a kind; their name alone means it.
const KINDS: [&str; 3] = ["integrator", "solver", "correction"];

fn add(key: &str, value: &Bound<'_, PyAny>, out: &mut Vec<Override>) -> PyResult<()> {
    if let Ok(table) = value.cast::<PyDict>() {
        for (inner, value) in table {
            add(&format!("{key}.{}", inner.extract::<String>()?), &value, out)?;
        }
        return Ok(());
    }
    if KINDS.contains(&key) && value.is_instance_of::<PyString>() {
        out.push(set(&format!("{key}.kind"), value)?);
    } else {
        out.push(set(key, value)?);
    }
    Ok(())
}

/// A value as TOML.
fn text(key: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let value = match value.hasattr("tolist")? {
        // NumPy's numbers and arrays.
        true => value.call_method0("tolist")?,
        false => value.clone(),
    };
    let list = |items: Vec<Bound<'_, PyAny>>| {
        let items: PyResult<Vec<String>> = items.iter().map(|item| text(key, item)).collect();
        Ok(format!("[{}]", items?.join(", ")))
    };
    if value.is_instance_of::<PyBool>() {
        Ok(value.is_truthy()?.to_string())
    } else if value.is_instance_of::<PyInt>() {
        Ok(value.str()?.to_string())
    } else if value.is_instance_of::<PyFloat>() {
        Ok(format!("{:?}", value.extract::<f64>()?))
    } else if value.is_instance_of::<PyString>() {
        // JSON's strings are strings of TOML.
        serde_json::to_string(&value.extract::<String>()?).map_err(|error| Kind::Scene.error(error))
    } else if let Ok(items) = value.cast::<PyList>() {
        list(items.iter().collect())
    } else if let Ok(items) = value.cast::<PyTuple>() {
        list(items.iter().collect())
    } else if let Ok(table) = value.cast::<PyDict>() {
        let mut parts = Vec::new();
        for (inner, item) in table {
            let name = serde_json::to_string(&inner.extract::<String>()?)
                .map_err(|error| Kind::Scene.error(error))?;
            parts.push(format!("{name} = {}", text(key, &item)?));
        }
        Ok(format!("{{ {} }}", parts.join(", ")))
    } else {
        let class = value.get_type();
        Err(Kind::Scene.error(format_args!("{key}: a value of {class} has no meaning in a scene")))
    }
}

/// What serialises to JSON, as dicts, lists, numbers and text.
pub fn to_python<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(|error| Kind::Output.error(error))?;
    py.import("json")?.call_method1("loads", (text,))
}
