//! `sinew lips sketch`.

use super::files::{self, bad};
use super::sketch_page::{self, Drawing};
use crate::failure::Failure;
use crate::{console, table};
use clap::Args;
use glam::{DVec2, DVec3};
use serde::Deserialize;
use sinew_face::Regions;
use sinew_face::mesh::ObjFile;
use sinew_face::picture::Studio;
use sinew_face::sketch::{ImageCamera, sketch as edit};
use std::path::{Path, PathBuf};

/// Move the lips of one frame to a contour that was drawn over its image.
///
/// The contour is a text file with x and y of one point per line, in pixels from the top left, in the order of the landmarks. The camera is a JSON file:
/// {"eye": [0, 0, 30], "look_at": [0, 0, 0], "up": [0, 1, 0], "fov_degrees": 32, "width": 720, "height": 540}.
#[derive(Debug, Args)]
pub struct SketchArguments {
    /// The frame: an OBJ file.
    #[arg(long, value_name = "FILE.obj")]
    frame: PathBuf,
    /// The camera of the image; without it, the one of `--preview`.
    #[arg(long, value_name = "FILE.json")]
    camera: Option<PathBuf>,
    /// The contour; without it, only `--preview` is drawn.
    #[arg(long, value_name = "FILE", requires_all = ["line", "out"])]
    contour: Option<PathBuf>,
    /// Landmarks of the lip line that the contour shows, from end to end: `3,20,7`.
    #[arg(long, value_name = "LIST")]
    line: Option<String>,
    /// The regions; the inner lips follow the line.
    #[arg(long, value_name = "FILE")]
    regions: PathBuf,
    /// The corrected frame to write.
    #[arg(long, value_name = "FILE.obj")]
    out: Option<PathBuf>,
    /// Draw the result, or the frame if there is no contour, as the camera sees it.
    #[arg(long, value_name = "FILE.png")]
    preview: Option<PathBuf>,
    /// Write a page that shows the frame in a browser, to choose the lip line and to draw the contour; the camera is written beside it.
    #[arg(long, value_name = "FILE.html", conflicts_with = "contour")]
    page: Option<PathBuf>,
    /// Write the camera of the preview, for a contour drawn over it.
    #[arg(long, value_name = "FILE.json")]
    write_camera: Option<PathBuf>,
}

/// The file of a camera.
#[derive(Debug, Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
struct CameraFile {
    eye: [f64; 3],
    look_at: [f64; 3],
    #[serde(default = "upwards")]
    up: [f64; 3],
    fov_degrees: f64,
    width: f64,
    height: f64,
}

fn upwards() -> [f64; 3] {
    [0.0, 1.0, 0.0]
}

/// Size of previews, pixels.
const SIZE: (u32, u32) = (720, 540);

/// Edits a frame.
pub fn sketch(arguments: &SketchArguments) -> Result<(), Failure> {
    let outputs = [&arguments.out, &arguments.preview, &arguments.page, &arguments.write_camera];
    for path in outputs.into_iter().flatten() {
        files::check_file(path)?;
    }
    if arguments.contour.is_none() && outputs[1..].iter().all(|path| path.is_none()) {
        return Err(Failure::Input("give --contour with --line and --out, or --page, or --preview".into()));
    }
    let file = ObjFile::read(&arguments.frame).map_err(bad)?;
    let regions = Regions::read(&arguments.regions).map_err(bad)?;
    regions.check(file.points.len()).map_err(bad)?;
    let studio = Studio::new(&file.points, &file.triangles, &regions, SIZE);
    let camera = match &arguments.camera {
        Some(path) => read_camera(path)?,
        None => {
            let c = studio.camera();
            CameraFile {
                eye: c.eye.to_array(),
                look_at: c.look_at.to_array(),
                up: c.up.to_array(),
                fov_degrees: c.fov_degrees,
                width: f64::from(SIZE.0),
                height: f64::from(SIZE.1),
            }
        }
    };
    if let Some(path) = &arguments.write_camera {
        files::write(path, &(files::json(&camera)? + "\n"))?;
    }
    let image = ImageCamera {
        eye: camera.eye.into(),
        look_at: camera.look_at.into(),
        up: camera.up.into(),
        fov_degrees: camera.fov_degrees,
        size: (camera.width, camera.height),
    };
    let draw = |points: &[DVec3]| {
        let (eye, look_at, up) = (camera.eye.into(), camera.look_at.into(), camera.up.into());
        let size = (camera.width as u32, camera.height as u32);
        let studio = studio.seen_by(eye, look_at, up, camera.fov_degrees, size);
        studio.face(points, &file.triangles, "").map_err(bad)
    };
    if let Some(path) = &arguments.page {
        let beside = path.with_extension("camera.json");
        files::write(&beside, &(files::json(&camera)? + "\n"))?;
        let shown = [&arguments.frame, &arguments.regions, &beside].map(|path| path.display().to_string());
        let picture = draw(&file.points)?;
        let (points, inner) = (&file.points, &regions.inner);
        let drawing = Drawing { picture: &picture, camera: &image, points, inner, files: shown };
        sketch_page::write(path, &drawing)?;
        console::say(format_args!("{}: open it in a browser and draw", path.display()))?;
    }
    let mut points = file.points.clone();
    if let (Some(contour), Some(line), Some(out)) = (&arguments.contour, &arguments.line, &arguments.out) {
        let line = files::vertices(line).map_err(|what| Failure::Input(format!("--line: {what}")))?;
        let contour = read_contour(contour)?;
        let done =
            edit(&mut points, &file.triangles, &regions.inner, &line, &image, &contour).map_err(bad)?;
        file.write_moved(out, &done.moved, &points).map_err(|error| Failure::Run(error.to_string()))?;
        console::say(format_args!(
            "{}: {} vertices of the lip line, {} vertices moved, by {} at most",
            out.display(),
            done.line.len(),
            done.moved.len(),
            table::number(done.largest)
        ))?;
    }
    if let Some(path) = &arguments.preview {
        draw(&points)?.write_png(path).map_err(|error| files::unwritten(path, error))?;
    }
    Ok(())
}

fn read_camera(path: &Path) -> Result<CameraFile, Failure> {
    let text = sinew_scene::input::read_text(path)
        .map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
    serde_json::from_str(&text)
        .map_err(|error| Failure::Input(format!("{}: this is no camera: {error}", path.display())))
}

fn read_contour(path: &Path) -> Result<Vec<DVec2>, Failure> {
    let text = sinew_scene::input::read_text(path)
        .map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
    let mut points = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        if line.trim().is_empty() {
            continue;
        }
        let words: Vec<f64> = line
            .split([',', ' ', '\t', '\r'])
            .filter(|word| !word.is_empty())
            .map_while(|word| word.parse().ok())
            .collect();
        let [x, y] = words[..] else {
            return Err(Failure::Input(format!(
                "{}: line {}: a point of a contour is two numbers, x and y in pixels",
                path.display(),
                number + 1
            )));
        };
        points.push(DVec2::new(x, y));
    }
    Ok(points)
}
