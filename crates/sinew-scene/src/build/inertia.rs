//! Masses of the vertices, lumped from density or total mass.

use super::site::Site;
use crate::format::{Material, SceneError};
use crate::mesh_data::MeshData;
use glam::{DMat3, DVec3};

/// Densities of single elements: (element, density), in the order in which they were given.
pub(super) type Densities = Vec<(usize, f64)>;

/// The elements that carry mass: tetrahedra, else triangles.
pub(super) struct Bulk {
    corners: Vec<Vec<u32>>,
    /// Volume in m³, or area in m².
    measure: Vec<f64>,
}

impl Bulk {
    pub fn of(mesh: &MeshData) -> Self {
        let point = |v: u32| mesh.points.get(v as usize).copied().unwrap_or_default();
        if mesh.tets.is_empty() {
            let area = |t: &[u32; 3]| {
                let [a, b, c] = t.map(point);
                0.5 * (b - a).cross(c - a).length()
            };
            let corners = mesh.triangles.iter().map(|t| t.to_vec()).collect();
            Self { corners, measure: mesh.triangles.iter().map(area).collect() }
        } else {
            let volume = |t: &[u32; 4]| {
                let [a, b, c, d] = t.map(point);
                DMat3::from_cols(b - a, c - a, d - a).determinant() / 6.0
            };
            let corners = mesh.tets.iter().map(|t| t.to_vec()).collect();
            Self { corners, measure: mesh.tets.iter().map(volume).collect() }
        }
    }

    /// Corners of each element.
    pub fn elements(&self) -> impl Iterator<Item = &[u32]> {
        self.corners.iter().map(Vec::as_slice)
    }

    pub fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }

    /// Centroids of the elements, m.
    pub fn centroids(&self, points: &[DVec3]) -> Vec<DVec3> {
        let centroid = |corners: &Vec<u32>| {
            let sum: DVec3 = corners.iter().filter_map(|&v| points.get(v as usize)).sum();
            sum / corners.len() as f64
        };
        self.corners.iter().map(centroid).collect()
    }

    /// Distributes the masses of elements equally to their corners.
    fn lump(&self, vertices: usize, density: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut masses = vec![0.0; vertices];
        for (e, (corners, measure)) in self.corners.iter().zip(&self.measure).enumerate() {
            let part = density(e) * measure / corners.len() as f64;
            for &v in corners {
                if let Some(mass) = masses.get_mut(v as usize) {
                    *mass += part;
                }
            }
        }
        masses
    }
}

/// The density of each element, kg/m³ or kg/m²; `None` if the mass is distributed equally to the vertices of a body without tetrahedra.
pub(super) fn densities(
    mesh: &MeshData,
    bulk: &Bulk,
    material: &Material,
    own: &Densities,
    at: &Site<'_>,
) -> Result<Option<Vec<f64>>, SceneError> {
    match (material.density, material.mass) {
        (Some(_), _) if bulk.is_empty() => Err(at
            .key("density")
            .error("has nothing to fill: the body has no tetrahedra and no triangles; give `mass`")),
        (Some(density), _) => {
            let mut densities = vec![density; bulk.corners.len()];
            for &(e, density) in own {
                densities[e] = density;
            }
            Ok(Some(densities))
        }
        (None, Some(_)) if !own.is_empty() => Err(at
            .key("mass")
            .error("cannot be combined with an override of density: give the material a density instead")),
        (None, Some(_)) if mesh.tets.is_empty() => Ok(None),
        (None, Some(mass)) => {
            let volume: f64 = bulk.measure.iter().sum();
            Ok(Some(vec![mass / volume; bulk.corners.len()]))
        }
        (None, None) => Err(missing(at)),
    }
}

/// The mass of each vertex, kg, from the densities of the elements, or distributed equally.
pub(super) fn masses(
    mesh: &MeshData,
    bulk: &Bulk,
    densities: Option<&[f64]>,
    material: &Material,
) -> Vec<f64> {
    let vertices = mesh.points.len();
    match densities {
        Some(densities) => bulk.lump(vertices, |e| densities[e]),
        None => vec![material.mass.unwrap_or_default() / vertices as f64; vertices],
    }
}

/// The density of a solid that encloses this volume, m³.
pub(super) fn density_of(material: &Material, volume: f64, at: &Site<'_>) -> Result<f64, SceneError> {
    match (material.density, material.mass) {
        (Some(density), _) => Ok(density),
        (None, Some(mass)) => Ok(mass / volume),
        (None, None) => Err(missing(at)),
    }
}

fn missing(at: &Site<'_>) -> SceneError {
    at.key("density")
        .error("is missing: give the material a `density` (kg/m³, for cloth kg/m²) or a total `mass` (kg)")
}
