//! Threads, SIGKILL, Ctrl-C and checkpoints: whatever happens on the way, the same bits at the end.

use super::{json_of, sinew, table};
use sinew_scene::export::csv::CsvTable;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A cloth that moves and is shaken, for long enough to be interrupted.
const SCENE: &[&str] = &[
    "run",
    "cloth-shaken",
    "--quiet",
    "--frames",
    "120",
    "--set",
    "body.0.mesh.cloth.cells=[24, 24]",
    "--set",
    "integrator.kind=bdf2",
];

fn hash_of(extra: &[&str]) -> String {
    let report = json_of(&[SCENE, extra, &["--json"]].concat());
    report["state_hash"].as_str().unwrap().to_owned()
}

fn start(out: &Path, extra: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.args(SCENE).args(extra).arg("--out").arg(out).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Waits for a file that another process writes.
fn wait_for(path: &Path) {
    let begin = Instant::now();
    while !path.exists() {
        assert!(begin.elapsed() < Duration::from_secs(120), "{} never came", path.display());
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn threads_do_not_change_the_bits() {
    assert_eq!(hash_of(&["--threads", "1"]), hash_of(&["--threads", "2"]));
    let cube = |threads| {
        let arguments = ["run", "spinning-cube", "--frames", "20", "--quiet", "--json", "--threads", threads];
        json_of(&arguments)["state_hash"].clone()
    };
    assert_eq!(cube("1"), cube("3"));
}

#[test]
fn killed_and_resumed_it_ends_with_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    let expected = hash_of(&["--out", whole.to_str().unwrap()]);

    let checkpoint = broken.join("checkpoint.bin");
    let mut child = start(&broken, &["--set", "checkpoint_every=7"]);
    wait_for(&checkpoint);
    child.kill().unwrap();
    let status = child.wait().unwrap();
    assert!(!status.success(), "it was to be killed in the middle, and had already ended");

    // Another folder gets a copy of the beginning, and the first is left as it is.
    let elsewhere = folder.path().join("elsewhere");
    let rows = std::fs::read(broken.join("trace.csv")).unwrap();
    let resume = |out: &Path| {
        let (checkpoint, out) = (checkpoint.to_str().unwrap(), out.to_str().unwrap());
        hash_of(&["--resume", checkpoint, "--out", out, "--threads", "1"])
    };
    assert_eq!(resume(&elsewhere), expected);
    assert_eq!(std::fs::read(broken.join("trace.csv")).unwrap(), rows);
    assert_eq!(resume(&broken), expected);
    same_but_for_the_time(&whole, &elsewhere);
    same_but_for_the_time(&whole, &broken);
}

/// Whether two folders hold the same trace and report, except for computing times.
fn same_but_for_the_time(whole: &Path, broken: &Path) {
    let reports = [whole, broken].map(|out| {
        let text = std::fs::read_to_string(out.join("report.json")).unwrap();
        let mut report: serde_json::Value = serde_json::from_str(&text).unwrap();
        report["time_ms"].take();
        report
    });
    assert_eq!(reports[0], reports[1]);

    let [whole, broken] = [whole, broken].map(|out| table(&out.join("trace.csv")));
    assert_eq!((whole.rows.len(), &whole.columns), (121, &broken.columns));
    for name in whole.columns.iter().filter(|name| *name != "milliseconds") {
        let bits =
            |table: &CsvTable| table.column(name).unwrap().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&whole), bits(&broken), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_writes_what_there_is_and_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut child = start(&out, &["--set", "checkpoint_every=5"]);
    wait_for(&out.join("checkpoint.bin"));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let done = table(&out.join("trace.csv")).rows.len();
    assert!((6..121).contains(&done), "{done} rows");
    assert!(out.join("picture.png").exists() && out.join("report.json").exists());
    let checkpoint = out.join("checkpoint.bin");
    assert_eq!(hash_of(&["--resume", checkpoint.to_str().unwrap()]), hash_of(&[]));
}

#[test]
fn a_finished_run_can_be_prolonged() {
    let folder = tempfile::tempdir().unwrap();
    let run = |extra: &[&str]| {
        json_of(&[&["run", "tetrahedron", "--quiet", "--json"], extra].concat())["state_hash"].clone()
    };
    let out = folder.path().to_str().unwrap();
    let checkpoint = folder.path().join("checkpoint.bin");
    let checkpoint = checkpoint.to_str().unwrap();
    let short = run(&["--frames", "10", "--out", out]);
    assert_eq!(run(&["--frames", "10", "--resume", checkpoint]), short, "nothing is left to do");
    assert_eq!(run(&["--frames", "25", "--resume", checkpoint]), run(&["--frames", "25"]));
    // Pictures and expectations may change, physics may not.
    run(&["--frames", "11", "--resume", checkpoint, "--set", "render.width=320"]);
    let other = ["run", "tetrahedron", "--frames", "25", "--resume", checkpoint, "--set", "h=0.01"];
    let assert = sinew(other).assert().code(2);
    assert!(String::from_utf8_lossy(&assert.get_output().stderr).contains("another scene"));
}

/// What a trace lacks cannot be made up: the run says so before it begins.
#[test]
fn a_trace_that_was_lost_or_changed_is_not_continued() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
    let run = |frames: &str, out: &Path| {
        let mut command = sinew(["run", "tetrahedron", "--quiet", "--frames", frames]);
        command.arg("--out").arg(out);
        command
    };
    run("10", &first).assert().success();
    let (checkpoint, trace) = (first.join("checkpoint.bin"), first.join("trace.csv"));
    let good = std::fs::read_to_string(&trace).unwrap();
    let refused = |says: &str| {
        let output = run("20", &second).arg("--resume").arg(&checkpoint).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(complaint.contains("trace.csv") && complaint.contains(says), "{complaint}");
    };
    std::fs::write(&trace, &good[..good.len() - 1]).unwrap();
    refused("too short");
    std::fs::write(&trace, good.replace('1', "2")).unwrap();
    refused("another run");
    std::fs::remove_file(&trace).unwrap();
    refused("No such file");
    // Without a trace to write, nothing is missing.
    sinew(["run", "tetrahedron", "--quiet", "--frames", "20", "--resume"])
        .arg(&checkpoint)
        .assert()
        .success();
    // Rows after the checkpoint are written again, not twice.
    std::fs::write(&trace, format!("{good}1,2,3\n")).unwrap();
    run("20", &first).arg("--resume").arg(&checkpoint).assert().success();
    assert_eq!(table(&trace).rows.len(), 21);
}

/// The size of a checkpoint depends on the scene, not on the length of the run.
#[test]
fn checkpoints_of_long_runs_do_not_grow() {
    let folder = tempfile::tempdir().unwrap();
    let size = |frames: &str| {
        let out = folder.path().join(frames);
        let arguments = ["run", "tetrahedron", "--quiet", "--frames", frames, "--set", "checkpoint_every=0"];
        sinew(arguments).arg("--out").arg(&out).assert().success();
        assert_eq!(table(&out.join("trace.csv")).rows.len() as u64, frames.parse::<u64>().unwrap() + 1);
        std::fs::metadata(out.join("checkpoint.bin")).unwrap().len()
    };
    assert!(size("40000") <= size("4095"));
}
