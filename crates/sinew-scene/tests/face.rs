//! Faces in scenes: keyframes, restarts, bad input.

use sinew::{Cause, MuscleId, muscle};
use sinew_scene::build::{self, BuiltScene};
use sinew_scene::format;
use std::path::Path;

const FACE: &str = r#"
h = "1/60"
integrator.kind = "backward-euler"
correction.kind = "none"
material.density = 1000
[[body]]
name = "face"
mesh.face = {}
"#;

fn built(more: &str) -> Result<BuiltScene, String> {
    let parsed =
        format::parse(&format!("{FACE}{more}"), "face.toml", &[]).map_err(|error| error.to_string())?;
    build::build(&parsed, Path::new(".")).map_err(|error| error.to_string())
}

#[test]
fn expressions_are_linear_between_keyframes_and_book_their_work() {
    let mut scene = built(
        r#"
[[body.expression]]
time = 0
[[body.expression]]
time = 0.1
contract."left zygomaticus major" = 0.6
jaw.open = 4
"#,
    )
    .unwrap();
    let muscles = scene.model().muscles().to_vec();
    let j = muscles.iter().position(|m| m.name == "left zygomaticus major").unwrap();
    let mut halfway = muscle::PASSIVE;
    for k in 1..=6 {
        scene.step(|_| Ok(()), &mut |_| ()).unwrap();
        if k == 3 {
            halfway = scene.state.controls().activations()[j];
        }
    }
    let end = scene.state.controls().activations()[j];
    for k in 0..6 {
        assert!((2.0 * halfway[k] - muscle::PASSIVE[k] - end[k]).abs() < 1e-12);
    }
    assert!((muscle::symmetric(&end).determinant() - 1.0).abs() < 1e-12, "fibres keep the volume");
    assert!(
        scene.state.controls().activations().iter().enumerate().all(|(k, a)| k == j || *a == muscle::PASSIVE)
    );
    let entries = scene.state.ledger().entries;
    assert!(entries[Cause::Muscles] > 0.0 && entries[Cause::Bones] > 0.0, "{entries:?}");
    assert!(scene.state.controls_mut().activate(MuscleId(j), muscle::PASSIVE).is_ok());
}

/// A face that `initial` turns does the same in its own frame.
#[test]
fn a_turned_face_makes_the_same_face() {
    let keyframes = "[[body.expression]]\ntime = 0.05\nshow = { smile = 0.6, jawOpen = 0.5 }\n";
    let run = |initial: &str| {
        let text = format!("gravity = [0, 0, 0]\n{FACE}{initial}\n{keyframes}");
        let parsed = format::parse(&text, "face.toml", &[]).unwrap();
        let mut scene = build::build(&parsed, Path::new(".")).unwrap();
        let start = scene.state.positions().to_vec();
        for _ in 0..4 {
            scene.step(|_| Ok(()), &mut |_| ()).unwrap();
        }
        let way = scene.state.positions().iter().zip(&start).map(|(a, b)| a.distance(*b));
        way.collect::<Vec<f64>>()
    };
    let straight = run("");
    let turned = run("initial.rotate = { axis = [1, 2, 3], degrees = 70 }\ninitial.translate = [1, 0, 2]");
    let most = straight.iter().copied().fold(0.0, f64::max);
    let apart = straight.iter().zip(&turned).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("moved by up to {most:.2e} m, turned differs by {apart:.1e} m");
    assert!(most > 1e-3 && apart < 1e-3 * most, "{most} {apart}");
}

#[test]
fn mistakes_are_named_with_their_place() {
    for (more, says) in [
        ("[[body.expression]]\nshow = { smiel = 1 }", "did you mean `smile`"),
        ("[[body.expression]]\nshow = { smile = 1.5 }", "between 0 and 1"),
        ("[[body.expression]]\ncontract = { biceps = 0.5 }", "there is no muscle `biceps`"),
        ("[[body.expression]]\ncontract = { risorius = 0.1 }", "between 0.25 and 3"),
        ("[[body.expression]]\ncontract = { \"orbicularis oris\" = 0.3 }", "eigenvalues"),
        ("[[body.expression]]\ntime = 1\n[[body.expression]]\ntime = 1", "later than the keyframe before"),
        ("material.kind = \"stvk\"", "is `corotated`"),
        ("rigid = true", "a face deforms"),
        ("mesh.face.fat = 9", "between 0.5 and 2"),
    ] {
        let body = if more.starts_with("mesh") {
            FACE.replace("mesh.face = {}", more)
        } else {
            format!("{FACE}{more}")
        };
        let parsed = format::parse(&body, "face.toml", &[]);
        let error = parsed.and_then(|parsed| build::build(&parsed, Path::new(".")).map(drop)).unwrap_err();
        assert!(error.to_string().contains(says), "{more}: {error}");
    }
    let missing = FACE.replace("mesh.face = {}", "mesh.face = \"nowhere.face\"");
    let parsed = format::parse(&missing, "face.toml", &[]).unwrap();
    let error = build::build(&parsed, Path::new(".")).unwrap_err().to_string();
    assert!(error.contains("nowhere.face"), "{error}");
    let plain = "[[body]]\nmesh.box = { size = [1, 1, 1], cells = [1, 1, 1] }\nmaterial = { young = 1e4, poisson = 0.3, density = 1 }\n[[body.expression]]\ntime = 0";
    assert!(format::parse(plain, "box.toml", &[]).unwrap_err().to_string().contains("mesh.face"));
}
