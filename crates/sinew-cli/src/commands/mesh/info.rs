//! `sinew mesh info`.

use super::files;
use crate::console;
use crate::failure::Failure;
use crate::table::number;
use clap::Args;
use serde::Serialize;
use sinew_scene::mesh_check::{boundary, bounds};
use sinew_scene::surface::{Edges, components, enclosed_volume};
use sinew_scene::tet_quality::{Quality, quality};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Say what a mesh file contains.
#[derive(Debug, Args)]
pub struct InfoArguments {
    /// The mesh file.
    file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What a file contains.
#[derive(Debug, Serialize)]
struct Info {
    vertices: usize,
    tets: usize,
    triangles: usize,
    /// Faces of the boundary of tetrahedra.
    boundary_triangles: usize,
    low: [f64; 3],
    high: [f64; 3],
    closed: bool,
    parts: usize,
    /// Volume of the tetrahedra, or inside a closed surface.
    volume: Option<f64>,
    quality: Option<Quality>,
    /// Tetrahedra of each label.
    regions: BTreeMap<i32, usize>,
    notes: Vec<String>,
}

/// Prints what a file contains.
pub fn info(arguments: &InfoArguments) -> Result<(), Failure> {
    let file = files::read(&arguments.file)?;
    let mesh = &file.mesh;
    let solid = !mesh.tets.is_empty();
    let surface = if solid { boundary(&mesh.tets) } else { mesh.triangles.clone() };
    let closed = !surface.is_empty() && Edges::new(&surface).open().next().is_none();
    let (low, high) = bounds(&mesh.points).unwrap_or_default();
    let measured = solid.then(|| quality(&mesh.points, &mesh.tets));
    let mut regions = BTreeMap::new();
    mesh.regions.iter().for_each(|&region| *regions.entry(region).or_default() += 1);
    let info = Info {
        vertices: mesh.points.len(),
        tets: mesh.tets.len(),
        triangles: mesh.triangles.len(),
        boundary_triangles: if solid { surface.len() } else { 0 },
        low: low.to_array(),
        high: high.to_array(),
        closed,
        parts: components(mesh.points.len(), &surface).1,
        volume: measured
            .as_ref()
            .map(|q| q.volume)
            .or_else(|| closed.then(|| enclosed_volume(&mesh.points, &surface))),
        quality: measured,
        regions,
        notes: file.notes,
    };
    if arguments.json {
        let text = serde_json::to_string_pretty(&info).map_err(|error| Failure::Run(error.to_string()))?;
        return console::say(text);
    }
    console::say(text(&info))
}

fn text(info: &Info) -> String {
    let point = |p: [f64; 3]| p.map(number).join(", ");
    let mut lines = vec![
        format!("vertices   {}", info.vertices),
        format!("tetrahedra {}", info.tets),
        format!("triangles  {}", info.triangles),
        format!("extent     ({}) to ({})", point(info.low), point(info.high)),
        format!("surface    {}, {} connected parts", if info.closed { "closed" } else { "open" }, info.parts),
    ];
    if let Some(volume) = info.volume {
        lines.push(format!("volume     {}", number(volume)));
    }
    if let Some(q) = &info.quality {
        lines.push(format!(
            "dihedral   {:.2}° to {:.2}°, mean of the smallest {:.2}°",
            q.min_dihedral_deg, q.max_dihedral_deg, q.mean_min_dihedral_deg
        ));
        lines.push(format!("volumes    {} to {}", number(q.min_volume), number(q.max_volume)));
    }
    if !info.regions.is_empty() {
        let list: Vec<String> =
            info.regions.iter().map(|(label, count)| format!("{label}: {count}")).collect();
        lines.push(format!("regions    {}", list.join(", ")));
    }
    lines.extend(info.notes.iter().cloned());
    lines.join("\n")
}
