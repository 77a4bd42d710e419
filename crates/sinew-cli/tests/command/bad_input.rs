//! Wrong input of every kind: exit code 2, one clear message, no panic.

use super::sinew;
use std::fs;
use std::path::Path;

/// A scene that is fine, to be spoilt line by line.
const GOOD: &str = r#"frames = 2
[material]
young = 1e4
poisson = 0.3
density = 1000
[[body]]
mesh.box = { size = [1, 1, 1], cells = [1, 1, 1] }
"#;

/// Runs a command line and expects a refusal that says this.
fn refused(arguments: &[&str], folder: &Path, says: &str) {
    let output = sinew(arguments).current_dir(folder).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {complaint}");
    assert!(complaint.contains(says), "{arguments:?}: expected `{says}` in: {complaint}");
    assert!(!complaint.contains("panicked") && !complaint.contains("RUST_BACKTRACE"), "{complaint}");
    assert_eq!(complaint.matches("error:").count(), 1, "one message: {complaint}");
    assert!(output.stdout.is_empty(), "nothing on stdout: {}", String::from_utf8_lossy(&output.stdout));
}

fn refused_scene(text: &str, says: &str) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scene.toml"), text).unwrap();
    refused(&["run", "scene.toml", "--quiet"], folder.path(), says);
}

fn refused_with(old: &str, new: &str, says: &str) {
    assert!(GOOD.contains(old), "{old}");
    refused_scene(&GOOD.replace(old, new), says);
}

fn refused_inline(mesh: &str, says: &str) {
    let text = format!(
        "[material]\nstiffness = 10\nyoung = 1e4\npoisson = 0.3\nmass = 1\n[[body]]\n[body.mesh.inline]\n{mesh}\n"
    );
    refused_scene(&text, says);
}

#[test]
fn the_good_scene_is_good() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scene.toml"), GOOD).unwrap();
    sinew(["run", "scene.toml", "--quiet"]).current_dir(folder.path()).assert().success();
}

#[test]
fn shape_of_the_file() {
    refused_scene("", "at least one [[body]]");
    refused_scene("frames = ", "scene.toml:1");
    refused_with("frames = 2", "frame = 2", "did you mean `frames`?");
    refused_with("young = 1e4", "yung = 1e4", "did you mean `young`?");
    refused_with("frames = 2", "frames = \"two\"", "expected an integer");
    refused_with("frames = 2", "frames = 0", "between 1 and 1000000");
    refused_with("frames = 2", "h = 0", "greater than 0");
    refused_with("frames = 2", "integrator.kind = \"rk4\"", "unknown value `rk4`");
    refused_with("frames = 2", "expect.\"energy.drifft\" = { max = 1 }", "did you mean `energy.drift`?");
    refused_with("frames = 2", "expect.energy = { max = 1 }", "the report has no such value");
}

#[test]
fn numbers_out_of_range() {
    refused_with("young = 1e4", "young = nan", "finite");
    refused_with("young = 1e4", "young = -inf", "finite");
    refused_with("young = 1e4", "young = -5", "must be positive");
    refused_with("poisson = 0.3", "poisson = 0.5", "less than 0.5");
    refused_with("density = 1000", "density = 0", "must be positive");
    refused_with("density = 1000", "mass = -1", "must be positive");
    refused_with("size = [1, 1, 1]", "size = [1, -1, 1]", "must be positive");
    refused_with("cells = [1, 1, 1]", "cells = [0, 1, 1]", "at least 1");
    refused_with("cells = [1, 1, 1]", "cells = [99999, 99999, 99999]", "at most");
}

#[test]
fn incomplete_or_unfitting_materials() {
    refused_with("young = 1e4\n", "", "`young` in Pa");
    refused_with("poisson = 0.3\n", "", "`poisson` beside `young`");
    refused_with("density = 1000\n", "", "or a total `mass`");
    refused_with("young = 1e4\npoisson = 0.3\n", "mu = 10\n", "`body.0.material.lambda`: is missing");
    refused_with("young = 1e4", "kind = \"springs\"", "springs need a stiffness");
    let cloth = "mesh.cloth = { size = [1, 1], cells = [2, 2] }";
    refused_scene(
        &format!("[material]\nkind = \"corotated\"\nstiffness = 1\nmass = 1\n[[body]]\n{cloth}\n"),
        "this body has none; use `springs`",
    );
    refused_scene(&format!("material.mass = 1\n[[body]]\n{cloth}\n"), "springs need a stiffness");
    let spring_override = "[[body.override]]\nselect.all = true\nyoung = 5\n";
    refused_scene(
        &format!("[material]\nstiffness = 1\nmass = 1\n[[body]]\n{cloth}\n{spring_override}"),
        "made of springs",
    );
    refused_scene(
        &format!("{GOOD}[[body.override]]\nselect.all = true\nstiffness = 5\n"),
        "the body has no springs",
    );
}

#[test]
fn selections_that_select_nothing() {
    refused_scene(&format!("{GOOD}[[body.pin]]\nselect.indices = [8]\n"), "the body has 8 vertices");
    let sphere = "select.sphere = { center = [9, 9, 9], radius = 0.1 }";
    refused_scene(&format!("{GOOD}[[body.pin]]\n{sphere}\n"), "selects none of the 8 vertices");
    refused_scene(
        &format!("{GOOD}[[body.attachment]]\nstiffness = 1\n{sphere}\n"),
        "`body.0.attachment.0.select`",
    );
    refused_scene(&format!("{GOOD}[[body.pin]]\nselect.region = 3\n"), "the mesh has no labels");
    refused_scene(&format!("{GOOD}[[body.override]]\n{sphere}\nyoung = 1\n"), "none of the 5 tetrahedra");
    refused_scene(&format!("{GOOD}[[body.pin]]\nselect.all = true\n"), "every vertex is pinned");
}

#[test]
fn inline_meshes() {
    let points = "points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]\n";
    refused_inline(&format!("{points}tets = [[0, 1, 2, 4]]"), "there is no vertex 4");
    refused_inline(&format!("{points}tets = [[0, 1, 1, 3]]"), "names vertex 1 twice");
    refused_inline(&format!("{points}tets = [[0, 2, 1, 3]]"), "tetrahedron 0 is inverted at rest");
    refused_inline("points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]\ntets = [[0, 1, 2, 3]]", "is flat");
    refused_inline(&format!("{points}springs = [[0, 1]]\nmasses = [1, 1, 1, -1]"), "must be positive");
    refused_inline(&format!("{points}springs = [[0, 1]]\nmasses = [1, 1]"), "2 values for 4 vertices");
    let more = "points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [5, 5, 5]]\ntets = [[0, 1, 2, 3]]";
    refused_inline(more, "vertex 4 has mass 0 kg");
}

#[test]
fn mesh_files() {
    let folder = tempfile::tempdir().unwrap();
    let refused_file = |name: &str, content: Option<&str>, says: &str| {
        if let Some(content) = content {
            fs::write(folder.path().join(name), content).unwrap();
        }
        let source = format!("mesh.file = {{ path = \"{name}\" }}");
        let scene = GOOD.replace("mesh.box = { size = [1, 1, 1], cells = [1, 1, 1] }", &source);
        fs::write(folder.path().join("scene.toml"), scene).unwrap();
        refused(&["run", "scene.toml", "--quiet"], folder.path(), says);
    };
    refused_file("none.mesh", None, "No such file");
    refused_file("body.fbx", Some("Kaydara"), "unknown mesh format");
    refused_file("empty.stl", Some("solid"), "no tetrahedra and no triangles");
    let head = "MeshVersionFormatted 1\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n";
    refused_file("cut.mesh", Some(head), "cut.mesh:");
    let flat = format!("{head}1 1 0 0\nTetrahedra\n1\n1 2 3 4 0\nEnd\n");
    refused_file("flat.mesh", Some(&flat), "is flat");
    let beyond = format!("{head}0 0 1 0\nTetrahedra\n1\n1 2 3 9 0\nEnd\n");
    refused_file("beyond.mesh", Some(&beyond), "refers to vertex 9");
    refused_file("surface.obj", Some("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), "springs need a stiffness");
}

#[test]
fn combinations_that_cannot_work() {
    let here = Path::new(".");
    let set = |scene: &str, settings: &[&str], says: &str| {
        let mut arguments = vec!["run", scene, "--quiet"];
        for setting in settings {
            arguments.extend(["--set", setting]);
        }
        refused(&arguments, here, says);
    };
    set("soft-ball", &["solver.acceleration=none"], "projective-dynamics cannot simulate `neo-hookean`");
    let newton_with_lbfgs = ["solver.kind=newton", "solver.acceleration=lbfgs"];
    set("soft-ball", &newton_with_lbfgs, "accelerates projective-dynamics only");
    set("bar", &["solver.kind=linearized", "solver.iterations=5"], "one Newton step");
    set("bar", &["solver.history=3"], "no meaning without");
    set("bar", &["solver.preconditioner=f32"], "no meaning without");
    set("bar", &["solver.kind=xpbd", "solver.tolerance=1e-3"], "spends its iterations always");
    set("bar", &["material.mass=3"], "cannot be combined with `density`");
}

#[test]
fn flags() {
    let here = Path::new(".");
    refused(&["run", "trampolin"], here, "did you mean `trampoline`?");
    refused(&["run", "nowhere/scene.toml"], here, "nowhere/scene.toml");
    refused(&["run", "trampoline", "--frames", "0"], here, "from 1 to 1000000");
    refused(&["run", "trampoline", "--frames", "-3"], here, "'-3'");
    refused(&["run", "trampoline", "--threads", "many"], here, "from 1 to 1024");
    refused(&["run", "trampoline", "--colour"], here, "--colour");
    refused(&["run", "trampoline", "--format", "png"], here, "--out");
    refused(&["run", "trampoline", "--out", "x", "--format", "avi"], here, "avi");
    refused(&["run", "trampoline", "--set", "frames"], here, "expected KEY=VALUE");
    refused(&["run", "trampoline", "--set", "frames=nan"], here, "frames=nan");
    refused(&["run", "trampoline", "--set", "gravity=[0, nan, 0]"], here, "finite");
    refused(&["run", "trampoline", "--set", "body.3.name=x"], here, "has only element 0");
    refused(&["run", "trampoline", "--report", "no/such/folder/report.json"], here, "--report");
    refused(&["compare", "bar"], here, "--variant");
    refused(&["compare", "bar", "--variant", "a/b:h=1"], here, "expected NAME:KEY=VALUE");
    refused(&["compare", "bar", "--variant", "a:h=1", "--variant", "a:h=2"], here, "is taken");
    refused(&["compare", "bar", "--variant", "a:solvr.kind=newton"], here, "did you mean `solver`?");
    refused(&["fly"], here, "fly");
}

#[test]
fn files_that_are_something_else() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("file"), "content").unwrap();
    refused(&["run", "tetrahedron", "--quiet", "--out", &at("file")], folder.path(), "--out");
    let far = ["run", "tetrahedron", "--quiet", "--set", "camera.eye=[1e200, 0, 0]", "--out", &at("far")];
    refused(&far, folder.path(), "too far");
    fs::write(at("binary.toml"), [0xff, 0xfe, 0x00]).unwrap();
    refused(&["run", "binary.toml"], folder.path(), "binary.toml");
    refused(&["run", folder.path().to_str().unwrap()], folder.path(), "this is a folder, not a file");

    let resume = |name: &str, says: &str| {
        refused(&["run", "tetrahedron", "--quiet", "--resume", &at(name)], folder.path(), says);
    };
    resume("nothing.bin", "No such file");
    resume("file", "not a checkpoint");
    sinew(["run", "tetrahedron", "--frames", "4", "--quiet", "--out", &at("out")]).assert().success();
    let good = fs::read(at("out/checkpoint.bin")).unwrap();
    fs::write(at("cut.bin"), &good[..good.len() - 40]).unwrap();
    resume("cut.bin", "damaged");
    fs::write(at("tiny.bin"), &good[..20]).unwrap();
    resume("tiny.bin", "cut short");
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    fs::write(at("flipped.bin"), &flipped).unwrap();
    resume("flipped.bin", "checksum");
    let mut newer = good.clone();
    newer[8] = 9;
    fs::write(at("newer.bin"), &newer).unwrap();
    resume("newer.bin", "format version 9");
    let bar = ["run", "bar", "--quiet", "--resume", &at("out/checkpoint.bin")];
    refused(&bar, folder.path(), "belongs to another scene");
    let short = ["run", "tetrahedron", "--frames", "3", "--quiet", "--resume", &at("out/checkpoint.bin")];
    refused(&short, folder.path(), "raise --frames");
}

/// What never ends, or never begins, is refused at once instead of being waited for.
#[test]
#[cfg(target_os = "linux")]
fn pipes_devices_and_endless_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let made = std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap();
    assert!(made.success());
    std::os::unix::fs::symlink("/dev/zero", at("zero")).unwrap();
    fs::File::create(at("endless")).unwrap().set_len(1 << 40).unwrap();
    let says = [
        ("pipe", "this is a named pipe; only regular files are read"),
        ("zero", "this is a device; only regular files are read"),
        ("endless", "the file is too large: at most"),
    ];
    for (name, says) in says {
        let mesh = format!("mesh.{name}.obj");
        fs::hard_link(at(name), at(&mesh)).unwrap();
        let joints = format!("{name}.joint");
        fs::hard_link(at(name), at(&joints)).unwrap();
        fs::write(at("mesh.toml"), format!("[[body]]\nmesh.file.path = \"{mesh}\"\n")).unwrap();
        let body = "mesh.box = { size = [1, 1, 1], cells = [1, 1, 1] }\n";
        fs::write(at("joints.toml"), GOOD.replace(body, &format!("{body}joints = \"{joints}\"\n"))).unwrap();
        refused(&["run", &at(name), "--quiet"], folder.path(), says);
        refused(&["run", "mesh.toml", "--quiet"], folder.path(), says);
        refused(&["run", "joints.toml", "--quiet"], folder.path(), says);
        refused(&["run", "tetrahedron", "--quiet", "--resume", &at(name)], folder.path(), says);
        refused(&["bench", "--from", &at(name)], folder.path(), says);
        refused(&["view", &at(name), "--no-open"], folder.path(), says);
    }
}

/// `generate | sinew run /dev/stdin` reads to the end of its input.
#[test]
#[cfg(target_os = "linux")]
fn a_scene_from_standard_input() {
    sinew(["run", "/dev/stdin", "--quiet"]).write_stdin(GOOD).assert().success();
}
