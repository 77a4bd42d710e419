//! What `sinew` writes, read by programs that are not ours: Python packages in a private folder, and the glTF validator of Khronos.

use crate::page;
use crate::python;
use crate::steps::{Failure, Steps};
use std::ffi::OsStr;
use std::path::Path;

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
    let python = python::with_packages(steps, &tests, &target.join("format-tests/python"))?;
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

pub fn unicode(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| Failure::new("formats", format!("{} is not Unicode", path.display())))
}
