//! From a parsed scene to a simulation: meshes are read, materials completed, bodies handed to the engine.
//!
//! ```text
//! Body ─ mesh ─→ MeshData ─┬─ elasticity ─→ tetrahedra and springs with their constants
//!                          ├─ inertia ────→ masses
//!                          ├─ initial ────→ positions and velocities
//!                          └─ selection ──→ pins, attachments and their motions
//! ```
//!
//! What can only be judged with the meshes at hand is judged here, or by the engine, and comes back as a
//! [`SceneError`] that points at the key at fault.

mod body;
mod elasticity;
mod fingerprint;
mod inertia;
mod initial;
mod mesh;
mod motion;
mod random;
mod refusal;
mod selection;
mod settings;
mod site;

pub(crate) use fingerprint::fnv;
pub use mesh::mesh_of;
pub use motion::Motions;

use crate::format::{ParsedScene, Scene, SceneError};
use crate::run;
use glam::DVec3;
use sinew::{Model, Settings, Simulator, State};
use site::Site;
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
    /// How the targets of attachments move.
    pub motions: Motions,
    /// A number that differs for scenes that would simulate differently: what a checkpoint is checked against.
    pub fingerprint: u64,
}

impl BuiltScene {
    /// What is simulated.
    pub fn model(&self) -> &Arc<Model> {
        self.simulator.model()
    }

    /// How it is simulated.
    pub fn settings(&self) -> &Settings {
        self.simulator.settings()
    }
}

/// Builds a scene. `folder` is where relative mesh paths start: the folder of the scene file.
///
/// # Errors
/// [`SceneError`] names the key at fault, with its line.
pub fn build(parsed: &ParsedScene, folder: &Path) -> Result<BuiltScene, SceneError> {
    let ParsedScene { scene, locations } = parsed;
    let root = Site::root(locations);
    run::check_expectations(&scene.expect, locations)?;
    let settings = settings::settings(scene, &root)?;

    let mut builder = Model::builder();
    let mut motions = Motions::default();
    for (index, body) in scene.bodies.iter().enumerate() {
        let at = root.key("body").index(index);
        body::Assembly::new(body, index, scene, folder, &at)?.add_to(&mut builder, &mut motions, &at)?;
    }
    builder.gravity(DVec3::from(scene.gravity));
    let model = builder.build().map_err(|error| refusal::of_model(&error, scene, &root))?;
    let state = State::new(&model);
    let fingerprint = fingerprint::of(scene, &model);
    let simulator =
        Simulator::new(Arc::new(model), settings).map_err(|error| refusal::of_settings(&error, &root))?;
    Ok(BuiltScene { scene: scene.clone(), simulator, state, motions, fingerprint })
}
