//! The folder that a run writes: tables, plots, pictures, meshes, report and checkpoint.

use super::moment::Moment;
use super::series::Series;
use super::trace::Trace;
use super::{CheckpointError, PLOT_SIZE, Picture, Run, energy_plot, tables};
use crate::export::ExportError;
use crate::export::animation::GifWriter;
use crate::mesh_io::MeshError;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Computing time between two checkpoints if the scene gives no number of frames.
const CHECKPOINT_INTERVAL: Duration = Duration::from_millis(500);
/// In that case, checkpoints also take at most one part in this many of the time.
const CHECKPOINT_SHARE: u32 = 20;

const PICTURE: &str = "picture.png";

/// What is written for every frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The surface as a sequence of OBJ files.
    Obj,
    /// The surface as a sequence of binary PLY files.
    Ply,
    /// The surface as glTF with a morph target for each frame.
    Gltf,
    /// The surface as a PC2 point cache.
    Pc2,
    /// The surface as an MDD point cache.
    Mdd,
    /// The surface as USD.
    Usda,
    /// Tetrahedra with velocities and energy densities as a series of VTU files.
    Vtu,
    /// Vertices and velocities of all frames as NumPy arrays.
    Npz,
    /// A sequence of pictures.
    Png,
    /// One animation.
    Gif,
    /// A page that replays the run.
    Html,
}

impl Format {
    /// All formats, each with its name in `--format`.
    const NAMES: [(Self, &'static str); 11] = [
        (Self::Obj, "obj"),
        (Self::Ply, "ply"),
        (Self::Gltf, "gltf"),
        (Self::Pc2, "pc2"),
        (Self::Mdd, "mdd"),
        (Self::Usda, "usda"),
        (Self::Vtu, "vtu"),
        (Self::Npz, "npz"),
        (Self::Png, "png"),
        (Self::Gif, "gif"),
        (Self::Html, "html"),
    ];

    /// The names of all formats.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::NAMES.iter().map(|(_, name)| *name)
    }

    /// The format of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, own)| *own == name).map(|(format, _)| *format)
    }
}

/// Why something could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OutputError {
    /// A folder could not be created, or a file could not be written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The path of the folder or file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// A picture, plot, animation or table could not be written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A mesh could not be written.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A resumed run cannot continue its trace.
    #[error(
        "{}: the trace of the frames before the checkpoint cannot be continued: {what}; \
         put the trace.csv of the interrupted run beside its checkpoint, or resume without --out",
        path.display()
    )]
    Trace {
        /// The trace beside the checkpoint.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A checkpoint could not be written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

/// Writes a run into a folder.
pub struct Output {
    folder: PathBuf,
    formats: Vec<Format>,
    trace: Trace,
    picture: Picture,
    /// Whether `picture.png` shows the moment that the scene asks for.
    pictured: bool,
    gif: Option<GifWriter>,
    series: Series,
    saved: Instant,
    save_took: Duration,
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output").field("folder", &self.folder).field("formats", &self.formats).finish()
    }
}

impl Output {
    /// Creates the folder and the files for the formats.
    pub fn create(folder: &Path, formats: &[Format], run: &Run) -> Result<Self, OutputError> {
        let make = |path: &Path| {
            std::fs::create_dir_all(path).map_err(|source| OutputError::Io { path: path.to_owned(), source })
        };
        make(folder)?;
        if formats.contains(&Format::Png) {
            make(&folder.join("frames"))?;
        }
        let render = &run.scene().scene.render;
        let fps = frame_rate(run.scene().settings().h);
        let gif = match formats.contains(&Format::Gif) {
            true => Some(GifWriter::create(folder.join("animation.gif"), render.width, render.height, fps)?),
            false => None,
        };
        // A run that is resumed after the moment of its picture has drawn it before.
        let passed =
            render.picture.is_some_and(|moment| run.state().time() > moment + 0.5 * run.scene().settings().h);
        let pictured = passed && folder.join(PICTURE).exists();
        Ok(Self {
            folder: folder.to_owned(),
            formats: formats.to_vec(),
            trace: Trace::open(folder, run)?,
            picture: Picture::new(run.scene(), run.name())?,
            pictured,
            gif,
            series: Series::create(folder, formats, run)?,
            saved: Instant::now(),
            save_took: Duration::ZERO,
        })
    }

    /// Writes the output of the current frame, and a checkpoint if one is due.
    pub fn frame(&mut self, run: &Run) -> Result<(), OutputError> {
        self.trace.frame(run)?;
        self.series.frame(run)?;
        let number = run.frame();
        let has = |format| self.formats.contains(&format);
        if has(Format::Png) || has(Format::Gif) {
            let png = has(Format::Png);
            let image = self.picture.draw(run.scene().model(), run.state())?;
            if png {
                image.write_png(self.folder.join("frames").join(format!("frame_{number:05}.png")))?;
            }
            if let Some(gif) = &mut self.gif {
                gif.add(&image)?;
            }
        }
        let scene = run.scene();
        let is_near = |moment: f64| (run.state().time() - moment).abs() <= 0.5 * scene.settings().h;
        if !self.pictured && scene.scene.render.picture.is_some_and(is_near) {
            self.picture.draw(scene.model(), run.state())?.write_png(self.folder.join(PICTURE))?;
            self.pictured = true;
        }
        let due = match run.scene().scene.checkpoint_every {
            Some(0) => false,
            Some(every) => number > 0 && number.is_multiple_of(every),
            None => self.saved.elapsed() > CHECKPOINT_INTERVAL.max(CHECKPOINT_SHARE * self.save_took),
        };
        if due { self.save(run) } else { Ok(()) }
    }

    /// Writes everything that is made from the whole run, even if it stopped early.
    pub fn finish(mut self, run: &Run) -> Result<(), OutputError> {
        let at = |name: &str| self.folder.join(name);
        self.trace.save()?;
        tables::write_final(run, &at("final.csv"))?;
        let plot = energy_plot(run);
        plot.write_png(at("energy.png"), PLOT_SIZE)?;
        plot.write_svg(at("energy.svg"), PLOT_SIZE)?;
        if !self.pictured {
            self.picture.draw(run.scene().model(), run.state())?.write_png(at(PICTURE))?;
        }
        write_report(run, &at("report.json"))?;
        if let Some(gif) = self.gif.take() {
            gif.finish()?;
        }
        self.save(run)?;
        self.series.finish(run)
    }

    fn save(&mut self, run: &Run) -> Result<(), OutputError> {
        let begin = Instant::now();
        let mark = self.trace.save()?;
        run.save_with(&self.folder.join("checkpoint.bin"), mark)?;
        self.saved = Instant::now();
        self.save_took = self.saved - begin;
        Ok(())
    }
}

/// Draws moments of a run into a GIF of this size in pixels. `time` is the time between two of them, s.
pub fn write_gif(
    run: &Run,
    moments: &[Moment],
    time: f64,
    size: (u32, u32),
    path: &Path,
) -> Result<(), OutputError> {
    let mut picture = Picture::sized(run.scene(), run.name(), size)?;
    let mut gif = GifWriter::create(path, size.0, size.1, frame_rate(time))?;
    for moment in moments {
        gif.add(&picture.draw_moment(run.scene().model(), moment)?)?;
    }
    Ok(gif.finish()?)
}

/// Frames per second, as many as a screen may show. `time` is the time between two frames, s.
fn frame_rate(time: f64) -> f64 {
    (1.0 / time).clamp(0.1, 1000.0)
}

/// Writes the report of a run as JSON.
pub fn write_report(run: &Run, path: &Path) -> Result<(), OutputError> {
    let io = |source| OutputError::Io { path: path.to_owned(), source };
    let mut text = serde_json::to_string_pretty(&run.report()).map_err(|error| io(error.into()))?;
    text.push('\n');
    std::fs::write(path, text).map_err(io)
}
