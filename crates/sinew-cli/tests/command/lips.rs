//! `sinew lips`: the whole way from a performance to corrected frames, and what is refused on it.

use super::{json_of, sinew};
use std::path::Path;

fn say(arguments: &[&str]) -> String {
    let output = sinew(arguments).output().unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {complaints}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn complaint(arguments: &[&str]) -> String {
    let output = sinew(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Paths in a folder, as text.
fn at(folder: &Path) -> impl Fn(&str) -> String + '_ {
    move |name| folder.join(name).to_str().unwrap().to_owned()
}

fn perform(folder: &Path, frames: &str) {
    say(&["lips", "perform", "--out", &at(folder)("p"), "--frames", frames, "--quiet"]);
}

#[test]
fn a_performance_is_corrected_from_a_few_frames() {
    let folder = tempfile::tempdir().unwrap();
    let at = at(folder.path());
    perform(folder.path(), "60");
    let (neutral, regions) = (at("p/neutral.obj"), at("p/regions.txt"));
    let face = ["--neutral", &neutral, "--regions", &regions];
    let chosen = json_of(
        &[&["lips", "suggest", "--sequence", &at("p/captured"), "--count", "8", "--json"][..], &face]
            .concat(),
    );
    assert_eq!(chosen.as_array().unwrap().len(), 8);
    let copy = ["--copy", &at("corrected"), "--from", &at("p/truth")];
    say(&[&["lips", "suggest", "--sequence", &at("p/captured"), "--count", "8"][..], &face, &copy].concat());
    let trained = json_of(
        &[&["lips", "train", "--corrected", &at("corrected"), "--out", &at("m.lips"), "--json"][..], &face]
            .concat(),
    );
    assert_eq!(trained["examples"], 8);
    say(&[
        "lips",
        "apply",
        "--model",
        &at("m.lips"),
        "--sequence",
        &at("p/captured"),
        "--out",
        &at("out"),
        "--quiet",
    ]);
    let found = json_of(&[
        "lips",
        "evaluate",
        "--model",
        &at("m.lips"),
        "--truth",
        &at("p/truth"),
        "--captured",
        &at("p/captured"),
        "--result",
        &at("out"),
        "--counts",
        "2,8",
        "--out",
        &at("study"),
        "--json",
    ]);
    assert!(found["ratio"].as_f64().unwrap() < 0.35, "{found}");
    let (few, many) = (&found["training"][0]["mean"], &found["training"][1]["mean"]);
    assert!(many.as_f64() < few.as_f64(), "{found}");
    for name in
        ["frames.csv", "vertices.csv", "training.csv", "training.png", "training.svg", "faces.png", "map.png"]
    {
        assert!(folder.path().join("study").join(name).metadata().is_ok_and(|m| m.len() > 100), "{name}");
    }
    // More frames are added to a model that is there, and other formats give the same.
    let more = json_of(&[
        "lips",
        "train",
        "--model",
        &at("m.lips"),
        "--corrected",
        &at("p/truth/frame_00002.obj"),
        "--out",
        &at("more.lips"),
        "--json",
    ]);
    assert_eq!(more["examples"], 9);
    for ending in ["pc2", "npz", "glb"] {
        let out = at(&format!("out.{ending}"));
        let report = json_of(&[
            "lips",
            "apply",
            "--model",
            &at("m.lips"),
            "--sequence",
            &at("out"),
            "--out",
            &out,
            "--quiet",
            "--json",
        ]);
        assert_eq!(report["frames"], 60);
        // What is corrected stays corrected.
        assert!(report["moved"].as_f64().unwrap() < 1e-9, "{report}");
    }
}

#[test]
fn regions_come_from_lists_landmarks_colours_and_groups() {
    let folder = tempfile::tempdir().unwrap();
    let at = at(folder.path());
    perform(folder.path(), "1");
    let neutral = at("p/neutral.obj");
    let make = |more: &[&str]| {
        let base = ["lips", "regions", "--neutral", &neutral, "--out", &at("r.txt")];
        let text = say(&[&base[..], more].concat());
        (text, std::fs::read_to_string(at("r.txt")).unwrap())
    };
    let given = std::fs::read_to_string(at("p/regions.txt")).unwrap();
    let (_, lists) = make(&["--mouth", "0-1215", "--inner", "1216-1791", "--preview", &at("r.png")]);
    assert_eq!(lists, given);
    assert!(std::fs::metadata(at("r.png")).is_ok_and(|m| m.len() > 1000));
    // The ring between the lips, by landmarks.
    let (text, _) = make(&["--loop", "1536,1552,1568,1584", "--inner-radius", "0.6", "--mouth-radius", "3"]);
    assert!(text.contains("mouth: ") && !text.contains(" 0 vertices"), "{text}");
    // The same painted, and in groups.
    let mesh = std::fs::read_to_string(&neutral).unwrap();
    let (mut painted, mut vertex) = (String::new(), 0);
    for line in mesh.lines() {
        let colour = if vertex < 1216 { " 0 0 1" } else { " 1 0 0" };
        vertex += u32::from(line.starts_with("v "));
        painted += &format!("{line}{}\n", if line.starts_with("v ") { colour } else { "" });
    }
    std::fs::write(&neutral, painted).unwrap();
    assert_eq!(make(&["--colours"]).1, given);
    let (vertices, faces): (Vec<&str>, Vec<&str>) = mesh.lines().partition(|line| line.starts_with("v "));
    let outside = |line: &&str| line.split(' ').skip(1).all(|v| v.parse::<u32>().unwrap() <= 1216);
    let (mouth, inner): (Vec<&str>, Vec<&str>) = faces.iter().partition(|line| outside(line));
    let text = [&vertices[..], &["g around"], &mouth, &["g lips"], &inner].concat().join("\n");
    std::fs::write(&neutral, text).unwrap();
    make(&["--mouth-group", "around", "--inner-group", "lips"]);
    let wrong = complaint(&[
        "lips",
        "regions",
        "--neutral",
        &neutral,
        "--out",
        &at("r.txt"),
        "--mouth-group",
        "no",
        "--inner-group",
        "lips",
    ]);
    assert!(wrong.contains("no group `no`") && wrong.contains("around, lips"), "{wrong}");
}

#[test]
fn bad_input_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let at = at(folder.path());
    perform(folder.path(), "4");
    let (neutral, regions) = (at("p/neutral.obj"), at("p/regions.txt"));
    let face = ["--neutral", &neutral, "--regions", &regions];
    let train = |corrected: &str| {
        complaint(&[&["lips", "train", "--corrected", corrected, "--out", &at("m")][..], &face].concat())
    };
    std::fs::create_dir(at("empty")).unwrap();
    assert!(train(&at("empty")).contains("no .obj files"));
    assert!(train(&at("missing")).contains("no such file"));
    std::fs::write(at("other.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    assert!(train(&at("other.obj")).contains("topology of the neutral mesh"));
    let text = std::fs::read_to_string(at("p/truth/frame_00001.obj")).unwrap();
    let broken = format!("v NaN 0 0\n{}", text.split_once('\n').unwrap().1);
    std::fs::write(at("nan.obj"), broken).unwrap();
    assert!(train(&at("nan.obj")).contains("vertex 0 is not finite"));
    let island = complaint(&[
        "lips",
        "regions",
        "--neutral",
        &neutral,
        "--out",
        &at("r"),
        "--mouth",
        "0-3",
        "--inner",
        "4-1791",
    ]);
    assert!(island.contains("cannot be used"), "{island}");
    let one = sinew(
        [&["lips", "train", "--corrected", &at("p/truth/frame_00001.obj"), "--out", &at("m")][..], &face]
            .concat(),
    );
    let output = { one }.output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("only one corrected frame"));
    std::fs::write(at("cut"), &std::fs::read(at("m")).unwrap()[..3000]).unwrap();
    let apply = |model: &str, out: &str| {
        complaint(&["lips", "apply", "--model", model, "--sequence", &at("p/captured"), "--out", out])
    };
    assert!(apply(&at("cut"), &at("out")).contains("damaged or cut off"));
    assert!(apply(&neutral, &at("out")).contains("no model of lips"));
    assert!(apply(&at("m"), &at("p/captured")).contains("replace its own input"));
    assert!(apply(&at("m"), &at("out.fbx")).contains("not written as .fbx"));
    assert!(!folder.path().join("out").exists());
}

#[test]
fn a_contour_moves_the_lips_of_a_frame() {
    let folder = tempfile::tempdir().unwrap();
    let at = at(folder.path());
    perform(folder.path(), "30");
    let frame = at("p/captured/frame_00020.obj");
    let base = ["lips", "sketch", "--frame", &frame, "--regions", &at("p/regions.txt")];
    let look = ["--preview", &at("a.png"), "--write-camera", &at("camera.json")];
    say(&[&base[..], &look].concat());
    // A page to draw on, with the picture and the camera.
    say(&[&base[..], &["--page", &at("draw.html")]].concat());
    let page = std::fs::read_to_string(at("draw.html")).unwrap();
    assert!(
        page.contains("data:image/png;base64") && page.contains("iVBORw0KGgo") && !page.contains("@DATA@")
    );
    assert_eq!(std::fs::read(at("draw.camera.json")).unwrap(), std::fs::read(at("camera.json")).unwrap());
    // Across the middle of the picture, a little above it.
    std::fs::write(at("contour.txt"), "450 255\n360 245\n270 255\n").unwrap();
    let edit = [
        "--camera",
        &at("camera.json"),
        "--contour",
        &at("contour.txt"),
        "--line",
        "1412,1424,1436",
        "--out",
        &at("b.obj"),
        "--preview",
        &at("b.png"),
    ];
    let text = say(&[&base[..], &edit].concat());
    assert!(text.contains("vertices of the lip line"), "{text}");
    assert!(std::fs::read(at("a.png")).unwrap() != std::fs::read(at("b.png")).unwrap());
    std::fs::write(at("contour.txt"), "450 255\nleft\n").unwrap();
    let wrong = complaint(&[&base[..], &edit].concat());
    assert!(wrong.contains("line 2: a point of a contour"), "{wrong}");
}
