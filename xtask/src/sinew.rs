//! The `sinew` that tasks run: one that is given, or the release build.

use crate::steps::{Failure, Steps};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The binary at the given place, or the release build, which is made first.
pub fn binary(steps: &mut Steps, given: Option<String>) -> Result<PathBuf, Failure> {
    if let Some(path) = given {
        return existing(path);
    }
    steps.cargo("sinew", &["build", "--release", "--package", "sinew-cli"], &[])?;
    Ok(crate::page::target(steps.root())
        .join("release")
        .join(format!("sinew{}", std::env::consts::EXE_SUFFIX)))
}

/// A binary that has to be there already. Absolute, because it is started from other folders.
pub fn existing(path: String) -> Result<PathBuf, Failure> {
    let found = std::fs::canonicalize(&path);
    found.map_err(|error| Failure::new("sinew", format!("{path}: {error}")))
}

/// Runs `sinew run` on one thread and gives its report; `None` if it took longer than `limit`.
///
/// A simulation that ends early still has a report, with its reason in `failure`.
pub fn report(
    binary: &Path,
    scene: &str,
    frames: usize,
    file: &Path,
    limit: Option<Duration>,
) -> Result<Option<Value>, Failure> {
    let fail = |why: String| Failure::new(scene, why);
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(fail(error.to_string())),
        _ => {}
    }
    let mut child = Command::new(binary)
        .args(["run", scene, "--frames", &frames.to_string(), "--quiet", "--threads", "1", "--report"])
        .arg(file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| fail(format!("{} could not be started: {error}", binary.display())))?;
    let begin = Instant::now();
    if let Some(limit) = limit {
        while child.try_wait()?.is_none() {
            if begin.elapsed() > limit {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    let status = child.wait()?;
    let text = std::fs::read_to_string(file)
        .map_err(|_| fail(format!("`sinew run` ended with {status} and wrote no report")))?;
    serde_json::from_str(&text).map(Some).map_err(|error| fail(format!("its report: {error}")))
}
