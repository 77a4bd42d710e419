//! The `sinew` command from outside: arguments in; output, files and exit codes out.

mod bad_input;
mod bench;
mod contract;
mod face;
mod interruption;
mod lips;
mod meshes;
mod papers;
mod shipped_scenes;
mod sweeps;
mod variants;
mod view;

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

/// `sinew` with these arguments.
fn sinew<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.args(arguments).timeout(std::time::Duration::from_secs(600));
    command
}

/// Runs it, expects success and parses what it prints.
fn json_of(arguments: &[&str]) -> Value {
    let output = sinew(arguments).output().unwrap();
    let (text, complaints) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {complaints}");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"))
}

/// A table that the command wrote.
fn table(path: &Path) -> sinew_scene::export::csv::CsvTable {
    sinew_scene::export::csv::CsvTable::read(path).unwrap()
}
