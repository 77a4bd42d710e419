//! Built-in models: counts by formula, volumes, orientation, and that elements fit together.

use glam::{DMat3, DVec3};
use sinew::boundary_triangles;
use sinew_scene::mesh_data::{MeshData, SpringEdge, SpringFamily};
use sinew_scene::models::*;
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::PI;

fn corners(mesh: &MeshData, tet: [u32; 4]) -> [DVec3; 4] {
    tet.map(|vertex| mesh.points[vertex as usize])
}

fn volume([a, b, c, d]: [DVec3; 4]) -> f64 {
    DMat3::from_cols(b - a, c - a, d - a).determinant() / 6.0
}

fn total_volume(mesh: &MeshData) -> f64 {
    mesh.tets.iter().map(|&tet| volume(corners(mesh, tet))).sum()
}

/// Smallest angle between two faces of a tetrahedron, degrees.
fn min_dihedral(points: [DVec3; 4]) -> f64 {
    let mut smallest = f64::INFINITY;
    for [i, j, k, l] in [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]] {
        let edge = (points[j] - points[i]).normalize();
        let across = |m: usize| (points[m] - points[i]).reject_from_normalized(edge);
        smallest = smallest.min(across(k).angle_between(across(l)).to_degrees());
    }
    smallest
}

/// Faces in one or two tetrahedra, boundary closed and outward, tetrahedra positive.
fn assert_sound(mesh: &MeshData) {
    for &tet in &mesh.tets {
        assert!(volume(corners(mesh, tet)) > 0.0, "{tet:?} is inverted");
    }
    let mut faces = BTreeMap::<[u32; 3], usize>::new();
    for [a, b, c, d] in &mesh.tets {
        for mut face in [[*a, *b, *c], [*a, *b, *d], [*a, *c, *d], [*b, *c, *d]] {
            face.sort_unstable();
            *faces.entry(face).or_default() += 1;
        }
    }
    assert!(faces.values().all(|&count| count <= 2), "a face in three tetrahedra");

    let boundary = boundary_triangles(&mesh.tets);
    assert_eq!(boundary.len(), faces.values().filter(|&&count| count == 1).count());
    // Closed and consistently oriented: each directed edge once, its reverse once.
    let directed: BTreeSet<(u32, u32)> =
        boundary.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    assert_eq!(directed.len(), 3 * boundary.len());
    assert!(directed.iter().all(|&(a, b)| directed.contains(&(b, a))));
    // Outward: by the divergence theorem the boundary encloses the same volume.
    let enclosed: f64 = boundary
        .iter()
        .map(|triangle| {
            let [a, b, c] = triangle.map(|vertex| mesh.points[vertex as usize]);
            a.dot(b.cross(c)) / 6.0
        })
        .sum();
    assert!((enclosed / total_volume(mesh) - 1.0).abs() < 1e-12);

    let used: BTreeSet<u32> = mesh.tets.iter().flatten().copied().collect();
    assert_eq!(used.len(), mesh.points.len(), "a vertex without an element");
}

fn count(springs: &[SpringEdge], family: SpringFamily) -> usize {
    springs.iter().filter(|spring| spring.family == family).count()
}

#[test]
fn the_tetrahedron_is_regular() {
    let mesh = single_tetrahedron(0.3).unwrap();
    assert_sound(&mesh);
    assert!(mesh.points.iter().copied().sum::<DVec3>().length() < 1e-15);
    assert!((total_volume(&mesh) - 0.3_f64.powi(3) / (6.0 * 2.0_f64.sqrt())).abs() < 1e-15);
    let edges = tet_edges(&mesh.tets);
    assert_eq!(edges.len(), 6);
    for edge in edges {
        assert!((mesh.points[edge.a as usize].distance(mesh.points[edge.b as usize]) - 0.3).abs() < 1e-15);
    }
}

#[test]
fn boxes_are_filled() {
    let size = DVec3::new(2.0, 0.5, 1.25);
    for cells in [[1, 1, 1], [1, 2, 3], [4, 3, 2], [5, 1, 2]] {
        for split in [Split::Five, Split::Six] {
            let mesh = tet_box(size, cells, split).unwrap();
            let [x, y, z] = cells;
            assert_eq!(mesh.points.len(), (x + 1) * (y + 1) * (z + 1));
            assert_eq!(mesh.tets.len(), x * y * z * if split == Split::Five { 5 } else { 6 });
            assert_sound(&mesh);
            assert!((total_volume(&mesh) / (size.x * size.y * size.z) - 1.0).abs() < 1e-13);
            assert_eq!(boundary_triangles(&mesh.tets).len(), 4 * (x * y + y * z + z * x));
            assert_eq!(mesh.points[0], -size / 2.0);
            assert_eq!(*mesh.points.last().unwrap(), size / 2.0);
            assert!(mesh.regions.is_empty() && mesh.springs.is_empty());
        }
    }
}

#[test]
fn box_vertices_run_fastest_along_z() {
    let mesh = tet_box(DVec3::new(2.0, 3.0, 4.0), [2, 3, 4], Split::Five).unwrap();
    let (i, j, k) = (2, 1, 3);
    assert_eq!(mesh.points[(i * 4 + j) * 5 + k], DVec3::new(1.0, -0.5, 1.0));
}

#[test]
fn edges_of_a_box_by_formula() {
    // Euler's formula for a ball: V − E + F − T = 1, and each interior face is in two tetrahedra.
    for split in [Split::Five, Split::Six] {
        let mesh = tet_box(DVec3::ONE, [3, 4, 2], split).unwrap();
        let faces = (4 * mesh.tets.len() + boundary_triangles(&mesh.tets).len()) / 2;
        let edges = tet_edges(&mesh.tets);
        assert_eq!(mesh.points.len() + faces - edges.len() - mesh.tets.len(), 1);
        assert!(edges.windows(2).all(|pair| (pair[0].a, pair[0].b) < (pair[1].a, pair[1].b)));
        assert!(edges.iter().all(|edge| edge.a < edge.b && edge.family == SpringFamily::Structural));
    }
}

#[test]
fn balls_are_round_and_well_shaped() {
    let radius = 0.7;
    let exact = 4.0 / 3.0 * PI * radius * radius * radius;
    let mut last_error = f64::INFINITY;
    for n in [1, 2, 3, 4, 6, 8, 12] {
        let mesh = ball(radius, n).unwrap();
        assert_eq!(mesh.tets.len(), 20 * n * n * n);
        assert_eq!(mesh.points.len(), 1 + (1..=n).map(|s| 10 * s * s + 2).sum::<usize>());
        assert_sound(&mesh);
        let boundary = boundary_triangles(&mesh.tets);
        assert_eq!(boundary.len(), 20 * n * n);
        for vertex in boundary.iter().flatten() {
            assert!((mesh.points[*vertex as usize].length() - radius).abs() <= 1e-15, "off the sphere");
        }
        let angle =
            mesh.tets.iter().map(|&tet| min_dihedral(corners(&mesh, tet))).fold(f64::INFINITY, f64::min);
        assert!(angle >= 30.0, "{n} layers: {angle}°");
        // The error falls with the square of the edge length.
        let error = 1.0 - total_volume(&mesh) / exact;
        assert!(error > 0.0 && error < 0.6 / (n * n) as f64 && error < last_error, "{n} layers: {error}");
        last_error = error;
    }
}

#[test]
fn cloth_counts() {
    let mesh = cloth([1.0, 1.0], [60, 60], &ALL_FAMILIES, Diagonals::Both).unwrap();
    assert_eq!(mesh.points.len(), 61 * 61);
    assert_eq!(mesh.triangles.len(), 7200);
    assert_eq!(count(&mesh.springs, SpringFamily::Structural), 7320);
    assert_eq!(count(&mesh.springs, SpringFamily::Shear), 7200);
    assert_eq!(count(&mesh.springs, SpringFamily::Bend), 7198);
    let one = cloth([1.0, 1.0], [60, 60], &ALL_FAMILIES, Diagonals::One).unwrap();
    assert_eq!(one.springs.len(), 7320 + 3600 + 7198);
    assert_eq!(one.triangles, mesh.triangles);
    let unique: BTreeSet<(u32, u32)> = mesh.springs.iter().map(|s| (s.a.min(s.b), s.a.max(s.b))).collect();
    assert_eq!(unique.len(), mesh.springs.len());
}

#[test]
fn cloth_springs_have_the_lengths_of_their_families() {
    let mesh = cloth([0.6, 1.2], [2, 3], &ALL_FAMILIES, Diagonals::Both).unwrap();
    for spring in &mesh.springs {
        let along = (mesh.points[spring.a as usize] - mesh.points[spring.b as usize]).abs();
        let cells = DVec3::new(along.x / 0.3, 0.0, along.z / 0.4).round();
        assert!((cells * DVec3::new(0.3, 0.0, 0.4) - along).length() < 1e-15);
        let steps = (cells.x as usize, cells.z as usize);
        match spring.family {
            SpringFamily::Structural => assert!(matches!(steps, (1, 0) | (0, 1))),
            SpringFamily::Shear => assert_eq!(steps, (1, 1)),
            SpringFamily::Bend => assert!(matches!(steps, (2, 0) | (0, 2))),
        }
    }
    assert_eq!(count(&mesh.springs, SpringFamily::Bend), 4 + 3 * 2);
    assert_eq!(mesh.points[4 + 3], DVec3::new(0.0, 0.0, 0.6));

    let only_shear = cloth([0.6, 1.2], [2, 3], &[SpringFamily::Shear], Diagonals::Both).unwrap();
    assert_eq!(only_shear.springs.len(), 12);
    assert!(cloth([1.0, 1.0], [1, 1], &[], Diagonals::Both).unwrap().springs.is_empty());
}

#[test]
fn one_diagonal_of_a_cell_is_the_one_that_its_triangles_share() {
    let mesh = cloth([1.0, 1.0], [3, 2], &[SpringFamily::Shear], Diagonals::One).unwrap();
    assert_eq!(mesh.springs.len(), 6);
    for (spring, triangles) in mesh.springs.iter().zip(mesh.triangles.chunks_exact(2)) {
        assert!(triangles.iter().all(|t| t.contains(&spring.a) && t.contains(&spring.b)));
    }
}

#[test]
fn cloth_triangles_face_up_and_fill_the_rectangle() {
    let mesh = cloth([2.0, 3.0], [4, 3], &[], Diagonals::Both).unwrap();
    let mut area = 0.0;
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| mesh.points[vertex as usize]);
        let normal = (b - a).cross(c - a);
        assert!(normal.y > 0.0 && normal.x == 0.0 && normal.z == 0.0);
        area += normal.y / 2.0;
    }
    assert!((area - 6.0).abs() < 1e-14);
    // The diagonals of neighbouring cells point in different directions: an inner vertex has 4 or 8 triangles.
    let mut valence = vec![0; mesh.points.len()];
    mesh.triangles.iter().flatten().for_each(|&vertex| valence[vertex as usize] += 1);
    for (i, j) in [(1, 1), (1, 2), (2, 1), (3, 2)] {
        assert!(matches!(valence[i * 4 + j], 4 | 8), "vertex ({i}, {j}) has {}", valence[i * 4 + j]);
    }
}

#[test]
fn surface_springs_are_edges_and_hinges() {
    let mesh = cloth([1.0, 1.0], [5, 4], &[], Diagonals::Both).unwrap();
    let springs = surface_springs(&mesh.points, &mesh.triangles).unwrap();
    let boundary_edges = 2 * (5 + 4);
    let edges = (3 * mesh.triangles.len() + boundary_edges) / 2;
    assert_eq!(count(&springs, SpringFamily::Structural), edges);
    assert_eq!(count(&springs, SpringFamily::Bend), edges - boundary_edges);
    assert_eq!(count(&springs, SpringFamily::Shear), 0);

    let square = [[0, 1, 2], [2, 1, 3]];
    let springs = surface_springs(&[DVec3::ZERO; 4], &square).unwrap();
    let bend: Vec<_> = springs.iter().filter(|s| s.family == SpringFamily::Bend).collect();
    assert_eq!(bend, [&SpringEdge { a: 0, b: 3, family: SpringFamily::Bend }]);

    // Three sheets on one edge bend pairwise; two triangles back to back do not.
    let book = [[0, 1, 2], [0, 1, 3], [0, 1, 4]];
    assert_eq!(count(&surface_springs(&[DVec3::ZERO; 5], &book).unwrap(), SpringFamily::Bend), 3);
    let back_to_back = [[0, 1, 2], [0, 2, 1]];
    assert_eq!(count(&surface_springs(&[DVec3::ZERO; 3], &back_to_back).unwrap(), SpringFamily::Bend), 0);

    let error = surface_springs(&[DVec3::ZERO; 3], &square).unwrap_err();
    assert_eq!(error, ModelError::MissingVertex { triangle: 1, vertex: 3, points: 3 });
}

#[test]
fn arguments_that_make_no_model_are_refused() {
    for edge in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(single_tetrahedron(edge), Err(ModelError::BadLength { .. })));
        assert!(matches!(ball(edge, 2), Err(ModelError::BadLength { .. })));
        assert!(matches!(
            cloth([1.0, edge], [2, 2], &[], Diagonals::Both),
            Err(ModelError::BadLength { .. })
        ));
        let error = tet_box(DVec3::new(1.0, edge, 1.0), [1; 3], Split::Six).unwrap_err();
        assert!(error.to_string().contains("along y"), "{error}");
    }
    assert!(matches!(ball(1.0, 0), Err(ModelError::NoCells { .. })));
    assert!(matches!(cloth([1.0, 1.0], [0, 1], &[], Diagonals::Both), Err(ModelError::NoCells { .. })));
    let error = tet_box(DVec3::ONE, [1, 1, 0], Split::Five).unwrap_err();
    assert_eq!(error.to_string(), "the number of cells along z must be at least 1");
    assert!(matches!(ball(1.0, 1000), Err(ModelError::TooMany { .. })));
    assert!(matches!(
        cloth([1.0, 1.0], [usize::MAX, 2], &[], Diagonals::Both),
        Err(ModelError::TooMany { .. })
    ));
    assert!(matches!(tet_box(DVec3::ONE, [1 << 40; 3], Split::Five), Err(ModelError::TooMany { .. })));
}
