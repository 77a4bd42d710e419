//! `sinew paper`.

use super::{json_of, sinew};

#[test]
fn the_list_names_document_and_figure() {
    let list = json_of(&["paper", "list", "--json"]);
    let entries = list.as_array().unwrap();
    assert!(entries.iter().any(|entry| entry["id"] == "stab-fig3" && entry["figure"] == "Fig. 3"));
    for entry in entries {
        for key in ["id", "title", "document", "figure"] {
            assert!(entry[key].as_str().is_some_and(|text| !text.is_empty()), "{entry}");
        }
    }
    let text = sinew(["paper", "list"]).output().unwrap().stdout;
    assert_eq!(String::from_utf8_lossy(&text).lines().count(), entries.len() + 1);
}

#[test]
fn an_experiment_gives_numbers_a_verdict_and_a_plot() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let finding = json_of(&["paper", "stab-fig15", "--json", "--quiet", "--out", out]);
    assert_eq!((&finding["id"], &finding["verdict"]), (&"stab-fig15".into(), &"reproduced".into()));
    assert!(finding["note"].as_str().is_some_and(|note| note.contains("Holds")));
    let numbers = finding["numbers"].as_array().unwrap();
    assert!(numbers.iter().all(|number| number["name"].is_string() && number.get("paper").is_some()));
    assert!(numbers.iter().all(|number| number["ours"].is_f64()));
    for name in ["stab-fig15.png", "stab-fig15.svg"] {
        assert!(folder.path().join(name).metadata().unwrap().len() > 1000, "{name}");
    }
    let written = std::fs::read_to_string(folder.path().join("stab-fig15.json")).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&written).unwrap(), finding);
}

#[test]
fn an_unknown_experiment_is_bad_input() {
    let output = sinew(["paper", "fepr-frequenzy"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean `fepr-frequency`?"));
}

#[test]
fn scenes_of_the_papers_run_by_name() {
    let report = json_of(&["run", "paper/hanging-bar", "--frames", "3", "--quiet", "--json"]);
    assert_eq!(report["frames"], 3);
}
