//! `sinew paper motion`, shortened: what the default leaves of the true motion. The limits are what was seen, with some room: a change that loses motion shows.

use sinew_paper::{Finding, Length};
use sinew_scene::run::Run;
use std::collections::BTreeMap;

/// Kept and frequency of the default for each scene of a list that has neither bones nor a thousand vertices: their truths take minutes in a test.
fn default_of(list: &str) -> (BTreeMap<String, (f64, f64)>, Finding) {
    let experiment = sinew_paper::find("motion").unwrap();
    let mut runs: Vec<Run> = Vec::new();
    for trial in experiment.trials(Length::Quick) {
        let wanted = trial.name.starts_with(&format!("{list}/"))
            && (trial.name.contains(", default,") || trial.name.contains(", truth,"))
            && !["bones", "trampoline"].iter().any(|slow| trial.name.contains(slow));
        if wanted {
            let mut run = trial.start().unwrap();
            while !run.is_over() {
                run.step().unwrap();
            }
            runs.push(run);
        }
    }
    let finding = experiment.judge(&runs);
    let [table] = finding.tables.as_slice() else { panic!("one list, one step") };
    let row = table.rows.iter().find(|row| row[0] == "default").unwrap();
    let mut cells = BTreeMap::new();
    for (scene, cell) in table.header.iter().zip(row).skip(1) {
        if let Some((kept, frequency)) = cell.split_once(" · ") {
            cells.insert(scene.clone(), (kept.parse().unwrap(), frequency.parse().unwrap()));
        }
    }
    (cells, finding)
}

#[test]
fn stiff_bodies_keep_their_swing() {
    let (found, _) = default_of("tuned");
    println!("{found:#?}");
    let stiff = ["pendulum", "hinged", "stiff", "cube"];
    for (scene, (kept, frequency)) in found {
        let known = stiff.iter().any(|name| scene.contains(name));
        let range = if known { 0.85..=1.15 } else { 0.7..=3.0 };
        assert!(range.contains(&kept), "{scene}: {kept}");
        assert!(!known || (0.95..=1.05).contains(&frequency), "{scene}: {frequency}");
    }
}

#[test]
fn scenes_that_nobody_tuned_on_keep_theirs() {
    let (found, _) = default_of("unseen");
    println!("{found:#?}");
    for (scene, (kept, _)) in found {
        assert!((0.7..=3.0).contains(&kept), "{scene}: {kept}");
    }
}
