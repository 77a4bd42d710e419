//! The scene: the root of the file and its tables of settings.
//!
//! The comments of these fields are also the descriptions in the JSON Schema and are written for users.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::body::Body;
use super::choices::{
    Acceleration, CorrectionKind, FeprReturn, FeprVariant, GlobalKind, IntegratorKind, Precision, SolverKind,
};
use super::collider::{Collider, ColliderShape};
use super::contact::Contact;
use super::expect::Expectations;
use super::forces::{UniformAcceleration, Wind};
use super::joint::Joint;
use super::material::Material;
use super::mesh::MeshSource;
use super::seconds;

/// A Sinew scene: bodies, how to simulate them, and the expected results. All numbers are in SI units and finite; angles are in degrees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Scene {
    /// Short title. Default: empty.
    pub title: String,
    /// What the scene shows. Default: empty.
    pub description: String,
    /// Number of steps to simulate, 1 to 1 000 000. Default: 300.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub frames: usize,
    /// Time step in seconds, greater than 0 and at most 1: a number, or a fraction such as "1/30".
    /// Default: 1/30.
    #[serde(deserialize_with = "seconds::deserialize")]
    #[schemars(schema_with = "seconds::schema")]
    pub h: f64,
    /// Gravitational acceleration, m/s². Default: none, [0, 0, 0].
    pub gravity: [f64; 3],
    /// Write a checkpoint every this many frames; 0: only at the end. Default: about every half second of computing time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint_every: Option<usize>,
    /// How time is discretised.
    pub integrator: Integrator,
    /// How each step is solved.
    pub solver: Solver,
    /// What restores energy and momentum after each step.
    pub correction: Correction,
    /// Settings of the corrections `fepr` and `fepr-sqp`.
    pub fepr: Fepr,
    /// Deliberate loss of energy.
    pub damping: Damping,
    /// Material of all bodies; a body's own material replaces it value by value.
    pub material: Material,
    /// The bodies, at least one.
    #[serde(rename = "body")]
    pub bodies: Vec<Body>,
    /// Joints between bones.
    #[serde(rename = "joint", skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<Joint>,
    /// How bodies collide. Default: they do not, unless there is a collider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<Contact>,
    /// Solids that bodies collide with.
    #[serde(rename = "collider", skip_serializing_if = "Vec::is_empty")]
    pub colliders: Vec<Collider>,
    /// Air. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wind: Option<Wind>,
    /// A uniform acceleration in addition to gravity. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<UniformAcceleration>,
    /// Values that the report of a run must have for the run to pass `--check`.
    pub expect: Expectations,
    /// The position of the camera. Default: chosen so that all bodies are visible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<Camera>,
    /// How pictures are drawn.
    pub render: Render,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            title: String::new(),
            description: String::new(),
            frames: 300,
            h: sinew::Settings::default().h,
            gravity: [0.0; 3],
            checkpoint_every: None,
            integrator: Integrator::default(),
            solver: Solver::default(),
            correction: Correction::default(),
            fepr: Fepr::default(),
            damping: Damping::default(),
            material: Material::default(),
            bodies: Vec::new(),
            joints: Vec::new(),
            contact: None,
            colliders: Vec::new(),
            wind: None,
            acceleration: None,
            expect: Expectations::default(),
            camera: None,
            render: Render::default(),
        }
    }
}

impl Scene {
    /// The integration rule: the one that the file names, else the one that Sinew recommends for such a scene.
    pub fn rule(&self) -> IntegratorKind {
        let recommended =
            if self.has_contact() { sinew::Settings::in_contact() } else { sinew::Settings::default() };
        self.integrator.kind.unwrap_or_else(|| IntegratorKind::named(recommended.integrator.name()))
    }

    /// Whether anything can collide.
    pub fn has_contact(&self) -> bool {
        self.contact.is_some() || !self.colliders.is_empty()
    }

    /// Whether the scene moves a kinematic bone or rigid body.
    pub fn has_guided_bones(&self) -> bool {
        let guided =
            |body: &Body| body.motion.is_some() || body.bones.iter().any(|bone| bone.motion.is_some());
        let figure = |body: &Body| matches!(body.mesh, Some(MeshSource::Figure(_)));
        let face = |body: &Body| !body.expressions.is_empty();
        self.bodies.iter().any(|body| guided(body) || figure(body) || face(body))
    }

    /// Every file that the scene names, relative to the folder of the scene file.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let of_bodies = self.bodies.iter().flat_map(|body| {
            let mesh = match &body.mesh {
                Some(MeshSource::File(file)) => Some(file.path.as_str()),
                Some(MeshSource::Figure(figure)) => Some(figure.path.as_str()),
                Some(MeshSource::Mujoco(model)) => Some(model.path.as_str()),
                Some(MeshSource::Face(face)) => face.path.as_deref(),
                _ => None,
            };
            let surface = body.surface.as_ref().map(|surface| surface.path.as_str());
            mesh.into_iter().chain(surface).chain(body.joints.as_deref())
        });
        let of_colliders = self.colliders.iter().filter_map(|collider| match &collider.shape {
            ColliderShape::Mesh(file) => Some(file.path.as_str()),
            _ => None,
        });
        of_bodies.chain(of_colliders)
    }

    /// Approximate number of vertices of the scene, without those of mesh files.
    pub fn vertices(&self) -> f64 {
        self.bodies.iter().filter_map(|body| body.mesh.as_ref()).map(MeshSource::vertices).sum()
    }

    /// Whether the scene has any drags.
    pub fn has_drags(&self) -> bool {
        self.bodies.iter().any(|body| !body.drags.is_empty())
    }
}

/// How time is discretised.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Integrator {
    /// The rule. Default: sdirk2; backward-euler in scenes with contact, whose forces are found once in a step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<IntegratorKind>,
    /// What generalized-alpha leaves of the fastest motion in a step, 0 to 1. Default: 0.5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spectral_radius: Option<f64>,
}

/// How each step is solved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Solver {
    /// The method. Default: projective-dynamics.
    pub kind: SolverKind,
    /// Iterations of a solve, 1 to 100 000; the largest number if there is a tolerance. Default: 50 for newton, 60 for projective-dynamics with lbfgs, else 20. A
    /// scene that sets it and no tolerance spends them all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100_000))]
    pub iterations: Option<usize>,
    /// Stop early once the remaining displacement (root mean square over the vertices, as a share of the body's size) is below this; 0: use
    /// all iterations. Default: 1e-12 for newton, else 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub tolerance: Option<f64>,
    /// For lbfgs: stop early once what is left to move is below this share of what forces move in the step; 0: do not. Default: 0.02 if the scene sets neither
    /// iterations nor tolerance, else 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1))]
    pub relative_tolerance: Option<f64>,
    /// How the linear systems of projective dynamics and of corrections are solved. Default: auto.
    pub global: GlobalKind,
    /// Acceleration of projective dynamics. Default: lbfgs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<Acceleration>,
    /// Pairs of vectors that L-BFGS stores, 1 to 50. Default: 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 50))]
    pub history: Option<usize>,
    /// Precision of the matrix that L-BFGS starts from; the result is the same to the solver's tolerance. Default: f64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preconditioner: Option<Precision>,
}

/// What restores energy and momentum after each step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Correction {
    /// The method. Default: fepr.
    pub kind: CorrectionKind,
    /// Tolerance of the blend, relative; 0 or greater. Default: the method's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub epsilon: Option<f64>,
}

/// Settings of energy projection.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Fepr {
    /// Treatment of difficult cases. Default: safe.
    pub variant: FeprVariant,
    /// Smoothing of the correction in space, 0 (none) or greater. Default: the method's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub smoothing: Option<f64>,
    /// How much of the energy that a step lost a held body gets back. Default: exact.
    #[serde(rename = "return")]
    pub returns: FeprReturn,
}

/// Deliberate loss of energy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Damping {
    /// Drag of every vertex against the surroundings, N·s/m, 0 or greater. Default: 0.
    #[schemars(range(min = 0))]
    pub ether: f64,
    /// Fraction of the velocity that is not a rigid motion of its body and that each step removes, 0 to 1. Default: 0.
    #[schemars(range(min = 0, max = 1))]
    pub rigid_preserving: f64,
}

/// The position of the camera.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// Position of the eye, m.
    pub eye: [f64; 3],
    /// The point at the centre of the picture, m.
    pub look_at: [f64; 3],
    /// Vertical field of view in degrees, between 0 and 180. Default: 35.
    #[serde(default = "default_fov")]
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 180))]
    pub fov: f64,
}

fn default_fov() -> f64 {
    35.0
}

/// How pictures are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Render {
    /// Height y of a ground plane to draw, m. It is only drawn and does not collide; planes among the colliders are always drawn. Default: no
    /// ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<f64>,
    /// Whether to draw the edges of the mesh. Default: true.
    pub wireframe: bool,
    /// Time that `picture.png` shows, s. Default: the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub picture: Option<f64>,
    /// Width in pixels, 16 to 8192. Default: 640.
    #[schemars(range(min = 16, max = 8192))]
    pub width: u32,
    /// Height in pixels, 16 to 8192. Default: 480.
    #[schemars(range(min = 16, max = 8192))]
    pub height: u32,
}

impl Default for Render {
    fn default() -> Self {
        Self { ground: None, wireframe: true, picture: None, width: 640, height: 480 }
    }
}
