//! `sinew compare`.

use super::{json_of, sinew, table};

#[test]
fn one_table_one_plot_and_a_folder_a_variant() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    let assert = sinew(["compare", "tetrahedron", "--frames", "40", "--quiet", "--out"])
        .arg(out)
        .args(["--variant", "midpoint", "--variant", "euler:integrator.kind=backward-euler"])
        .args(["--variant", "euler+pd:integrator.kind=backward-euler,solver.kind=projective-dynamics"])
        .assert()
        .success();
    let text = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    let first_words: Vec<_> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(first_words, ["variant", "midpoint", "euler", "euler+pd"]);
    for name in
        ["compare.png", "compare.svg", "midpoint/report.json", "euler/trace.csv", "euler+pd/energy.png"]
    {
        assert!(out.join(name).exists(), "{name}");
    }
}

#[test]
fn variants_with_other_steps_keep_time_in_the_animation() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    sinew(["compare", "tetrahedron", "--frames", "6", "--quiet", "--gif", "--out"])
        .arg(out)
        .args(["--set", "render.width=64", "--set", "render.height=48"])
        .args(["--variant", "large:h=1/30", "--variant", "small:h=1/60"])
        .assert()
        .success();
    let gif = std::fs::read(out.join("compare.gif")).unwrap();
    assert!(gif.starts_with(b"GIF89a"));
    let side = |at: usize| u16::from_le_bytes([gif[at], gif[at + 1]]);
    assert_eq!((side(6), side(8)), (128, 48), "two pictures next to each other");
    // Both made all of their frames, the one with the small step in half of the time.
    for (name, end) in [("large", 6.0 / 30.0), ("small", 6.0 / 60.0)] {
        let trace = table(&out.join(name).join("trace.csv"));
        assert_eq!(trace.rows.len(), 7, "{name}");
        assert!((trace.column("time").unwrap()[6] - end).abs() < 1e-12, "{name}");
        assert!(out.join(name).join("picture.png").exists());
    }
}

#[test]
fn json_tells_the_variants_apart() {
    let reports = json_of(&[
        "compare",
        "simple-spring",
        "--quiet",
        "--json",
        "--frames",
        "6",
        "--set",
        "body.0.mesh.inline.velocities=[[0, 0, 0], [0, 5, 0]]",
        "--variant",
        "large",
        "--variant",
        "small:h=0.00033",
    ]);
    assert_eq!((&reports[0]["variant"], &reports[1]["variant"]), (&"large".into(), &"small".into()));
    let drift = |i: usize| reports[i]["report"]["energy"]["drift"].as_f64().unwrap();
    assert!(drift(0) > 0.5 && drift(1) < 0.1);
    let energy = &reports[0]["report"]["energy"]["initial"];
    assert_eq!(energy.as_f64().unwrap(), 78125.0 + 6.25, "--set holds for all variants");
}

/// A weight on a soft spring, moving along it once a second: the truth needs few steps.
const SWING: &[&str] = &[
    "compare",
    "simple-spring",
    "--quiet",
    "--frames",
    "300",
    "--set",
    "material.stiffness=5",
    "--set",
    "body.0.mesh.inline.positions=[[0, 0, 0], [1, 0, 0]]",
    "--set",
    "body.0.mesh.inline.velocities=[[0, 0, 0], [0.3, 0, 0]]",
];

#[test]
fn a_truth_says_what_share_of_the_motion_each_variant_has() {
    let variants = [
        "--variant",
        "itself:integrator.kind=symplectic-euler",
        "--variant",
        "damped:integrator.kind=backward-euler",
        "--variant",
        "fine:integrator.kind=symplectic-euler,h=0.0165",
    ];
    let of = |truth: &str| json_of(&[SWING, &variants, &["--json", "--truth", truth]].concat());
    let reports = of("1");
    let share = |i: usize, key: &str| reports[i]["truth"]["share"][key].as_f64();
    assert_eq!(
        (share(0, "visible"), share(0, "frequency")),
        (Some(1.0), Some(1.0)),
        "{:#}",
        reports[0]["truth"]
    );
    assert_eq!(
        (share(2, "visible"), share(2, "frequency")),
        (Some(1.0), Some(1.0)),
        "its frames are its own"
    );
    let reports = of("20");
    let share = |i: usize| reports[i]["truth"]["share"]["visible"].as_f64().unwrap();
    assert!(share(1) < 0.01 && (share(0) - 1.0).abs() < 0.1, "{} {}", share(0), share(1));
    assert_eq!(reports[0]["truth"]["report"], reports[1]["truth"]["report"], "both have one truth");
    assert!(reports[0]["truth"]["doubt"].is_null(), "{:#}", reports[0]["truth"]["doubt"]);

    let table = sinew([SWING, &variants, &["--truth", "20"]].concat()).assert().success();
    let text = String::from_utf8_lossy(&table.get_output().stdout).into_owned();
    let first: Vec<_> = text.lines().map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!(first[..6], ["variant", "itself", "damped", "fine", "truth", "truth of fine"], "{text}");
    assert!(text.lines().next().unwrap().ends_with("of true motion  of true Hz"), "{text}");
    assert!(text.contains("truth is symplectic-euler; 20 steps a frame, no correction"), "{text}");
}

#[test]
fn a_truth_that_explodes_is_told_in_a_sentence() {
    let stiff = ["compare", "simple-spring", "--quiet", "--frames", "60", "--variant", "one", "--truth", "2"];
    let assert = sinew(stiff).assert().success();
    let text = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(text.contains("truth has no result") && text.contains("take a larger --truth than 2"), "{text}");
    sinew(["compare", "simple-spring", "--variant", "one", "--truth", "0"]).assert().code(2);
}

/// A stiff bar with too few plain iterations swings as if it were another body; the default solver solves it.
#[test]
fn a_run_that_is_not_solved_is_warned_about() {
    let bar = concat!(env!("CARGO_MANIFEST_DIR"), "/../sinew-paper/src/motion/scenes/hinged-bar.toml");
    let loose = "solver.acceleration=none,solver.iterations=20,integrator.kind=backward-euler";
    let variant = format!("loose:{loose}");
    let assert = sinew(["compare", bar, "--frames", "60", "--quiet", "--json", "--variant", &variant])
        .args(["--variant", "default"])
        .assert()
        .success();
    let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    let advice = "Set solver.acceleration = \"lbfgs\", raise solver.iterations (now 20), or take a smaller h";
    assert!(text.starts_with("warning: loose: steps ended with unbalanced forces "), "{text}");
    assert!(text.contains(advice) && text.lines().count() == 1, "{text}");
    let reports: serde_json::Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    let solve = |i: usize| &reports[i]["report"]["solve"];
    assert!(solve(0)["advice"].as_str().unwrap().contains(advice), "{reports}");
    assert!(solve(1)["advice"].is_null() && solve(1)["residual"].as_f64().unwrap() < 1.0, "{reports}");

    let set = loose.split(',').flat_map(|value| ["--set", value]);
    let assert = sinew(["run", bar, "--frames", "60", "--quiet"]).args(set).assert().success();
    let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(text.starts_with("warning: steps ended") && text.contains(advice), "{text}");
}

/// Keys of older scenes are accepted, and do nothing; the summary tells how much work contact was.
#[test]
fn keys_of_contact_without_effect_are_warned_about() {
    let run = |set: &[&str]| {
        let set = set.iter().flat_map(|value| ["--set", value]);
        let assert = sinew(["run", "jelly", "--frames", "20", "--quiet"]).args(set).assert().success();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&assert.get_output().stdout), text(&assert.get_output().stderr))
    };
    let (summary, warnings) = run(&[]);
    assert_eq!(warnings, "");
    assert!(summary.contains(" rounds, "), "{summary}");
    let (changed, warnings) = run(&["contact.stiffness=3", "contact.response=cubic"]);
    assert_eq!(warnings.lines().count(), 1, "{warnings}");
    assert!(
        warnings.starts_with("warning: contact.stiffness and contact.response have no effect"),
        "{warnings}"
    );
    let state = |text: &str| text.lines().find(|line| line.starts_with("state")).unwrap().to_owned();
    assert_eq!(state(&changed), state(&summary));
}
