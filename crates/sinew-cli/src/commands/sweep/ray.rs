//! A sweep on a Ray cluster: the driver is Python.

use super::SweepArguments;
use crate::failure::Failure;
use sinew_sweep::{Folder, Shard};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// The interpreter that has the package, unless it is the first `python3`.
const PYTHON: &str = "SINEW_PYTHON";

/// Hands the sweep to `python -m sinew.sweep`.
pub fn run(file: &Path, folder: &Folder, arguments: &SweepArguments) -> Result<(), Failure> {
    if arguments.shard != Shard::ALL {
        return Err(Failure::Input("--shard is for job arrays; with --on ray, Ray divides the work".into()));
    }
    let python = std::env::var_os(PYTHON).unwrap_or_else(|| OsString::from("python3"));
    let shown = python.to_string_lossy().into_owned();
    check(&python, &shown)?;
    let mut command = Command::new(&python);
    command.args(["-m", "sinew.sweep"]).arg(file).arg("--out").arg(folder.path());
    command.args(["--per-run", &arguments.per_run.to_string()]);
    if let Some(threads) = arguments.threads {
        command.args(["--threads", &threads.to_string()]);
    }
    if let Some(address) = &arguments.address {
        command.args(["--address", address]);
    }
    if arguments.quiet {
        command.arg("--quiet");
    }
    // Ctrl-C reaches both; the driver says what there is to say.
    let _interrupt = crate::interrupt::Interrupt::listen();
    let status = command.status().map_err(|error| Failure::Run(format!("{shown}: {error}")))?;
    match status.code() {
        Some(0) => Ok(()),
        Some(2) => Err(Failure::Input("the driver refused the sweep, for the reason above".into())),
        Some(130) => Err(Failure::InterruptedSweep),
        _ => Err(Failure::Run(format!("the driver of the sweep ended with {status}"))),
    }
}

/// Whether the package and Ray can be imported.
fn check(python: &OsString, shown: &str) -> Result<(), Failure> {
    let probe = |module: &str| {
        let mut command = Command::new(python);
        command.args(["-c", &format!("import {module}")]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()
    };
    let advice = format!("`pip install \"sinew-sim[ray]\"` installs it; {PYTHON}=PATH names another Python");
    match probe("sinew.sweep") {
        Err(error) => {
            return Err(Failure::Input(format!("--on ray needs Python: {shown}: {error}; {advice}")));
        }
        Ok(status) if !status.success() => {
            return Err(Failure::Input(format!("--on ray: {shown} has no package sinew-sim; {advice}")));
        }
        Ok(_) => {}
    }
    match probe("ray") {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Failure::Input(format!("--on ray: {shown} has sinew-sim, but not Ray; {advice}"))),
    }
}
