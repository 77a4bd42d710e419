//! The `sinew` command: parse → run → exit code.
#![forbid(unsafe_code)]

mod commands;
mod console;
mod drive;
mod failure;
mod interrupt;
mod progress;
mod side_by_side;
mod source;
mod table;
mod threads;
mod truths;

use clap::Parser;
use std::process::ExitCode;

/// Real-time soft bodies that conserve energy.
///
/// Exit codes: 0 success; 1 a run that failed, or did not meet its expectations; 2 bad input; 130 stopped by Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "sinew", version)]
struct Arguments {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    match Arguments::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            console::complain(&failure);
            failure.exit_code()
        }
    }
}
