//! What a sound file reads as.

use crate::samples::{self, Files, expected, read, read_text, read_with};
use glam::DVec3;
use sinew_scene::mesh_io::{self, Orientation};

#[test]
fn every_volume_format_reads_the_same_mesh() {
    for (name, files) in samples::volume_samples() {
        let file = read_with(&files, Orientation::Positive).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut expected = expected();
        if name == "vega" {
            // Regions are counted, and there are no triangles.
            expected.regions = vec![1, 2];
            expected.triangles.clear();
        } else if name.starts_with("tetgen") {
            expected.triangles.clear();
        }
        assert_eq!(file.mesh, expected, "{name}");
        assert_eq!(file.unused_points, 1, "{name}");
        assert!(!file.turned, "{name}");
        assert_eq!(file.notes, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn tetgen_reads_both_files_whichever_is_named() {
    let by_ele = read(&samples::tetgen(1)).unwrap();
    let mut files = samples::tetgen(1);
    files.reverse();
    assert_eq!(files.last().unwrap().0, "sample.node");
    assert_eq!(read(&files).unwrap(), by_ele);
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_change_nothing() {
    for files in [samples::medit(), samples::tetgen(1), samples::vega(), samples::obj()] {
        let crlf: Files = files
            .iter()
            .map(|(name, bytes)| {
                let text = String::from_utf8(bytes.clone()).unwrap().replace('\n', "\r\n");
                (*name, ("\u{FEFF}".to_owned() + &text).into_bytes())
            })
            .collect();
        assert_eq!(read(&crlf).unwrap(), read(&files).unwrap());
    }
    let text = String::from_utf8(samples::gmsh41_text()[0].1.clone()).unwrap();
    assert_eq!(read_text("crlf.msh", &text.replace('\n', "\r\n")).unwrap(), expected());
}

#[test]
fn obj_keeps_the_order_of_vertices_and_cuts_polygons_into_fans() {
    let file = read_with(&samples::obj(), Orientation::Positive).unwrap();
    let corners = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [2., 0., 0.]];
    assert_eq!(file.mesh.points, corners.map(DVec3::from_array));
    // The square as a fan, then (−4 −1 4) of six vertices: 3 6 4.
    assert_eq!(file.mesh.triangles, [[0, 1, 2], [0, 2, 3], [1, 4, 2]]);
    assert_eq!(file.unused_points, 1);
    assert!(file.mesh.tets.is_empty() && file.mesh.regions.is_empty());
}

#[test]
fn obj_does_not_split_vertices_with_several_normals_or_groups() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvn 0 0 1\nvn 0 1 0\ng a\nf 1//1 2//1 3//1\no b\nf 2//2 4//2 3//2\n";
    let mesh = read_text("split.obj", text).unwrap();
    assert_eq!(mesh.points.len(), 4);
    assert_eq!(mesh.triangles, [[0, 1, 2], [1, 3, 2]]);
}

#[test]
fn obj_that_was_written_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.obj");
    let points = [DVec3::new(0.1, -2e-7, 3e5), DVec3::new(1.0 / 3.0, 0.0, 0.0), DVec3::Y, DVec3::Z];
    let triangles = [[0, 1, 2], [3, 2, 1]];
    mesh_io::write_obj(&path, &points, &triangles).unwrap();
    let mesh = mesh_io::read(&path).unwrap();
    assert_eq!(mesh.triangles, triangles);
    for (read, written) in mesh.points.iter().zip(points) {
        assert!(read.distance(written) <= 1e-8 * written.length(), "{read} was {written}");
    }
}

#[test]
fn a_file_whose_tetrahedra_are_all_inverted_is_turned() {
    let text = "MeshVersionFormatted 1 Dimension 3 Vertices 4 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 \
                Tetrahedra 1 1 3 2 4 5 End";
    let files = vec![("left.mesh", text.as_bytes().to_vec())];
    let file = read_with(&files, Orientation::Positive).unwrap();
    assert!(file.turned);
    let [a, b, c, d] = file.mesh.tets[0].map(|vertex| file.mesh.points[vertex as usize]);
    assert_eq!((b - a).cross(c - a).dot(d - a), 1.0);

    let as_it_is = read_with(&files, Orientation::AsInFile).unwrap();
    assert!(!as_it_is.turned);
    assert_eq!(as_it_is.mesh.tets, [[0, 2, 1, 3]]);
}

#[test]
fn single_tetrahedra_wound_the_other_way_are_reversed_and_noted() {
    let (name, bytes) = samples::medit().remove(0);
    let text = String::from_utf8(bytes).unwrap().replace("1 3 2 6 8", "1 2 3 6 8");
    let file = read_with(&vec![(name, text.into_bytes())], Orientation::Positive).unwrap();
    assert!(!file.turned);
    assert_eq!(file.mesh.tets, [[0, 1, 2, 3], [0, 1, 4, 2]]);
    assert_eq!(file.notes, ["1 of 2 tetrahedra were wound the other way round and have been reversed"]);
}

#[test]
fn vega_materials_by_tetrahedron() {
    let file = read_with(&samples::vega(), Orientation::Positive).unwrap();
    let [soft] = &file.materials[..] else { panic!("{:?}", file.materials) };
    assert_eq!((soft.name.as_str(), soft.density, soft.young, soft.poisson), ("soft", 1000.0, 1e5, 0.4));
    assert_eq!(file.material_of, [Some(0), Some(0)]);
}

#[test]
fn a_thin_sliver_is_accepted() {
    let mesh = read_text("sliver.mesh", &tet_with_height(1e-12)).unwrap();
    assert_eq!(mesh.tets, [[0, 1, 2, 3]]);
}

/// A tetrahedron over a unit right triangle.
pub fn tet_with_height(height: f64) -> String {
    format!(
        "MeshVersionFormatted 1\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0.3 0.3 {height:e} 0\n\
         Tetrahedra 1\n1 2 3 4 0\nEnd\n"
    )
}

#[test]
fn a_set_that_was_left_behind_costs_the_labels_and_leaves_a_note() {
    let only_mesh: Files = samples::vega().split_off(1);
    let file = read_with(&only_mesh, Orientation::Positive).unwrap();
    assert_eq!(file.mesh.tets.len(), 2);
    assert!(file.mesh.regions.is_empty());
    assert_eq!(file.notes.len(), 1);
    assert!(file.notes[0].contains("lower.txt"), "{}", file.notes[0]);
}

#[test]
fn triangles_on_a_left_out_point_go_with_it() {
    let text = "MeshVersionFormatted 1 Dimension 3 Vertices 5 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 5 5 5 0 \
                Triangles 2 1 2 3 0 1 2 5 0 Tetrahedra 1 1 2 3 4 0 End";
    let file = read_with(&vec![("a.mesh", text.into())], Orientation::Positive).unwrap();
    assert_eq!((file.unused_points, file.detached_triangles), (1, 1));
    assert_eq!(file.mesh.triangles, [[0, 1, 2]]);
}

#[test]
fn gmsh_surface_without_tetrahedra_is_a_surface() {
    let text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n\
                $Elements\n2\n1 1 2 1 1 1 2\n2 2 2 1 1 1 2 3\n$EndElements\n";
    let mesh = read_text("surface.msh", text).unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2]]);
    assert!(mesh.regions.is_empty());
}
