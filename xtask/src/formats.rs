//! What `sinew` writes, read by programs that are not ours: Python packages in a private folder, and the glTF validator of Khronos.

use crate::page;
use crate::steps::{Failure, Steps};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

const TESTS: &str = "crates/sinew-scene/format-tests";

/// Builds `sinew`, and runs the tests.
pub fn alone(steps: &mut Steps) -> Result<(), Failure> {
    page::check_node()?;
    steps.cargo("sinew", &["build", "--package", "sinew-cli"], &[])?;
    test(steps)
}

/// Runs the tests with the `sinew` that is built already.
pub fn test(steps: &mut Steps) -> Result<(), Failure> {
    let root = steps.root().to_path_buf();
    let (tests, target) = (root.join(TESTS), page::target(&root));
    let python = python(steps, &tests, &target.join("format-tests/python"))?;
    page::packages(steps, "packages of the format tests", &tests)?;
    let sinew = target.join("debug").join(if cfg!(windows) { "sinew.exe" } else { "sinew" });
    let out = target.join("format-tests/out");
    if out.exists() {
        std::fs::remove_dir_all(&out)?;
    }
    let arguments = ["written.py", unicode(&sinew)?, unicode(&out)?];
    steps.command("formats", ("python", python.as_os_str()), &arguments, &[], &tests)?;
    let files = ["carried", "many"].map(|scene| out.join(scene).join("animation.glb"));
    let arguments = ["validate.mjs", unicode(&files[0])?, unicode(&files[1])?];
    steps.command("glTF validator", ("node", OsStr::new("node")), &arguments, &[], &tests)
}

/// A Python of our own with the packages of the tests, installed anew if their list has changed.
fn python(steps: &mut Steps, tests: &Path, folder: &Path) -> Result<PathBuf, Failure> {
    let program = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let list = std::fs::read(tests.join("requirements.txt"))?;
    let installed = folder.join("installed-requirements.txt");
    if std::fs::read(&installed).is_ok_and(|was| was == list) {
        return Ok(program);
    }
    let system = if cfg!(windows) { "python" } else { "python3" };
    let make = ["-m", "venv", "--clear", unicode(folder)?];
    steps.command("Python of the format tests", (system, OsStr::new(system)), &make, &[], tests)?;
    let install =
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", "requirements.txt"];
    steps.command("packages for Python", ("python", program.as_os_str()), &install, &[], tests)?;
    std::fs::write(&installed, list)?;
    Ok(program)
}

fn unicode(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| Failure::new("formats", format!("{} is not Unicode", path.display())))
}
