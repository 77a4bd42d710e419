//! `sinew bench`.

use super::{json_of, sinew};

const KEYS: [&str; 9] =
    ["id", "value", "unit", "spread", "reference", "reference_value", "ratio", "goal", "pass"];

fn complaint(arguments: &[&str]) -> (Option<i32>, String) {
    let output = sinew(arguments).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn an_unknown_benchmark_is_bad_input() {
    let (code, text) = complaint(&["bench", "rotation"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("did you mean `rotations`?") && text.contains("pd-threads-30k"), "{text}");
}

#[test]
fn rivals_that_are_not_installed_cannot_run() {
    let folder = tempfile::tempdir().unwrap();
    let (code, text) = complaint(&["bench", "peers-c", "--peers-dir", folder.path().to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert!(text.contains("--peers installs"), "{text}");
}

#[test]
fn a_benchmark_that_fails_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    // Looks installed, but a file is where the folder of the drivers should be.
    std::fs::create_dir_all(folder.path().join("peers/installed/jolt")).unwrap();
    std::fs::write(folder.path().join("peers/drivers"), "").unwrap();
    let (peers, report) = (folder.path().join("peers"), folder.path().join("bench.json"));
    let arguments = ["bench", "peers-c", "rotations", "--quick", "--quiet", "--peers-dir"];
    let more = [peers.to_str().unwrap(), "--report", report.to_str().unwrap()];
    let (code, text) = complaint(&[&arguments[..], &more].concat());
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("peers-c: ") && text.contains("drivers"), "{text}");
    let records: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&report).unwrap()).unwrap();
    assert_eq!(records[0]["id"], "peers-c");
    assert!(records[0]["failure"].as_str().unwrap().contains("drivers") && records[0]["pass"] == false);
    assert_eq!(records[1]["id"], "rotations");
    assert!(records[1]["value"].as_f64().unwrap() > 0.0 && records[1].get("failure").is_none());
}

#[test]
fn the_overhead_of_blend_is_measured_with_and_without_bones() {
    let records = json_of(&["bench", "blend-overhead", "--quick", "--quiet", "--json"]);
    let record = &records[0];
    let scenes: Vec<&str> =
        record["tables"][0]["rows"].as_array().unwrap().iter().map(|row| row[0].as_str().unwrap()).collect();
    assert!(
        scenes.len() > 3 && scenes.contains(&"nunchuck") && scenes.contains(&"two-springs"),
        "{scenes:?}"
    );
    let notes = record["notes"].to_string();
    assert!(!notes.contains("left out"), "{notes}");
}

#[test]
fn the_cost_of_contact_is_measured_per_step_and_per_iteration() {
    let folder = tempfile::tempdir().unwrap();
    let peers = folder.path().join("peers");
    let records = json_of(&[
        "bench",
        "contact",
        "--quick",
        "--quiet",
        "--json",
        "--peers-dir",
        peers.to_str().unwrap(),
    ]);
    let record = &records[0];
    for key in KEYS {
        assert!(record.get(key).is_some(), "{key}: {record}");
    }
    assert!(record["value"].as_f64().is_some_and(|value| value > 0.0), "{record}");
    let details = record["details"].as_array().unwrap();
    let value = |name: &str| details.iter().find(|d| d["name"] == name).and_then(|d| d["value"].as_f64());
    for scene in ["cloth-torus", "cloth-torus without self-contact", "ball on a floor", "stairs"] {
        for per in ["step", "iteration"] {
            assert!(
                value(&format!("{scene}, {per}")).is_some_and(|ratio| ratio > 0.0),
                "{scene}, {per}: {record}"
            );
        }
    }
    let shares = details.iter().filter(|d| d["unit"] == "%").filter_map(|d| d["value"].as_f64());
    assert!(
        shares.clone().count() == 2 && shares.clone().all(|share| share > 0.0 && share < 100.0),
        "{record}"
    );
    // Other simulators are neither there nor wanted.
    assert_eq!(record["tables"].as_array().unwrap().len(), 2);
    assert!(!peers.exists());
}

#[test]
fn records_have_the_keys_that_scripts_rely_on() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("bench.json");
    let arguments = ["bench", "rotations", "solve-5k", "--quick", "--quiet", "--json", "--report"];
    let records = json_of(&[&arguments[..], &[report.to_str().unwrap()]].concat());
    let list = records.as_array().unwrap();
    assert_eq!(list.iter().map(|r| r["id"].as_str().unwrap()).collect::<Vec<_>>(), ["rotations", "solve-5k"]);
    for record in list {
        for key in KEYS {
            assert!(record.get(key).is_some(), "{key}: {record}");
        }
        assert!(record["value"].as_f64().is_some_and(|value| value > 0.0), "{record}");
        assert!(record["ratio"].as_f64().is_some() && record["pass"].is_boolean(), "{record}");
        assert!(record["goal"].as_str().is_some_and(|goal| goal.contains('≥') || goal.contains('≤')));
    }
    let written: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&report).unwrap()).unwrap();
    assert_eq!(written, records);
}

#[test]
fn a_page_is_made_from_reports_without_measuring() {
    let folder = tempfile::tempdir().unwrap();
    let (report, page) = (folder.path().join("bench.json"), folder.path().join("performance.md"));
    let record = r#"[{"id": "scaling", "value": 9.5, "unit": "ns a tetrahedron", "spread": 0.1, "reference": "small",
        "reference_value": 5.0, "ratio": 0.53, "goal": "growth ≤ 4", "pass": true,
        "curves": [{"name": "step (ms)", "points": [[1000, 1.0], [1000000, 800.0]]}]}]"#;
    std::fs::write(&report, record).unwrap();
    std::fs::write(folder.path().join("performance-story.md"), "## Where the time goes\n\nHere.\n").unwrap();
    let arguments =
        ["bench", "--quiet", "--from", report.to_str().unwrap(), "--page", page.to_str().unwrap()];
    sinew(arguments).assert().success();
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("9.50 ns a tetrahedron") && text.contains("Here."), "{text}");
    for name in ["images/scaling.png", "images/scaling.svg"] {
        assert!(folder.path().join(name).metadata().unwrap().len() > 1000, "{name}");
    }
}

#[test]
fn a_damaged_report_is_bad_input() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("bench.json");
    std::fs::write(&report, "[{}").unwrap();
    let (code, text) = complaint(&["bench", "--from", report.to_str().unwrap()]);
    assert_eq!(code, Some(2));
    assert!(text.contains("bench.json"), "{text}");
}
