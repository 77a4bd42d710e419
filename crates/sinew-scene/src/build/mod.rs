//! From a parsed scene to a simulation: meshes are read, materials completed, bodies passed to the engine.
//!
//! ```text
//! Body ─ anatomy ─→ mesh and bones ─┬─ elasticity ─→ tetrahedra and springs with their constants
//!                                   ├─ weight ─────→ masses, or the inertia of a rigid body
//!                                   ├─ initial ────→ positions and velocities
//!                                   └─ selection ──→ pins, attachments and their motions
//! Face ─→ flesh with muscles, a jaw, and expressions over time
//! Joint ─ skeleton ─→ bones by name, joints between them
//! Collider ─→ solid with its course over time
//! Drag, Wind, UniformAcceleration ─→ drags and forces over time
//! ```
//!
//! Checks that need the meshes happen here, or in the engine, and fail with a [`SceneError`] that points at the key at fault.

mod anatomy;
mod body;
mod collider;
mod contact;
mod drag;
mod elasticity;
pub(crate) mod embedding;
mod enclosed;
mod face;
mod figure;
mod file_materials;
mod fingerprint;
mod forces;
mod inertia;
mod initial;
mod mesh;
mod motion;
mod random;
mod refusal;
mod selection;
mod settings;
mod site;
mod skeleton;
mod weight;

pub use embedding::EmbeddedSurface;
pub use face::FaceCourse;
pub use figure::PlacedFigure;
pub(crate) use fingerprint::fnv;
pub use mesh::{mesh_of, rigged_mesh_of};
pub use motion::Motions;

use crate::format::{ParsedScene, Scene, SceneError};
use crate::run;
use collider::Course;
use forces::Air;
use glam::DVec3;
use sinew::{ControlError, Model, ModelBuilder, Phase, Settings, Simulator, State, StepError, StepReport};
use site::Site;
use skeleton::Skeleton;
use std::path::Path;
use std::sync::Arc;

/// A scene that is ready to run.
#[derive(Debug)]
pub struct BuiltScene {
    /// The scene as it was written.
    pub scene: Scene,
    /// Advances the state; holds the model and the settings.
    pub simulator: Simulator,
    /// The state at time 0.
    pub state: State,
    /// Everything that the scene moves: targets, colliders, bones, drags, wind and acceleration.
    pub motions: Motions,
    /// A number that differs between scenes that simulate differently; a checkpoint is checked against it.
    pub fingerprint: u64,
    /// The finer surface that each body carries, if it has one.
    pub surfaces: Vec<Option<EmbeddedSurface>>,
    /// Sentences about what was left out or changed while reading mesh files.
    pub notices: Vec<String>,
}

impl BuiltScene {
    /// The simulated model.
    pub fn model(&self) -> &Arc<Model> {
        self.simulator.model()
    }

    /// The settings of the simulation.
    pub fn settings(&self) -> &Settings {
        self.simulator.settings()
    }

    /// Makes a step: moves what the scene prescribes, lets `guide` change that, and calls `enter` when each phase of the step begins.
    ///
    /// # Errors
    /// [`StepError`]; the state is that of the last successful step.
    pub fn step(
        &mut self,
        guide: impl FnOnce(&mut State) -> Result<(), ControlError>,
        enter: &mut dyn FnMut(Phase),
    ) -> Result<StepReport, StepError> {
        let Self { simulator, state, motions, .. } = self;
        let end = state.time() + simulator.settings().h;
        motions.apply(simulator.model(), state, end)?;
        guide(state)?;
        simulator.step_observed(state, enter)
    }
}

/// Builds a scene. Relative mesh paths start at `folder`: the folder of the scene file.
///
/// # Errors
/// [`SceneError`] names the key at fault, with its line.
pub fn build(parsed: &ParsedScene, folder: &Path) -> Result<BuiltScene, SceneError> {
    build_for(parsed, folder, Audience::Nobody)
}

/// The scene's choices of integrator, solver, correction and damping, as settings of the engine.
///
/// # Errors
/// [`SceneError`] names the key at fault, with its line.
pub fn settings_of(parsed: &ParsedScene) -> Result<Settings, SceneError> {
    settings::settings(&parsed.scene, &Site::root(&parsed.locations))
}

/// Whether a user may interact with a scene while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Nobody: only what the scene prescribes acts on the bodies.
    Nobody,
    /// A user may grab bodies at any time; a scene with more vertices than `most` is refused before it is built.
    Interactive {
        /// Largest number of vertices.
        most: usize,
    },
}

/// As [`build`], for a run that a user may interact with.
///
/// # Errors
/// [`SceneError`] names the key at fault, with its line.
pub fn build_for(parsed: &ParsedScene, folder: &Path, audience: Audience) -> Result<BuiltScene, SceneError> {
    let ParsedScene { scene, locations } = parsed;
    let root = Site::root(locations);
    run::check_expectations(&scene.expect, locations)?;
    let settings = settings::settings(scene, &root)?;

    let mut builder = Model::builder();
    let mut motions = Motions::default();
    let mut skeleton = Skeleton::default();
    let mut vertices = 0;
    let (mut surfaces, mut notices) = (Vec::new(), Vec::new());
    for (index, body) in scene.bodies.iter().enumerate() {
        let at = root.key("body").index(index);
        let assembly = body::Assembly::new(body, index, scene, folder, &at)?;
        surfaces.push(assembly.carried(vertices, folder, &at)?);
        notices.extend_from_slice(assembly.notes());
        vertices += assembly.vertices();
        if let Audience::Interactive { most } = audience
            && vertices > most
        {
            let message = format!("gives {vertices} vertices in all; at most {most} are possible here");
            return Err(at.key("mesh").error(message));
        }
        assembly.add_to(&mut builder, &mut skeleton, &mut motions, &at)?;
    }
    skeleton.add_joints(&scene.joints, &mut builder, &root.key("joint"))?;
    builder.gravity(DVec3::from(scene.gravity));
    add_surroundings(scene, folder, &root, &mut builder, &mut motions)?;
    if audience != Audience::Nobody {
        builder.grabs();
    }
    let model = builder.build().map_err(|error| refusal::of_model(&error, scene, &skeleton, &root))?;
    let state = State::new(&model);
    let most = sinew::Controls::most_grabs();
    if let Some((body, drag)) = drag::one_too_many(&motions.drags, most) {
        let at = root.key("body").index(body).key("drag").index(drag);
        return Err(at.error(format!("more than {most} drags would hold something at the same time")));
    }
    let fingerprint = fingerprint::of(scene, &model, skeleton.files());
    let simulator =
        Simulator::new(Arc::new(model), settings).map_err(|error| refusal::of_settings(&error, &root))?;
    Ok(BuiltScene { scene: scene.clone(), simulator, state, motions, fingerprint, surfaces, notices })
}

/// Contact, colliders, air and acceleration.
fn add_surroundings(
    scene: &Scene,
    folder: &Path,
    root: &Site<'_>,
    builder: &mut ModelBuilder,
    motions: &mut Motions,
) -> Result<(), SceneError> {
    if scene.has_drags() {
        builder.grabs();
    }
    if let Some(law) = &scene.contact {
        builder.contact(contact::law(law));
    }
    for (index, given) in scene.colliders.iter().enumerate() {
        let at = root.key("collider").index(index);
        let id = builder.add_collider(collider::solid(given, index, folder, &at)?);
        motions.add_collider(id, Course::new(given));
    }
    if let Some(wind) = &scene.wind {
        builder.air(wind.density);
        motions.air = Some(Air::new(wind));
    }
    motions.acceleration.clone_from(&scene.acceleration);
    Ok(())
}
