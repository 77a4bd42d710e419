//! Exceptions: one class for each kind of failure (`python/sinew/errors.py`), with the sentences of the command.

use pyo3::prelude::*;
use pyo3::types::PyType;
use sinew_scene::format::{Place, SceneError};
use std::fmt::Display;

/// The kinds of failures, by the names of their classes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Scene,
    Model,
    Settings,
    Control,
    State,
    Step,
    Output,
    Array,
    Busy,
}

impl Kind {
    fn class(self) -> &'static str {
        match self {
            Self::Scene => "SceneError",
            Self::Model => "ModelError",
            Self::Settings => "SettingsError",
            Self::Control => "ControlError",
            Self::State => "StateError",
            Self::Step => "StepError",
            Self::Output => "OutputError",
            Self::Array => "ArrayError",
            Self::Busy => "BusyError",
        }
    }

    /// The exception of this kind with this sentence.
    pub fn error(self, sentence: impl Display) -> PyErr {
        let sentence = sentence.to_string();
        Python::attach(|py| {
            let class = py.import("sinew.errors").and_then(|module| module.getattr(self.class()));
            match class.and_then(|class| Ok(class.cast_into::<PyType>()?)) {
                Ok(class) => PyErr::from_type(class, (sentence,)),
                Err(error) => error,
            }
        })
    }
}

/// The exception for an error of a scene. What the command line calls `--set` is a value that was set.
pub fn of_scene(error: &SceneError, kind: Kind) -> PyErr {
    match &error.place {
        Place::Override(set) => kind.error(format_args!("{set}: {}", error.message)),
        Place::File { .. } => kind.error(error),
    }
}
