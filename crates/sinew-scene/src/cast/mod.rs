//! The cast: creatures and things made by code, so that every experiment runs on a fresh machine.
//!
//! Each is a [`Shape`] of a few dozen solids. Its fine surface, a net, is filled with tetrahedra by [`tetrahedralize`](crate::tetrahedralize), and is
//! what pictures show: the tetrahedra carry it. The shape does not depend on the number of vertices that is asked for, and the same arguments give the same bits.

mod figures;
mod filling;
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
use crate::tetrahedralize::{ClosedSurface, TetrahedralizeError};
use filling::{Measures, filled};
use glam::DVec3;
use thiserror::Error;

/// Cubes of the net along the longest side.
const CUBES: f64 = 112.0;
/// Side of the cubes of the net that is filled, as a share of the size of the tetrahedra.
const FILLED: f64 = 0.5;

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
    let shape = shape(name);
    let mut skin = surface_net(&shape, cube(&shape));
    let frame = Frame::of(&skin, size);
    frame.apply(&mut skin);
    let measures = Measures::of(&closed(name.as_str(), &skin));
    // Finer than half the tetrahedra a surface only costs time.
    let coarse = FILLED * measures.size(vertices) / frame.factor;
    let surface = if coarse > 1.2 * cube(&shape) {
        let mut net = surface_net(&shape, coarse);
        frame.apply(&mut net);
        closed(name.as_str(), &net)
    } else {
        closed(name.as_str(), &skin)
    };
    let made = filled(&[surface], measures, vertices)?;
    let mesh = MeshData { points: made.points, tets: made.tets, ..MeshData::default() };
    Ok(Member { rigged: RiggedMesh { mesh, rig: Rig::default() }, skin, quality: made.quality })
}

/// The fine surface of a member alone, as in [`Member::skin`].
pub fn skin(name: Name, size: f64) -> Net {
    let shape = shape(name);
    let mut net = surface_net(&shape, cube(&shape));
    Frame::of(&net, size).apply(&mut net);
    net
}

/// The side of a cube of the fine net.
fn cube(shape: &Shape) -> f64 {
    shape.bounds().map_or(1.0, |(low, high)| (high - low).max_element()) / CUBES
}

fn closed(name: &str, net: &Net) -> ClosedSurface {
    ClosedSurface { name: name.into(), points: net.points.clone(), triangles: net.triangles.clone() }
}

/// From the coordinates of a shape to metres about the middle of its bounding box.
#[derive(Clone, Copy, Debug)]
struct Frame {
    centre: DVec3,
    factor: f64,
}

impl Frame {
    fn of(net: &Net, size: f64) -> Self {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for p in &net.points {
            (low, high) = (low.min(*p), high.max(*p));
        }
        Self { centre: low.midpoint(high), factor: size / (high - low).max_element() }
    }

    fn place(&self, p: DVec3) -> DVec3 {
        self.factor * (p - self.centre)
    }

    fn apply(&self, net: &mut Net) {
        net.points.iter_mut().for_each(|p| *p = self.place(*p));
    }
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
