//! The parts of a model that can be in contact: its outer vertices, the stiffness of their contacts and their contact distances.

use super::collider::ContactLaw;
use super::surface::Surfaces;
use crate::sparse::SymmetricMatrix;
use crate::topology::{Component, Topology};
use glam::DVec3;

/// Stiffness of a contact over the mass of a vertex that has no stiffness of its own, 1/s²: a quarter of an oscillation of the vertex on its
/// contact takes a millisecond and a half.
const FREE_VERTEX: f64 = 1e6;

/// Stiffness of a contact of a bone over its mass, 1/s²: a bone that hits a floor at 5 m/s with one vertex is stopped within a centimetre.
const RIGID_BODY: f64 = 5e4;

/// Constant data of contacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Skin {
    /// Outer vertices of each component, ascending.
    pub vertices: Vec<Vec<u32>>,
    /// Contact stiffness k of each vertex, N/m, #V.
    pub stiffness: Vec<f64>,
    /// Contact distance of each vertex, m, #V.
    pub distance: Vec<f64>,
    /// Size of the body of each vertex, m, #V.
    pub size: Vec<f64>,
    /// Triangles, for contact between bodies.
    pub surfaces: Surfaces,
}

/// The data from which a skin is built.
pub(crate) struct SkinSource<'a> {
    pub topology: &'a Topology,
    /// Mass of the bone that each vertex is on, kg.
    pub bone_masses: &'a [Option<f64>],
    pub masses: &'a [f64],
    /// The Laplacian; its diagonal is the stiffness of each vertex.
    pub laplacian: &'a SymmetricMatrix,
}

impl Skin {
    pub fn new(law: &ContactLaw, source: &SkinSource) -> Self {
        let SkinSource {
            topology: Topology { bodies, components, rest, .. },
            bone_masses,
            masses,
            laplacian,
        } = source;
        let mut outer = vec![false; rest.len()];
        let mut size = vec![0.0; rest.len()];
        for body in bodies {
            // In a net without triangles, every vertex belongs to the skin.
            if body.surface.is_empty() {
                outer[body.vertices.clone()].fill(true);
            }
            body.surface.iter().flatten().for_each(|&i| outer[i as usize] = true);
            let places = &rest[body.vertices.clone()];
            let low = places.iter().copied().reduce(DVec3::min).unwrap_or_default();
            let high = places.iter().copied().reduce(DVec3::max).unwrap_or_default();
            size[body.vertices.clone()].fill(high.distance(low));
        }
        let distance = |&size: &f64| law.thickness.unwrap_or(ContactLaw::THICKNESS * size);
        let stiffness = |i: usize| {
            let own = bone_masses[i].map_or_else(|| laplacian.diagonal(i), |mass| RIGID_BODY * mass);
            law.stiffness * if own > 0.0 { own } else { FREE_VERTEX * masses[i] }
        };
        let outer_of = |c: &Component| c.vertices.iter().copied().filter(|&i| outer[i as usize]).collect();
        Self {
            vertices: components.iter().map(outer_of).collect(),
            stiffness: (0..rest.len()).map(stiffness).collect(),
            distance: size.iter().map(distance).collect(),
            surfaces: Surfaces::new(bodies, rest, law.thickness),
            size,
        }
    }
}
