//! The samples as seeds of the fuzz targets (`cargo xtask fuzz`): valid files from which the fuzzer starts.
//!
//! They go to the folder `SINEW_SEEDS`, a subfolder for each target.

use crate::encodings;
use crate::samples::{self, Files};
use sinew_scene::mesh_io;
use std::path::{Path, PathBuf};

/// The fuzz target of an extension.
fn target(extension: &str) -> &str {
    match extension {
        "mesh" => "medit",
        "node" | "ele" => "tetgen",
        "msh" => "gmsh",
        "veg" => "vega",
        "poly" => "smesh",
        "vtp" => "vtu",
        other => other,
    }
}

fn targets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/targets")
}

#[test]
fn every_reader_has_a_fuzz_target() {
    for extension in mesh_io::EXTENSIONS {
        let file = targets().join(target(extension)).with_extension("rs");
        assert!(file.is_file(), ".{extension}: {} is missing", file.display());
    }
}

#[test]
fn samples_become_seeds() {
    let unused = tempfile::tempdir().unwrap();
    let folder = std::env::var_os("SINEW_SEEDS").map_or(unused.path().to_owned(), PathBuf::from);
    let mut all: Vec<(&str, Files)> = samples::volume_samples();
    all.push(("obj", samples::obj()));
    all.extend(encodings::volume_samples());
    all.extend(encodings::surface_samples());
    for (number, (_, files)) in all.iter().enumerate() {
        let (name, last) = files.last().unwrap();
        let extension = Path::new(name).extension().unwrap().to_str().unwrap();
        let seeds = folder.join(target(extension));
        std::fs::create_dir_all(&seeds).unwrap();
        // Nodes and elements of TetGen are one input with a zero between them; other files beside a mesh are not fuzzed.
        let bytes =
            match files.first().filter(|(first, _)| first.ends_with(".node") && name.ends_with(".ele")) {
                Some((_, nodes)) => [nodes, &[0][..], last].concat(),
                None => last.clone(),
            };
        std::fs::write(seeds.join(format!("sample-{number}")), bytes).unwrap();
    }
    let full =
        |target: &str| std::fs::read_dir(folder.join(target)).is_ok_and(|mut files| files.next().is_some());
    for extension in mesh_io::EXTENSIONS {
        assert!(full(target(extension)), "no sample of .{extension}");
    }
}
