//! Files cut off or with bytes changed: they may read as a mesh or be refused, but never panic.

use crate::encodings;
use crate::samples::{self, Files, read};
use proptest::prelude::*;
use sinew_scene::mesh_io::MeshError;

fn all_samples() -> Vec<(&'static str, Files)> {
    let mut all = samples::volume_samples();
    all.push(("obj", samples::obj()));
    all.extend(encodings::volume_samples());
    all.extend(encodings::surface_samples());
    all
}

/// Indices of whatever comes out must be sound too.
fn read_soundly(files: &Files) -> Result<(), MeshError> {
    let mesh = read(files)?;
    let count = mesh.points.len() as u32;
    assert!(mesh.tets.iter().flatten().all(|&vertex| vertex < count));
    assert!(mesh.triangles.iter().flatten().all(|&vertex| vertex < count));
    assert!(mesh.regions.is_empty() || mesh.regions.len() == mesh.tets.len());
    assert!(mesh.points.iter().all(|point| point.is_finite()));
    Ok(())
}

#[test]
fn cut_anywhere() {
    for (name, files) in all_samples() {
        for file in 0..files.len() {
            // Every byte of a short file; of a long one some 300.
            let step = files[file].1.len() / 300 + 1;
            for length in (0..files[file].1.len()).step_by(step) {
                let mut cut = files.clone();
                cut[file].1.truncate(length);
                let result = read_soundly(&cut);
                // Within the first third there is never a whole mesh, and only the list of a set may go missing.
                if 3 * length < files[file].1.len() && files[file].0 != "lower.txt" {
                    assert!(result.is_err(), "{name}: {} cut to {length} bytes", files[file].0);
                }
            }
        }
    }
}

#[test]
fn binary_gmsh_cut_anywhere_is_refused_with_a_byte() {
    for (name, bytes) in [samples::gmsh22_binary(true), samples::gmsh41_binary(false, 8)].concat() {
        let nodes = bytes.windows(7).position(|window| window == b"$Nodes\n").unwrap() + 7;
        let end = bytes.len() - "\n$EndElements\n".len();
        for length in nodes..end {
            match read(&vec![(name, bytes[..length].to_vec())]) {
                Err(MeshError::Malformed { place, .. }) => {
                    // The count of the 2.2 sections is text in a binary file too, and also told by its byte.
                    assert!(matches!(place, sinew_scene::mesh_io::Place::Byte(byte) if byte <= length));
                }
                // Between the two sections the file is whole, but without elements.
                Err(MeshError::Invalid { .. }) => {}
                other => panic!("cut to {length}: {other:?}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600) })]

    #[test]
    fn bytes_changed(
        sample in 0..all_samples().len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        like_text in any::<bool>(),
    ) {
        let mut files = all_samples().swap_remove(sample).1;
        for (index, value) in changes {
            let total: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
            let mut at = index.index(total);
            let file = files.iter_mut().find(|(_, bytes)| {
                let here = at < bytes.len();
                if !here {
                    at -= bytes.len();
                }
                here
            });
            // Half of the time only characters that numbers are made of, which get further.
            let value = if like_text { b"0123456789-.e \n$*"[value as usize % 17] } else { value };
            file.unwrap().1[at] = value;
        }
        let _ = read_soundly(&files);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400), which in 0..12_usize) {
        let names = ["a.obj", "a.mesh", "a.msh", "a.veg", "a.ply", "a.stl", "a.off", "a.smesh", "a.vtk", "a.vtu", "a.npz", "a.glb"];
        let name = names[which];
        let _ = read_soundly(&vec![(name, bytes)]);
    }
}
