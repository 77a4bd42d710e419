//! `sinew face make`.

use super::bad;
use crate::commands::lips::files;
use crate::failure::Failure;
use crate::{console, threads};
use clap::Args;
use sinew_face::muscles::picture::FaceStudio;
use sinew_face::muscles::{Anatomy, Face, MakeOptions};
use sinew_scene::tetrahedralize::ClosedSurface;
use std::path::{Path, PathBuf};

/// Make a face of flesh, bones and muscles: the built-in head, or surfaces of your own.
#[derive(Debug, Args)]
pub struct MakeArguments {
    /// A folder with closed surfaces in metres, as `sinew mesh model head --size 0.28 --parts DIR` writes them: `head.obj`, `skull.obj`, `jaw.obj`, teeth, and a file for each muscle. They replace those of the built-in head; hinge and mouth stay where they are.
    #[arg(long, value_name = "DIR")]
    parts: Option<PathBuf>,
    /// Length of the edges of the tetrahedra, mm.
    #[arg(long, value_name = "MM", default_value_t = 9.0, value_parser = files::length)]
    size: f64,
    /// Muscles may act on tetrahedra within this distance, mm.
    #[arg(long, value_name = "MM", default_value_t = 10.0, value_parser = files::length)]
    neighbourhood: f64,
    /// Poisson's ratio of the flesh.
    #[arg(long, value_name = "NU", default_value_t = 0.4)]
    poisson: f64,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Draw the face into this picture.
    #[arg(long, value_name = "FILE.png")]
    preview: Option<PathBuf>,
    /// Number of threads; it changes the time, never the result. Default: one per core.
    #[arg(long, value_name = "N", value_parser = crate::commands::threads)]
    threads: Option<usize>,
}

/// Makes and writes a face.
pub fn make(arguments: &MakeArguments) -> Result<(), Failure> {
    files::check_file(&arguments.out)?;
    arguments.preview.as_deref().map_or(Ok(()), files::check_file)?;
    let mut anatomy = Anatomy::head();
    if let Some(folder) = &arguments.parts {
        replace(&mut anatomy, folder)?;
    }
    let options = MakeOptions {
        size: 1e-3 * arguments.size,
        neighbourhood: 1e-3 * arguments.neighbourhood,
        poisson: arguments.poisson,
        ..MakeOptions::default()
    };
    let face = threads::with(arguments.threads, || Face::make(&anatomy, &options).map_err(bad))?;
    face.save(&arguments.out).map_err(|error| Failure::Run(error.to_string()))?;
    if let Some(path) = &arguments.preview {
        let studio = FaceStudio::new(&face, (640, 720));
        let image = studio.face(&face.points, "").map_err(|error| Failure::Run(error.to_string()))?;
        image.write_png(path).map_err(|error| files::unwritten(path, error))?;
    }
    face.notes.iter().for_each(console::remark);
    console::say(format_args!(
        "{}: {} vertices, {} of them free, {} tetrahedra, {} of them elements, {} muscles, {} vertices that scans see",
        arguments.out.display(),
        face.points.len(),
        face.free(),
        face.tets.len(),
        face.elements,
        face.muscles.len(),
        face.scanned.len()
    ))
}

/// Surfaces of a folder instead of those of the built-in head.
fn replace(anatomy: &mut Anatomy, folder: &Path) -> Result<(), Failure> {
    let entries = std::fs::read_dir(folder)
        .map_err(|error| Failure::Input(format!("{}: {error}", folder.display())))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("obj")));
    paths.sort();
    anatomy.flesh = ClosedSurface::default();
    (anatomy.skull, anatomy.jaw, anatomy.muscles) = Default::default();
    for path in paths {
        let name = path.file_stem().map(|s| s.to_string_lossy().replace(['_', '-'], " ")).unwrap_or_default();
        let mesh = sinew_face::mesh::Neutral::read(&path).map_err(bad)?;
        let surface = ClosedSurface { name: name.clone(), points: mesh.points, triangles: mesh.triangles };
        match name.as_str() {
            "head" | "skin" | "flesh" => anatomy.flesh = surface,
            "skull" | "upper teeth" => anatomy.skull.push(surface),
            "jaw" | "lower teeth" => anatomy.jaw.push(surface),
            _ => anatomy.muscles.push(surface),
        }
    }
    Ok(())
}
