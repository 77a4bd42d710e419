//! Fuzz targets of the readers, by cargo-fuzz and a nightly compiler; both are installed if they are missing, cargo-fuzz into `target/`.

use crate::page;
use crate::steps::{Failure, Steps};
use std::ffi::OsStr;
use std::path::Path;

/// The version of cargo-fuzz that is known to work.
const CARGO_FUZZ: &str = "^0.13";
/// No file of a few kilobytes may take longer than this many seconds, or more than this many megabytes.
const LIMITS: [&str; 3] = ["-timeout=10", "-rss_limit_mb=2048", "-max_len=8192"];

/// Runs every target, or those named, for so many seconds each. It fails at the first input that brings a reader down, and says where the input is.
pub fn task(steps: &mut Steps, arguments: &[&str]) -> Result<(), Failure> {
    let (seconds, named) = match arguments {
        ["--seconds", seconds, rest @ ..] => (*seconds, rest),
        rest => ("60", rest),
    };
    let seconds: u32 = seconds.parse().map_err(|_| Failure::new("fuzz", "--seconds takes a whole number"))?;
    let root = steps.root().to_path_buf();
    let known = targets(&root.join("fuzz/targets"))?;
    if let Some(name) = named.iter().find(|name| !known.iter().any(|known| known == *name)) {
        return Err(Failure::new(
            "fuzz",
            format!("there is no target `{name}`; there are {}", known.join(", ")),
        ));
    }
    let tools = page::target(&root).join("tools");
    if !has_nightly() {
        let install = ["toolchain", "install", "nightly", "--profile", "minimal"];
        steps.command("nightly compiler", ("rustup", OsStr::new("rustup")), &install, &[], &root)?;
    }
    let program = tools.join("bin").join(if cfg!(windows) { "cargo-fuzz.exe" } else { "cargo-fuzz" });
    if !program.is_file() {
        let folder =
            tools.to_str().ok_or_else(|| Failure::new("fuzz", "the path of target/ is not Unicode"))?;
        steps.cargo(
            "cargo-fuzz",
            &["install", "cargo-fuzz", "--version", CARGO_FUZZ, "--root", folder],
            &[],
        )?;
    }
    let corpus = page::target(&root).join("fuzz-seeds");
    let corpus = corpus.to_str().ok_or_else(|| Failure::new("fuzz", "the path of target/ is not Unicode"))?;
    let seeds = ["test", "--package", "sinew-scene", "--test", "mesh_io", "seeds"];
    steps.cargo("seeds", &seeds, &[("SINEW_SEEDS", corpus)])?;
    let limit = format!("-max_total_time={seconds}");
    let fuzz = root.join("fuzz");
    for target in known.iter().filter(|known| named.is_empty() || named.contains(&known.as_str())) {
        let seeds = Path::new(corpus).join(target);
        std::fs::create_dir_all(&seeds)?;
        std::fs::create_dir_all(fuzz.join("corpus").join(target))?;
        let (found, given) = (format!("corpus/{target}"), format!("{corpus}/{target}"));
        let mut words = vec!["fuzz", "run", "--fuzz-dir", ".", target, &found, &given, "--", &limit];
        words.extend(LIMITS);
        let env = [("RUSTUP_TOOLCHAIN", "nightly")];
        steps.command(&format!("fuzz {target}"), ("cargo-fuzz", program.as_os_str()), &words, &env, &fuzz)?;
    }
    Ok(())
}

/// Whether there is a nightly compiler already: it need not be the newest.
fn has_nightly() -> bool {
    let version =
        std::process::Command::new("rustup").args(["run", "nightly", "cargo", "--version"]).output();
    version.is_ok_and(|said| said.status.success())
}

/// The names of the targets, in order.
fn targets(folder: &Path) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        if let Some(name) = entry?.path().file_stem().and_then(OsStr::to_str) {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}
