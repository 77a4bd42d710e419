//! What sound files in the formats of [`encodings`](crate::encodings) read as, and what damaged ones are refused with.

use crate::encodings::{self, Bytes, expected_surface, npy, zip};
use crate::samples::{expected, read, read_text, read_with};
use glam::DVec3;
use sinew_scene::mesh_io::{MeshError, Orientation, Place};

#[test]
fn every_volume_format_reads_the_same_mesh() {
    for (name, files) in encodings::volume_samples() {
        let file = read_with(&files, Orientation::Positive).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut expected = expected();
        if name.starts_with("ply") {
            expected.regions.clear();
        }
        assert_eq!(file.mesh, expected, "{name}");
        assert_eq!((file.unused_points, file.notes), (1, vec![]), "{name}");
    }
}

#[test]
fn every_surface_format_reads_the_same_surface() {
    for (name, files) in encodings::surface_samples() {
        let mesh = read(&files).unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = expected_surface();
        if name.starts_with("gl") {
            let at =
                |mesh: &sinew_scene::mesh_data::MeshData, t: [u32; 3]| t.map(|v| mesh.points[v as usize]);
            assert_eq!((mesh.points.len(), mesh.triangles.len()), (7, 3), "{name}");
            // A strip cuts the square along the other diagonal.
            let areas: Vec<DVec3> = mesh
                .triangles
                .iter()
                .map(|&t| at(&mesh, t))
                .map(|[a, b, c]| (b - a).cross(c - a) / 2.0)
                .collect();
            assert!(areas[..2].iter().all(|a| a.distance(DVec3::Z / 2.0) < 1e-6), "{name}: {areas:?}");
            for (found, wanted) in
                at(&mesh, mesh.triangles[2]).iter().zip(at(&expected, expected.triangles[2]))
            {
                assert!(found.distance(wanted) < 1e-6, "{name}: {found} is not {wanted}");
            }
        } else {
            assert_eq!(mesh, expected, "{name}");
        }
    }
}

#[track_caller]
fn refused(result: Result<impl std::fmt::Debug, MeshError>, words: &str) -> Place {
    match result {
        Err(MeshError::Malformed { place, what, .. }) => {
            assert!(what.contains(words), "{what:?} does not speak of {words:?}");
            place
        }
        other => panic!("expected a malformed file, got {other:?}"),
    }
}

/// None of these may reserve memory for what it announces.
#[test]
fn huge_counts_are_refused_where_the_file_ends() {
    let ply = encodings::ply_binary(false);
    let (name, bytes) = &ply[0];
    let text = String::from_utf8_lossy(bytes).replace("element vertex 6", "element vertex 4000000000000");
    refused(read_text(name, &text), "file ends");
    let mut stl = Bytes::default();
    stl.u8s(&[0; 80]).i32s(&[-1]).u8s(&[0; 100]);
    assert_eq!(refused(read(&vec![("a.stl", stl.all)]), "a triangle"), Place::Byte(184));
    refused(read_text("a.off", "OFF\n900000000000 5 0\n0 0 0\n"), "point 2 of 900000000000");
    let vtk =
        "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 99999999999 float\n0 0 0\n";
    refused(read_text("a.vtk", vtk), "a coordinate");
    let vtk = vtk.replace("ASCII", "BINARY");
    refused(read_text("a.vtk", &vtk), "a coordinate");
    let npz = zip(&[("points.npy", npy("<f8", "(1000000000000000000, 3)", false, &[0; 24]))], false);
    refused(read(&vec![("a.npz", npz)]), "has only 24 bytes");
    let gltf = r#"{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"componentType":5126,"count":99999999999,"type":"VEC3"}]}"#;
    refused(read_text("a.gltf", gltf), "too long");
    let vtu = r#"<VTKFile type="UnstructuredGrid" compressor="vtkZLibDataCompressor"><Points>
        <DataArray type="Float64" NumberOfComponents="3" format="binary">/////////////////////w==</DataArray></Points></VTKFile>"#;
    refused(read_text("a.vtu", vtu), "cut off");
}

#[test]
fn what_is_not_read_says_so() {
    refused(read_text("a.ply", "plyx\n"), "starts with");
    assert_eq!(
        refused(
            read_text("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\nend_header\n0\n"),
            "`quad`"
        ),
        Place::Line(4)
    );
    refused(read_text("a.off", "4OFF\n1 0 0\n0 0 0 1\n"), "4OFF");
    assert_eq!(
        refused(read_text("a.stl", "solid\nfacet\nvertex 0 0 0\nendfacet\n"), "1 vertices"),
        Place::Line(2)
    );
    refused(read_text("a.vtu", "<VTKFile type=\"ImageData\">"), "ImageData");
    refused(
        read_text("a.vtu", "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\">"),
        "LZ4",
    );
    refused(
        read_text("a.vtk", "# vtk DataFile Version 3.0\n\nASCII\nDATASET STRUCTURED_POINTS\n"),
        "STRUCTURED_POINTS",
    );
    refused(read_text("a.npz", "PK\u{3}\u{4}"), "cut off");
    refused(
        read(&vec![("a.npz", zip(&[("nodes.npy", npy("<f8", "(0, 3)", false, &[]))], false))]),
        "nodes.npy",
    );
    let old = r#"{"asset":{"version":"1.0"}}"#;
    refused(read_text("a.gltf", old), "2.0 is needed");
    let draco = r#"{"asset":{"version":"2.0"},"extensionsRequired":["KHR_draco_mesh_compression"]}"#;
    refused(read_text("a.gltf", draco), "KHR_draco_mesh_compression");
    let cycle =
        r#"{"asset":{"version":"2.0"},"nodes":[{"children":[1]},{"children":[0]}],"scenes":[{"nodes":[0]}]}"#;
    refused(read_text("a.gltf", cycle), "child of another");
    assert_eq!(refused(read_text("a.gltf", "{\n\"asset\": 5\n}"), "JSON"), Place::Line(2));
}

#[test]
fn quadratic_cells_of_vtk_are_counted() {
    let text = "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 float\n0 0 0\nCELLS 2 22\n\
                10 0 0 0 0 0 0 0 0 0 0\n10 0 0 0 0 0 0 0 0 0 0\nCELL_TYPES 2\n24 24\n";
    let error = read_text("a.vtk", text).unwrap_err().to_string();
    assert!(error.contains("2 10-node (quadratic) tetrahedra"), "{error}");
}

#[test]
fn a_damaged_npz_is_noticed_by_its_checksum() {
    let (name, mut bytes) = encodings::npz(false).remove(0);
    bytes[130] ^= 1;
    let place = refused(read(&vec![(name, bytes)]), "checksum");
    assert!(matches!(place, Place::Byte(_)));
}
