//! `sinew mesh tetrahedralize`.

use super::{files, tetgen};
use crate::failure::Failure;
use crate::{console, threads};
use clap::{Args, ValueEnum};
use serde::Serialize;
use sinew_scene::mesh_check::repair;
use sinew_scene::mesh_data::MeshData;
use sinew_scene::tet_quality::{Quality, quality};
use sinew_scene::tetrahedralize::{
    ClosedSurface, Distance, Fineness, Options, tetrahedralize as fill, write_smesh,
};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Fill closed surfaces with tetrahedra.
///
/// Each file is a region, numbered from 1. Where surfaces overlap the later file wins: give flesh first, then its bones.
#[derive(Debug, Args)]
pub struct TetrahedralizeArguments {
    /// Surface files, flesh before bones.
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Length of the longer edges, in the unit of the files. This or --vertices is needed.
    #[arg(long, value_parser = size, conflicts_with = "vertices", allow_negative_numbers = true)]
    size: Option<f64>,
    /// About how many vertices, in place of a size.
    #[arg(long)]
    vertices: Option<usize>,
    /// The file to write.
    #[arg(long, required_unless_present = "smesh")]
    out: Option<PathBuf>,
    /// Repair the surfaces first, as `sinew mesh check --repair` does.
    #[arg(long)]
    repair: bool,
    /// Larger tetrahedra away from the surfaces.
    #[arg(long)]
    coarser_inside: bool,
    /// Write the surfaces with regions as a TetGen .smesh file.
    #[arg(long, value_name = "FILE")]
    smesh: Option<PathBuf>,
    /// The program to use in place of Sinew's own method.
    #[arg(long)]
    with: Option<Program>,
    /// Number of threads; it changes the time, never the result. Default: one per core.
    #[arg(long, value_parser = super::super::threads)]
    threads: Option<usize>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Program {
    /// An installed TetGen.
    Tetgen,
}

fn size(text: &str) -> Result<f64, String> {
    let positive = text.parse().ok().filter(|size: &f64| *size > 0.0 && size.is_finite());
    positive.ok_or_else(|| "must be a positive number".into())
}

/// What was made.
#[derive(Debug, Serialize)]
struct Report {
    vertices: usize,
    tets: usize,
    size: Option<f64>,
    quality: Quality,
    distance: Option<Distance>,
    /// The larger distance both ways over the size.
    hausdorff_over_size: Option<f64>,
    seconds: f64,
    regions: Vec<Region>,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Region {
    region: i32,
    file: String,
    tets: usize,
}

/// Fills surfaces with tetrahedra.
pub fn tetrahedralize(arguments: &TetrahedralizeArguments) -> Result<(), Failure> {
    if let Some(out) = &arguments.out {
        files::check_writable(out, true)?;
    }
    let fineness = match (arguments.size, arguments.vertices) {
        (Some(size), _) => Some(Fineness::Size(size)),
        (None, count) => count.map(Fineness::Vertices),
    };
    if arguments.out.is_some() && fineness.is_none() {
        return Err(Failure::Input(
            "how fine? Give --size, the length of edges, or --vertices, their number".into(),
        ));
    }
    let surfaces = read(&arguments.inputs, arguments.repair)?;
    if let Some(path) = &arguments.smesh {
        write_smesh(path, &surfaces).map_err(|error| Failure::Run(format!("{}: {error}", path.display())))?;
        console::remark(format_args!("wrote {}", path.display()));
    }
    let (Some(out), Some(fineness)) = (&arguments.out, fineness) else { return Ok(()) };
    let start = Instant::now();
    let (mesh, mut report) = match arguments.with {
        Some(Program::Tetgen) => by_tetgen(&surfaces, fineness)?,
        None => threads::with(arguments.threads, || by_sinew(&surfaces, fineness, arguments.coarser_inside))?,
    };
    report.seconds = start.elapsed().as_secs_f64();
    files::write(out, &mesh)?;
    for (k, file) in arguments.inputs.iter().enumerate() {
        let region = k as i32 + 1;
        let tets = mesh.regions.iter().filter(|&&r| r == region).count();
        report.regions.push(Region { region, file: file.display().to_string(), tets });
    }
    if arguments.json {
        let text = serde_json::to_string_pretty(&report).map_err(|error| Failure::Run(error.to_string()))?;
        return console::say(text);
    }
    report.notes.iter().for_each(console::remark);
    console::say(text(&report, out))
}

fn read(inputs: &[PathBuf], mend: bool) -> Result<Vec<ClosedSurface>, Failure> {
    let mut surfaces = Vec::new();
    for path in inputs {
        let mut mesh = files::read_aloud(path)?.mesh;
        if !mesh.tets.is_empty() {
            return Err(Failure::Input(format!(
                "{}: it has tetrahedra already; a surface is needed",
                path.display()
            )));
        }
        if mend {
            let repaired = repair(&mesh);
            repaired.done.iter().for_each(|done| console::remark(format_args!("{}: {done}", path.display())));
            mesh = repaired.mesh;
        }
        let name = path.display().to_string();
        surfaces.push(ClosedSurface { name, points: mesh.points, triangles: mesh.triangles });
    }
    Ok(surfaces)
}

fn by_sinew(
    surfaces: &[ClosedSurface],
    fineness: Fineness,
    coarser_inside: bool,
) -> Result<(MeshData, Report), Failure> {
    let made = fill(surfaces, &Options { fineness, coarser_inside })
        .map_err(|error| Failure::Input(error.to_string()))?;
    let report = Report {
        vertices: made.points.len(),
        tets: made.tets.len(),
        size: Some(made.size),
        quality: made.quality,
        distance: Some(made.distance),
        hausdorff_over_size: Some(made.distance.hausdorff() / made.size),
        seconds: 0.0,
        regions: Vec::new(),
        notes: made.notes,
    };
    let mesh =
        MeshData { points: made.points, tets: made.tets, regions: made.regions, ..MeshData::default() };
    Ok((mesh, report))
}

fn by_tetgen(surfaces: &[ClosedSurface], fineness: Fineness) -> Result<(MeshData, Report), Failure> {
    let Fineness::Size(size) = fineness else {
        return Err(Failure::Input(
            "--with tetgen needs --size; --vertices works with Sinew's own method".into(),
        ));
    };
    let mesh = tetgen::run(surfaces, size)?;
    let report = Report {
        vertices: mesh.points.len(),
        tets: mesh.tets.len(),
        size: Some(size),
        quality: quality(&mesh.points, &mesh.tets),
        distance: None,
        hausdorff_over_size: None,
        seconds: 0.0,
        regions: Vec::new(),
        notes: Vec::new(),
    };
    Ok((mesh, report))
}

fn text(report: &Report, out: &Path) -> String {
    let q = &report.quality;
    let mut lines = vec![
        format!(
            "{}: {} vertices, {} tetrahedra in {:.2} s",
            out.display(),
            report.vertices,
            report.tets,
            report.seconds
        ),
        format!(
            "inverted: {}, dihedral angles {:.2}° to {:.2}°, mean of the smallest {:.2}°",
            q.inverted, q.min_dihedral_deg, q.max_dihedral_deg, q.mean_min_dihedral_deg
        ),
    ];
    if let (Some(size), Some(distance)) = (report.size, report.distance) {
        lines.push(format!(
            "size {size:.5}; farthest from the surface {:.3} × size, from the surface to the mesh {:.3} × size, mean {:.3} × size",
            distance.to_surface / size,
            distance.from_surface / size,
            distance.mean_to_surface / size
        ));
    }
    if report.regions.len() > 1 {
        lines.extend(
            report.regions.iter().map(|r| format!("region {}: {} tetrahedra, {}", r.region, r.tets, r.file)),
        );
    }
    lines.join("\n")
}
