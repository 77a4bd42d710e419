//! The scene file: TOML text to a typed, checked [`Scene`], with errors that point at the line at fault.
//!
//! ```text
//! text ─ tree ─→ nodes with origins ─ overrides ─→ nodes ─ deserialize ─→ Scene ─ validate ─→ ParsedScene
//! ```
//!
//! `tree` parses the text once and stores where every key and value was written; `--set` overrides (`overrides`) replace nodes and mark
//! themselves as their origin. `deserialize` gives this one tree to serde, whose errors (`fault`) therefore always know their position, and
//! `validate` checks what types cannot express. The same [`Locations`] serve later stages, which know the meshes.
//!
//! Choices between sub-tables are externally tagged (`mesh.ball = { … }`), and no table is flattened into another: both would make serde
//! buffer values and lose their positions.
//!
//! Nothing here depends on the engine or reads files. `docs/scenes.md` is the reference for users.

mod body;
mod bone;
mod choices;
mod collider;
mod contact;
mod deserialize;
mod error;
mod expect;
mod face;
mod fault;
mod forces;
mod joint;
mod locations;
mod material;
mod mesh;
mod model_mesh;
mod motion;
mod overrides;
mod path;
mod rigged_mesh;
mod scene;
mod schema;
mod seconds;
mod selection;
mod shorthand;
mod text_or_table;
mod tree;
mod validate;

pub use body::{Attachment, Body, Drag, ElementOverride, Initial, Pin, Randomize, Strike};
pub use bone::{Bone, GivenInertia, Rigid};
pub use choices::{
    Acceleration, CellDiagonals, ClipRepeat, CorrectionKind, CubeSplit, FeprReturn, FeprVariant, GlobalKind,
    IntegratorKind, JointKind, MaterialKind, Precision, ResponseKind, SolverKind, SpringLaw, StartKind,
};
pub use collider::{
    BowlShape, BoxShape, CapsuleShape, Collider, ColliderShape, PlaneShape, SphereShape, StairsShape,
    TorusShape,
};
pub use contact::{BodyContact, Contact, Friction};
pub use error::{Place, SceneError};
pub use expect::{Bound, Expectations, Scalar};
pub use face::{Expression, FaceMesh, JawPose};
pub use forces::{Gusts, UniformAcceleration, Wind};
pub use joint::Joint;
pub use locations::Locations;
pub use material::Material;
pub use mesh::{
    BallMesh, BarMesh, BoxMesh, CapsuleMesh, CarriedSurface, ClothMesh, FileMesh, Filling, InlineMesh,
    MeshSource, SphereMesh, TetrahedronMesh,
};
pub use model_mesh::ModelMesh;
pub use motion::{Keyframe, Motion, PlacementKeyframe, PlacementMotion, Rotation, Sinusoid};
pub use overrides::Override;
pub use rigged_mesh::{
    BraceletMesh, CantileverMesh, ChainMesh, CharacterMesh, FigureMesh, MujocoMesh, NunchuckMesh,
};
pub use scene::{Camera, Correction, Damping, Fepr, Integrator, Render, Scene, Solver};
pub use schema::schema;
pub use selection::{BoxSelection, PlaneSelection, Selection, SphereSelection};

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A scene together with the positions of its keys.
#[derive(Clone, Debug)]
pub struct ParsedScene {
    /// The scene, after every check that needs no mesh.
    pub scene: Scene,
    /// Where each key was written, for the errors of later stages.
    pub locations: Locations,
}

/// Parses and checks a scene.
///
/// `source_name` is the name of the file in errors. Overrides apply in order, before anything is checked, so that they may also supply what
/// the file lacks.
pub fn parse(text: &str, source_name: &str, overrides: &[Override]) -> Result<ParsedScene, SceneError> {
    let mut root = document(text, source_name)?;
    for (index, set) in overrides.iter().enumerate() {
        set.apply(&mut root, index)?;
    }
    shorthand::expand(&mut root);
    let locations = Locations {
        name: source_name.to_string(),
        text: text.to_string(),
        overrides: overrides.to_vec(),
        root,
    };
    let top = fault::is_scene_key;
    let scene = Scene::deserialize(&locations.root).map_err(|fault| fault.locate(&locations, top))?;
    locations.check_finite()?;
    validate::check(&scene, &locations)?;
    Ok(ParsedScene { scene, locations })
}

/// Parses a TOML file that is no scene, with errors of the same form: sweeps. `is_top` says which keys belong at the top level.
pub fn parse_table<T: DeserializeOwned>(
    text: &str,
    source_name: &str,
    is_top: fn(&str) -> bool,
) -> Result<(T, Locations), SceneError> {
    let root = document(text, source_name)?;
    let locations =
        Locations { name: source_name.to_string(), text: text.to_string(), overrides: Vec::new(), root };
    let table = T::deserialize(&locations.root).map_err(|fault| fault.locate(&locations, is_top))?;
    locations.check_finite()?;
    Ok((table, locations))
}

fn document(text: &str, source_name: &str) -> Result<tree::Node, SceneError> {
    tree::parse_document(text).map_err(|bad| {
        let span = bad.span.unwrap_or(0..0);
        SceneError::in_text(source_name, text, span.start, span.end, String::new(), bad.message)
    })
}
