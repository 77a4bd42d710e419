//! What the commands read and write.

use crate::failure::Failure;
use clap::Args;
use sinew_face::{FaceError, Model, Patch, Regions, mesh::Neutral};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A face whose lips are to be corrected: a model, or what a model would be made of.
#[derive(Debug, Args)]
pub struct FaceArguments {
    /// A trained model.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["neutral", "regions"], required_unless_present_all = ["neutral", "regions"])]
    pub model: Option<PathBuf>,
    /// The neutral mesh.
    #[arg(long, value_name = "FILE", requires = "regions")]
    pub neutral: Option<PathBuf>,
    /// The regions, written by `sinew lips regions`.
    #[arg(long, value_name = "FILE", requires = "neutral")]
    pub regions: Option<PathBuf>,
}

impl FaceArguments {
    /// The patch, and the model if one is given.
    pub fn read(&self) -> Result<(Arc<Patch>, Option<Model>), Failure> {
        if let Some(path) = &self.model {
            let model = Model::load(path).map_err(bad)?;
            return Ok((model.patch().clone(), Some(model)));
        }
        let (Some(neutral), Some(regions)) = (&self.neutral, &self.regions) else {
            return Err(Failure::Input("give --model, or --neutral and --regions".into()));
        };
        Ok((patch(neutral, regions)?, None))
    }
}

/// The patch of a neutral mesh and a file of regions.
pub fn patch(neutral: &Path, regions: &Path) -> Result<Arc<Patch>, Failure> {
    let mesh = Neutral::read(neutral).map_err(bad)?;
    let regions = Regions::read(regions).map_err(bad)?;
    Patch::new(&mesh.points, &mesh.triangles, regions).map(Arc::new).map_err(bad)
}

/// An error of the input.
pub fn bad(error: FaceError) -> Failure {
    Failure::Input(error.to_string())
}

/// An error of the output.
pub fn unwritten(path: &Path, error: impl std::fmt::Display) -> Failure {
    Failure::Run(format!("{}: {error}", path.display()))
}

/// Checks before a computation that a file can be written.
pub fn check_file(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if path.is_dir() || folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(Failure::Input(format!("{}: not a file in an existing folder", path.display())));
    }
    Ok(())
}

/// Creates a folder.
pub fn folder(path: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(path).map_err(|error| Failure::Input(format!("{}: {error}", path.display())))
}

/// Writes text.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| unwritten(path, error))
}

/// JSON of a value.
pub fn json(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value).map_err(|error| Failure::Run(error.to_string()))
}

/// Parses a list of vertices: `3,7-12,20`, or the name of a text file with such a list.
pub fn vertices(text: &str) -> Result<Vec<u32>, String> {
    let from_file = std::fs::metadata(text).is_ok_and(|m| m.is_file());
    let list = if from_file {
        sinew_scene::input::read_text(Path::new(text)).map_err(|error| format!("{text}: {error}"))?
    } else {
        text.to_owned()
    };
    sinew_face::parse_vertices(&list)
}

/// Parses a positive length.
pub fn length(text: &str) -> Result<f64, String> {
    let positive = text.parse().ok().filter(|x: &f64| *x > 0.0 && x.is_finite());
    positive.ok_or_else(|| "must be a positive number".into())
}
