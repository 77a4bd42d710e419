//! The browser tests: a headless Chromium drives the page with both of its engines.

use crate::page;
use crate::steps::{Failure, Steps};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TESTS: &str = "crates/sinew-viewer/web-tests";
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/// Builds everything that the tests need, and runs them.
pub fn alone(steps: &mut Steps, update: bool) -> Result<(), Failure> {
    page::web(steps)?;
    steps.cargo("sinew", &["build", "--package", "sinew-cli"], &[])?;
    test(steps, update)
}

/// Runs the tests on what is in `dist/` and on the `sinew` that `cargo test` has built.
pub fn test(steps: &mut Steps, update: bool) -> Result<(), Failure> {
    let chromium = chromium(steps)?;
    let root = steps.root().to_path_buf();
    let folder = root.join(TESTS);
    page::packages(steps, "packages of the browser tests", &folder)?;
    let target = page::target(&root);
    let paths = [
        ("SINEW_CHROMIUM", chromium),
        ("SINEW_BINARY", target.join("debug").join(if cfg!(windows) { "sinew.exe" } else { "sinew" })),
        ("SINEW_DIST", root.join("dist")),
        ("SINEW_SCREENSHOTS", target.join("viewer-screenshots")),
    ];
    let mut env = unicode(&paths)?;
    if update {
        env.push(("SINEW_UPDATE", "1"));
    }
    // One file after the other: two browsers at a time would only wait for each other.
    let arguments = [
        "--test",
        "--test-concurrency=1",
        "--test-reporter=spec",
        "agreement.test.mjs",
        "layout.test.mjs",
        "places.test.mjs",
        "gallery.test.mjs",
        "lips.test.mjs",
        "face.test.mjs",
        "native.test.mjs",
        "wasm.test.mjs",
    ];
    steps.command("browser", ("node", OsStr::new("node")), &arguments, &env, &folder)
}

/// Takes the pictures of the documentation with a `sinew` that has the page.
pub fn document(steps: &mut Steps, binary: &Path, images: &Path) -> Result<(), Failure> {
    let chromium = chromium(steps)?;
    let folder = steps.root().join(TESTS);
    page::packages(steps, "packages of the browser tests", &folder)?;
    let paths = [
        ("SINEW_CHROMIUM", chromium),
        ("SINEW_BINARY", binary.to_path_buf()),
        ("SINEW_IMAGES", images.to_path_buf()),
    ];
    let env = unicode(&paths)?;
    steps.command(
        "pictures of the viewer",
        ("node", OsStr::new("node")),
        &["documentation.mjs"],
        &env,
        &folder,
    )
}

fn unicode<'a>(paths: &'a [(&'a str, PathBuf)]) -> Result<Vec<(&'a str, &'a str)>, Failure> {
    let text = |(name, path): &'a (&'a str, PathBuf)| match path.to_str() {
        Some(text) => Ok((*name, text)),
        None => Err(Failure::new("browser", format!("{} is not Unicode", path.display()))),
    };
    paths.iter().map(text).collect()
}

/// The one named by `SINEW_CHROMIUM`, one that is installed, or Debian's.
fn chromium(steps: &mut Steps) -> Result<PathBuf, Failure> {
    if let Some(named) = std::env::var_os("SINEW_CHROMIUM") {
        return Ok(named.into());
    }
    if let Some(found) = installed() {
        return Ok(found);
    }
    install(steps)?;
    let lacking = "no Chromium was found; install it, or name it by SINEW_CHROMIUM";
    installed().ok_or_else(|| Failure::new("browser", lacking))
}

fn installed() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).flat_map(|folder| NAMES.map(|name| folder.join(name)));
    found.chain([PathBuf::from(MAC)]).find(|file| file.is_file())
}

/// By apt-get where there is one; who is not root is not asked for a password.
fn install(steps: &mut Steps) -> Result<(), Failure> {
    let answer = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    if answer("apt-get", &["--version"]).is_none() {
        return Ok(());
    }
    let sudo: &[&str] = if answer("id", &["-u"]).is_some_and(|id| id == "0") { &[] } else { &["sudo", "-n"] };
    let root = steps.root().to_path_buf();
    let parts: [(&str, &[&str]); 2] = [
        ("list of Debian packages", &["apt-get", "update", "-qq"]),
        (
            "Chromium",
            &[
                "apt-get",
                "install",
                "-y",
                "-qq",
                "--no-install-recommends",
                "-o",
                "Dpkg::Use-Pty=0",
                "chromium",
            ],
        ),
    ];
    for (name, words) in parts {
        let line = [sudo, words].concat();
        let env = [("DEBIAN_FRONTEND", "noninteractive")];
        steps.command(name, (line[0], OsStr::new(line[0])), &line[1..], &env, &root)?;
    }
    Ok(())
}
