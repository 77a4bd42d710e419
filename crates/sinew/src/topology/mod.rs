//! How the parts of a model are connected: bodies as the user gave them, and connected components.

mod component;

pub(crate) use component::Component;

use crate::ids::BodyId;
use glam::DVec3;
use std::ops::Range;

/// A round surface that a rigid body collides as: a sphere, or a capsule, which is everything within `radius` of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// The vertices at both ends of the segment; a sphere has its centre twice.
    pub ends: [u32; 2],
    /// Radius, m.
    pub radius: f64,
}

/// A muscle of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MuscleInfo {
    /// Its name.
    pub name: String,
    /// The body that it is in.
    pub body: BodyId,
}

/// A body inside a model: its part of the vertices and elements.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BodyInfo {
    /// Its name.
    pub name: String,
    /// Range of its vertices in the model.
    pub vertices: Range<usize>,
    /// Number of tetrahedra and springs.
    pub elements: usize,
    /// Triangles of its surface, in vertex indices of the model; oriented outward for solids.
    pub surface: Vec<[u32; 3]>,
    /// Its tetrahedra, in vertex indices of the model.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Whether it is rigid.
    pub rigid: bool,
    /// What it collides as, if that is not its surface; in vertex indices of the model.
    pub round: Option<Round>,
    /// Its springs, in vertex indices of the model.
    pub springs: Vec<[u32; 2]>,
    /// Mass points of the bones whose first vertex is in this body, or of the bone that it is.
    pub(crate) mass_points: Vec<u32>,
}

/// Bodies, components and rest positions of a model.
#[derive(Debug)]
pub(crate) struct Topology {
    pub bodies: Vec<BodyInfo>,
    pub components: Vec<Component>,
    /// The component of each vertex and mass point.
    pub labels: Vec<u32>,
    /// Number of vertices of bodies; the mass points of bones follow them.
    pub vertices: usize,
    /// Rest positions, m.
    pub rest: Vec<DVec3>,
    /// Extent of the largest body at rest, m: the length scale.
    pub size: f64,
    /// The attached vertices, in the order of the attachments.
    pub attached: Vec<u32>,
}
