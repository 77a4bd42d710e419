//! Why a surface cannot be filled with tetrahedra.

use thiserror::Error;

/// Why there is no mesh; the message says what to do.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TetrahedralizeError {
    /// No surfaces, or one without triangles.
    #[error("{name}: there are no triangles to fill")]
    Empty {
        /// The surface.
        name: String,
    },
    /// A surface with holes has no inside.
    #[error(
        "{name}: the surface is not closed: {holes}; repair it (`--repair`, in scenes `repair = true`) or close it in a modelling program"
    )]
    Open {
        /// The surface.
        name: String,
        /// Where it is open.
        holes: String,
    },
    /// Faces that disagree on which side is out.
    #[error(
        "{name}: {count} edges have faces that disagree on which side is outside, the first near ({:.4}, {:.4}, {:.4}); orient them alike (`--repair`, in scenes `repair = true`)",
        near[0], near[1], near[2]
    )]
    Twisted {
        /// The surface.
        name: String,
        /// Number of such edges.
        count: usize,
        /// The middle of the first.
        near: [f64; 3],
    },
    /// The size is no length.
    #[error("the size of tetrahedra must be positive and finite, is {size}")]
    Size {
        /// What was asked for.
        size: f64,
    },
    /// Too many or too few vertices.
    #[error("the number of vertices must be from 20 to {most}, is {wanted}")]
    Vertices {
        /// What was asked for.
        wanted: usize,
        /// The limit.
        most: usize,
    },
    /// A lattice of this size does not fit into memory.
    #[error(
        "tetrahedra of size {size} need a lattice of {points:.1e} points, at most {most:.0e} are possible; the surface is {extent:.4} wide: use a size of {smallest:.2e} or more"
    )]
    TooFine {
        /// What was asked for.
        size: f64,
        /// Points of the lattice.
        points: f64,
        /// The limit.
        most: f64,
        /// The longest side of the box around everything.
        extent: f64,
        /// A size that is possible.
        smallest: f64,
    },
    /// Nothing of a surface is left in the mesh.
    #[error(
        "{name}: nothing of it is left in tetrahedra of size {size:.4}; it is smaller than that, or a later surface covers it: use a smaller size, or leave it out"
    )]
    Lost {
        /// The surface.
        name: String,
        /// The size in use.
        size: f64,
    },
    /// Coordinates that are no numbers, or a surface without extent.
    #[error("{name}: the surface has no volume")]
    Flat {
        /// The surface.
        name: String,
    },
    /// More labels than fit.
    #[error("there are {count} surfaces; at most {} are possible", u16::MAX - 1)]
    TooMany {
        /// Number of surfaces.
        count: usize,
    },
}
