//! One scene of the gallery: its run, its files and its numbers.

use super::beside::Beside;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::source::Source;
use serde::{Deserialize, Serialize};
use sinew::{Cause, Side};
use sinew_scene::export::ExportError;
use sinew_scene::export::animation::GifWriter;
use sinew_scene::export::render::Backdrop;
use sinew_scene::run::{ByCause, OutputError, PLOT_SIZE, Picture, Report, Run, energy_plot};
use std::path::Path;
use std::time::Instant;

/// The pictures: for light and dark pages, and small ones of both. File, backdrop and size in pixels.
const PICTURES: [(&str, Backdrop, (u32, u32)); 4] = [
    ("picture.png", Backdrop::Light, (720, 450)),
    ("picture-dark.png", Backdrop::Dark, (720, 450)),
    ("small.png", Backdrop::Light, (320, 200)),
    ("small-dark.png", Backdrop::Dark, (320, 200)),
];
/// Size of the animation, pixels.
pub(super) const ANIMATION: (u32, u32) = (400, 250);
/// Frames per second of an animation, and its length: longer runs are cut.
pub(super) const RATE: f64 = 15.0;
pub(super) const SECONDS: f64 = 6.0;

/// What the page says about a scene; also the mark that its folder is complete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// Name of the scene, and of its folder.
    pub name: String,
    pub folder: String,
    pub title: String,
    pub description: String,
    /// Its file.
    pub toml: String,
    /// The version that made it.
    pub version: String,
    pub method: String,
    pub vertices: usize,
    pub elements: usize,
    pub bones: usize,
    pub joints: usize,
    /// Simulated time, s.
    pub seconds: f64,
    /// Milliseconds of a step, and its length, ms.
    pub step: [f64; 2],
    /// Energy at the start, added and dissipated, J.
    pub energy: [f64; 3],
    /// Causes and what each added or dissipated, J.
    pub added: Vec<(String, f64)>,
    pub dissipated: Vec<(String, f64)>,
    /// What is not accounted for, as a share of the energy in motion.
    pub drift: f64,
    /// The share of the visible motion that is left at the end, if there was some.
    pub kept: Option<f64>,
    /// What other simulators make of it.
    #[serde(default)]
    pub beside: Vec<Beside>,
}

impl Card {
    /// The card of a folder that is complete and belongs to the scene as it is now.
    pub fn kept(source: &Source, folder: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(folder.join("card.json")).ok()?;
        let card: Self = serde_json::from_str(&text).ok()?;
        let files = PICTURES.iter().map(|picture| picture.0).chain(["animation.gif", "energy.svg"]);
        let complete = files.map(|file| folder.join(file)).all(|path| path.is_file());
        let same = card.toml == source.text() && card.version == env!("CARGO_PKG_VERSION");
        (complete && same).then_some(card)
    }

    /// Runs a scene and writes its files, the card last.
    pub fn make(source: &Source, folder: &Path, interrupt: &Interrupt, quiet: bool) -> Result<Self, Failure> {
        let io = |source| OutputError::Io { path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(io)?;
        let _ = std::fs::remove_file(folder.join("card.json"));
        let built = source.build(&[])?;
        let frames = built.scene.frames;
        let mut run = Run::new(&source.name, built, frames);
        draw(&mut run, folder, interrupt, quiet)?;
        energy_plot(&run).write_svg(folder.join("energy.svg"), PLOT_SIZE).map_err(OutputError::from)?;
        let card = Self::of(source, &run, folder);
        card.write(folder)?;
        Ok(card)
    }

    /// Writes the mark that the folder is complete.
    pub fn write(&self, folder: &Path) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(self).map_err(|error| Failure::Run(error.to_string()))?;
        super::write(&folder.join("card.json"), &text)
    }

    fn of(source: &Source, run: &Run, folder: &Path) -> Self {
        let report = run.report();
        let scene = &run.scene().scene;
        let Report { energy, time_ms, motion, .. } = &report;
        let by = |side: Side, of: &ByCause| {
            let all = Cause::of(side).map(|cause| (cause.name().to_owned(), of.of(cause)));
            all.filter(|(_, joules)| *joules != 0.0).collect::<Vec<_>>()
        };
        Self {
            name: source.name.clone(),
            folder: folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            title: if scene.title.is_empty() { source.name.clone() } else { scene.title.clone() },
            description: scene.description.clone(),
            toml: source.text().to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            method: format!("{}, {}, {}", report.integrator, report.solver, report.correction.kind),
            vertices: report.vertices,
            elements: report.elements,
            bones: report.bones,
            joints: report.joints,
            seconds: run.state().time(),
            step: [time_ms.step_mean, 1e3 * report.h],
            energy: [energy.initial, energy.added, energy.dissipated],
            added: by(Side::Added, &energy.added_by),
            dissipated: by(Side::Dissipated, &energy.dissipated_by),
            drift: energy.drift,
            kept: motion.visible_kept,
            beside: Vec::new(),
        }
    }
}

/// Steps to the end, draws the moment that the scene asks for and an animation of the beginning.
fn draw(run: &mut Run, folder: &Path, interrupt: &Interrupt, quiet: bool) -> Result<(), Failure> {
    let export = |error: ExportError| Failure::from(OutputError::from(error));
    let mut small = Picture::sized(run.scene(), "", ANIMATION).map_err(export)?;
    let path = folder.join("animation.gif");
    let mut gif = Some(GifWriter::create(path, ANIMATION.0, ANIMATION.1, RATE).map_err(export)?);
    let moment = run.scene().scene.render.picture;
    let half = 0.5 * run.scene().settings().h;
    let (mut pictured, mut drawn) = (false, 0.0);
    let mut progress = Progress::new(run.name(), 0, run.frames(), quiet);
    let begin = Instant::now();
    loop {
        let time = run.state().time();
        if let Some(writer) = &mut gif
            && time + half >= drawn / RATE
        {
            writer.add(&small.draw(run.scene().model(), run.state()).map_err(export)?).map_err(export)?;
            drawn += 1.0;
        }
        if drawn > SECONDS * RATE
            && let Some(writer) = gif.take()
        {
            writer.finish().map_err(export)?;
        }
        if !pictured && (run.is_over() || moment.is_some_and(|moment| (time - moment).abs() <= half)) {
            for (file, backdrop, size) in PICTURES {
                let mut still = Picture::against(backdrop, run.scene(), "", size).map_err(export)?;
                let image = still.draw(run.scene().model(), run.state()).map_err(export)?;
                image.write_png(folder.join(file)).map_err(export)?;
            }
            pictured = true;
        }
        if run.is_over() {
            break;
        }
        if interrupt.is_pressed() {
            progress.finish();
            return Err(Failure::InterruptedGallery);
        }
        if let Err(error) = run.step() {
            return Err(Failure::Run(format!("{}: {error}", run.name())));
        }
        progress.reach(run.frame());
    }
    progress.finish();
    if !quiet {
        crate::console::remark(format_args!("{} took {:.1} s", run.name(), begin.elapsed().as_secs_f64()));
    }
    gif.map_or(Ok(()), |writer| writer.finish().map_err(export))
}
