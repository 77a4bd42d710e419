//! `sinew sweep plot`.

use crate::console;
use crate::failure::Failure;
use clap::Args;
use sinew_sweep::{Over, draw, read};
use std::path::PathBuf;

/// Draw a value over one axis or two.
#[derive(Debug, Args)]
pub struct PlotArguments {
    /// The folder of a finished sweep.
    folder: PathBuf,
    /// The column to draw, for example energy.drift.
    #[arg(long, value_name = "COLUMN")]
    value: String,
    /// An axis; twice for two. By default the first two of the sweep.
    #[arg(long, value_name = "AXIS")]
    over: Vec<String>,
    /// Write the pictures into this folder instead.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Draws.
pub fn plot(arguments: &PlotArguments) -> Result<(), Failure> {
    let rows = arguments.folder.join("rows.parquet");
    if !rows.is_file() {
        let message =
            format!("{}: there is no rows.parquet: the sweep is not finished", arguments.folder.display());
        return Err(Failure::Input(message));
    }
    let table = read(&rows)?;
    let manifest = std::fs::read_to_string(arguments.folder.join("manifest.json")).unwrap_or_default();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap_or_default();
    let title = manifest["title"].as_str().unwrap_or_default();
    let out = arguments.out.as_ref().unwrap_or(&arguments.folder);
    std::fs::create_dir_all(out)
        .map_err(|error| Failure::Input(format!("--out {}: {error}", out.display())))?;
    let over = Over { value: arguments.value.clone(), axes: arguments.over.clone() };
    let files = draw(&table, &over, title, out)?;
    files.iter().try_for_each(|file| console::say(file.display()))
}
