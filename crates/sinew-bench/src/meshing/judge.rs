//! The same measure for everybody's tetrahedra: shape, and distance from the surface both ways.
//!
//! Distances are taken at samples a quarter of the size apart, on the boundary of the tetrahedra and on the given surface, as `sinew mesh tetrahedralize` does; the code is another.

use glam::DVec3;
use sinew_scene::mesh_check::boundary;
use sinew_scene::surface::Tree;
use sinew_scene::tet_quality::quality;
use sinew_scene::tetrahedralize::ClosedSurface;

/// Samples per size.
const PER_SIZE: f64 = 4.0;
/// Most samples along the side of a triangle.
const MOST: f64 = 64.0;

/// What can be said about a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    pub tets: usize,
    /// Inverted or flat.
    pub bad: usize,
    /// Degrees.
    pub least_angle: f64,
    /// Mean over tetrahedra of their smallest angle, degrees.
    pub mean_angle: f64,
    /// Largest distance from the boundary of the mesh to the surface, over the size.
    pub to_surface: f64,
    /// Largest distance from the surface to the boundary of the mesh, over the size.
    pub from_surface: f64,
    /// Mean length of an edge of a tetrahedron.
    pub mean_edge: f64,
}

impl Verdict {
    /// Of a mesh that fills a surface with tetrahedra of a size.
    pub fn of(points: &[DVec3], tets: &[[u32; 4]], surface: &ClosedSurface, size: f64) -> Self {
        let q = quality(points, tets);
        let faces = boundary(tets);
        let step = size / PER_SIZE;
        Self {
            tets: tets.len(),
            bad: q.inverted + q.degenerate,
            least_angle: q.min_dihedral_deg,
            mean_angle: q.mean_min_dihedral_deg,
            to_surface: farthest(points, &faces, &Tree::new(&surface.points, &surface.triangles), step)
                / size,
            from_surface: farthest(&surface.points, &surface.triangles, &Tree::new(points, &faces), step)
                / size,
            mean_edge: mean_edge(points, tets),
        }
    }

    /// The larger distance both ways, over the size.
    pub fn distance(&self) -> f64 {
        self.to_surface.max(self.from_surface)
    }
}

/// The largest distance of samples of triangles from a surface.
fn farthest(points: &[DVec3], triangles: &[[u32; 3]], from: &Tree, step: f64) -> f64 {
    let mut most = 0.0_f64;
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| points[v as usize]);
        let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
        let n = (longest / step).ceil().clamp(1.0, MOST) as usize;
        for i in 0..=n {
            for j in 0..=n - i {
                let at = a + (i as f64 / n as f64) * (b - a) + (j as f64 / n as f64) * (c - a);
                most = from.nearest(at).map_or(f64::INFINITY, |n| n.distance).max(most);
            }
        }
    }
    most
}

/// The mean over tetrahedra of the mean of their six edges.
fn mean_edge(points: &[DVec3], tets: &[[u32; 4]]) -> f64 {
    let of = |tet: &[u32; 4]| {
        let p = tet.map(|v| points[v as usize]);
        (1..4).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| p[i].distance(p[j])).sum::<f64>() / 6.0
    };
    tets.iter().map(of).sum::<f64>() / tets.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_of_a_cube_is_as_far_from_it_as_it_should_be() {
        let points: Vec<DVec3> =
            (0..8).map(|k| DVec3::from([k & 1, k >> 1 & 1, k >> 2 & 1].map(f64::from))).collect();
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let cube = ClosedSurface { name: "cube".into(), points, triangles };
        // The corner tetrahedron at the origin: its slanted face is 1/√3 from that corner, and the opposite corner of the cube 2/√3 from that face.
        let corner = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let verdict = Verdict::of(&corner, &[[0, 1, 2, 3]], &cube, 0.5);
        assert_eq!((verdict.tets, verdict.bad), (1, 0));
        assert!((verdict.least_angle - 54.7356).abs() < 1e-3, "{}", verdict.least_angle);
        assert!((verdict.from_surface - 2.0 / 3.0_f64.sqrt() / 0.5).abs() < 1e-12);
        // The middle of the slanted face is nearest to the faces of the cube at a third.
        assert!((verdict.to_surface - 2.0 / 3.0).abs() < 1e-12, "{}", verdict.to_surface);
        assert!((verdict.mean_edge - (3.0 + 3.0 * 2.0_f64.sqrt()) / 6.0).abs() < 1e-12);
        let inverted = Verdict::of(&corner, &[[1, 0, 2, 3]], &cube, 0.5);
        assert_eq!(inverted.bad, 1);
    }
}
