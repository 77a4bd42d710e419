//! One simulation of an experiment.

use crate::measure::blew_up;
use crate::motion::Rival;
use sinew_scene::format::{Override, SceneError, parse};
use sinew_scene::run::{Run, Truth};
use sinew_scene::{build, builtin};
use std::path::Path;

/// One simulation of an experiment: a scene, some overrides, and who makes the steps.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Its name in the legend.
    pub name: String,
    /// The scene.
    pub scene: Source,
    /// Overrides, as `KEY=VALUE`.
    pub set: Vec<String>,
    /// Number of frames.
    pub frames: usize,
    /// Whether a correction that no override names is the scene's; otherwise there is none.
    unchanged: bool,
    /// Whether an explosion is all that there is to see.
    until_it_explodes: bool,
    method: Method,
}

/// Where a scene comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// A built-in scene, by its name.
    BuiltIn(&'static str),
    /// A scene that belongs to an experiment.
    Own {
        /// Its name.
        name: &'static str,
        /// Its file.
        text: &'static str,
    },
}

/// Who makes the steps.
#[derive(Clone, Copy, Debug)]
enum Method {
    /// The engine, as the settings say.
    Engine,
    /// The engine, in steps so small that the motion is true.
    Truth {
        /// Steps of a frame.
        finer: usize,
    },
    /// A method that the engine does not have.
    Rival(Rival),
}

impl From<&'static str> for Source {
    fn from(name: &'static str) -> Self {
        Self::BuiltIn(name)
    }
}

impl Source {
    /// The scene's file, and a name for it in messages.
    fn file(self) -> (&'static str, String) {
        match self {
            Self::BuiltIn(name) => {
                (builtin::find(name).map_or("", |scene| scene.text), format!("{name}.toml (built-in)"))
            }
            Self::Own { name, text } => (text, format!("{name}.toml (of an experiment)")),
        }
    }
}

impl Trial {
    pub(crate) fn new(
        name: impl Into<String>,
        scene: impl Into<Source>,
        frames: usize,
        set: &[&str],
    ) -> Self {
        let set = set.iter().map(|&setting| setting.to_owned()).collect();
        let (name, scene) = (name.into(), scene.into());
        Self { name, scene, set, frames, unchanged: false, until_it_explodes: false, method: Method::Engine }
    }

    /// The same with more overrides.
    pub(crate) fn with(mut self, set: &[&str]) -> Self {
        self.set.extend(set.iter().map(|&setting| setting.to_owned()));
        self
    }

    /// The same with the correction that the scene chooses, or that Sinew recommends.
    pub(crate) fn unchanged(self) -> Self {
        Self { unchanged: true, ..self }
    }

    /// The same, over as soon as its energy has grown out of bounds: what follows only costs time.
    pub(crate) fn until_it_explodes(self) -> Self {
        Self { until_it_explodes: true, ..self }
    }

    /// Whether its run is to go on.
    pub fn goes_on(&self, run: &Run) -> bool {
        // Every row is looked at: not after each of a hundred small steps.
        let looks = self.until_it_explodes && run.frame().is_multiple_of(10);
        !(run.is_over() || looks && blew_up(run))
    }

    /// The true motion of the scene, in that many steps a frame.
    pub(crate) fn truth(self, finer: usize) -> Self {
        Self { method: Method::Truth { finer }, ..self }
    }

    /// The same with steps by a method that the engine does not have.
    pub(crate) fn by(self, rival: Rival) -> Self {
        Self { method: Method::Rival(rival), ..self }
    }

    /// Builds the scene; the run is at its first frame.
    ///
    /// # Errors
    /// [`SceneError`] if the scene does not build: a mistake in the table of experiments, which the tests find.
    pub fn start(&self) -> Result<Run, SceneError> {
        let mut overrides = Vec::new();
        if !self.unchanged && !self.set.iter().any(|setting| setting.starts_with("correction.kind=")) {
            overrides.push(Override::parse("correction.kind=none")?);
        }
        for setting in &self.set {
            overrides.push(Override::parse(setting)?);
        }
        let (text, file) = self.scene.file();
        let (mut parsed, folder) = (parse(text, &file, &overrides)?, Path::new(""));
        // The papers' base is backward Euler, whatever Sinew recommends.
        if !self.unchanged && parsed.scene.integrator.kind.is_none() {
            overrides.push(Override::parse("integrator.kind=backward-euler")?);
            parsed = parse(text, &file, &overrides)?;
        }
        let engine = || Ok(Run::new(&self.name, build::build(&parsed, folder)?, self.frames));
        let run = match self.method {
            Method::Engine => engine(),
            Method::Truth { finer } => {
                Truth::new(&self.name, &parsed, folder, self.frames, finer).map(|truth| truth.run)
            }
            Method::Rival(rival) => engine().map(|run| run.stepped_by(rival.stepper())),
        };
        run.map(Run::keeping_all_rows)
    }
}
