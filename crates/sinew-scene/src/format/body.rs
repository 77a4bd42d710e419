//! A body: its mesh, material, initial state, and what holds it in place.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bone::{Bone, Rigid};
use super::contact::BodyContact;
use super::face::Expression;
use super::material::Material;
use super::mesh::{CarriedSurface, MeshSource};
use super::motion::{Motion, PlacementMotion, Rotation};
use super::selection::Selection;

/// A soft or rigid body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("anyOf" = [{ "required": ["mesh"] }, { "required": ["rigid"] }]))]
pub struct Body {
    /// Name in reports and exported files; no two bodies share one. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Points and elements. Only a rigid body whose inertia is given may have no mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshSource>,
    /// A finer surface that the tetrahedra carry: it is drawn and written instead of their boundary, and follows them by its barycentric coordinates.
    /// It takes no part in the simulation. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<CarriedSurface>,
    /// A file with the bones and joints of the mesh, relative to the folder of the scene file. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints: Option<String>,
    /// Whether to use the bones and joints that come with the mesh. Default: true.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub skeleton: bool,
    /// Rigid parts.
    #[serde(default, rename = "bone", skip_serializing_if = "Vec::is_empty")]
    pub bones: Vec<Bone>,
    /// Material; values that it leaves out are taken from the scene's.
    #[serde(default)]
    pub material: Material,
    /// Elements that differ from the material. Where several give an element the same value, the last one counts.
    #[serde(default, rename = "override", skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<ElementOverride>,
    /// What a face shows over time.
    #[serde(default, rename = "expression", skip_serializing_if = "Vec::is_empty")]
    pub expressions: Vec<Expression>,
    /// Initial state.
    #[serde(default)]
    pub initial: Initial,
    /// Vertices that never move.
    #[serde(default, rename = "pin", skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<Pin>,
    /// Vertices that springs pull to given points.
    #[serde(default, rename = "attachment", skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// Grabs of a point of the surface for some time.
    #[serde(default, rename = "drag", skip_serializing_if = "Vec::is_empty")]
    pub drags: Vec<Drag>,
    /// Makes the body one rigid bone, which moves and turns but never deforms: true, or its inertia. Default: false.
    #[serde(default, skip_serializing_if = "Rigid::is_soft")]
    pub rigid: Rigid,
    /// Friction and restitution of its surface, where they are not the scene's.
    #[serde(default, skip_serializing_if = "BodyContact::is_default")]
    pub contact: BodyContact,
    /// Whether a rigid body is kinematic: it stays where it starts, or follows its motion. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kinematic: bool,
    /// How a kinematic body moves from its initial placement. Default: it rests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<PlacementMotion>,
    /// The point about which its motion rotates it, m, in the initial state. Default: its centre of mass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pivot: Option<[f64; 3]>,
}

impl Body {
    /// A body with this mesh and default values otherwise.
    pub fn new(mesh: MeshSource) -> Self {
        Self {
            name: None,
            mesh: Some(mesh),
            surface: None,
            joints: None,
            skeleton: true,
            bones: Vec::new(),
            material: Material::default(),
            overrides: Vec::new(),
            expressions: Vec::new(),
            initial: Initial::default(),
            pins: Vec::new(),
            attachments: Vec::new(),
            drags: Vec::new(),
            rigid: Rigid::No,
            contact: BodyContact::default(),
            kinematic: false,
            motion: None,
            pivot: None,
        }
    }
}

fn yes() -> bool {
    true
}

/// Values of the elements whose centroid is selected. Values left out stay as in the material.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ElementOverride {
    /// The elements.
    pub select: Selection,
    /// Young's modulus, Pa, positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub young: Option<f64>,
    /// Poisson's ratio, between −1 and 0.5.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = -1, "exclusiveMaximum" = 0.5))]
    pub poisson: Option<f64>,
    /// Lamé's second parameter μ, Pa, positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub mu: Option<f64>,
    /// Lamé's first parameter λ, Pa, greater than −2μ/3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lambda: Option<f64>,
    /// Density, kg/m³ for tetrahedra and kg/m² for cloth, positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub density: Option<f64>,
    /// Stiffness of springs, N/m, 0 or greater.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub stiffness: Option<f64>,
}

/// Initial state, applied in the order of these keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Initial {
    /// Factors along x, y, z about the centre of mass; 0 flattens, negative mirrors. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stretch: Option<[f64; 3]>,
    /// Rotation about the centre of mass. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotate: Option<Rotation>,
    /// Displacement, m. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translate: Option<[f64; 3]>,
    /// Velocity of all vertices, m/s. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity: Option<[f64; 3]>,
    /// Angular velocity about the centre of mass, rad/s. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spin: Option<[f64; 3]>,
    /// A blow to a part of the body. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strike: Option<Strike>,
    /// Random displacement of all vertices. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub randomize: Option<Randomize>,
}

/// A blow: adds velocity · max(0, 1 − (r/radius)²) at distance r from the centre.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Strike {
    /// Centre of the blow, m.
    pub center: [f64; 3],
    /// Radius of the blow, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
    /// Velocity at the centre, m/s.
    pub velocity: [f64; 3],
}

/// A random displacement of every vertex; the same seed gives the same displacements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Randomize {
    /// Largest displacement along each axis, m, 0 or greater.
    #[schemars(range(min = 0))]
    pub amplitude: f64,
    /// Seed of the random numbers. Default: 0.
    #[serde(default)]
    pub seed: u64,
}

/// Vertices that never move from where they start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// The vertices.
    pub select: Selection,
}

/// Springs of rest length zero from vertices to points in space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Attachment {
    /// The vertices.
    pub select: Selection,
    /// Stiffness of the spring of each vertex, N/m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub stiffness: f64,
    /// A common target of all vertices, m. Default: the initial position of each vertex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<[f64; 3]>,
    /// How the targets move. Default: they rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
}

/// A grab: a spring from a point of the surface to a target that moves, for some time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drag {
    /// Grabs the point of the surface that is nearest to this one at the start of the simulation, m.
    pub point: [f64; 3],
    /// Stiffness of the spring, N/m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub stiffness: f64,
    /// Time of the grab, s, 0 or greater. Default: 0.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub start: f64,
    /// Time of the release, s, later than the start. Default: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<f64>,
    /// How the target moves, relative to the grabbed point's position at the start of the simulation. Default: it rests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
}
