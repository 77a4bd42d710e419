//! Built-in bodies: boxes, balls and cloths of any resolution, bodies with bones, round surfaces, and the springs of any mesh.
//!
//! Generators are deterministic: the same arguments give the same bits. Tetrahedra come out positively
//! oriented, det[x₁−x₀, x₂−x₀, x₃−x₀] > 0; bodies are centred at the origin.

mod ball;
mod bone_row;
mod bracelet;
mod character;
mod cloth;
mod edges;
mod nunchuck;
mod rigged;
mod round;
mod springs;
mod tet_box;
mod tetrahedron;

pub use ball::ball;
pub use bone_row::bone_row;
pub use bracelet::bracelet;
pub use character::{Character, character};
pub use cloth::{ALL_FAMILIES, Diagonals, cloth};
pub use edges::tet_edges;
pub use nunchuck::nunchuck;
pub use rigged::RiggedMesh;
pub use round::{bowl, capsule};
pub use springs::surface_springs;
pub use tet_box::{Split, tet_box};
pub use tetrahedron::single_tetrahedron;

use thiserror::Error;

/// Largest number of elements (tetrahedra, or triangles and springs together) that a generator makes: beyond it the arguments are probably a
/// typing error, and memory would run out first.
pub const MAX_ELEMENTS: usize = 50_000_000;

/// Why a model could not be made.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A length is not positive and finite.
    #[error("{what} must be a positive, finite number of metres, and is {value}")]
    BadLength {
        /// Name of the length.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// There are no cells along some direction.
    #[error("{what} must be at least 1")]
    NoCells {
        /// Name of the number of cells.
        what: &'static str,
    },
    /// A number is too small.
    #[error("{what} must be at least {least}, and is {given}")]
    FewCells {
        /// Name of the number.
        what: &'static str,
        /// The smallest allowed number.
        least: usize,
        /// The given number.
        given: usize,
    },
    /// A gap is negative or not finite.
    #[error("the gap must be a finite number of metres, 0 or greater, and is {value}")]
    BadGap {
        /// Its value.
        value: f64,
    },
    /// The beads overlap.
    #[error(
        "{beads} beads of radius {bead_radius} m overlap on this ring; their radius may be {room:.4} m at most"
    )]
    Crowded {
        /// Number of beads.
        beads: usize,
        /// Their radius, m.
        bead_radius: f64,
        /// The largest radius that fits, m.
        room: f64,
    },
    /// There are more joints than pairs of neighbours.
    #[error("{joints} joints are too many: between {bones} bones there are {} at most", bones.saturating_sub(1))]
    ManyJoints {
        /// Requested number of joints.
        joints: usize,
        /// Requested number of bones.
        bones: usize,
    },
    /// The grid is too coarse for its bones.
    #[error(
        "a character of about {vertices} vertices has no room for {bones} bones, or no grid has so many; use more vertices"
    )]
    FewVertices {
        /// Requested number of vertices.
        vertices: usize,
        /// Requested number of bones.
        bones: usize,
    },
    /// There would be more than [`MAX_ELEMENTS`] elements.
    #[error("{what} would give more than {MAX_ELEMENTS} elements: use fewer cells")]
    TooMany {
        /// Name of the model.
        what: &'static str,
    },
    /// A triangle refers to a vertex that does not exist.
    #[error("triangle {triangle} refers to vertex {vertex}, but there are {points} points")]
    MissingVertex {
        /// The triangle, counted from 0.
        triangle: usize,
        /// The vertex.
        vertex: u32,
        /// The number of points.
        points: usize,
    },
}

fn check_length(what: &'static str, value: f64) -> Result<(), ModelError> {
    // Written so that NaN fails too.
    if value.is_finite() && value > 0.0 { Ok(()) } else { Err(ModelError::BadLength { what, value }) }
}

fn check_cells(what: &'static str, cells: usize) -> Result<(), ModelError> {
    if cells == 0 { Err(ModelError::NoCells { what }) } else { Ok(()) }
}

/// The product of the factors, which must not exceed [`MAX_ELEMENTS`].
fn check_amount(what: &'static str, factors: &[usize]) -> Result<(), ModelError> {
    let product = factors.iter().try_fold(1_usize, |product, &factor| product.checked_mul(factor));
    match product {
        Some(product) if product <= MAX_ELEMENTS => Ok(()),
        _ => Err(ModelError::TooMany { what }),
    }
}
