//! One simulation of the scene: built, stepped, changed while it runs.

use super::command::POINTERS;
use super::frame::Sent;
use super::numbering::Numbering;
use super::rows::Rows;
use super::user_changes::UserChanges;
use crate::library::{Library, MAX_VERTICES, Source};
use glam::DVec3;
use sinew::{AttachmentId, BodyId, ControlError, Grab, GrabId, Settings, State, StateError, StepError};
use sinew_scene::build::{Audience, BuiltScene, build_for, settings_of};
use sinew_scene::format::{Expression, Override, ParsedScene, Scene, SceneError, parse};
use sinew_scene::run::{Clock, Meter};
use std::collections::BTreeSet;

/// Default strength of a grab: its spring could swing the whole body at this angular frequency, 1/s.
const PULL: f64 = 30.0;

/// One simulation.
#[derive(Debug)]
pub struct Variant {
    pub label: String,
    /// Current overrides, `KEY=VALUE`.
    pub set: Vec<String>,
    pub changes: UserChanges,
    pub built: BuiltScene,
    pub numbering: Numbering,
    pub meter: Meter,
    pub rows: Rows,
    pub sent: Sent,
    /// The engine's grab of each pointer.
    pub grabs: [Option<GrabId>; POINTERS],
}

/// Why something could not be done.
#[derive(Clone, Debug)]
pub struct Fault {
    pub message: String,
    pub line: Option<usize>,
    pub column: Option<usize>,
    pub key: Option<String>,
}

/// The effect of a change of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Other settings, the same model.
    Settings,
    /// Another model, in which the motion continues.
    Model,
    /// Other bodies, which start at time 0.
    Anew,
}

/// A change that can be made.
#[derive(Debug)]
pub struct Prepared {
    set: Vec<String>,
    changes: UserChanges,
    next: Next,
}

#[derive(Debug)]
enum Next {
    Settings(Box<Scene>, Settings),
    Model(Box<BuiltScene>, Change),
}

impl Variant {
    /// The scene at time 0.
    pub fn new(
        library: &Library,
        source: &Source,
        label: String,
        set: Vec<String>,
        changes: UserChanges,
    ) -> Result<Self, Fault> {
        let mut built = construct(library, source, &compose(source, &set, &changes)?)?;
        built.motions.hold_faces(changes.face.as_ref(), 0.0)?;
        let numbering = Numbering::new(&built);
        let mut meter = Meter::new(built.model(), &built.state);
        let mut rows = Rows::default();
        rows.push(&meter.first(built.model(), &built.state, built.settings().h));
        Ok(Self {
            label,
            set,
            changes,
            built,
            numbering,
            meter,
            rows,
            sent: Sent::default(),
            grabs: [None; POINTERS],
        })
    }

    /// Makes a step; `now` returns milliseconds.
    pub fn step(&mut self, now: fn() -> f64) -> Result<(), StepError> {
        let mut clock = Clock::start(now);
        let changes = &self.changes;
        let report = self.built.step(|state| changes.guide(state), &mut |phase| clock.enter(phase))?;
        let Self { built, meter, .. } = self;
        let row = meter.row(built.model(), &built.state, &report, clock.times(), built.settings().h);
        self.rows.push(&row);
        Ok(())
    }

    /// Checks whether it can continue with other overrides, or with changes by the user; nothing changes yet.
    pub fn prepare(
        &self,
        library: &Library,
        source: &Source,
        set: Vec<String>,
        changes: UserChanges,
    ) -> Result<Prepared, Fault> {
        let parsed = compose(source, &set, &changes)?;
        // Each step sets the velocity of the user's own wind.
        let windy = self.changes.wind.is_some() && changes.wind.is_some();
        let next = if same_model(&self.built.scene, &parsed.scene, windy) {
            let settings = settings_of(&parsed)?;
            self.built.simulator.accepts(&settings).map_err(|error| Fault::from(error.to_string()))?;
            Next::Settings(Box::new(parsed.scene), settings)
        } else {
            let mut built = construct(library, source, &parsed)?;
            let change = match self.built.state.carry_over(self.built.model(), built.model()) {
                Ok(state) => {
                    built.state = state;
                    Change::Model
                }
                Err(StateError::OtherBodies) => Change::Anew,
                Err(error) => return Err(Fault::from(error.to_string())),
            };
            built.motions.hold_faces(changes.face.as_ref(), built.state.time())?;
            Next::Model(Box::new(built), change)
        };
        Ok(Prepared { set, changes, next })
    }

    /// Checks whether the scene could start with these overrides on this model; what builds another model is not tried.
    pub fn would_take(&self, source: &Source, set: &[String]) -> Result<(), Fault> {
        let parsed = compose(source, set, &UserChanges::default())?;
        let settings = settings_of(&parsed)?;
        self.built.simulator.accepts(&settings).map_err(|error| Fault::from(error.to_string()))
    }

    /// Makes a change.
    pub fn commit(&mut self, prepared: Prepared) -> Result<Change, Fault> {
        let Prepared { set, changes, next } = prepared;
        let change = match next {
            Next::Settings(scene, settings) => {
                let refused = |error: sinew::SettingsError| Fault::from(error.to_string());
                self.built.simulator.set_settings(settings).map_err(refused)?;
                self.built.scene = *scene;
                Change::Settings
            }
            Next::Model(mut built, change) => {
                built.simulator.watch_correction(self.built.simulator.correction_sizes().is_some());
                if change == Change::Anew {
                    self.grabs = [None; POINTERS];
                }
                self.numbering = Numbering::new(&built);
                self.meter = Meter::new(built.model(), &built.state);
                self.rows = Rows::default();
                self.rows.push(&self.meter.first(built.model(), &built.state, built.settings().h));
                self.sent = Sent::default();
                self.built = *built;
                change
            }
        };
        (self.set, self.changes) = (set, changes);
        Ok(change)
    }

    /// Replaces the state, if the bytes are a state of this model.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let state = State::from_bytes(self.built.model(), bytes);
        self.built.state = state.map_err(|error| Fault::from(error.to_string()))?;
        // Grabs that were active when it was saved are released.
        let controls = self.built.state.controls_mut();
        let held: Vec<GrabId> = controls.grabs().map(|(id, _)| id).collect();
        for id in held {
            controls.release(id)?;
        }
        self.rows = Rows::default();
        let Self { built, meter, .. } = self;
        self.rows.push(&meter.first(built.model(), &built.state, built.settings().h));
        Ok(())
    }

    /// Grabs a point for a pointer; corners in the page's numbering.
    pub fn grab(&mut self, pointer: usize, mut grab: Grab, pull: Option<f64>) -> Result<(), Fault> {
        self.release(pointer)?;
        let model = self.built.model().clone();
        grab.stiffness = pull.unwrap_or_else(|| {
            let holds = |body: &&sinew::BodyInfo| body.vertices.contains(&(grab.corners[0] as usize));
            let body = model.bodies().iter().position(|body| holds(&body)).unwrap_or(0);
            self.built.state.momenta(&model, BodyId(body)).map_or(1.0, |m| m.mass) * PULL * PULL
        });
        // Barycentric weights from a page have rounding errors.
        let sum: f64 = grab.weights.iter().sum();
        grab.weights = grab.weights.map(|weight| weight / sum);
        self.grabs[pointer] = Some(self.built.state.controls_mut().grab(&model, grab)?);
        Ok(())
    }

    /// Moves what a pointer has grabbed; does nothing if it has grabbed nothing.
    pub fn move_to(&mut self, pointer: usize, target: DVec3) -> Result<(), Fault> {
        if let Some(id) = self.grabs[pointer] {
            self.built.state.controls_mut().move_grab(id, target)?;
        }
        Ok(())
    }

    /// Releases what a pointer has grabbed.
    pub fn release(&mut self, pointer: usize) -> Result<(), Fault> {
        if let Some(id) = self.grabs[pointer].take() {
            self.built.state.controls_mut().release(id)?;
        }
        Ok(())
    }

    /// Indices in the model of corners that the page named.
    pub fn corners<const K: usize>(&self, page: [u32; K]) -> Result<[u32; K], Fault> {
        let gone = |vertex: u32| Fault::from(format!("there is no vertex {vertex} any more"));
        let mut model = page;
        for corner in &mut model {
            *corner = self.numbering.to_model(*corner).ok_or_else(|| gone(*corner))?;
        }
        Ok(model)
    }

    /// The same for a point of a triangle, with its weights.
    pub fn grip(&self, page: [u32; 3], weights: [f64; 3]) -> Result<([u32; 3], [f64; 3]), Fault> {
        self.corners(page)?;
        let gone = || Fault::from("there is nothing to hold on to".to_owned());
        self.numbering.grip(page, weights).ok_or_else(gone)
    }

    /// Lets faces show something else than the scene says, or that again.
    pub fn show_on_faces(&mut self, expression: Option<Expression>) -> Result<(), Fault> {
        let time = self.built.state.time();
        self.built.motions.hold_faces(expression.as_ref(), time)?;
        self.changes.face = expression;
        Ok(())
    }

    /// Moves the target of an attachment, or returns it to the scene.
    pub fn move_target(&mut self, attachment: usize, to: Option<[f64; 3]>) -> Result<(), Fault> {
        match to {
            Some(to) => self.changes.targets.insert(attachment, to),
            None => self.changes.targets.remove(&attachment),
        };
        let to = match to {
            Some(to) => DVec3::from(to),
            // Targets that the scene moves follow it again from the next step on; the others go back to their initial positions.
            None => State::new(self.built.model()).controls().targets()[attachment],
        };
        self.built.state.controls_mut().move_target(AttachmentId(attachment), to)?;
        Ok(())
    }

    /// The user's changes, with these vertices (in the page's numbering) pinned or released.
    pub fn pinned(&self, vertices: &[u32], on: bool) -> Result<UserChanges, Fault> {
        let model = self.built.model();
        let bone_of = model.bone_of_vertices();
        let mut changes = self.changes.clone();
        for &vertex in vertices {
            let [i] = self.corners([vertex])?.map(|i| i as usize);
            if bone_of[i].is_some() {
                let message = "this point is on a bone or a rigid body, which can be dragged but not pinned";
                return Err(Fault::from(message.to_owned()));
            }
            let body = model.bodies().iter().position(|body| body.vertices.contains(&i));
            let Some((number, range)) = body.map(|number| (number, model.bodies()[number].vertices.clone()))
            else {
                continue;
            };
            let held = |&j: &usize| model.is_held(j) && bone_of[j].is_none();
            let current = || range.clone().filter(held).map(|j| (j - range.start) as u32);
            let pins: &mut BTreeSet<u32> = changes.pins.entry(number).or_insert_with(|| current().collect());
            let own = (i - range.start) as u32;
            if on {
                pins.insert(own)
            } else {
                pins.remove(&own)
            };
        }
        Ok(changes)
    }
}

/// Parses the scene's text with the overrides and applies the user's changes.
fn compose(source: &Source, set: &[String], changes: &UserChanges) -> Result<ParsedScene, Fault> {
    let overrides: Vec<Override> = set.iter().map(|text| Override::parse(text)).collect::<Result<_, _>>()?;
    let name = format!("{}.toml", source.name);
    let mut parsed = parse(&source.text, &name, &overrides)?;
    changes.apply(&mut parsed.scene);
    Ok(parsed)
}

/// Builds a scene within the limits.
fn construct(library: &Library, source: &Source, parsed: &ParsedScene) -> Result<BuiltScene, Fault> {
    library.admits(&parsed.scene, &source.folder)?;
    Ok(build_for(parsed, &source.folder, Audience::Interactive { most: MAX_VERTICES })?)
}

/// Whether two scenes differ only in how they are simulated and shown.
fn same_model(old: &Scene, new: &Scene, windy: bool) -> bool {
    let mut new = new.clone();
    new.h = old.h;
    new.frames = old.frames;
    new.integrator.clone_from(&old.integrator);
    new.solver.clone_from(&old.solver);
    new.correction.clone_from(&old.correction);
    new.fepr.clone_from(&old.fepr);
    new.damping.clone_from(&old.damping);
    new.expect.clone_from(&old.expect);
    new.camera.clone_from(&old.camera);
    new.render.clone_from(&old.render);
    if let (true, Some(new), Some(old)) = (windy, &mut new.wind, &old.wind) {
        (new.velocity, new.gusts) = (old.velocity, old.gusts.clone());
    }
    new == *old
}

impl From<String> for Fault {
    fn from(message: String) -> Self {
        Self { message, line: None, column: None, key: None }
    }
}

impl From<ControlError> for Fault {
    fn from(error: ControlError) -> Self {
        Self::from(error.to_string())
    }
}

impl From<SceneError> for Fault {
    fn from(error: SceneError) -> Self {
        Self {
            line: error.line(),
            column: error.column(),
            key: (!error.key.is_empty()).then(|| error.key.clone()),
            message: error.to_string(),
        }
    }
}
