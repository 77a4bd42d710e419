//! `sinew lips regions`.

use super::files::{self, bad};
use crate::console;
use crate::failure::Failure;
use clap::Args;
use sinew_face::mesh::Neutral;
use sinew_face::picture::Studio;
use sinew_face::{Patch, Regions};
use std::path::PathBuf;

/// Say which vertices are the mouth, whose capture is trusted, and which the inner lips, which are to be predicted.
///
/// Vertices are counted from 0. A list is `3,7-12,20`, or the name of a text file with such a list.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("way").required(true).args(["inner", "line", "colours", "inner_group"]))]
pub struct RegionsArguments {
    /// The neutral mesh: .obj, .glb or .gltf.
    #[arg(long, value_name = "FILE")]
    neutral: PathBuf,
    /// Vertices of the inner lips.
    #[arg(long, value_name = "LIST", requires = "mouth")]
    inner: Option<String>,
    /// Vertices of the mouth.
    #[arg(long, value_name = "LIST", requires = "inner")]
    mouth: Option<String>,
    /// Landmarks around the line between the lips, in order: the regions are what is near the closed line through them.
    #[arg(long = "loop", value_name = "LIST", requires_all = ["inner_radius", "mouth_radius"])]
    line: Option<String>,
    /// Distance of the inner lips from the line along the surface, in the unit of the mesh.
    #[arg(long, value_name = "LENGTH", value_parser = files::length)]
    inner_radius: Option<f64>,
    /// Distance of the mouth from the line.
    #[arg(long, value_name = "LENGTH", value_parser = files::length)]
    mouth_radius: Option<f64>,
    /// Take what is painted red as the inner lips and what is painted blue as the mouth.
    #[arg(long)]
    colours: bool,
    /// A group of the file with the faces of the inner lips.
    #[arg(long, value_name = "NAME", requires = "mouth_group")]
    inner_group: Option<String>,
    /// A group of the file with the faces of the mouth.
    #[arg(long, value_name = "NAME", requires = "inner_group")]
    mouth_group: Option<String>,
    /// Vertices that belong to neither region, such as teeth and gums.
    #[arg(long, value_name = "LIST")]
    without: Option<String>,
    /// The file of regions to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Draw the regions into this picture: mouth blue, inner lips red.
    #[arg(long, value_name = "FILE.png")]
    preview: Option<PathBuf>,
}

/// Makes and writes regions.
pub fn regions(arguments: &RegionsArguments) -> Result<(), Failure> {
    files::check_file(&arguments.out)?;
    arguments.preview.as_deref().map_or(Ok(()), files::check_file)?;
    let mesh = Neutral::read(&arguments.neutral).map_err(bad)?;
    let mut regions = choose(arguments, &mesh)?;
    if let Some(list) = &arguments.without {
        let left = files::vertices(list).map_err(|what| Failure::Input(format!("--without: {what}")))?;
        regions.mouth.retain(|v| !left.contains(v));
        regions.inner.retain(|v| !left.contains(v));
    }
    let patch = Patch::new(&mesh.points, &mesh.triangles, regions).map_err(bad)?;
    let regions = patch.regions();
    files::write(&arguments.out, &regions.to_text())?;
    if let Some(path) = &arguments.preview {
        let studio = Studio::new(&mesh.points, &mesh.triangles, regions, (720, 540));
        let image = studio.regions(&mesh.points, &mesh.triangles, regions).map_err(bad)?;
        image.write_png(path).map_err(|error| files::unwritten(path, error))?;
    }
    let (mouth, inner) = patch.triangle_counts();
    console::say(format_args!(
        "mouth: {} vertices, {mouth} triangles; inner lips: {} vertices, {inner} triangles",
        regions.mouth.len(),
        regions.inner.len()
    ))
}

fn choose(arguments: &RegionsArguments, mesh: &Neutral) -> Result<Regions, Failure> {
    let list = |name: &str, text: &str| {
        files::vertices(text).map_err(|what| Failure::Input(format!("--{name}: {what}")))
    };
    let n = mesh.points.len();
    if let (Some(mouth), Some(inner)) = (&arguments.mouth, &arguments.inner) {
        return Ok(Regions::from_lists(n, &list("mouth", mouth)?, &list("inner", inner)?));
    }
    if let (Some(line), Some(inner), Some(mouth)) =
        (&arguments.line, arguments.inner_radius, arguments.mouth_radius)
    {
        let line = list("loop", line)?;
        return Regions::from_loop(&mesh.points, &mesh.triangles, &line, inner, mouth).map_err(bad);
    }
    if let (Some(mouth), Some(inner)) = (&arguments.mouth_group, &arguments.inner_group) {
        let find = |name: &str| mesh.group(name).map_err(bad);
        return Ok(Regions::from_lists(n, &find(mouth)?, &find(inner)?));
    }
    if mesh.colours.iter().all(Option::is_none) {
        let file = arguments.neutral.display();
        return Err(Failure::Input(format!("{file}: no vertex has a colour (`v x y z r g b`)")));
    }
    Ok(Regions::from_colours(&mesh.colours))
}
