//! `sinew sweep` from outside.

use super::sinew;
use std::path::Path;

const SWEEP: &str = "scene = \"two-springs\"\nframes = 10\npart = 2\n[[axis]]\nkey = \"material.stiffness\"\nname = \"stiffness\"\nrange = { from = 10, to = 60, count = 6 }\n";

fn write(folder: &Path, text: &str) -> std::path::PathBuf {
    let path = folder.join("sweep.toml");
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_sweep_ends_with_its_table_and_plots_and_estimates_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), SWEEP);
    let out = folder.path().join("out");
    for shard in ["1/2", "2/2"] {
        let command = sinew(["sweep".as_ref(), file.as_os_str(), "--out".as_ref(), out.as_os_str()])
            .args(["--shard", shard])
            .output()
            .unwrap();
        assert!(command.status.success(), "{}", String::from_utf8_lossy(&command.stderr));
        let said = String::from_utf8_lossy(&command.stdout).into_owned();
        let expected = if shard == "1/2" { "2 of 3 parts are there" } else { "6 runs, 0 failed" };
        assert!(said.contains(expected), "{said}");
    }
    assert!(out.join("rows.parquet").is_file() && out.join("costs.csv").is_file());
    sinew(["sweep", "plot"]).arg(&out).args(["--value", "energy.final"]).assert().success();
    assert!(out.join("energy.final-over-stiffness.svg").is_file());
    let estimate = sinew(["sweep", "estimate"]).arg(&out).args(["--cores", "1,100"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&estimate.stdout).lines().count(), 3);
}

#[test]
fn runs_are_listed_without_being_made() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), SWEEP);
    let out = folder.path().join("out");
    let listed =
        sinew(["sweep".as_ref(), file.as_os_str(), "--list".as_ref(), "--out".as_ref(), out.as_os_str()])
            .output()
            .unwrap();
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert_eq!(text.lines().take(3).collect::<Vec<_>>(), ["run,stiffness", "0,10.0", "1,20.0"]);
    assert!(!out.exists());
}

#[test]
fn wrong_sweeps_end_with_a_sentence_and_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let refused = |file: &Path, more: &[&str]| {
        let mut command = sinew(["sweep".as_ref(), file.as_os_str(), "--out".as_ref(), out.as_os_str()]);
        let output = command.args(more).env("SINEW_PYTHON", "no-such-python").output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let file = write(folder.path(), SWEEP);
    let said = refused(&file, &["--on", "ray"]);
    assert!(
        said.contains("--on ray needs Python: no-such-python")
            && said.contains("pip install \"sinew-sim[ray]\""),
        "{said}"
    );
    let said = refused(&file, &["--shard", "3/2"]);
    assert!(said.contains("is not I/N with I from 1 to N"), "{said}");
    let said = refused(&write(folder.path(), &SWEEP.replace("count = 6", "count = 0")), &[]);
    assert!(said.contains("sweep.toml:7:9: `axis.0.range`: `count` must be at least 1"), "{said}");
    assert!(refused(&folder.path().join("none.toml"), &[]).contains("none.toml"));
}

#[test]
fn a_sweep_in_which_every_run_fails_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        SWEEP.replace("[[axis]]", "set = [\"body.0.mesh={ file = { path = 'none.obj' } }\"]\n[[axis]]");
    let file = write(folder.path(), &text);
    let out = folder.path().join("out");
    let output =
        sinew(["sweep".as_ref(), file.as_os_str(), "--out".as_ref(), out.as_os_str()]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("every run failed; run 0: "), "{said}");
    assert!(out.join("rows.parquet").is_file(), "its rows have the reasons");
}

#[test]
fn shipped_sweeps_are_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/sweeps");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 2);
    for file in files {
        sinew(["sweep".as_ref(), file.as_os_str(), "--list".as_ref(), "--out".as_ref(), "x".as_ref()])
            .assert()
            .success();
    }
}
