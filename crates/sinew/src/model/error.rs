//! What can be wrong with a model.

use thiserror::Error;

/// Why a model cannot be built. Vertex and element indices are those of the body, counted from 0.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ModelError {
    /// The model has no bodies.
    #[error("the model has no bodies; add at least one")]
    Empty,
    /// A body has no vertices.
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
        /// The quantity that is not finite.
        what: &'static str,
        /// Index of the vertex.
        vertex: usize,
    },
    /// An array has the wrong length.
    #[error("body `{body}`: {what} has {found} entries, needs {expected}")]
    Length {
        /// Name of the body.
        body: String,
        /// Name of the array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The expected length.
        expected: usize,
    },
    /// An element names a vertex that does not exist.
    #[error("body `{body}`: {what} {element} uses vertex {vertex}, but there are only {vertices}")]
    Index {
        /// Name of the body.
        body: String,
        /// Kind of element.
        what: &'static str,
        /// Index of the element.
        element: usize,
        /// The vertex index that it names.
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
        /// Index of the element.
        element: usize,
        /// Index of the vertex.
        vertex: u32,
    },
    /// A tetrahedron does not have a positive rest volume.
    #[error(
        "body `{body}`: tetrahedron {element} is {how} at rest (volume {volume:e} m³); \
         {remedy}"
    )]
    BadTetrahedron {
        /// Name of the body.
        body: String,
        /// Index of the tetrahedron.
        element: usize,
        /// Its signed volume, m³.
        volume: f64,
        /// `flat` or `inverted`.
        how: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// A stiffness, density or rest length is out of range.
    #[error("body `{body}`: {what} of {element_kind} {element} must be {expected}, is {value}")]
    Parameter {
        /// Name of the body.
        body: String,
        /// Name of the parameter.
        what: &'static str,
        /// Kind of element.
        element_kind: &'static str,
        /// Index of the element.
        element: usize,
        /// The allowed range.
        expected: &'static str,
        /// The value given.
        value: f64,
    },
    /// A vertex has no positive mass.
    #[error(
        "body `{body}`: vertex {vertex} has mass {mass} kg; every vertex needs a positive mass \
         (give a density, a total mass, or remove vertices that no element uses)"
    )]
    Mass {
        /// Name of the body.
        body: String,
        /// Index of the vertex.
        vertex: usize,
        /// Its mass, kg.
        mass: f64,
    },
    /// A pin or attachment names a vertex that does not exist.
    #[error("{what} {index} names vertex {vertex}, but the model has only {vertices}")]
    Vertex {
        /// `pin` or `attachment`.
        what: &'static str,
        /// Index of the pin or attachment.
        index: usize,
        /// Index of the vertex.
        vertex: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// An attachment has an invalid stiffness or target.
    #[error("attachment {index}: {what}")]
    Attachment {
        /// Index of the attachment.
        index: usize,
        /// What is wrong with it.
        what: String,
    },
    /// Gravity is not finite.
    #[error("gravity must be finite, is {0}")]
    Gravity(glam::DVec3),
    /// A collider has an invalid shape, placement, friction or restitution.
    #[error("collider `{name}`: {what}")]
    Collider {
        /// Its name.
        name: String,
        /// What is wrong with it.
        what: String,
    },
    /// A parameter of the contact law is out of range.
    #[error("contact: {what}")]
    Contact {
        /// What is wrong with it.
        what: String,
    },
    /// The density of the air is negative or not finite.
    #[error("the density of the air must be zero or positive and finite, is {0} kg/m³")]
    Air(f64),
    /// A user-defined energy reports an invalid entry of L.
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
    /// A user-defined energy names a vertex that does not exist.
    #[error("energy `{name}` uses vertex {vertex}, but the model has only {vertices}")]
    OwnEnergy {
        /// Name of the energy.
        name: String,
        /// Index of the vertex.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A bone is invalid.
    #[error("bone `{bone}`: {what}")]
    Bone {
        /// Its name.
        bone: String,
        /// What is wrong with it.
        what: String,
    },
    /// A joint is invalid.
    #[error("joint `{joint}`: {what}")]
    Joint {
        /// Its name.
        joint: String,
        /// What is wrong with it.
        what: String,
    },
    /// Mass properties are not those of a physical body.
    #[error("body `{body}`: {what}")]
    MassProperties {
        /// Name of the body.
        body: String,
        /// What is wrong with them.
        what: String,
    },
    /// A round surface is none.
    #[error("body `{body}` cannot collide as something round: {what}")]
    Round {
        /// Name of the body.
        body: String,
        /// What is wrong with it.
        what: String,
    },
    /// Friction or restitution of a body are out of range.
    #[error("body `{body}`: {what}")]
    Surface {
        /// Name of the body.
        body: String,
        /// What is wrong with them.
        what: String,
    },
    /// A pinned vertex is on a bone.
    #[error(
        "vertex {vertex} of bone `{bone}` is pinned; make the bone kinematic, or hold it by an attachment or a joint to the world"
    )]
    PinnedBone {
        /// Name of the bone.
        bone: String,
        /// Index of the vertex in the model.
        vertex: usize,
    },
    /// Every vertex is pinned or on a kinematic bone.
    #[error("every vertex is pinned or on a kinematic bone: nothing can move")]
    NothingFree,
}
