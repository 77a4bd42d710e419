//! `sinew scenes`.

use crate::console;
use crate::failure::Failure;
use crate::source::Source;
use crate::table;
use clap::Args;
use serde::Serialize;
use sinew_scene::builtin;
use sinew_scene::format::{Body, MeshSource};

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
    /// Unknown if the mesh is a model, which would have to be made.
    elements: Option<usize>,
    seconds_to_run: f64,
}

/// Lists the built-in scenes.
pub fn scenes(arguments: &ScenesArguments) -> Result<(), Failure> {
    let mut entries = Vec::new();
    for scene in builtin::SCENES {
        let source = Source::load(scene.name)?;
        let parsed = source.parse(&[])?.scene;
        let is_model = |body: &Body| matches!(body.mesh, Some(MeshSource::Model(_)));
        // A model takes seconds to make; its number of vertices is known well enough without.
        let (vertices, elements) = if parsed.bodies.iter().any(is_model) {
            (parsed.vertices() as usize, None)
        } else {
            let built = source.build(&[])?;
            (built.model().vertex_count(), Some(built.model().element_count()))
        };
        let (name, title, seconds_to_run) = (scene.name, parsed.title, scene.seconds);
        entries.push(Entry { name, title, vertices, elements, seconds_to_run });
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
            e.elements.map_or_else(|| "–".into(), |count| count.to_string()),
            e.seconds_to_run.to_string(),
            e.title,
        ]
    }));
    console::say(table::aligned(&rows, false))
}
