//! `sinew mesh model`: the cast as mesh files.

use super::files;
use crate::failure::Failure;
use crate::{console, threads};
use clap::Args;
use serde::Serialize;
use sinew_scene::cast::{self, Name};
use sinew_scene::mesh_data::MeshData;
use sinew_scene::rig;
use sinew_scene::tet_quality::Quality;
use std::path::PathBuf;
use std::time::Instant;

/// Make a built-in model: hippo, cactus, octopus and others.
///
/// A wrong name lists all of them.
#[derive(Debug, Args)]
pub struct ModelArguments {
    /// Which one, such as `hippo`.
    #[arg(value_parser = name)]
    name: Name,
    /// Number of vertices, met within 15 %. Default: as many as in the tables of the papers.
    #[arg(long)]
    vertices: Option<usize>,
    /// The longest side, m.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    size: f64,
    /// The file to write: .mesh for tetrahedra, .obj for their surface.
    #[arg(long)]
    out: PathBuf,
    /// Also write the fine surface that pictures show, as .obj.
    #[arg(long, value_name = "FILE")]
    surface: Option<PathBuf>,
    /// Also write bones and joints, for `joints` of a scene.
    #[arg(long, value_name = "FILE.joint")]
    joints: Option<PathBuf>,
    /// Also write the closed surfaces of flesh, muscles and bones into this folder, as NAME.obj.
    #[arg(long, value_name = "DIR")]
    parts: Option<PathBuf>,
    /// Number of threads; it changes the time, never the result. Default: one per core.
    #[arg(long, value_parser = super::super::threads)]
    threads: Option<usize>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn name(text: &str) -> Result<Name, String> {
    text.parse().map_err(|error: cast::CastError| error.to_string())
}

/// What was made.
#[derive(Debug, Serialize)]
struct Report {
    name: &'static str,
    vertices: usize,
    tets: usize,
    surface_vertices: usize,
    bones: usize,
    joints: usize,
    /// Names of the regions, from 1 on.
    regions: Vec<String>,
    quality: Quality,
    seconds: f64,
}

/// Makes a model and writes it.
pub fn model(arguments: &ModelArguments) -> Result<(), Failure> {
    files::check_writable(&arguments.out, true)?;
    if let Some(path) = &arguments.surface {
        files::check_writable(path, false)?;
    }
    let start = Instant::now();
    let vertices = arguments.vertices.unwrap_or_else(|| arguments.name.vertices());
    let made = threads::with(arguments.threads, || {
        cast::make(arguments.name, vertices, arguments.size)
            .map_err(|error| Failure::Input(error.to_string()))
    })?;
    let mesh = &made.rigged.mesh;
    let report = Report {
        name: arguments.name.as_str(),
        vertices: mesh.points.len(),
        tets: mesh.tets.len(),
        surface_vertices: made.skin.points.len(),
        bones: made.rigged.rig.bones.len(),
        joints: made.rigged.rig.joints.len(),
        regions: made.parts,
        quality: made.quality,
        seconds: start.elapsed().as_secs_f64(),
    };
    files::write(&arguments.out, mesh)?;
    if let Some(path) = &arguments.surface {
        let surface =
            MeshData { points: made.skin.points, triangles: made.skin.triangles, ..MeshData::default() };
        files::write(path, &surface)?;
    }
    if let Some(path) = &arguments.joints {
        rig::write(&made.rigged.rig, path).map_err(|error| Failure::Run(error.to_string()))?;
    }
    if let Some(folder) = &arguments.parts {
        let refuse = |error| Failure::Input(format!("--parts {}: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(refuse)?;
        for (name, net) in cast::parts(arguments.name, arguments.size) {
            let surface = MeshData { points: net.points, triangles: net.triangles, ..MeshData::default() };
            files::write(&folder.join(format!("{}.obj", name.replace(' ', "-"))), &surface)?;
        }
    }
    if arguments.json {
        let text = serde_json::to_string_pretty(&report).map_err(|error| Failure::Run(error.to_string()))?;
        return console::say(text);
    }
    let Report { vertices, tets, surface_vertices, bones, joints, quality, seconds, .. } = report;
    let skeleton = if bones > 0 { format!(", {bones} bones, {joints} joints") } else { String::new() };
    console::say(format!(
        "{}: {vertices} vertices, {tets} tetrahedra{skeleton}, fine surface of {surface_vertices} vertices in {seconds:.2} s\n\
         smallest dihedral angle {:.1}°, {} inverted",
        arguments.out.display(),
        quality.min_dihedral_deg,
        quality.inverted,
    ))
}
