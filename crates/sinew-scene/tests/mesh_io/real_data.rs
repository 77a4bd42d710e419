//! Meshes that others made. The folder is `SINEW_DATA`, or `shared/data` beside the workspace; without it
//! these tests say so and pass.

use sinew_scene::mesh_io::{self, Defect, MeshError, Orientation};
use std::path::PathBuf;

fn data_folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("SINEW_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    };
    if !folder.is_dir() {
        eprintln!("skipped: no real data at {} (set SINEW_DATA)", folder.display());
        return None;
    }
    Some(folder)
}

#[test]
fn tetrahedral_meshes() {
    let Some(folder) = data_folder() else { return };
    for (name, points, tets) in [
        ("vega_beam3_tet.veg", 208, 450),
        ("vega_turtle_homog.veg", 347, 1185),
        ("vega_turtle_heterog.veg", 347, 1185),
        ("vega_comb.veg", 1623, 5844),
        ("polyfem_bar-186.msh", 86, 186),
        ("polyfem_square_beam.mesh", 739, 2886),
        ("polyfem_sphere1K.msh", 1760, 6851),
        ("polyfem_bunny.msh", 4670, 19379),
        ("uipc_bunny0.msh", 1869, 7356),
        ("pbd_armadillo_4k.node", 1180, 3717),
        ("pbd_armadillo_4k.ele", 1180, 3717),
        ("admm_sphere.node", 957, 3100),
        ("admm_sphere.ele", 957, 3100),
        ("ipc_cow_head.msh", 1328, 5029),
    ] {
        let file = mesh_io::read_file(&folder.join("tet").join(name), Orientation::Positive)
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            (file.mesh.points.len() + file.unused_points, file.mesh.tets.len()),
            (points, tets),
            "{name}"
        );
        assert!(!file.turned, "{name}");
    }
}

#[test]
fn surfaces() {
    let Some(folder) = data_folder() else { return };
    for (name, points, triangles) in [
        ("spot_829.obj", 829, 1654),
        ("fish_945.obj", 945, 1886),
        ("bunny_3301.obj", 3301, 6598),
        ("penguin_3362.obj", 3362, 6720),
        ("goathead_2763.obj", 2763, 5522),
        ("bunny_holes_2503.obj", 2503, 4968),
    ] {
        let mesh =
            mesh_io::read(&folder.join("surface").join(name)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((mesh.points.len(), mesh.triangles.len()), (points, triangles), "{name}");
    }
}

#[test]
fn a_head_of_quads_in_many_groups() {
    let Some(folder) = data_folder() else { return };
    let path = folder.join("face/ict_neutral.obj");
    let file = mesh_io::read_file(&path, Orientation::Positive).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((file.mesh.points.len(), file.unused_points), (24591, 0));
    assert_eq!(file.mesh.triangles.len(), 48836);
}

#[test]
fn one_mesh_in_four_encodings() {
    let Some(folder) = data_folder() else { return };
    let read =
        |name: &str| mesh_io::read(&folder.join("io").join(name)).unwrap_or_else(|error| panic!("{error}"));
    let first = read("22_ascii.msh");
    assert_eq!((first.points.len(), first.tets.len()), (8, 5));
    assert_eq!(first.regions, [1, 2, 2, 2, 3]);
    for name in ["22_binary.msh", "41_ascii.msh", "41_binary.msh"] {
        assert_eq!(read(name), first, "{name}");
    }
}

#[test]
fn physical_groups_and_other_cells() {
    let Some(folder) = data_folder() else { return };
    let read = |name: &str| mesh_io::read(&folder.join("io").join(name));
    let sides = read("gmsh_physical_sides_3d_v41.msh").unwrap();
    assert_eq!((sides.points.len(), sides.triangles.len()), (5, 3));
    assert_eq!(sides.regions, [41, 42]);
    for (name, cells, count) in [
        ("prism_cantilever.msh", "wedges (prisms)", 16),
        ("sphere_p2.msh", "10-node (quadratic) tetrahedra", 683),
    ] {
        match read(name) {
            Err(MeshError::Invalid { defect, .. }) => {
                assert_eq!(defect, Defect::UnsupportedCells { cells, count })
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}
