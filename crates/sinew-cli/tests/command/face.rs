//! `sinew face`: a head is made, moved, scanned and fitted; what is refused on the way.

use super::{json_of, sinew};

fn complaint(arguments: &[&str]) -> String {
    let output = sinew(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_smile_is_made_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (head, scans, out) = (at("head.face"), at("scans"), at("out"));
    std::fs::create_dir(&scans).unwrap();
    let made = sinew(["face", "make", "--size", "16", "--out", &head]).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let smile = ["--activations", "zygomaticus major=0.6,orbicularis oris=0.8", "--jaw", "3"];
    let scan = at("scans/smile.obj");
    let pose = json_of(&[&["face", "pose", "--face", &head, "--out", &scan, "--json"][..], &smile].concat());
    assert_eq!(pose["inverted"], 0);
    assert!(pose["moved_mean"].as_f64().unwrap() > 0.1);
    let fit = ["face", "fit", "--face", &head, "--targets", &scans, "--out", &out, "--quiet", "--json"];
    let report = json_of(&fit);
    let found = &report["scans"][0];
    assert!(found["mean"].as_f64().unwrap() < 0.05 * found["displacement"].as_f64().unwrap(), "{report}");
    // Two attempts, by the fast path and from rest, of at most eight each.
    assert!(found["iterations"].as_u64().unwrap() <= 16, "{report}");
    for name in ["out/smile.obj", "out/smile.pose", "out/report.json", "out/maps.png"] {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
    // The pose of the file is the pose of the fit.
    let again = json_of(&[
        "face",
        "pose",
        "--face",
        &head,
        "--activations",
        &at("out/smile.pose"),
        "--out",
        &at("a.obj"),
        "--json",
    ]);
    let (a, b) = (again["moved_mean"].as_f64().unwrap(), pose["moved_mean"].as_f64().unwrap());
    assert!((a / b - 1.0).abs() < 0.05, "{a} {b}");
    // Refusals.
    let said =
        complaint(&["face", "pose", "--face", &head, "--activations", "biceps=0.5", "--out", &at("x.obj")]);
    assert!(said.contains("no muscle `biceps`") && said.contains("masseter"), "{said}");
    let said =
        complaint(&["face", "pose", "--face", &head, "--activations", "masseter=9", "--out", &at("x.obj")]);
    assert!(said.contains("0.25 to 3"), "{said}");
    std::fs::write(at("scans/other.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let said = complaint(&fit);
    assert!(said.contains("3 vertices") && said.contains("--neutral"), "{said}");
    assert!(complaint(&["face", "pose", "--face", &scan, "--out", &at("x.obj")]).contains("no face"));
}
