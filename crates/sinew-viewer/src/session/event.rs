//! The messages to a page; `docs/viewer-protocol.md` describes them in words.

use serde::Serialize;
use sinew_scene::format::Expression;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// A message for the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    Hello {
        protocol: u32,
        engine: &'static str,
        version: &'static str,
        threads: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        scene: Option<Opening>,
    },
    Scenes {
        scenes: Vec<SceneCard>,
        files: Vec<String>,
    },
    Opened {
        name: String,
        text: String,
        source: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        dropped: bool,
    },
    /// A file that was dropped on the page has come.
    Taken {
        file: String,
    },
    /// For each list of overrides, why a variant with it would be refused.
    Accepts {
        refusals: Vec<Option<String>>,
    },
    Scene(Box<SceneEvent>),
    Settings {
        variant: usize,
        set: Vec<String>,
        values: Values,
    },
    State {
        playing: bool,
        speed: Option<f64>,
        /// The wind that the page set, m/s.
        wind: Option<[f64; 3]>,
        /// What the page set faces to show.
        face: Option<Expression>,
        pins: Vec<u32>,
    },
    Error {
        message: String,
        about: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        column: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    },
    Failed {
        variant: usize,
        message: String,
    },
}

/// What the page opens first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opening {
    /// A built-in scene.
    Scene(String),
    /// A file below the served folder.
    File(String),
}

/// A scene of the gallery.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SceneCard {
    pub name: &'static str,
    pub title: String,
    pub description: String,
    /// Approximate time of the whole run on two cores, s.
    pub seconds: f64,
}

/// Everything about a variant that does not change from frame to frame; the mesh follows as a binary message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SceneEvent {
    pub variant: usize,
    pub variants: usize,
    pub label: String,
    pub name: String,
    pub title: String,
    pub description: String,
    pub h: f64,
    pub set: Vec<String>,
    pub vertices: usize,
    pub seen: usize,
    pub elements: usize,
    pub bones: usize,
    pub joints: usize,
    pub size: f64,
    pub bodies: Vec<BodyEvent>,
    pub colliders: Vec<ColliderEvent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<CameraEvent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub face: Option<FaceEvent>,
    pub potentials: Vec<String>,
    pub columns: Vec<String>,
    pub units: Units,
    pub values: Values,
    pub bounds: Bounds,
}

/// A body and its part of the mesh message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyEvent {
    pub name: String,
    pub rigid: bool,
    pub triangles: usize,
    pub springs: usize,
    pub tetrahedra: usize,
}

/// A collider and its part of the mesh message.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ColliderEvent {
    Plane {},
    Solid { points: usize, triangles: usize },
}

/// The first face of the scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaceEvent {
    pub muscles: Vec<String>,
    /// How fat it is, and the key by which `set` changes that.
    pub fat: MaterialValue,
}

/// The camera that the scene asks for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CameraEvent {
    pub eye: [f64; 3],
    pub look_at: [f64; 3],
    pub fov: f64,
}

/// Units of the quantities that colour bodies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Units {
    pub energy: &'static str,
    pub stress: &'static str,
    pub speed: &'static str,
    pub correction: &'static str,
}

/// A box, m.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounds {
    pub min: [f64; 3],
    pub max: [f64; 3],
}

/// The current values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Values {
    pub integrator: String,
    pub solver: String,
    pub iterations: Option<usize>,
    pub acceleration: &'static str,
    pub correction: String,
    pub h: f64,
    pub gravity: [f64; 3],
    pub ether: f64,
    pub rigid_preserving: f64,
    pub materials: Vec<MaterialValue>,
}

/// A stiffness that `set` can change.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MaterialValue {
    pub key: String,
    pub label: String,
    pub value: f64,
}
