//! `sinew mesh`.

use super::{json_of, sinew};
use std::path::Path;

/// A cube as OBJ, without the given faces.
fn cube(path: &Path, leave_out: &[usize]) {
    let mut text = String::new();
    for k in 0..8 {
        text += &format!("v {} {} {}\n", k & 1, k >> 1 & 1, k >> 2 & 1);
    }
    let faces = ["1 5 7 3", "2 4 8 6", "1 2 6 5", "3 7 8 4", "1 3 4 2", "5 6 8 7"];
    for (_, face) in faces.iter().enumerate().filter(|(k, _)| !leave_out.contains(k)) {
        text += &format!("f {face}\n");
    }
    std::fs::write(path, text).unwrap();
}

#[test]
fn a_cube_is_filled_checked_and_converted() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    cube(Path::new(&at("cube.obj")), &[]);
    let report = json_of(&[
        "mesh",
        "tetrahedralize",
        &at("cube.obj"),
        "--size",
        "0.2",
        "--out",
        &at("cube.mesh"),
        "--json",
    ]);
    assert_eq!(report["quality"]["inverted"], 0);
    assert!(report["hausdorff_over_size"].as_f64().unwrap() <= 0.6);
    let check = json_of(&["mesh", "check", &at("cube.mesh"), "--json"]);
    let mut keys: Vec<&str> = check.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    let expected = [
        "closed",
        "degenerate",
        "findings",
        "inverted",
        "manifold",
        "min_dihedral_deg",
        "regions",
        "tets",
        "triangles",
        "vertices",
    ];
    assert_eq!(keys, expected);
    assert_eq!(check["tets"], report["tets"]);
    assert!(check["closed"] == true && check["inverted"] == 0 && check["regions"] == 1);
    assert!(check["min_dihedral_deg"].as_f64().unwrap() >= 8.0);
    sinew(["mesh", "convert", &at("cube.mesh"), &at("surface.obj")]).assert().success();
    let surface = json_of(&["mesh", "info", &at("surface.obj"), "--json"]);
    assert!(surface["closed"] == true && (surface["volume"].as_f64().unwrap() - 1.0).abs() < 0.05);
}

#[test]
fn a_cube_with_a_hole_is_diagnosed_and_filled_only_when_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    cube(Path::new(&at("open.obj")), &[3]);
    let fill = ["mesh", "tetrahedralize", &at("open.obj"), "--vertices", "500", "--out", &at("out.mesh")];
    let refused = sinew(fill).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        said.contains("open.obj") && said.contains("hole of 4 edges") && said.contains("--repair"),
        "{said}"
    );
    let check = json_of(&["mesh", "check", &at("open.obj"), "--json"]);
    assert_eq!(check["closed"], false);
    let finding = &check["findings"][0];
    assert!(finding["where"].as_str().unwrap().contains("(0.50000, 1.00000, 0.50000)"), "{finding}");
    assert!(finding["remedy"].as_str().unwrap().contains("--repair"));
}

#[test]
fn bad_requests_are_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    cube(Path::new(&at("cube.obj")), &[]);
    let refused = |arguments: &[&str], word: &str| {
        let output = sinew(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(word), "{said}");
    };
    refused(&["mesh", "tetrahedralize", &at("cube.obj"), "--out", &at("a.mesh")], "--vertices");
    refused(&["mesh", "tetrahedralize", &at("cube.obj"), "--size", "-1", "--out", &at("a.mesh")], "positive");
    refused(
        &["mesh", "tetrahedralize", &at("cube.obj"), "--size", "1e-5", "--out", &at("a.mesh")],
        "use a size of",
    );
    refused(&["mesh", "tetrahedralize", &at("cube.obj"), "--size", "0.3", "--out", &at("a.xyz")], "a.xyz");
    refused(&["mesh", "check", &at("nothing.obj")], "nothing.obj");
}

#[test]
fn a_scene_fills_the_surface_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    cube(&folder.path().join("cube.obj"), &[]);
    let scene = folder.path().join("scene.toml");
    let of = |filling: &str| {
        format!(
            "frames = 3\n[[body]]\nmesh = {{ file = \"cube.obj\", tetrahedralize = {{ {filling} }} }}\n\
             material = {{ kind = \"corotated\", young = 1e5, poisson = 0.3, density = 1000.0 }}\n"
        )
    };
    std::fs::write(&scene, of("size = 0.3")).unwrap();
    let report = json_of(&["run", &scene.display().to_string(), "--json"]);
    assert!(report["elements"].as_u64().unwrap() > 100 && report["exploded"] == false);
    std::fs::write(&scene, of("repair = true")).unwrap();
    let output = sinew(["run", &scene.display().to_string()]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("needs `size`"), "{said}");
    cube(&folder.path().join("cube.obj"), &[1]);
    std::fs::write(&scene, of("size = 0.3")).unwrap();
    let output = sinew(["run", &scene.display().to_string()]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("cube.obj") && said.contains("repair = true"), "{said}");
}

#[test]
fn an_installed_tetgen_fills_regions_too() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    cube(Path::new(&at("flesh.obj")), &[]);
    let text = std::fs::read_to_string(at("flesh.obj")).unwrap();
    let smaller = |line: &str| match line.strip_prefix("v ") {
        Some(places) => {
            let places = places.split(' ').map(|x| (0.3 + 0.4 * x.parse::<f64>().unwrap()).to_string());
            format!("v {}\n", places.collect::<Vec<_>>().join(" "))
        }
        None => format!("{line}\n"),
    };
    std::fs::write(at("bone.obj"), text.lines().map(smaller).collect::<String>()).unwrap();
    let files = ["flesh.obj", "bone.obj", "a.mesh", "a.smesh"].map(at);
    let [flesh, bone, out, smesh] = files.each_ref().map(String::as_str);
    let with = |more: &[&str]| {
        let first = ["mesh", "tetrahedralize", flesh, bone, "--with", "tetgen", "--out", out];
        let output = sinew(first.into_iter().chain(more.iter().copied())).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output, said)
    };
    let (output, said) = with(&["--vertices", "100"]);
    assert!(output.status.code() == Some(2) && said.contains("needs --size"), "{said}");
    let (output, said) = with(&["--size", "0.2", "--smesh", smesh, "--json"]);
    if said.contains("there is no program `tetgen`") {
        assert_eq!(output.status.code(), Some(2));
        eprintln!("skipped: no tetgen is installed");
        return;
    }
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(
        report["quality"]["inverted"] == 0
            && (report["quality"]["volume"].as_f64().unwrap() - 1.0).abs() < 1e-9
    );
    assert!((0..2).all(|k| report["regions"][k]["tets"].as_u64().unwrap() > 0), "{report}");
    let surface = json_of(&["mesh", "info", smesh, "--json"]);
    assert!(surface["vertices"] == 16 && surface["triangles"] == 24, "{surface}");
}
