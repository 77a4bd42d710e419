//! The frame as one list of triangles with vertex normals.

use super::{ExportError, Frame, Mesh, Rods, View, solids};
use glam::DVec3;

/// Appearance of a group of triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    /// Albedo in linear light.
    pub albedo: DVec3,
    pub wireframe: bool,
    /// Whether it is a solid, whose inside is not visible: its back is not darkened.
    pub solid: bool,
    /// Its first position and the first of its tints, if its points have colours of their own.
    pub tints: Option<(usize, usize)>,
}

/// A triangle of [`Geometry`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub corners: [usize; 3],
    pub surface: usize,
}

/// All triangles of a frame, in world coordinates. Every position that a triangle refers to is finite.
#[derive(Debug, Default)]
pub(super) struct Geometry {
    pub positions: Vec<DVec3>,
    /// Unit vectors, or zero where no direction is defined.
    pub normals: Vec<DVec3>,
    pub triangles: Vec<Triangle>,
    pub surfaces: Vec<Surface>,
    /// Albedos of the points of surfaces that have tints, in linear light.
    pub tints: Vec<DVec3>,
}

impl Geometry {
    /// `samples` is the number of samples along a pixel's side.
    pub fn of(frame: &Frame, view: &View, samples: f64) -> Result<Self, ExportError> {
        let mut geometry = Self::default();
        for mesh in &frame.meshes {
            geometry.add_mesh(mesh)?;
        }
        for rods in &frame.rods {
            geometry.add_rods(rods, view, samples)?;
        }
        for markers in &frame.markers {
            let surface = geometry.add_surface(markers.colour, false, true);
            for &centre in markers.positions {
                solids::add_ball(&mut geometry, surface, centre, markers.radius, view, samples);
            }
        }
        Ok(geometry)
    }

    fn add_surface(&mut self, colour: super::Colour, wireframe: bool, solid: bool) -> usize {
        self.surfaces.push(Surface { albedo: colour.to_linear(), wireframe, solid, tints: None });
        self.surfaces.len() - 1
    }

    fn add_mesh(&mut self, mesh: &Mesh) -> Result<(), ExportError> {
        check_indices("triangle", mesh.triangles, mesh.positions.len())?;
        let surface = self.add_surface(mesh.colour, mesh.wireframe, false);
        let first = self.positions.len();
        if let Some(tints) = mesh.tints.filter(|tints| tints.len() == mesh.positions.len()) {
            self.surfaces[surface].tints = Some((first, self.tints.len()));
            self.tints.extend(tints.iter().map(|tint| tint.to_linear()));
        }
        self.positions.extend_from_slice(mesh.positions);
        self.normals.extend(vertex_normals(mesh.positions, mesh.triangles));
        let pattern =
            mesh.pattern.map(|pattern| (self.add_surface(pattern.colour, mesh.wireframe, false), pattern.on));
        let surface_of = |triangle: usize| match pattern {
            Some((second, on)) if on.get(triangle) == Some(&true) => second,
            _ => surface,
        };
        let finite = |t: &[u32; 3]| t.iter().all(|&i| mesh.positions[i as usize].is_finite());
        let drawn = mesh.triangles.iter().enumerate().filter(|(_, t)| finite(t));
        self.triangles.extend(drawn.map(|(number, t)| Triangle {
            corners: t.map(|index| first + index as usize),
            surface: surface_of(number),
        }));
        Ok(())
    }

    /// The albedo of a triangle at barycentric coordinates.
    pub fn albedo(&self, triangle: &Triangle, w: DVec3) -> DVec3 {
        let surface = self.surfaces[triangle.surface];
        let Some((position, tint)) = surface.tints else { return surface.albedo };
        let [a, b, c] = triangle.corners.map(|corner| self.tints[corner - position + tint]);
        w.x * a + w.y * b + w.z * c
    }

    fn add_rods(&mut self, rods: &Rods, view: &View, samples: f64) -> Result<(), ExportError> {
        check_indices("segment", rods.segments, rods.positions.len())?;
        let surface = self.add_surface(rods.colour, false, true);
        let mut used = vec![false; rods.positions.len()];
        for &[a, b] in rods.segments {
            let [from, to] = [a, b].map(|index| rods.positions[index as usize]);
            solids::add_rod(self, surface, [from, to], rods.radius, view, samples);
            used[a as usize] = true;
            used[b as usize] = true;
        }
        for (&centre, _) in rods.positions.iter().zip(used).filter(|(_, used)| *used) {
            solids::add_ball(self, surface, centre, rods.ball_radius, view, samples);
        }
        Ok(())
    }
}

fn check_indices<const N: usize>(
    what: &'static str,
    elements: &[[u32; N]],
    count: usize,
) -> Result<(), ExportError> {
    for (element, indices) in elements.iter().enumerate() {
        if let Some(&index) = indices.iter().find(|&&index| index as usize >= count) {
            return Err(ExportError::Index { what, element, index, count });
        }
    }
    Ok(())
}

/// Unit normals per point: the sum of the adjacent triangles' normals, weighted by area.
fn vertex_normals(positions: &[DVec3], triangles: &[[u32; 3]]) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; positions.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|index| positions[index as usize]);
        let area = (b - a).cross(c - a);
        if area.is_finite() {
            for &index in triangle {
                normals[index as usize] += area;
            }
        }
    }
    normals.iter_mut().for_each(|n| *n = n.normalize_or_zero());
    normals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_are_weighted_by_area_and_ignore_broken_triangles() {
        let positions =
            [DVec3::ZERO, 3.0 * DVec3::X, 3.0 * DVec3::Y, DVec3::Z, DVec3::new(f64::NAN, 0.0, 0.0)];
        // Area 4.5 facing z, area 1.5 facing x, and one with an invalid corner.
        let normals = vertex_normals(&positions, &[[0, 1, 2], [0, 2, 3], [0, 1, 4]]);
        assert!((normals[0] - DVec3::new(1.5, 0.0, 4.5).normalize()).length() < 1e-12);
        assert!((normals[1] - DVec3::Z).length() < 1e-12);
        assert_eq!(normals[4], DVec3::ZERO);
    }
}
