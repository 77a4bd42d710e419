//! Volume, centroid and inertia of what a closed surface encloses, exact for the polyhedron.
//!
//! Each triangle (a, b, c) and a point o span a signed tetrahedron, and their sum is the body:
//! V = Σ vₜ, c = Σ vₜ (a + b + c)/4V, ∫ r rᵀ = Σ vₜ/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), s = a + b + c, corners relative to o.

use crate::mesh_data::MeshData;
use glam::{DMat3, DVec3};
use sinew::contact::{ClosedMesh, ClosedMeshError};
use sinew::{MassProperties, boundary_triangles};

/// Volume, centroid and second moments about the centroid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Enclosed {
    /// Volume, m³; negative if the surface is inside out.
    pub volume: f64,
    /// Centroid, m.
    pub centre: DVec3,
    /// ∫ r rᵀ, m⁵.
    moments: DMat3,
}

impl Enclosed {
    pub fn by(points: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let point = |v: u32| points.get(v as usize).copied().unwrap_or_default();
        // An origin close to the body, so that little cancels.
        let origin = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
        let (mut volume, mut first, mut moments) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for triangle in triangles {
            let [a, b, c] = triangle.map(|v| point(v) - origin);
            let part = a.dot(b.cross(c)) / 6.0;
            let sum = a + b + c;
            volume += part;
            first += sum * (part / 4.0);
            moments += (square(a) + square(b) + square(c) + square(sum)) * (part / 20.0);
        }
        let offset = if volume == 0.0 { DVec3::ZERO } else { first / volume };
        Self { volume, centre: origin + offset, moments: moments - square(offset) * volume }
    }

    /// Mass properties of a body of this density, kg/m³.
    pub fn filled(&self, density: f64) -> MassProperties {
        let trace = self.moments.x_axis.x + self.moments.y_axis.y + self.moments.z_axis.z;
        MassProperties {
            mass: density * self.volume,
            center: self.centre,
            inertia: (DMat3::from_diagonal(DVec3::splat(trace)) - self.moments) * density,
        }
    }
}

fn square(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// The triangles of a mesh: those of the boundary if there are tetrahedra, whatever the file says.
pub(super) fn surface_of(mesh: &MeshData) -> Vec<[u32; 3]> {
    if mesh.tets.is_empty() { mesh.triangles.clone() } else { boundary_triangles(&mesh.tets) }
}

/// The solid that triangles enclose; the error is a sentence for the user.
pub(super) fn solid(points: Vec<DVec3>, mut triangles: Vec<[u32; 3]>) -> Result<ClosedMesh, String> {
    let mut made = ClosedMesh::new(points.clone(), triangles.clone());
    if matches!(made, Err(ClosedMeshError::Volume(volume)) if volume < 0.0) {
        // All triangles are oriented the other way round, as some programs do, also with tetrahedra.
        triangles.iter_mut().for_each(|t| t.swap(1, 2));
        made = ClosedMesh::new(points, triangles);
    }
    made.map_err(|error| {
        let remedy = match &error {
            ClosedMeshError::Open { .. } => {
                "; points that lie on top of each other count as different ones and have to be merged"
            }
            ClosedMeshError::Flat(_) => "; remove it and merge its corners",
            _ => "",
        };
        format!("no solid (numbers count from 0): {error}{remedy}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models;

    #[test]
    fn a_box_far_away_has_the_inertia_of_the_textbook() {
        let (size, at) = (DVec3::new(0.2, 0.3, 0.5), DVec3::new(10.0, -20.0, 30.0));
        let mesh = models::tet_box(size, [2, 3, 1], models::Split::Five).unwrap();
        let turn = glam::DQuat::from_scaled_axis(DVec3::new(0.3, -1.0, 2.0));
        let points: Vec<DVec3> = mesh.points.iter().map(|p| at + turn * *p).collect();
        let properties = Enclosed::by(&points, &surface_of(&mesh)).filled(800.0);
        let mass = 800.0 * size.element_product();
        assert!((properties.mass - mass).abs() < 1e-12 * mass);
        assert!(properties.center.distance(at) < 1e-12);
        let squares = size * size;
        let principal =
            DVec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y) * mass / 12.0;
        let turn = DMat3::from_quat(turn);
        let expected = turn * DMat3::from_diagonal(principal) * turn.transpose();
        assert!((properties.inertia - expected).to_cols_array().iter().all(|d| d.abs() < 1e-12));
    }

    #[test]
    fn a_ball_comes_close_to_two_fifths() {
        let mesh = models::ball(0.1, 12).unwrap();
        let MassProperties { mass, inertia, .. } =
            Enclosed::by(&mesh.points, &surface_of(&mesh)).filled(1000.0);
        let exact = 0.4 * mass * 0.01;
        assert!((inertia.x_axis.x / exact - 1.0).abs() < 5e-3 && inertia.x_axis.y.abs() < 1e-9 * exact);
    }
}
