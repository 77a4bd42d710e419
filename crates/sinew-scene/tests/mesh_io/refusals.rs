//! What an unsound file is refused with: the message names the file, the place and the trouble.

use crate::formats::tet_with_height;
use crate::samples::{self, Files, read, read_text, read_with};
use sinew_scene::mesh_io::{self, Cell, Defect, MeshError, Orientation, Place};
use std::path::Path;

/// The text of a sample with one part replaced.
fn altered(files: &Files, from: &str, to: &str) -> Files {
    let mut found = false;
    let altered = files
        .iter()
        .map(|(name, bytes)| {
            let text = String::from_utf8_lossy(bytes);
            found |= text.contains(from);
            (*name, text.replacen(from, to, 1).into_bytes())
        })
        .collect();
    assert!(found, "{from:?} is not in the sample");
    altered
}

#[track_caller]
fn assert_malformed(result: Result<impl std::fmt::Debug, MeshError>, expected: Place, words: &str) {
    match result {
        Err(MeshError::Malformed { place, what, .. }) => {
            assert_eq!(place, expected, "{what}");
            assert!(what.contains(words), "{what:?} does not speak of {words:?}");
        }
        other => panic!("expected a malformed file, got {other:?}"),
    }
}

#[track_caller]
fn assert_defect(result: Result<impl std::fmt::Debug, MeshError>, expected_place: Place, expected: &Defect) {
    match result {
        Err(MeshError::Invalid { place, defect, .. }) => {
            assert_eq!((place, &defect), (expected_place, expected))
        }
        other => panic!("expected {expected:?}, got {other:?}"),
    }
}

#[test]
fn messages_are_sentences_with_file_and_line() {
    let error = read_text("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n").unwrap_err().to_string();
    assert!(
        error.ends_with("bad.obj:4: triangle 0 (counted from 0) refers to vertex 4, which does not exist: vertices are numbered 1 to 3"),
        "{error}"
    );
}

#[test]
fn unknown_and_missing_files() {
    let error = mesh_io::read(Path::new("a.fbx")).unwrap_err();
    assert!(matches!(error, MeshError::UnknownFormat { .. }));
    assert!(error.to_string().contains(".msh"), "{error}");
    let error = mesh_io::read(Path::new("no/such.mesh")).unwrap_err();
    assert!(matches!(error, MeshError::Io { .. }));
    assert!(error.to_string().contains("such.mesh"), "{error}");
    // Points without their tetrahedra.
    let error = read(&samples::tetgen(1)[..1].to_vec()).unwrap_err();
    assert!(error.to_string().contains("sample.ele"), "{error}");
}

#[test]
fn empty_files() {
    for name in ["a.obj", "a.veg"] {
        assert_defect(read_text(name, ""), Place::File, &Defect::NoElements);
    }
    assert_malformed(read_text("a.mesh", ""), Place::Line(1), "MeshVersionFormatted");
    assert_malformed(read_text("a.msh", ""), Place::Line(1), "$MeshFormat");
    let files = vec![("a.node", vec![]), ("a.ele", vec![])];
    assert_malformed(read(&files), Place::Line(1), "the number of points");
}

#[test]
fn garbage() {
    let noise: Vec<u8> = (0..4000_u32).map(|k| (k.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for name in ["a.obj", "a.mesh", "a.msh", "a.veg"] {
        assert!(read(&vec![(name, noise.clone())]).is_err(), "{name}");
    }
    assert!(read(&vec![("a.node", noise.clone()), ("a.ele", noise)]).is_err());
}

#[test]
fn counts_that_no_file_can_hold_are_not_believed() {
    let huge = "1000000000000";
    let medit = altered(&samples::medit(), "Vertices 6", &format!("Vertices {huge}"));
    assert_malformed(read(&medit), Place::Line(19), "expected an x coordinate");
    let node = altered(&samples::tetgen(1), "6 3 1 1", &format!("{huge} 3 1 1"));
    assert_malformed(read(&node), Place::Line(9), "point 7 of 1000000000000");
    let gmsh = altered(&samples::gmsh22_text(), "$Nodes\n6", &format!("$Nodes\n{huge}"));
    assert_malformed(read(&gmsh), Place::Line(12), "`$EndNodes`");
    let gmsh = altered(&samples::gmsh41_text(), "$Nodes\n1 6", &format!("$Nodes\n{huge} 6"));
    assert_malformed(read(&gmsh), Place::Line(31), "`$EndNodes`");

    let (name, mut bytes) = samples::gmsh41_binary(true, 8).remove(0);
    let nodes = bytes.windows(7).position(|window| window == b"$Nodes\n").unwrap();
    let in_block = nodes + 7 + 4 * 8 + 3 * 4;
    bytes[in_block..in_block + 8].copy_from_slice(&1_000_000_000_000_u64.to_le_bytes());
    match read(&vec![(name, bytes)]) {
        Err(MeshError::Malformed { place: Place::Byte(byte), .. }) => assert!(byte > in_block),
        other => panic!("{other:?}"),
    }
}

#[test]
fn numbers_that_are_none() {
    let not_finite = |vertex, bad: f64| Defect::NotFinite { vertex, position: [0.0, bad, 0.0] };
    match read_text("a.obj", "v 0 0 0\nv 1 0 0\nv 0 NaN 0\nf 1 2 3\n") {
        Err(MeshError::Invalid {
            place: Place::Line(3),
            defect: Defect::NotFinite { vertex: 3, position },
            ..
        }) => {
            assert!(position[1].is_nan());
        }
        other => panic!("{other:?}"),
    }
    let infinite = read_text("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1e999 0\nf 1 2 3\n");
    assert_defect(infinite, Place::Line(3), &not_finite(3, f64::INFINITY));
    assert_malformed(
        read_text("a.obj", "v 0 zero 0\n"),
        Place::Line(1),
        "a y coordinate (a number), found `zero`",
    );
    assert_malformed(
        read_text("a.obj", "v 0 0\nv 1 1 1\n"),
        Place::Line(1),
        "expected a z coordinate, but the line ends",
    );
    assert_malformed(read_text("a.obj", "\nf 1 2.5 3\n"), Place::Line(2), "`2.5`");
}

#[test]
fn vertices_that_do_not_exist() {
    let obj = |face: &str| read_text("a.obj", &format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{face}\n"));
    let missing = |vertex| Defect::MissingVertex { cell: Cell::Triangle(0), vertex, first: 1, last: 3 };
    assert_defect(obj("f 1 2 0"), Place::Line(4), &missing(0));
    assert_defect(obj("f 1 2 4"), Place::Line(4), &missing(4));
    assert_malformed(obj("f 1 2 -4"), Place::Line(4), "too few");
    assert_malformed(obj("f 1 2"), Place::Line(4), "at least 3");
    assert_defect(
        obj("f 1 2 2"),
        Place::Line(4),
        &Defect::RepeatedVertex { cell: Cell::Triangle(0), vertex: 2 },
    );

    let missing =
        |vertex, first, last| Defect::MissingVertex { cell: Cell::Tetrahedron(1), vertex, first, last };
    let ele = altered(&samples::tetgen(0), "0 2 1 5", "0 2 1 -5");
    assert_defect(read(&ele), Place::Line(4), &missing(-5, 0, 5));
    let medit = altered(&samples::medit(), "1 3 2 6 8", "1 3 2 7 8");
    assert_defect(read(&medit), Place::Line(5), &missing(7, 1, 6));
    // A tag between the lowest and the highest that no node has.
    let gmsh = altered(&samples::gmsh41_text(), "4 10 30 20 60", "4 10 30 20 15");
    assert_defect(read(&gmsh), Place::Line(41), &missing(15, 10, 60));
    let twice = altered(&samples::gmsh22_text(), "\n50 ", "\n60 ");
    assert_defect(read(&twice), Place::Line(7), &Defect::DuplicateVertex { vertex: 60 });
}

#[test]
fn rows_beyond_the_announced_count() {
    let fewer = altered(&samples::tetgen(1), "2 4 1", "1 4 1");
    assert_malformed(read(&fewer), Place::Line(4), "announces 1 rows");
    let fewer = altered(&samples::medit(), "Tetrahedra\n2", "Tetrahedra\n1");
    assert_malformed(read(&fewer), Place::Line(5), "expected a keyword");
    let fewer = altered(&samples::gmsh22_text(), "$Nodes\n6", "$Nodes\n5");
    assert_malformed(read(&fewer), Place::Line(11), "$EndNodes");
    let fewer = altered(&samples::gmsh22_binary(true), "$Elements\n4", "$Elements\n3");
    assert!(matches!(read(&fewer), Err(MeshError::Malformed { place: Place::Byte(_), .. })));
}

#[test]
fn flat_and_inverted_tetrahedra() {
    let flat = |volume| Defect::Flat { cell: Cell::Tetrahedron(0), volume, edge: 2.0_f64.sqrt() };
    assert_defect(read_text("a.mesh", &tet_with_height(0.0)), Place::Line(9), &flat(0.0));
    match read_text("a.mesh", &tet_with_height(1e-14)) {
        Err(MeshError::Invalid { defect: Defect::Flat { volume, .. }, .. }) => assert!(volume > 0.0),
        other => panic!("{other:?}"),
    }
    // Too large to have a volume in floating point, and too small.
    for scale in ["1e200", "1e-150"] {
        let text = format!(
            "MeshVersionFormatted 1 Dimension 3 Vertices 4 0 0 0 0 {scale} 0 0 0 0 {scale} 0 0 0 0 {scale} 0 \
             Tetrahedra 1 1 2 3 4 0"
        );
        let result = read_text("a.mesh", &text);
        assert!(matches!(result, Err(MeshError::Invalid { defect: Defect::Flat { .. }, .. })), "{result:?}");
    }

    // Both lie on the same side of their common face, whatever their order.
    let folded = altered(&samples::medit(), "-0.15D+01", "0.15D+01");
    let defect = Defect::Inverted { first: Cell::Tetrahedron(1), inverted: 1, total: 2 };
    assert_defect(read(&folded), Place::Line(5), &defect);
}

#[test]
fn cells_that_are_not_linear_tetrahedra() {
    let unsupported = |cells, count| Defect::UnsupportedCells { cells, count };
    let with = |rows: &str, count: usize| {
        let text = format!("$Elements\n{}\n{rows}1 15", 4 + count);
        read_with(&altered(&samples::gmsh22_text(), "$Elements\n4\n1 15", &text), Orientation::Positive)
    };
    // Beside tetrahedra they are left out, and a note counts those of the volume.
    let noted = |rows: &str, count: usize| {
        let file = with(rows, count).unwrap();
        assert_eq!(file.mesh, samples::expected());
        file.notes
    };
    let wedges = noted("8 6 2 1 1 10 20 30 40 50 60\n9 6 2 1 1 10 20 30 40 50 60\n", 2);
    assert_eq!(wedges.len(), 1);
    assert!(wedges[0].starts_with("2 wedges (prisms) were left out"), "{wedges:?}");
    let quadratic = noted("8 11 0 1 2 3 4 5 6 7 8 9 10\n", 1);
    assert!(quadratic[0].starts_with("1 10-node (quadratic) tetrahedra were left out"), "{quadratic:?}");
    assert_eq!(noted("8 3 0 10 20 30 50\n", 1), Vec::<String>::new());
    assert_malformed(with("8 77 0 1 2 3\n", 1), Place::Line(15), "unknown cell type 77");

    let surface = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n\
                   $Elements\n2\n1 3 0 1 2 3 4\n2 2 0 1 2 3\n$EndElements\n";
    assert_defect(read_text("a.msh", surface), Place::Line(13), &unsupported("quadrilaterals", 1));

    let medit = altered(&samples::medit(), "Ridges 1\n1", "Hexahedra 1\n1 2 3 4 5 6 1 2 0");
    assert_eq!(read(&medit).unwrap(), samples::expected());
    let alone = "MeshVersionFormatted 1 Dimension 3\nVertices 1\n0 0 0 0\nHexahedra 1\n1 2 3 4 5 6 1 2 0\n";
    assert_defect(read_text("a.mesh", alone), Place::Line(4), &unsupported("hexahedra", 1));
    let tetgen = altered(&samples::tetgen(1), "2 4 1", "2 10 1");
    assert_defect(read(&tetgen), Place::Line(1), &unsupported("10-node (quadratic) tetrahedra", 2));
    let vega = altered(&samples::vega(), "TET\n2 4 0", "CUBIC\n2 8 0");
    assert_defect(read(&vega), Place::Line(11), &unsupported("hexahedra", 2));
}

#[test]
fn formats_that_are_not_read() {
    let old = altered(&samples::gmsh22_text(), "2.2 0 8", "4 0 8");
    assert_malformed(read(&old), Place::Line(2), "version 4 ");
    let plane = altered(&samples::medit(), "Dimension\n3", "Dimension\n2");
    assert_malformed(read(&plane), Place::Line(11), "dimension 2");
    let region = altered(&samples::tetgen(1), " 7.0", " 7.5");
    assert_malformed(read(&region), Place::Line(3), "7.5");
    let no_order = altered(&samples::gmsh22_binary(true), "\u{1}\0\0\0", "\u{2}\0\0\0");
    assert_malformed(read(&no_order), Place::Line(3), "byte order");
}
