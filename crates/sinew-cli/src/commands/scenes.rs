//! `sinew scenes`.

use crate::console;
use crate::failure::Failure;
use crate::source::Source;
use crate::table;
use clap::Args;
use serde::Serialize;
use sinew_scene::builtin;

/// List the built-in scenes.
#[derive(Debug, Args)]
pub struct ScenesArguments {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// One scene of the list.
#[derive(Debug, Serialize)]
struct Entry {
    name: &'static str,
    title: String,
    vertices: usize,
    elements: usize,
    seconds_to_run: f64,
}

/// Lists the built-in scenes.
pub fn scenes(arguments: &ScenesArguments) -> Result<(), Failure> {
    let mut entries = Vec::new();
    for scene in builtin::SCENES {
        let built = Source::load(scene.name)?.build(&[])?;
        entries.push(Entry {
            name: scene.name,
            title: built.scene.title.clone(),
            vertices: built.model().vertex_count(),
            elements: built.model().element_count(),
            seconds_to_run: scene.seconds,
        });
    }
    if arguments.json {
        let text = serde_json::to_string_pretty(&entries).map_err(|error| Failure::Run(error.to_string()))?;
        return console::say(text);
    }
    let mut rows = vec![["name", "vertices", "elements", "seconds", "title"].map(str::to_owned).to_vec()];
    rows.extend(entries.into_iter().map(|e| {
        vec![
            e.name.into(),
            e.vertices.to_string(),
            e.elements.to_string(),
            e.seconds_to_run.to_string(),
            e.title,
        ]
    }));
    console::say(table::aligned(&rows, false))
}
