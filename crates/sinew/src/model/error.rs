//! What can be wrong with a model.

use thiserror::Error;

/// Why a model cannot be built. Vertex and element numbers are the body's own, counted from 0.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ModelError {
    /// No bodies.
    #[error("the model has no bodies; add at least one")]
    Empty,
    /// A body without vertices.
    #[error("body `{body}` has no vertices")]
    NoVertices {
        /// Name of the body.
        body: String,
    },
    /// A coordinate is NaN or infinite.
    #[error("body `{body}`: {what} of vertex {vertex} is not finite")]
    NotFinite {
        /// Name of the body.
        body: String,
        /// What was read.
        what: &'static str,
        /// The vertex.
        vertex: usize,
    },
    /// An array has the wrong length.
    #[error("body `{body}`: {what} has {found} entries, needs {expected}")]
    Length {
        /// Name of the body.
        body: String,
        /// Which array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The right length.
        expected: usize,
    },
    /// An element names a vertex that does not exist.
    #[error("body `{body}`: {what} {element} uses vertex {vertex}, but there are only {vertices}")]
    Index {
        /// Name of the body.
        body: String,
        /// Kind of element.
        what: &'static str,
        /// Which one.
        element: usize,
        /// The vertex that it names.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// An element uses a vertex twice.
    #[error("body `{body}`: {what} {element} uses vertex {vertex} twice")]
    Repeated {
        /// Name of the body.
        body: String,
        /// Kind of element.
        what: &'static str,
        /// Which one.
        element: usize,
        /// The vertex.
        vertex: u32,
    },
    /// A tetrahedron without positive rest volume.
    #[error(
        "body `{body}`: tetrahedron {element} is {how} at rest (volume {volume:e} m³); \
         {remedy}"
    )]
    BadTetrahedron {
        /// Name of the body.
        body: String,
        /// Which one.
        element: usize,
        /// Its signed volume.
        volume: f64,
        /// `flat` or `inverted`.
        how: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// A stiffness, density or rest length out of range.
    #[error("body `{body}`: {what} of {element_kind} {element} must be {expected}, is {value}")]
    Parameter {
        /// Name of the body.
        body: String,
        /// Which parameter.
        what: &'static str,
        /// Kind of element.
        element_kind: &'static str,
        /// Which one.
        element: usize,
        /// The rule.
        expected: &'static str,
        /// What was given.
        value: f64,
    },
    /// A vertex without mass.
    #[error(
        "body `{body}`: vertex {vertex} has mass {mass} kg; every vertex needs a positive mass \
         (give a density, a total mass, or remove vertices that no element uses)"
    )]
    Mass {
        /// Name of the body.
        body: String,
        /// The vertex.
        vertex: usize,
        /// Its mass.
        mass: f64,
    },
    /// A pin or attachment on a vertex that does not exist.
    #[error("{what} {index} names vertex {vertex}, but the model has only {vertices}")]
    Vertex {
        /// `pin` or `attachment`.
        what: &'static str,
        /// Which one.
        index: usize,
        /// The vertex.
        vertex: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// An attachment with a bad stiffness or target.
    #[error("attachment {index}: {what}")]
    Attachment {
        /// Which one.
        index: usize,
        /// What is wrong with it.
        what: String,
    },
    /// Gravity is not finite.
    #[error("gravity must be finite, is {0}")]
    Gravity(glam::DVec3),
    /// A collider with a bad shape, place, friction or restitution.
    #[error("collider `{name}`: {what}")]
    Collider {
        /// Its name.
        name: String,
        /// What is wrong with it.
        what: String,
    },
    /// A number of the contact law out of range.
    #[error("contact: {what}")]
    Contact {
        /// What is wrong with it.
        what: String,
    },
    /// The density of the air is negative or not finite.
    #[error("the density of the air must be zero or positive and finite, is {0} kg/m³")]
    Air(f64),
    /// An energy of the user's own reports a bad entry of L.
    #[error("energy `{name}`: entry ({i}, {j}) of its Laplacian, {weight}, is out of range or not finite")]
    Laplacian {
        /// Name of the energy.
        name: String,
        /// Row.
        i: u32,
        /// Column.
        j: u32,
        /// Value.
        weight: f64,
    },
    /// An energy of the user's own names a vertex that does not exist.
    #[error("energy `{name}` uses vertex {vertex}, but the model has only {vertices}")]
    OwnEnergy {
        /// Name of the energy.
        name: String,
        /// The vertex.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A bone that cannot be.
    #[error("bone `{bone}`: {what}")]
    Bone {
        /// Its name.
        bone: String,
        /// What is wrong with it.
        what: String,
    },
    /// A joint that cannot be.
    #[error("joint `{joint}`: {what}")]
    Joint {
        /// Its name.
        joint: String,
        /// What is wrong with it.
        what: String,
    },
    /// Mass properties that no body has.
    #[error("body `{body}`: {what}")]
    MassProperties {
        /// Name of the body.
        body: String,
        /// What is wrong with them.
        what: String,
    },
    /// A pin on a bone.
    #[error(
        "vertex {vertex} of bone `{bone}` is pinned; make the bone kinematic, or hold it by an attachment or a joint to the world"
    )]
    PinnedBone {
        /// Name of the bone.
        bone: String,
        /// The vertex of the model.
        vertex: usize,
    },
    /// Every vertex is pinned.
    #[error("every vertex is pinned or on a kinematic bone: nothing can move")]
    NothingFree,
}
