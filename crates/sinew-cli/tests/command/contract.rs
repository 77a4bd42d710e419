//! What scripts rely on: keys of the report, columns of the tables, files, streams and exit codes.

use super::{json_of, sinew, table};
use serde_json::Value;
use std::fs;

const REPORT_KEYS: &[&str] = &[
    "scene",
    "frames",
    "h",
    "vertices",
    "elements",
    "bones",
    "joints",
    "integrator",
    "solver",
    "correction.kind",
    "solve.iterations_mean",
    "solve.residual",
    "solve.residual_max",
    "solve.at_limit",
    "solve.advice",
    "correction.iterations_mean",
    "correction.iterations_max",
    "correction.fallbacks",
    "correction.energy_evaluations_mean",
    "correction.gradient_evaluations_mean",
    "energy.initial",
    "energy.final",
    "energy.min",
    "energy.max",
    "energy.added",
    "energy.dissipated",
    "energy.drift",
    "energy.added_by.attachments",
    "energy.added_by.bones",
    "energy.added_by.colliders",
    "energy.added_by.wind",
    "energy.added_by.acceleration",
    "energy.added_by.grabs",
    "energy.added_by.edits",
    "energy.dissipated_by.ether",
    "energy.dissipated_by.rigid_preserving",
    "energy.dissipated_by.friction",
    "energy.dissipated_by.restitution",
    "contact.deepest",
    "contact.contacts_mean",
    "contact.contacts_max",
    "contact.rounds_mean",
    "contact.rounds_max",
    "contact.cut",
    "contact.unclosed",
    "contact.held_back",
    "contact.advice",
    "momentum.linear_drift",
    "momentum.angular_drift",
    "motion.frequency_hz",
    "motion.kinetic_kept",
    "motion.visible_first",
    "motion.visible_last",
    "motion.visible_kept",
    "motion.visible_hz",
    "time_ms.step_mean",
    "time_ms.step_p50",
    "time_ms.step_p99",
    "time_ms.solve_mean",
    "time_ms.correct_mean",
    "time_ms.contact_mean",
    "state_hash",
    "exploded",
];

fn at<'a>(report: &'a Value, key: &str) -> &'a Value {
    let found = key.split('.').try_fold(report, |value, part| value.get(part));
    found.unwrap_or_else(|| panic!("the report lacks {key}: {report:#}"))
}

#[test]
fn report_has_every_key_of_the_contract() {
    let report = json_of(&["run", "tetrahedron", "--frames", "20", "--json", "--quiet"]);
    for key in REPORT_KEYS {
        at(&report, key);
    }
    assert_eq!(at(&report, "integrator"), "implicit-midpoint");
    assert_eq!(at(&report, "solver"), "newton");
    assert_eq!(at(&report, "correction.kind"), "none");
    assert_eq!((at(&report, "frames"), at(&report, "vertices")), (&20.into(), &4.into()));
    let hash = at(&report, "state_hash").as_str().unwrap();
    assert!(hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()));
    assert!(at(&report, "momentum.angular_drift").as_f64().unwrap() < 1e-12);
}

#[test]
fn momentum_is_null_where_something_outside_acts() {
    let report = json_of(&["run", "bar", "--frames", "2", "--json", "--quiet"]);
    assert!(at(&report, "momentum.linear_drift").is_null());
    let report =
        json_of(&["run", "tetrahedron", "--frames", "2", "--json", "--quiet", "--set", "damping.ether=0.1"]);
    assert!(at(&report, "momentum.linear_drift").is_null(), "drag takes momentum");
    assert!(at(&report, "energy.dissipated").as_f64().unwrap() > 0.0);
}

#[test]
fn out_holds_the_files_of_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("deep/out");
    let report = folder.path().join("report.json");
    sinew(["run", "trampoline", "--frames", "3", "--quiet", "--set", "body.0.mesh.cloth.cells=[10, 10]"])
        .args(["--format", "obj", "--format", "png", "--format", "gif"])
        .arg("--out")
        .arg(&out)
        .arg("--report")
        .arg(&report)
        .assert()
        .success();
    for name in ["picture.png", "energy.png", "energy.svg", "trace.csv", "final.csv", "checkpoint.bin"] {
        assert!(fs::metadata(out.join(name)).unwrap().len() > 100, "{name}");
    }
    assert_eq!(fs::read(&report).unwrap(), fs::read(out.join("report.json")).unwrap());
    for frame in 0..=3 {
        assert!(out.join(format!("frames/frame_{frame:05}.png")).exists());
        assert!(out.join(format!("obj/frame_{frame:05}.obj")).exists());
    }
    assert!(fs::read(out.join("animation.gif")).unwrap().starts_with(b"GIF89a"));

    let trace = table(&out.join("trace.csv"));
    let columns = "time,kinetic,springs,gravity,attachment,total,target,added,dissipated,Px,Py,Pz,Lx,Ly,Lz,\
                   iterations,milliseconds";
    let causes = "added_attachments,added_bones,added_colliders,added_contacts,added_wind,added_acceleration,added_grabs,added_muscles,added_edits,\
                  dissipated_ether,dissipated_rigid_preserving,dissipated_friction,dissipated_restitution,\
                  dissipated_unresolved,depth,contacts,visible,residual";
    assert_eq!(trace.columns.join(","), format!("{columns},{causes}"));
    assert_eq!(trace.rows.len(), 4, "the initial state and three frames");
    assert_eq!(trace.column("time").unwrap()[0], 0.0);
    assert_eq!(trace.column("iterations").unwrap(), [0.0, 20.0, 20.0, 20.0]);
    let visible = trace.column("visible").unwrap();
    assert!(visible[..3].iter().all(|v| v.is_nan()) && visible[3] > 0.0, "known after 0.1 s: {visible:?}");
    let row = &trace.rows[3];
    assert!((row[1] + row[2] + row[3] + row[4] - row[5]).abs() < 1e-12, "the parts sum to the total");

    let last = table(&out.join("final.csv"));
    assert_eq!(last.columns.join(","), "x,y,z,vx,vy,vz");
    assert_eq!(last.rows.len(), 121);
    let digits = fs::read_to_string(out.join("final.csv")).unwrap();
    let number = digits.lines().nth(1).unwrap().split(',').next().unwrap();
    assert_eq!(number.split('e').next().unwrap().trim_start_matches('-').len(), 18, "17 digits and a point");
}

/// What `sinew run tetrahedron`, at 1/60 s a frame, draws.
fn picture(folder: &std::path::Path, frames: usize, extra: &[&str]) -> Vec<u8> {
    sinew(["run", "tetrahedron", "--quiet", "--frames", &frames.to_string(), "--out"])
        .arg(folder)
        .args(["--set", "render.width=64", "--set", "render.height=48"])
        .args(extra)
        .assert()
        .success();
    fs::read(folder.join("picture.png")).unwrap()
}

#[test]
fn the_picture_shows_the_moment_that_the_scene_asks_for() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let moment = ["--set", "render.picture=0.05"];
    let third = picture(&at("3"), 3, &["--set", "render.picture=100"]);
    assert_eq!(picture(&at("10"), 10, &moment), third, "the third frame of ten");
    assert_ne!(picture(&at("2"), 2, &moment), third, "a run that ends before it shows its last frame");
    // Resumed later, it keeps the picture that was drawn in time.
    let checkpoint = at("10").join("checkpoint.bin");
    let resumed = [&moment[..], &["--resume", checkpoint.to_str().unwrap()]].concat();
    assert_eq!(picture(&at("10"), 12, &resumed), third);
}

#[test]
fn implicit_midpoint_explodes_on_the_simple_spring_as_the_paper_shows() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    sinew(["run", "simple-spring", "--quiet", "--out"]).arg(out).assert().success();
    let total = table(&out.join("trace.csv")).column("total").unwrap();
    assert_eq!(total[0], 78150.0);
    assert!(total[2] > 10.0 * total[0] && total[5] > 100.0 * total[0]);
}

#[test]
fn backward_euler_gains_energy_in_some_frames_of_two_springs() {
    let folder = tempfile::tempdir().unwrap();
    sinew(["run", "two-springs", "--quiet", "--out"]).arg(folder.path()).assert().success();
    let total = table(&folder.path().join("trace.csv")).column("total").unwrap();
    let gains = total.windows(2).filter(|pair| pair[1] > pair[0]).count();
    assert!((5..60).contains(&gains), "{gains} of {} frames gain", total.len());
}

#[test]
fn a_run_that_cannot_go_on_exits_1_with_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.json");
    let assert = sinew(["run", "simple-spring", "--frames", "2000", "--quiet"])
        .args(["--set", "integrator.kind=forward-euler", "--report"])
        .arg(&report)
        .assert()
        .code(1);
    let complaint = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(complaint.contains("no longer finite"), "{complaint}");
    let report: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
    assert_eq!(report["exploded"], true);
    assert!(report["failure"].as_str().unwrap().contains("no longer finite"));
}

#[test]
fn a_failed_check_exits_1_and_says_what_was_expected() {
    let assert = sinew(["run", "tetrahedron", "--frames", "5", "--quiet", "--check"])
        .args(["--set", "expect.\"energy.drift\".max=0"])
        .assert()
        .code(1);
    let complaint = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(complaint.contains("energy.drift is") && complaint.contains("expected at most 0"), "{complaint}");
}

#[test]
fn quiet_is_quiet_and_json_is_json() {
    let output = sinew(["run", "tetrahedron", "--frames", "5", "--quiet", "--json"]).output().unwrap();
    assert!(output.stderr.is_empty());
    let scenes = json_of(&["scenes", "--json"]);
    for scene in scenes.as_array().unwrap() {
        for key in ["name", "title", "vertices", "seconds_to_run"] {
            assert!(!scene[key].is_null(), "{key} in {scene}");
        }
        // Null for models of the cast, which would have to be made.
        assert!(scene.get("elements").is_some(), "{scene}");
    }
    assert_eq!(scenes[0]["name"], "trampoline");
    assert_eq!(scenes[0]["vertices"], 3721);
    assert!(scenes[0]["elements"].as_u64() >= Some(18120), "springs, and attachments beside them");
    assert!(json_of(&["schema"])["properties"]["integrator"].is_object());
}

/// `/dev/full` behaves like a full disk. A reader that left early is no error.
#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let names = [
        "picture.png",
        "energy.png",
        "energy.svg",
        "trace.csv",
        "final.csv",
        "report.json",
        "checkpoint.bin.tmp",
        "animation.gif",
        "frames/frame_00001.png",
        "obj/frame_00001.obj",
    ];
    let formats = ["--format", "png", "--format", "gif", "--format", "obj", "--quiet"];
    for name in names {
        std::fs::create_dir_all(out.join("frames")).unwrap();
        std::fs::create_dir_all(out.join("obj")).unwrap();
        std::os::unix::fs::symlink("/dev/full", out.join(name)).unwrap();
        let run =
            sinew(["run", "tetrahedron", "--frames", "2", "--out"]).arg(&out).args(formats).output().unwrap();
        let complaint = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(run.status.code().is_some_and(|code| code == 1 || code == 2), "{name}: {complaint}");
        let named = complaint.contains(name.trim_end_matches(".tmp"));
        assert!(named && complaint.contains("No space left"), "{name}: {complaint}");
        std::fs::remove_dir_all(&out).unwrap();
    }
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    for arguments in
        [&["run", "tetrahedron", "--frames", "2", "--quiet"][..], &["paper", "list"], &["schema"]]
    {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sinew"));
        let printed = command.args(arguments).stdout(full()).output().unwrap();
        let complaint = String::from_utf8_lossy(&printed.stderr).into_owned();
        assert_eq!(printed.status.code(), Some(1), "{arguments:?}: {complaint}");
        assert!(complaint.contains("the results could not be written"), "{complaint}");
    }
}
