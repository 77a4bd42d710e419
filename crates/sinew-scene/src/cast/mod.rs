//! The cast: creatures and things made by code, so that every experiment runs on a fresh machine.
//!
//! Each is a [`Shape`] of a few dozen solids. Its fine surface, a net, is filled with tetrahedra by [`tetrahedralize`](crate::tetrahedralize), and is
//! what pictures show: the tetrahedra carry it. The shape does not depend on the number of vertices that is asked for, and the same arguments give the same bits.

mod figures;
mod heads;
mod name;
mod plants;
mod rabbits;
mod sea;
mod solids;
mod wild;

pub use name::Name;

use crate::mesh_data::MeshData;
use crate::models::RiggedMesh;
use crate::rig::Rig;
use crate::shapes::{Net, Shape, surface_net};
use crate::tet_quality::Quality;
use crate::tetrahedralize::{
    ClosedSurface, Fineness, Options, Tetrahedra, TetrahedralizeError, tetrahedralize,
};
use glam::DVec3;
use thiserror::Error;

/// Cubes of the net along the longest side.
const CUBES: f64 = 88.0;
/// How far from the asked number of vertices is near enough, as a share; the promise is 15 %.
const NEAR: f64 = 0.08;
/// Meshes that are made until the number is near enough.
const TRIALS: usize = 5;

/// Why a model could not be made.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CastError {
    /// There is none of this name.
    #[error("there is no model `{given}`{meant} There are {names}", meant = if .meant.is_empty() { "." } else { .meant })]
    Unknown {
        /// What was asked for.
        given: String,
        /// A similar name as a question, or empty.
        meant: String,
        /// All names.
        names: String,
    },
    /// The size is no length.
    #[error("the size of a model must be a positive, finite number of metres, and is {size}")]
    Size {
        /// What was asked for.
        size: f64,
    },
    /// The shape cannot be filled like this.
    #[error(transparent)]
    Fill(#[from] TetrahedralizeError),
}

/// A member of the cast, ready to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Tetrahedra, bones and joints; the middle of its bounding box is the origin.
    pub rigged: RiggedMesh,
    /// The fine surface that the tetrahedra carry.
    pub skin: Net,
    /// Angles and volumes of the tetrahedra.
    pub quality: Quality,
}

/// Makes a member of the cast with about `vertices` vertices whose longest side is `size`, m.
///
/// # Errors
/// [`CastError`] if the size is no length or the number of vertices is out of range.
pub fn make(name: Name, vertices: usize, size: f64) -> Result<Member, CastError> {
    if !(size.is_finite() && size > 0.0) {
        return Err(CastError::Size { size });
    }
    let skin = skin(name, size);
    let surface = ClosedSurface {
        name: name.to_string(),
        points: skin.points.clone(),
        triangles: skin.triangles.clone(),
    };
    let made = filled(&[surface], vertices)?;
    let mesh = MeshData { points: made.points, tets: made.tets, ..MeshData::default() };
    Ok(Member { rigged: RiggedMesh { mesh, rig: Rig::default() }, skin, quality: made.quality })
}

/// The fine surface of a member alone, as in [`Member::skin`].
pub fn skin(name: Name, size: f64) -> Net {
    let shape = shape(name);
    let extent = shape.bounds().map_or(1.0, |(low, high)| (high - low).max_element());
    let mut net = surface_net(&shape, extent / CUBES);
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for p in &net.points {
        (low, high) = (low.min(*p), high.max(*p));
    }
    let factor = size / (high - low).max_element();
    net.points.iter_mut().for_each(|p| *p = factor * (*p - low.midpoint(high)));
    net
}

fn shape(name: Name) -> Shape {
    match name {
        Name::Hippo => wild::hippo(),
        Name::Cactus => plants::cactus(),
        Name::Octopus => sea::octopus(),
        Name::SquirrelHead => heads::squirrel(),
        Name::Rabbit => rabbits::rabbit(),
        Name::DogHead => heads::dog(),
        Name::Bunny => rabbits::bunny(),
        Name::Jelly => plants::jelly(),
        Name::Human => figures::human(),
        Name::Ball => solids::ball(),
        Name::Cube => solids::cube(),
        Name::Bar => solids::bar(),
    }
}

/// Fills surfaces. The number of vertices is searched for on lattices that are not improved yet, so the search goes on with what came out.
fn filled(surfaces: &[ClosedSurface], vertices: usize) -> Result<Tetrahedra, TetrahedralizeError> {
    let mut fineness = Fineness::Vertices(vertices);
    let mut best: Option<(f64, Tetrahedra)> = None;
    for _ in 0..TRIALS {
        let made = tetrahedralize(surfaces, &Options { fineness, coarser_inside: false })?;
        let off = made.points.len() as f64 / vertices as f64;
        // The number goes with a power of the size between −2 and −3.
        fineness = Fineness::Size(made.size * off.powf(0.4));
        let miss = off.ln().abs();
        if best.as_ref().is_none_or(|(least, _)| miss < *least) {
            best = Some((miss, made));
        }
        if miss < NEAR {
            break;
        }
    }
    best.map(|(_, made)| made).ok_or(TetrahedralizeError::Vertices { wanted: vertices, most: 0 })
}
