//! Running a scene: step, record, report, write.
//!
//! [`Run`] advances a [`BuiltScene`] frame by frame and measures a [`Row`] of numbers of each. From the rows come the
//! [`Report`], `trace.csv` and the energy plot; [`Output`] writes them, with pictures and meshes, into a folder. The trace is written as the run
//! goes; in memory remain a bounded number of rows, for plots, and a few totals, for the report.
//! A [checkpoint](Run::save) contains the state, these rows and totals, and the length of the trace, so that a resumed run ends with the same
//! report, trace and state hash as one that was never interrupted (except for computing times).

#[cfg(not(target_arch = "wasm32"))]
mod checkers;
mod checkpoint;
mod clock;
mod contact;
mod depth;
mod expect;
mod history;
mod mark;
mod moment;
#[cfg(not(target_arch = "wasm32"))]
mod output;
#[cfg(not(target_arch = "wasm32"))]
mod picture;
#[cfg(not(target_arch = "wasm32"))]
mod plot;
mod record;
#[cfg(not(target_arch = "wasm32"))]
mod replay;
mod report;
#[cfg(not(target_arch = "wasm32"))]
mod scenery;
#[cfg(not(target_arch = "wasm32"))]
mod series;
mod skin;
mod solve;
mod spectrum;
mod stepper;
mod stillness;
mod surface;
mod swing;
#[cfg(not(target_arch = "wasm32"))]
mod tables;
mod totals;
#[cfg(not(target_arch = "wasm32"))]
mod trace;
mod truth;
mod visible;

pub use checkpoint::CheckpointError;
pub use clock::{Clock, milliseconds};
pub use contact::ContactReport;
pub use expect::{Verdict, check as check_report};
pub use moment::Moment;
#[cfg(not(target_arch = "wasm32"))]
pub use output::{Format, Output, OutputError, write_gif, write_report};
#[cfg(not(target_arch = "wasm32"))]
pub use picture::Picture;
#[cfg(not(target_arch = "wasm32"))]
pub use plot::{PLOT_SIZE, energy_plot};
pub use record::{CorrectionCounts, Meter, Row, Times};
#[cfg(not(target_arch = "wasm32"))]
pub use replay::Replay;
pub use report::{
    ByCause, CorrectionReport, EnergyReport, MomentumReport, MotionReport, Report, TimeReport, percentile,
};
pub use skin::Skin;
pub use solve::SolveReport;
pub use stepper::Stepper;
pub use surface::solid_of;
#[cfg(not(target_arch = "wasm32"))]
pub use trace::trace_columns;
pub use truth::{Truth, TruthShare};
pub use visible::Visible;

pub(crate) use expect::check_keys as check_expectations;

use crate::build::BuiltScene;
use mark::Mark;
use record::Recorder;
use sinew::{State, StepError};
use std::path::PathBuf;
use stepper::Engine;
use stillness::Stillness;

/// A running simulation.
#[derive(Debug)]
pub struct Run {
    name: String,
    scene: BuiltScene,
    frames: usize,
    /// Steps of a frame.
    substeps: usize,
    stepper: Box<dyn Stepper>,
    recorder: Recorder,
    stillness: Stillness,
    /// The folder of the checkpoint from which it was resumed, and how far its trace goes.
    resumed: Option<(PathBuf, Mark)>,
    failure: Option<StepError>,
}

impl Run {
    /// Creates a run at its start. `name` is the name of the scene in the report; `frames` is the number of steps of the whole run.
    pub fn new(name: impl Into<String>, scene: BuiltScene, frames: usize) -> Self {
        let frame = scene.settings().h;
        Self::in_substeps(name, scene, frames, (1, frame))
    }

    /// A run in which each frame is several steps; `frame` is the time between two frames, s. Only frames are recorded.
    fn in_substeps(
        name: impl Into<String>,
        scene: BuiltScene,
        frames: usize,
        (substeps, frame): (usize, f64),
    ) -> Self {
        let recorder = Recorder::new(scene.model(), &scene.state, frame);
        let (stillness, stepper) = (Stillness::of(&scene), Box::new(Engine));
        Self {
            name: name.into(),
            scene,
            frames,
            substeps,
            stepper,
            recorder,
            stillness,
            resumed: None,
            failure: None,
        }
    }

    /// The same run with steps by another method than the scene's simulator.
    #[must_use]
    pub fn stepped_by(self, stepper: Box<dyn Stepper>) -> Self {
        Self { stepper, ..self }
    }

    /// Advances by one frame. After an error the run is over: the state is that of the last successful frame.
    pub fn step(&mut self) -> Result<(), StepError> {
        let result = self.try_step();
        self.failure = result.as_ref().err().cloned();
        result
    }

    fn try_step(&mut self) -> Result<(), StepError> {
        let mut clock = Clock::start(milliseconds);
        let mut step = self.stepper.step(&mut self.scene, &mut |phase| clock.enter(phase))?;
        for _ in 1..self.substeps {
            let before = step;
            step = self.stepper.step(&mut self.scene, &mut |phase| clock.enter(phase))?;
            step.iterations += before.iterations;
            step.residual = step.residual.max(before.residual);
            step.at_limit |= before.at_limit;
            let (all, last) = (before.contact, &mut step.contact);
            last.rounds += all.rounds;
            last.cut |= all.cut;
            last.unclosed += all.unclosed;
            last.held_back = last.held_back.max(all.held_back);
        }
        self.recorder.record(self.scene.model(), &self.scene.state, &step, clock.times());
        Ok(())
    }

    /// Frames done so far.
    pub fn frame(&self) -> usize {
        self.recorder.history().frames()
    }

    /// Time between two frames, s.
    pub fn frame_time(&self) -> f64 {
        self.recorder.frame()
    }

    /// Frames of the whole run.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Whether no frame is left to do.
    pub fn is_over(&self) -> bool {
        self.failure.is_some() || self.frame() >= self.frames
    }

    /// Why the run ended early, if it did.
    pub fn failure(&self) -> Option<&StepError> {
        self.failure.as_ref()
    }

    /// The name of the scene in the report.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The scene.
    pub fn scene(&self) -> &BuiltScene {
        &self.scene
    }

    /// The state after the last frame.
    pub fn state(&self) -> &State {
        &self.scene.state
    }

    /// A row for each frame, the initial state first and the latest last. Of a run of more than 4096 frames these are evenly spaced ones, half as many
    /// at least, unless it [keeps them all](Self::keeping_all_rows).
    pub fn rows(&self) -> &[Row] {
        self.recorder.history().rows()
    }

    /// Keeps the rows of all frames in memory, for runs that are known to be short enough.
    #[must_use]
    pub fn keeping_all_rows(mut self) -> Self {
        self.recorder.keep_all();
        self
    }

    /// Names of the potentials, in the order of [`Row::potentials`]; each once.
    pub fn potentials(&self) -> &[String] {
        self.recorder.potentials()
    }

    /// The report of the run so far.
    pub fn report(&self) -> Report {
        Report::of(self)
    }
}
