//! `sinew sweep`.

mod estimate;
mod local;
mod plot;
mod ray;

use crate::failure::Failure;
use clap::{Args, Subcommand, ValueEnum};
use sinew_sweep::{Folder, Plan, Shard, SweepError};
use std::path::PathBuf;

/// Simulate one scene with many values: one table with a row for each run.
///
/// A run that fails is a row with its reason. A sweep that was stopped goes on where it was with the same command.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct SweepArguments {
    #[command(subcommand)]
    task: Option<Task>,
    /// The sweep: a TOML file with a scene and its axes.
    #[arg(required = true, value_name = "SWEEP.toml")]
    sweep: Option<PathBuf>,
    /// The folder for the results; finished parts in it are not made again.
    #[arg(long, value_name = "DIR", required = true)]
    out: Option<PathBuf>,
    /// Only every N-th part, for job arrays; the last shard to end makes the table.
    #[arg(long, value_name = "I/N", value_parser = Shard::parse, default_value = "1/1", hide_default_value = true)]
    shard: Shard,
    /// Threads in all; by default one per core.
    #[arg(long, value_name = "N", value_parser = super::threads)]
    threads: Option<usize>,
    /// Threads of each run; the result does not depend on it.
    #[arg(long, value_name = "N", value_parser = super::threads, default_value = "1")]
    per_run: usize,
    /// Where to run.
    #[arg(long, value_name = "WHERE", default_value = "here", hide_default_value = true)]
    on: Where,
    /// With --on ray: address of the cluster; by default the one of this machine, or a new one.
    #[arg(long, value_name = "ADDRESS")]
    address: Option<String>,
    /// Print the runs with their values as CSV and stop.
    #[arg(long)]
    list: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

/// Where runs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Where {
    /// On this machine.
    Here,
    /// On a Ray cluster, by the Python package sinew-sim[ray].
    Ray,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Draw a value over one axis or two.
    Plot(plot::PlotArguments),
    /// Simulate how long a sweep takes on a cluster, from the measured times of a finished one.
    Estimate(estimate::EstimateArguments),
}

/// Runs a sweep, or looks at one.
pub fn sweep(arguments: &SweepArguments) -> Result<(), Failure> {
    match &arguments.task {
        Some(Task::Plot(arguments)) => return plot::plot(arguments),
        Some(Task::Estimate(arguments)) => return estimate::estimate(arguments),
        None => {}
    }
    let missing = || Failure::Input("a sweep and --out are needed".into());
    let file = arguments.sweep.as_ref().ok_or_else(missing)?;
    let plan = Plan::load(file)?;
    if arguments.list {
        return local::list(&plan);
    }
    if arguments.on != Where::Ray && arguments.address.is_some() {
        return Err(Failure::Input("--address is for --on ray".into()));
    }
    let folder = Folder::open(arguments.out.as_ref().ok_or_else(missing)?, &plan)?;
    match arguments.on {
        Where::Here => local::run(&plan, &folder, arguments),
        Where::Ray => ray::run(file, &folder, arguments),
    }
}

impl From<SweepError> for Failure {
    fn from(error: SweepError) -> Self {
        if error.is_input() { Self::Input(error.to_string()) } else { Self::Run(error.to_string()) }
    }
}
