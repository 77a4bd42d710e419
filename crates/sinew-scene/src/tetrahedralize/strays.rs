//! Faces between labels whose corners are on the surface and whose middle is far from it: a face that cuts off a ridge, an edge that bridges a hollow.
//!
//! There the face or the edge gets a vertex, which moves towards the surface, all the way or a part of it. All tetrahedra at the face or the edge are divided alike, so
//! the mesh stays conforming; a division whose angles are not good is not made.

use super::distance::Stray;
use super::domain::Domain;
use super::fill::Labelled;
use super::quick_hash::QuickSet;
use super::smooth::Around;
use crate::tet_quality::worst_angle;
use glam::DVec3;

/// Places farther from the surface than this share of the size get a vertex.
const FAR: f64 = 0.5;
/// Nearer to an edge than this share of the face, the edge is divided and not the face.
const EDGE: f64 = 0.2;
/// Angles of what is made are at least this, in degrees.
const ANGLE: f64 = 10.0;

/// Divides what needs it; the number of divisions.
pub(super) fn divide(mesh: &mut Labelled, domain: &Domain, strays: &[Stray], size: f64) -> usize {
    let mut far: Vec<&Stray> = strays.iter().filter(|s| s.distance > FAR * size).collect();
    far.sort_by(|a, b| b.distance.total_cmp(&a.distance));
    if far.is_empty() {
        return 0;
    }
    let around = Around::new(mesh);
    // Neighbours are looked for as they were, or what touches a division would be divided alone.
    let before = mesh.tets.clone();
    let mut touched: QuickSet<u32> = QuickSet::default();
    let mut count = 0;
    for stray in far {
        let (kept, start) = simplex(mesh, stray);
        let tets = around.sharing(&before, kept.as_slice());
        if tets.iter().any(|t| touched.contains(t)) {
            continue;
        }
        // Also what failed: other places of the same face would fail as well.
        touched.extend(&tets);
        let (a, b) = (stray.face.inner, stray.face.outer);
        let Some(nearest) = domain.nearest_between(a, b, start, f64::INFINITY) else { continue };
        let parts = parts(mesh, kept.as_slice(), &tets);
        let good = |place: &DVec3| {
            let at = |w: u32| mesh.points.get(w as usize).copied().unwrap_or(*place);
            parts.iter().all(|(_, tet)| worst_angle(tet.map(at)) >= -ANGLE.to_radians().cos())
        };
        let trials = [1.0, 0.8, 0.6, 0.4, 0.3, 0.2, 0.1].map(|share| start.lerp(nearest.point, share));
        let Some(place) = trials.into_iter().find(good) else { continue };
        mesh.points.push(place);
        for &(old, tet) in &parts {
            match touched.insert(old | REPLACED) {
                true => mesh.tets[old as usize] = tet,
                false => {
                    mesh.tets.push(tet);
                    mesh.labels.push(mesh.labels[old as usize]);
                }
            }
        }
        count += 1;
    }
    count
}

/// Marks tetrahedra that have been replaced by the first of their parts.
const REPLACED: u32 = 1 << 31;

/// Corners of what is divided.
enum Simplex {
    Face([u32; 3]),
    Edge([u32; 2]),
}

impl Simplex {
    fn as_slice(&self) -> &[u32] {
        match self {
            Self::Face(corners) => corners,
            Self::Edge(ends) => ends,
        }
    }
}

/// The face of a stray, or its edge if that is where it is, and where the new vertex starts.
fn simplex(mesh: &Labelled, stray: &Stray) -> (Simplex, DVec3) {
    let face = stray.face.triangle;
    let [a, b, c] = face.map(|v| mesh.points[v as usize]);
    let whole = (b - a).cross(c - a);
    let share = |p: DVec3, q: DVec3| (p - stray.at).cross(q - stray.at).dot(whole) / whole.length_squared();
    let shares = [share(b, c), share(c, a), share(a, b)];
    let (k, least) = (0..3).map(|k| (k, shares[k])).min_by(|x, y| x.1.total_cmp(&y.1)).unwrap_or((0, 1.0));
    if least >= EDGE {
        return (Simplex::Face(face), stray.at);
    }
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let sum = shares[i] + shares[j];
    // Not at an end of the edge.
    let along = if sum > 0.0 { (shares[j] / sum).clamp(0.3, 0.7) } else { 0.5 };
    let ends = [face[i], face[j]];
    let [p, q] = ends.map(|v| mesh.points[v as usize]);
    (Simplex::Edge(ends), p.lerp(q, along))
}

/// The tetrahedra that take the place of those at a face or an edge: each once for every corner of it, with that corner replaced by the new vertex.
fn parts(mesh: &Labelled, kept: &[u32], tets: &[u32]) -> Vec<(u32, [u32; 4])> {
    let new = mesh.points.len() as u32;
    let of = |&t: &u32| {
        let tet = mesh.tets[t as usize];
        kept.iter().map(move |&gone| (t, tet.map(|v| if v == gone { new } else { v })))
    };
    tets.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::super::interfaces::Interface;
    use super::*;
    use crate::surface::Tree;
    use crate::surface::tests_support::sphere;
    use crate::tet_quality::quality;

    /// One tetrahedron with its corners on a sphere: its faces are far inside.
    #[test]
    fn a_face_inside_a_ball_and_an_edge_of_it_get_a_vertex_nearer_to_the_sphere() {
        let (points, triangles) = sphere(16);
        let domain = Domain::new([Tree::new(&points, &triangles)].into_iter());
        let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
        let start = Labelled {
            points: corners.map(|p| DVec3::from(p) / 3.0_f64.sqrt()).to_vec(),
            tets: vec![[0, 2, 1, 3]],
            labels: vec![1],
        };
        let before = quality(&start.points, &start.tets);
        assert_eq!(before.inverted, 0);
        let face = Interface { triangle: [0, 2, 1], inner: 1, outer: 0 };
        let of_face = (start.points[0] + start.points[1] + start.points[2]) / 3.0;
        let of_edge = (start.points[0] + start.points[1]) / 2.0;
        for (at, tets) in [(of_face, 3), (of_edge, 2)] {
            let mut mesh = start.clone();
            let stray = Stray { at, distance: 1.0 - at.length(), face };
            assert_eq!(divide(&mut mesh, &domain, &[stray], 0.5), 1);
            assert_eq!((mesh.tets.len(), mesh.labels.len(), mesh.points.len()), (tets, tets, 5));
            let after = quality(&mesh.points, &mesh.tets);
            assert!(after.inverted == 0 && after.volume > 1.1 * before.volume, "{after:?}");
            assert!(mesh.points[4].length() > at.length() + 0.1);
        }
    }

    /// The neighbour of a tetrahedron that was divided was divided alone, and left a vertex in the middle of an edge.
    #[test]
    fn what_touches_a_division_waits() {
        let (points, triangles) = sphere(16);
        let domain = Domain::new([Tree::new(&points, &triangles)].into_iter());
        let around = |degrees: f64| DVec3::new(degrees.to_radians().cos(), degrees.to_radians().sin(), 0.0);
        let mut mesh = Labelled {
            points: vec![DVec3::Z, -DVec3::Z, around(0.0), around(120.0), around(240.0)],
            tets: vec![[1, 2, 3, 0], [1, 3, 4, 0]],
            labels: vec![1, 1],
        };
        assert_eq!(quality(&mesh.points, &mesh.tets).inverted, 0);
        let stray = |triangle: [u32; 3], corners: &[u32], distance: f64| {
            let at = corners.iter().map(|&v| mesh.points[v as usize]).sum::<DVec3>() / corners.len() as f64;
            Stray { at, distance, face: Interface { triangle, inner: 1, outer: 0 } }
        };
        let strays = [stray([0, 2, 3], &[0, 2, 3], 0.9), stray([0, 1, 4], &[0, 1], 0.8)];
        assert_eq!(divide(&mut mesh, &domain, &strays, 0.5), 1);
        let whole = mesh.tets.iter().filter(|tet| tet.contains(&0) && tet.contains(&1)).count();
        assert_eq!((mesh.tets.len(), whole), (4, 3), "{:?}", mesh.tets);
    }
}
