//! Running a scene: step, record, report, write.
//!
//! [`Run`] advances a [`BuiltScene`] frame by frame and keeps a [`Row`] of numbers of each. From the rows come the
//! [`Report`], `trace.csv` and the energy plot; [`Output`] writes them, with pictures and meshes, into a folder.
//! A [checkpoint](Run::save) contains the state and the rows, so that a resumed run ends with the same report, trace and state hash as one
//! that was never interrupted (except for computing times).

#[cfg(not(target_arch = "wasm32"))]
mod checkers;
mod checkpoint;
mod clock;
mod depth;
mod expect;
#[cfg(not(target_arch = "wasm32"))]
mod output;
#[cfg(not(target_arch = "wasm32"))]
mod picture;
#[cfg(not(target_arch = "wasm32"))]
mod plot;
mod record;
mod report;
#[cfg(not(target_arch = "wasm32"))]
mod scenery;
mod spectrum;
mod stepper;
mod surface;
#[cfg(not(target_arch = "wasm32"))]
mod tables;
mod truth;
mod visible;

pub use checkpoint::CheckpointError;
pub use clock::{Clock, milliseconds};
pub use expect::{Verdict, check as check_report};
#[cfg(not(target_arch = "wasm32"))]
pub use output::{Format, Output, OutputError, write_report};
#[cfg(not(target_arch = "wasm32"))]
pub use picture::Picture;
#[cfg(not(target_arch = "wasm32"))]
pub use plot::{PLOT_SIZE, energy_plot};
pub use record::{CorrectionCounts, Meter, Row, Times};
pub use report::{
    ByCause, ContactReport, CorrectionReport, EnergyReport, MomentumReport, MotionReport, Report, TimeReport,
    percentile,
};
pub use stepper::Stepper;
pub use surface::solid_of;
pub use truth::{Truth, TruthShare};
pub use visible::Shape;

pub(crate) use expect::check_keys as check_expectations;

use crate::build::BuiltScene;
use record::Recorder;
use sinew::{State, StepError};
use stepper::Engine;

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
        let stepper = Box::new(Engine);
        Self { name: name.into(), scene, frames, substeps, stepper, recorder, failure: None }
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
            let before = step.iterations;
            step = self.stepper.step(&mut self.scene, &mut |phase| clock.enter(phase))?;
            step.iterations += before;
        }
        self.recorder.record(self.scene.model(), &self.scene.state, &step, clock.times());
        Ok(())
    }

    /// Frames done so far.
    pub fn frame(&self) -> usize {
        self.recorder.rows().len() - 1
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

    /// A row for each frame, the initial state first.
    pub fn rows(&self) -> &[Row] {
        self.recorder.rows()
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
