//! What `mesh_io::write` writes is read back: to the same bits, or to the precision that the format has.

use glam::DVec3;
use sinew_scene::mesh_check::boundary;
use sinew_scene::mesh_data::MeshData;
use sinew_scene::mesh_io::{self, MeshError, SOLID_ENDINGS, SURFACE_ENDINGS};

/// Two tetrahedra of different regions around a common face, with coordinates that need all their digits, and a vertex that only one of them has.
fn solid() -> MeshData {
    let third = 1.0 / 3.0;
    let points = vec![
        DVec3::new(0.1, -third, 0.0),
        DVec3::new(1.0 + third, 0.0, 1e-9),
        DVec3::new(0.0, 1.7, third),
        DVec3::new(0.2, 0.3, 1.1),
        DVec3::new(0.3, 0.2, -2.0 * third),
    ];
    MeshData { points, tets: vec![[0, 1, 2, 3], [0, 2, 1, 4]], regions: vec![3, 7], ..MeshData::default() }
}

#[test]
fn tetrahedra_and_regions_come_back_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    for ending in SOLID_ENDINGS {
        let path = folder.path().join(format!("solid.{ending}"));
        mesh_io::write(&path, &solid()).unwrap();
        assert_eq!(mesh_io::read(&path).unwrap(), solid(), "{ending}");
    }
}

#[test]
fn formats_of_surfaces_get_the_boundary_of_tetrahedra() {
    let folder = tempfile::tempdir().unwrap();
    let mut mesh = solid();
    // An inner vertex that no boundary face uses: four tetrahedra in place of the first.
    let middle = mesh.tets[0].iter().map(|&v| mesh.points[v as usize]).sum::<DVec3>() / 4.0;
    mesh.points.insert(0, middle);
    mesh.tets = vec![[0, 2, 3, 4], [1, 0, 3, 4], [1, 2, 0, 4], [1, 2, 3, 0], [1, 3, 2, 5]];
    mesh.regions = Vec::new();
    let expected: Vec<DVec3> = mesh.points[1..].to_vec();
    let faces = boundary(&mesh.tets);
    for ending in SURFACE_ENDINGS {
        let path = folder.path().join(format!("surface.{ending}"));
        mesh_io::write(&path, &mesh).unwrap();
        let back = mesh_io::read(&path).unwrap();
        assert!(back.tets.is_empty() && back.triangles.len() == faces.len(), "{ending}");
        assert_eq!(back.points.len(), expected.len(), "{ending}");
        let tolerance = match ending {
            "ply" | "off" => 0.0,
            "obj" => 1e-8,
            _ => 1e-7,
        };
        // STL has no order of vertices: faces are compared by their corners.
        for (face, read) in faces.iter().zip(&back.triangles) {
            for (&v, &w) in face.iter().zip(read) {
                let off = mesh.points[v as usize].distance(back.points[w as usize]);
                assert!(off <= 2.0 * tolerance, "{ending}: {off:e}");
            }
        }
        if ending == "glb" {
            let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().collect();
            assert!(left.iter().all(|f| !f.file_name().to_string_lossy().ends_with(".part")));
        }
    }
}

#[test]
fn a_surface_is_not_lost_in_a_format_of_tetrahedra_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = solid();
    let surface = MeshData { triangles: boundary(&mesh.tets), points: mesh.points, ..MeshData::default() };
    for ending in SOLID_ENDINGS {
        let path = folder.path().join(format!("surface.{ending}"));
        let written = mesh_io::write(&path, &surface);
        if ending == "node" {
            assert!(written.unwrap_err().to_string().contains("no tetrahedra"));
        } else {
            assert_eq!(mesh_io::read(&path).unwrap(), surface, "{ending}");
        }
    }
}

#[test]
fn an_unknown_ending_and_a_missing_folder_are_errors_with_the_name() {
    let folder = tempfile::tempdir().unwrap();
    let unknown = mesh_io::write(&folder.path().join("a.xyz"), &solid()).unwrap_err();
    assert!(matches!(unknown, MeshError::UnknownFormat { .. }) && unknown.to_string().contains("a.xyz"));
    for ending in SOLID_ENDINGS.into_iter().chain(SURFACE_ENDINGS) {
        let path = folder.path().join("missing").join(format!("a.{ending}"));
        let error = mesh_io::write(&path, &solid()).unwrap_err();
        assert!(matches!(error, MeshError::Io { .. }) && error.to_string().contains("missing"), "{error}");
    }
}
