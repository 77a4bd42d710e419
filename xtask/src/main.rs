//! `cargo xtask`: everything that a developer or CI runs, in one place.
//!
//! Each task is a list of steps. A step is a command or a check of the house; the first that fails ends the task with
//! one clear line and exit code 1.
#![forbid(unsafe_code)]

mod api;
mod arguments;
mod browser;
mod docs;
mod formats;
mod fuzz;
mod hashes;
mod house;
mod pace;
mod page;
mod pictures;
mod python;
mod sinew;
mod steps;

use arguments::Arguments;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use steps::{Failure, Steps};

const USAGE: &str = "\
usage: cargo xtask TASK

  test    page, format, lints, documentation, tests, browser, format and Python tests, examples, checks of the house: what CI runs
  view    builds the page of the viewer and `sinew` with it: target/release/sinew view
  web     builds the viewer without a server, its engine as WebAssembly, into dist/
  browser the browser tests alone; --update stores new pictures to compare with
  formats runs scenes with every --format and reads the results by other programs; installs Python packages into target/
  python  the tests and examples of the Python package, its types by pyright, a sweep on a Ray cluster; installs Python packages into target/;
          --wheel installs it as a user does, from a release build, into a fresh environment
  pictures makes the pictures of the viewer's gallery anew
  house   the checks of the house alone: file lengths, order of modules, imports, references, links
  api     compares the public items of the engine with docs/public-api.txt; --update stores them
  soak    the tests in release mode with long runs: sets SINEW_SOAK=1 and PROPTEST_CASES=4096; a sweep of 512 runs on a Ray cluster; then every fuzz target for a minute

  fuzz [--seconds N] [TARGET…]
          runs the fuzz targets of the readers for N seconds each (60); installs cargo-fuzz into target/ and a nightly compiler
  hashes [--binary PATH] --out FILE|--compare FILE
          runs every shipped scene for 60 frames and writes the hashes of their states, or fails where one is not that of FILE
  docs [--only PART]… [--quick] [--out DIR]
          makes every page and picture anew that a command makes, or into DIR instead of the repository; pages say from which
          commit they are. Parts:
PARTS  pace --base PATH [--binary PATH] [--rounds N] [SCENE…]
          runs scenes in turn with two builds and fails where a step takes more than 1.03 times as long as in the base
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut steps = Steps::new(root());
    let steps = &mut steps;
    let result = match arguments[..] {
        ["test"] => test(steps),
        ["view"] => page::view(steps),
        ["web"] => page::web(steps),
        ["browser"] => browser::alone(steps, false),
        ["browser", "--update"] => browser::alone(steps, true),
        ["formats"] => formats::alone(steps),
        ["python"] => python::alone(steps),
        ["python", "--wheel"] => python::wheel(steps),
        ["pictures"] => pictures::make(steps),
        ["house"] => checks(steps),
        ["api"] => api::check(steps),
        ["api", "--update"] => api::update(steps),
        ["soak"] => soak(steps),
        ["fuzz", ref rest @ ..] => fuzz::task(steps, rest),
        ["hashes", ref rest @ ..] => hashes::task(steps, Arguments::new("hashes", rest)),
        ["docs", ref rest @ ..] => docs::task(steps, Arguments::new("docs", rest)),
        ["pace", ref rest @ ..] => pace::task(steps, Arguments::new("pace", rest)),
        ["help" | "--help" | "-h"] => {
            print!("{}", usage());
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{}", usage());
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => {
            steps.summary();
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("\nFAILED: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    USAGE.replace("PARTS", &docs::list())
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

fn test(steps: &mut Steps) -> Result<(), Failure> {
    page::build(steps)?;
    steps.cargo("format", &["fmt", "--all", "--check"], &[])?;
    steps.cargo("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])?;
    steps.cargo("documentation", &["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    steps.cargo("tests", &["test", "--workspace"], &[])?;
    page::web_of_built_page(steps)?;
    browser::test(steps, false)?;
    formats::test(steps)?;
    python::test(steps)?;
    examples(steps)?;
    api::check(steps)?;
    checks(steps)
}

/// Runs every example of engine and benchmark once: each ends with assertions of its own. They are built with the tests' features, so that the engine is
/// not compiled a second time.
fn examples(steps: &mut Steps) -> Result<(), Failure> {
    steps.cargo("examples", &["build", "--workspace", "--examples"], &[])?;
    let root = steps.root().to_path_buf();
    for package in ["sinew", "sinew-bench"] {
        for file in house::files_below(&root.join("crates").join(package).join("examples"), "rs")? {
            let Some(name) = file.file_stem().and_then(|stem| stem.to_str()) else { continue };
            let program = page::target(&root).join("debug/examples").join(name);
            steps.command(&format!("example {name}"), (name, program.as_os_str()), &[], &[], &root)?;
        }
    }
    Ok(())
}

fn checks(steps: &mut Steps) -> Result<(), Failure> {
    steps.check("file lengths", house::file_lengths)?;
    steps.check("order of modules", house::layers)?;
    steps.check("imports of contact and bones", house::questions)?;
    steps.check("references", house::references)?;
    steps.check("links", house::links)
}

/// Tests that can run long read `SINEW_SOAK` and lengthen themselves; property tests draw more cases.
fn soak(steps: &mut Steps) -> Result<(), Failure> {
    let long = [("SINEW_SOAK", "1"), ("PROPTEST_CASES", "4096")];
    steps.cargo("soak", &["test", "--workspace", "--release"], &long)?;
    python::soak(steps)?;
    fuzz::task(steps, &[])
}
