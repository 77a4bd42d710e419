//! Closed triangle surfaces become tetrahedra of good shape.
//!
//! 1. Surfaces divide space into labels by winding numbers (`domain`).
//! 2. A body-centred cubic lattice is labelled, its edges are cut where labels change, and points that are too near to a cut move onto it (`lattice`, `cuts`)
//!    [labelle2007isosurface, §3].
//! 3. Every tetrahedron of the lattice is divided by stencils that agree on shared faces, also where several labels meet (`stencil`, `fill`)
//!    [bronson2012cleaving, §4].
//! 4. What is thinner than the lattice is given points of it (`thin`), also between parts that would come apart (`bridges`), and each label is made one piece (`pieces`).
//! 5. Vertices move to better angles, those of surfaces on the surface (`smooth`), and out to tips that were cut off (`tips`); faces and edges whose middle is far from the surface get a vertex there (`strays`); inside, edges collapse if coarser tetrahedra are
//!    asked for (`coarsen`).
//!
//! `docs/meshing.md` has the guarantees with measurements, and the limits.

mod bridges;
mod coarsen;
mod cuts;
mod distance;
mod domain;
mod error;
mod fill;
mod fineness;
mod interfaces;
mod lattice;
mod make;
mod peel;
mod pieces;
mod quick_hash;
mod smesh;
mod smooth;
mod stencil;
mod strays;
mod thin;
mod tips;

pub use distance::Distance;
pub use error::TetrahedralizeError;
pub use smesh::write_smesh;

use crate::surface::{Edges, Tree, enclosed_volume};
use crate::tet_quality::{Quality, quality};
use domain::Domain;
use glam::DVec3;
use make::Making;

/// Fewest and most vertices that can be asked for.
const LEAST_VERTICES: usize = 20;
pub(crate) const MOST_VERTICES: usize = 10_000_000;

/// A closed surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClosedSurface {
    /// Its name in messages.
    pub name: String,
    /// Vertex positions, #V.
    pub points: Vec<DVec3>,
    /// Triangles, #F by 3, all facing outwards or all inwards.
    pub triangles: Vec<[u32; 3]>,
}

/// How fine the mesh is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fineness {
    /// Length of the long edges of the lattice, in the unit of the surface; the short ones have √3/2 of it.
    Size(f64),
    /// About this many vertices; the size is searched for.
    Vertices(usize),
}

/// What to make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How fine.
    pub fineness: Fineness,
    /// Whether tetrahedra become larger away from the surfaces.
    pub coarser_inside: bool,
}

/// A mesh and how it was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Tetrahedra {
    /// Vertex positions, #V.
    pub points: Vec<DVec3>,
    /// Tetrahedra, #T by 4, positively oriented.
    pub tets: Vec<[u32; 4]>,
    /// The region of each tetrahedron, #T: the number of its surface, counted from 1.
    pub regions: Vec<i32>,
    /// The size of the lattice.
    pub size: f64,
    /// Angles and volumes.
    pub quality: Quality,
    /// Distances between the faces of the mesh and the surfaces.
    pub distance: Distance,
    /// Sentences about what is not as it was given.
    pub notes: Vec<String>,
}

/// Fills closed surfaces with tetrahedra. Where surfaces overlap, the later one wins: give flesh first, then its bones.
///
/// The result is the same for any number of threads; called inside a rayon pool, it uses the pool.
///
/// # Errors
/// [`TetrahedralizeError`] says which surface cannot be filled, and why.
pub fn tetrahedralize(
    surfaces: &[ClosedSurface],
    options: &Options,
) -> Result<Tetrahedra, TetrahedralizeError> {
    let mut notes = Vec::new();
    let surfaces = prepared(surfaces, &mut notes)?;
    let pairs: Vec<(&[DVec3], &[[u32; 3]])> =
        surfaces.iter().map(|s| (&s.points[..], &s.triangles[..])).collect();
    let domain = Domain::new(pairs.iter().map(|(points, triangles)| Tree::new(points, triangles)));
    let making = Making {
        domain: &domain,
        surfaces: &surfaces,
        pairs: &pairs,
        coarser_inside: options.coarser_inside,
    };
    let volume: f64 = pairs.iter().map(|(points, triangles)| enclosed_volume(points, triangles)).sum();
    let size = match options.fineness {
        Fineness::Size(size) if size > 0.0 && size.is_finite() => size,
        Fineness::Size(size) => return Err(TetrahedralizeError::Size { size }),
        Fineness::Vertices(wanted) if (LEAST_VERTICES..=MOST_VERTICES).contains(&wanted) => {
            making.size_for(wanted, volume)?
        }
        Fineness::Vertices(wanted) => {
            return Err(TetrahedralizeError::Vertices { wanted, most: MOST_VERTICES });
        }
    };
    making.refuse_too_fine(size)?;
    let made = making.make(size)?;
    notes.extend(made.notes);
    let mesh = made.mesh;
    let quality = quality(&mesh.points, &mesh.tets);
    let regions = mesh.labels.iter().map(|&label| i32::from(label)).collect();
    let mean_to_surface = distance::mean_to_surface(&mesh, &domain, size);
    let distance = Distance { mean_to_surface, ..made.distance };
    Ok(Tetrahedra { points: mesh.points, tets: mesh.tets, regions, size, quality, distance, notes })
}

/// Checks that surfaces are closed, and turns those outwards that face inwards.
fn prepared(
    surfaces: &[ClosedSurface],
    notes: &mut Vec<String>,
) -> Result<Vec<ClosedSurface>, TetrahedralizeError> {
    if surfaces.is_empty() {
        return Err(TetrahedralizeError::Empty { name: "the mesh".into() });
    }
    if surfaces.len() >= usize::from(u16::MAX) {
        return Err(TetrahedralizeError::TooMany { count: surfaces.len() });
    }
    let mut out = surfaces.to_vec();
    for surface in &mut out {
        let name = || surface.name.clone();
        if surface.triangles.is_empty() {
            return Err(TetrahedralizeError::Empty { name: name() });
        }
        let edges = Edges::new(&surface.triangles);
        let middle =
            |(a, b): (u32, u32)| (0.5 * (surface.points[a as usize] + surface.points[b as usize])).to_array();
        if edges.open().next().is_some() {
            return Err(TetrahedralizeError::Open { name: name(), holes: describe(&edges, &surface.points) });
        }
        let mut unbalanced = edges.unbalanced();
        if let Some(first) = unbalanced.next() {
            let (count, near) = (1 + unbalanced.count(), middle(first));
            return Err(TetrahedralizeError::Twisted { name: name(), count, near });
        }
        let volume = enclosed_volume(&surface.points, &surface.triangles);
        if volume.is_nan() || volume == 0.0 || volume.is_infinite() {
            return Err(TetrahedralizeError::Flat { name: name() });
        }
        if volume < 0.0 {
            surface.triangles.iter_mut().for_each(|t| t.swap(1, 2));
            notes.push(format!("{}: its faces pointed inwards and have been turned", surface.name));
        }
    }
    Ok(out)
}

/// Where a surface is open, in words.
fn describe(edges: &Edges, points: &[DVec3]) -> String {
    let (loops, stray) = edges.loops();
    let mut parts: Vec<String> = loops
        .iter()
        .take(5)
        .map(|hole| {
            let n = hole.vertices.len() as f64;
            let c = hole.vertices.iter().map(|&v| points[v as usize]).sum::<DVec3>() / n;
            format!("a hole of {n} edges around ({:.4}, {:.4}, {:.4})", c.x, c.y, c.z)
        })
        .collect();
    if loops.len() > 5 {
        parts.push(format!("{} more holes", loops.len() - 5));
    }
    if stray > 0 {
        parts.push(format!("{stray} open edges that form no loop"));
    }
    parts.join(", ")
}
