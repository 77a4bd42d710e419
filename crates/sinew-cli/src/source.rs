//! SCENE on the command line: the name of a built-in scene or a file.

use crate::failure::Failure;
use sinew_scene::build::{BuiltScene, build};
use sinew_scene::format::{Override, ParsedScene, parse};
use sinew_scene::{builtin, input};
use std::path::{Path, PathBuf};

/// A scene's text and its origin.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name in reports.
    pub name: String,
    text: String,
    /// Its name in errors.
    origin: String,
    /// The folder in which relative paths start.
    pub folder: PathBuf,
}

impl Source {
    /// Finds a built-in scene or reads a file.
    pub fn load(scene: &str) -> Result<Self, Failure> {
        if let Some(found) = builtin::find(scene) {
            return Ok(Self {
                name: found.name.to_owned(),
                text: found.text.to_owned(),
                origin: format!("{}.toml (built-in)", found.name),
                folder: PathBuf::new(),
            });
        }
        let path = Path::new(scene);
        let is_path = path.exists() || path.extension().is_some() || path.components().count() > 1;
        if !is_path {
            return Err(Failure::Input(unknown(scene)));
        }
        let text = input::read_text(path).map_err(|error| Failure::Input(format!("{scene}: {error}")))?;
        let name =
            path.file_stem().map_or_else(|| scene.to_owned(), |stem| stem.to_string_lossy().into_owned());
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Self { name, text, origin: scene.to_owned(), folder })
    }

    /// The scene as it is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Parses the scene with overrides.
    pub fn parse(&self, overrides: &[Override]) -> Result<ParsedScene, Failure> {
        Ok(parse(&self.text, &self.origin, overrides)?)
    }

    /// Parses and builds the scene with overrides.
    pub fn build(&self, overrides: &[Override]) -> Result<BuiltScene, Failure> {
        Ok(build(&self.parse(overrides)?, &self.folder)?)
    }
}

/// Parses the values of `--set`.
pub fn overrides(arguments: &[String]) -> Result<Vec<Override>, Failure> {
    arguments.iter().map(|argument| Override::parse(argument).map_err(Failure::from)).collect()
}

fn unknown(scene: &str) -> String {
    let hint = match builtin::closest(scene) {
        Some(close) => format!("did you mean `{close}`? "),
        None => String::new(),
    };
    format!(
        "there is no scene `{scene}`; {hint}`sinew scenes` lists the built-in ones, and a file needs its extension"
    )
}
