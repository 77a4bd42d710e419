//! The Python package: tests, types and examples, in an environment of its own.

use crate::formats::unicode;
use crate::page;
use crate::steps::{Failure, Steps};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

const PACKAGE: &str = "crates/sinew-python";
/// A wheel may be this large, bytes.
const LARGEST: u64 = 10_000_000;

/// Builds module and program as the tests of the whole workspace are built: an example among the targets gives their dependencies the features of the
/// tests. Built alone, they would have others, and everything would be compiled again.
const BUILD: [&str; 7] = ["build", "--workspace", "--lib", "--bin", "sinew", "--example", "hello"];

/// Builds the viewer's page, and tests.
pub fn alone(steps: &mut Steps) -> Result<(), Failure> {
    page::build(steps)?;
    test(steps)
}

/// Tests, types and examples, with the page that is built already.
pub fn test(steps: &mut Steps) -> Result<(), Failure> {
    steps.cargo("Python module", &BUILD, &[])?;
    let root = steps.root().to_path_buf();
    let (package, built) = (root.join(PACKAGE), page::target(&root).join("debug"));
    let site = page::target(&root).join("python/site");
    assemble(&package.join("python/sinew"), &module(&built), &site.join("sinew"))?;
    let python = tests_python(steps)?;
    let sinew = built.join(if cfg!(windows) { "sinew.exe" } else { "sinew" });
    check(steps, &python, &[("PYTHONPATH", unicode(&site)?), ("SINEW_PROGRAM", unicode(&sinew)?)])
}

/// Installs the package as a user does, in a fresh environment, and runs the tests with it.
pub fn wheel(steps: &mut Steps) -> Result<(), Failure> {
    let root = steps.root().to_path_buf();
    let (package, target) = (root.join(PACKAGE), page::target(&root));
    let wheels = target.join("python/wheels");
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels)?;
    }
    let fresh = target.join("python/fresh");
    if fresh.exists() {
        std::fs::remove_dir_all(&fresh)?;
    }
    let python = with_packages(steps, &package.join("tests"), &fresh)?;
    let pip = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", unicode(&wheels)?, "."];
    steps.command("wheel", ("python", python.as_os_str()), &pip, &[], &package)?;
    let made =
        std::fs::read_dir(&wheels)?.next().ok_or_else(|| Failure::new("wheel", "there is none"))??.path();
    let size = std::fs::metadata(&made)?.len();
    println!("{}: {size} bytes", made.display());
    if size > LARGEST {
        return Err(Failure::new("wheel", format!("{size} bytes are more than {LARGEST}")));
    }
    let install = ["-m", "pip", "install", "--quiet", "--no-deps", unicode(&made)?];
    steps.command("installing the wheel", ("python", python.as_os_str()), &install, &[], &root)?;
    check(steps, &python, &[])
}

/// A sweep on a cluster that loses a node and its driver, long.
pub fn soak(steps: &mut Steps) -> Result<(), Failure> {
    steps.cargo("Python module", &[&BUILD[..], &["--release"]].concat(), &[])?;
    let root = steps.root().to_path_buf();
    let (package, built) = (root.join(PACKAGE), page::target(&root).join("release"));
    let site = page::target(&root).join("python/soak");
    assemble(&package.join("python/sinew"), &module(&built), &site.join("sinew"))?;
    let (python, sinew) =
        (tests_python(steps)?, built.join(if cfg!(windows) { "sinew.exe" } else { "sinew" }));
    let env = [
        ("PYTHONPATH", unicode(&site)?),
        ("SINEW_PROGRAM", unicode(&sinew)?),
        ("SINEW_SOAK", "1"),
        ("PYTHONDONTWRITEBYTECODE", "1"),
    ];
    let pytest = ["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "tests/test_sweep.py"];
    steps.command("a sweep on a cluster", ("python", python.as_os_str()), &pytest, &env, &package)
}

fn tests_python(steps: &mut Steps) -> Result<PathBuf, Failure> {
    let root = steps.root().to_path_buf();
    with_packages(steps, &root.join(PACKAGE).join("tests"), &page::target(&root).join("python/tests"))
}

fn check(steps: &mut Steps, python: &Path, more: &[(&str, &str)]) -> Result<(), Failure> {
    let package = steps.root().join(PACKAGE);
    let env = [&[("MPLBACKEND", "agg"), ("PYTHONDONTWRITEBYTECODE", "1")], more].concat();
    let program = ("python", python.as_os_str());
    let pytest = ["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "--durations=8"];
    steps.command("tests in Python", program, &pytest, &env, &package)?;
    // Its wheel has the whole program; Node.js of this machine runs it.
    let pyright = ["-m", "pyright", "--pythonpath", unicode(python)?];
    steps.command("types in Python", program, &pyright, &env, &package)
}

/// The module that cargo built into a folder.
fn module(folder: &Path) -> PathBuf {
    let name = match () {
        () if cfg!(windows) => "_sinew.dll",
        () if cfg!(target_os = "macos") => "lib_sinew.dylib",
        () => "lib_sinew.so",
    };
    folder.join(name)
}

/// Puts the package together as a wheel would.
fn assemble(sources: &Path, module: &Path, into: &Path) -> std::io::Result<()> {
    if into.exists() {
        std::fs::remove_dir_all(into)?;
    }
    std::fs::create_dir_all(into)?;
    for entry in std::fs::read_dir(sources)? {
        let entry = entry?;
        let is_code = entry.path().extension().is_some_and(|end| end == "py" || end == "pyi");
        if is_code || entry.file_name() == OsStr::new("py.typed") {
            std::fs::copy(entry.path(), into.join(entry.file_name()))?;
        }
    }
    let name = if cfg!(windows) { "_sinew.pyd" } else { "_sinew.abi3.so" };
    std::fs::copy(module, into.join(name)).map(drop)
}

/// A Python of our own with the packages that `requirements.txt` of a folder lists, installed anew if the list has changed.
pub fn with_packages(steps: &mut Steps, tests: &Path, folder: &Path) -> Result<PathBuf, Failure> {
    let program = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let list = std::fs::read(tests.join("requirements.txt"))?;
    let installed = folder.join("installed-requirements.txt");
    if std::fs::read(&installed).is_ok_and(|was| was == list) {
        return Ok(program);
    }
    let system = if cfg!(windows) { "python" } else { "python3" };
    let make = ["-m", "venv", "--clear", unicode(folder)?];
    steps.command("a Python of our own", (system, OsStr::new(system)), &make, &[], tests)?;
    let install =
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", "requirements.txt"];
    steps.command("packages for Python", ("python", program.as_os_str()), &install, &[], tests)?;
    std::fs::write(&installed, list)?;
    Ok(program)
}
