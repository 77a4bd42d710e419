//! The cast: creatures and things made by code, so that every experiment runs on a fresh machine.
//!
//! Each is a [`Shape`] of a few dozen solids. Its fine surface, a net, is filled with tetrahedra by [`tetrahedralize`](crate::tetrahedralize), and is
//! what pictures show: the tetrahedra carry it. The shape does not depend on the number of vertices that is asked for, and the same arguments give the same bits.

mod body;
mod characters;
mod figures;
mod filling;
mod head;
mod heads;
mod name;
mod plants;
mod rabbits;
mod sea;
mod shelf;
mod solids;
mod wild;

pub use name::Name;
pub use shelf::made;

use crate::mesh_data::MeshData;
use crate::models::RiggedMesh;
use crate::rig::Rig;
use crate::shapes::{Net, Shape, surface_net};
use crate::tet_quality::Quality;
use crate::tetrahedralize::{ClosedSurface, MOST_VERTICES, TetrahedralizeError};
use body::Body;
use filling::{Measures, filled};
use glam::DVec3;
use thiserror::Error;

/// Cubes of the net along the longest side.
const CUBES: f64 = 112.0;
/// Side of the cubes of the net that is filled, as a share of the size of the tetrahedra.
const FILLED: f64 = 0.5;
/// Cubes along a part at least.
const SMALL: f64 = 12.0;

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
    /// Names of the regions from 1 on; region 0 is flesh. Empty for members of flesh alone, whose mesh has no regions.
    pub parts: Vec<String>,
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
    // Before the nets are made, which would be as fine.
    if vertices == 0 || vertices > MOST_VERTICES {
        return Err(TetrahedralizeError::Vertices { wanted: vertices, most: MOST_VERTICES }.into());
    }
    let body = body(name);
    let (skin, frame) = dressed(&body, size);
    let mut measures = Measures::of(&closed(name.as_str(), &skin));
    for part in body.parts.iter().filter(|part| !part.outside) {
        measures =
            measures.and(Measures::of(&closed(&part.name, &frame.net(&part.shape, cube(&part.shape)))));
    }
    // Finer than half the tetrahedra a surface only costs time.
    let coarse = FILLED * measures.size(vertices) / frame.factor;
    let mut surfaces = vec![closed(name.as_str(), &frame.net(&body.flesh, coarse.max(cube(&body.flesh))))];
    for part in &body.parts {
        let extent = extent(&part.shape);
        surfaces.push(closed(&part.name, &frame.net(&part.shape, coarse.min(extent / SMALL))));
    }
    let made = filled(&surfaces, measures, vertices)?;
    let (mut mesh, mut rig) =
        (MeshData { points: made.points, tets: made.tets, ..MeshData::default() }, Rig::default());
    if !body.parts.is_empty() {
        mesh.regions = made.regions.iter().map(|region| region - 1).collect();
        rig = body.rig(&frame);
        separate(&mut mesh, &rig);
    }
    let parts = body.parts.into_iter().map(|part| part.name).collect();
    Ok(Member { rigged: RiggedMesh { mesh, rig }, skin, parts, quality: made.quality })
}

/// The fine surface, with the parts that are seen, and the frame in which it has the size.
fn dressed(body: &Body, size: f64) -> (Net, Frame) {
    let fine = cube(&body.flesh);
    let mut skin = surface_net(&body.flesh, fine);
    for part in body.parts.iter().filter(|part| part.outside) {
        let net = surface_net(&part.shape, fine.min(extent(&part.shape) / SMALL));
        let first = skin.points.len() as u32;
        skin.points.extend(net.points);
        skin.tints.extend(net.tints);
        skin.triangles.extend(net.triangles.iter().map(|t| t.map(|v| first + v)));
    }
    let frame = Frame::of(&skin, size);
    frame.apply(&mut skin);
    (skin, frame)
}

/// Flesh between bones that would share a vertex, which no vertex may: tetrahedra of the later one become flesh.
fn separate(mesh: &mut MeshData, rig: &Rig) {
    let bone_of = |region: i32| rig.bones.iter().position(|bone| bone.regions.contains(&region));
    let mut owner: Vec<Option<usize>> = vec![None; mesh.points.len()];
    // Small bones first: they cannot give anything away.
    let mut count = vec![0_usize; rig.bones.len()];
    let bones: Vec<Option<usize>> = mesh.regions.iter().map(|&region| bone_of(region)).collect();
    bones.iter().flatten().for_each(|&bone| count[bone] += 1);
    let mut order: Vec<usize> = (0..rig.bones.len()).collect();
    order.sort_by_key(|&bone| (count[bone], bone));
    for bone in order {
        for tet in (0..mesh.tets.len()).filter(|&tet| bones[tet] == Some(bone)) {
            let corners = mesh.tets[tet].map(|v| v as usize);
            if corners.iter().any(|&v| owner[v].is_some_and(|other| other != bone)) {
                mesh.regions[tet] = 0;
            } else {
                corners.iter().for_each(|&v| owner[v] = Some(bone));
            }
        }
    }
}

/// The fine surface of a member alone, as in [`Member::skin`].
pub fn skin(name: Name, size: f64) -> Net {
    dressed(&body(name), size).0
}

/// The closed surfaces of a member by name, flesh first, in metres: what its regions are made from.
pub fn parts(name: Name, size: f64) -> Vec<(String, Net)> {
    let body = body(name);
    let frame = dressed(&body, size).1;
    let of = |shape: &Shape| frame.net(shape, cube(&body.flesh).min(extent(shape) / SMALL));
    let flesh = (name.as_str().to_owned(), of(&body.flesh));
    std::iter::once(flesh).chain(body.parts.iter().map(|part| (part.name.clone(), of(&part.shape)))).collect()
}

fn extent(shape: &Shape) -> f64 {
    shape.bounds().map_or(1.0, |(low, high)| (high - low).max_element())
}

/// The side of a cube of the fine net.
fn cube(shape: &Shape) -> f64 {
    extent(shape) / CUBES
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

    /// The surface of a shape in this frame; `cube` is in the coordinates of the shape.
    fn net(&self, shape: &Shape, cube: f64) -> Net {
        let mut net = surface_net(shape, cube);
        self.apply(&mut net);
        net
    }

    fn apply(&self, net: &mut Net) {
        net.points.iter_mut().for_each(|p| *p = self.place(*p));
    }
}

fn body(name: Name) -> Body {
    let shape = match name {
        Name::Acrobat => return characters::acrobat(),
        Name::Frog => return characters::frog(),
        Name::Snail => return characters::snail(),
        Name::Monster => return characters::monster(),
        Name::Head => return head::head(),
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
    };
    shape.into()
}
