//! Steps with headings and timings.

use crate::house::Finding;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The step that failed, and how.
#[derive(Debug)]
pub struct Failure {
    step: String,
    why: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.step, self.why)
    }
}

impl Failure {
    pub fn new(step: &str, why: impl Into<String>) -> Self {
        Self { step: step.to_owned(), why: why.into() }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self { step: "reading files".to_owned(), why: error.to_string() }
    }
}

/// Runs steps one after the other and remembers how long each took.
pub struct Steps {
    root: PathBuf,
    done: Vec<(String, Duration)>,
}

impl Steps {
    pub fn new(root: PathBuf) -> Self {
        Self { root, done: Vec::new() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Runs cargo with arguments and environment variables.
    pub fn cargo(&mut self, name: &str, arguments: &[&str], env: &[(&str, &str)]) -> Result<(), Failure> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let root = self.root.clone();
        self.command(name, ("cargo", &cargo), arguments, env, &root)
    }

    /// Runs a program, given by the name to show and the one to start, in a folder.
    pub fn command(
        &mut self,
        name: &str,
        (shown, program): (&str, &OsStr),
        arguments: &[&str],
        env: &[(&str, &str)],
        folder: &Path,
    ) -> Result<(), Failure> {
        let settings: String = env.iter().map(|(key, value)| format!("{key}=\"{value}\" ")).collect();
        let line = format!("{settings}{shown} {}", arguments.join(" "));
        println!("\n=== {name}: {line}");
        self.timed(name, || {
            let status =
                Command::new(program).args(arguments).envs(env.iter().copied()).current_dir(folder).status();
            match status {
                Ok(status) if status.success() => Ok(()),
                Ok(status) => Err(format!("`{line}` ended with {status}")),
                Err(error) => Err(format!("`{line}` could not be started: {error}")),
            }
        })
    }

    /// Runs a check that lists what it finds wrong.
    pub fn check(
        &mut self,
        name: &str,
        check: impl FnOnce(&Path) -> std::io::Result<Vec<Finding>>,
    ) -> Result<(), Failure> {
        println!("\n=== {name}");
        let root = self.root.clone();
        self.timed(name, || {
            let findings = check(&root).map_err(|error| error.to_string())?;
            for finding in &findings {
                println!("{finding}");
            }
            match findings.len() {
                0 => Ok(()),
                1 => Err("1 finding, listed above".to_owned()),
                n => Err(format!("{n} findings, listed above")),
            }
        })
    }

    fn timed(&mut self, name: &str, step: impl FnOnce() -> Result<(), String>) -> Result<(), Failure> {
        let start = Instant::now();
        let result = step();
        let took = start.elapsed();
        println!("--- {name}: {}, {:.1} s", if result.is_ok() { "ok" } else { "failed" }, took.as_secs_f64());
        self.done.push((name.to_owned(), took));
        result.map_err(|why| Failure { step: name.to_owned(), why })
    }

    /// One line a step.
    pub fn summary(&self) {
        println!("\nall good");
        for (name, took) in &self.done {
            println!("{:8.1} s  {name}", took.as_secs_f64());
        }
        let total: Duration = self.done.iter().map(|(_, took)| *took).sum();
        println!("{:8.1} s  in all", total.as_secs_f64());
    }
}
