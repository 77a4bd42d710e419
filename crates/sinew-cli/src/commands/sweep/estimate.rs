//! `sinew sweep estimate`: how long a sweep would take on a cluster.

use crate::failure::Failure;
use crate::{console, table};
use clap::Args;
use sinew_scene::input;
use sinew_sweep::estimate::{Cluster, Costs, estimate as simulate};
use std::path::PathBuf;

/// Simulate how long a sweep takes on a cluster, from the measured times of a finished one.
#[derive(Debug, Args)]
pub struct EstimateArguments {
    /// The folder of a finished sweep: its costs.csv has the times of the runs.
    folder: PathBuf,
    /// Number of cores; several for a table.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1,10,100,1000,10000")]
    cores: Vec<usize>,
    /// Number of runs.
    #[arg(long, value_name = "N", default_value = "100000")]
    runs: u64,
    /// Runs of a part.
    #[arg(long, value_name = "N", default_value = "10")]
    part: u64,
    /// How long a task is to take, s.
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    task: f64,
    /// Multiplies the measured times, for a scene that takes longer.
    #[arg(long, value_name = "FACTOR", default_value = "1")]
    times: f64,
    /// The driver's work for a task, ms.
    #[arg(long, value_name = "MS", default_value = "1")]
    per_task: f64,
    /// The driver's work for a part, ms.
    #[arg(long, value_name = "MS", default_value = "3")]
    per_part: f64,
    /// A worker's work at the start of a task, ms.
    #[arg(long, value_name = "MS", default_value = "1")]
    start: f64,
    /// The merge, µs a row.
    #[arg(long, value_name = "US", default_value = "7")]
    per_row: f64,
    /// Deaths of a core's worker in an hour.
    #[arg(long, value_name = "N", default_value = "0")]
    deaths: f64,
}

/// Simulates and prints a table.
pub fn estimate(arguments: &EstimateArguments) -> Result<(), Failure> {
    let path = arguments.folder.join("costs.csv");
    let text =
        input::read_text(&path).map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
    let seconds = text.lines().skip(1).map(|line| line.split_once(',').and_then(|(_, s)| s.parse().ok()));
    let seconds: Option<Vec<f64>> = seconds.collect();
    let seconds = seconds.filter(|list| !list.is_empty());
    let Some(mut seconds) = seconds else {
        return Err(Failure::Input(format!(
            "{}: this is no list of runs with their seconds",
            path.display()
        )));
    };
    let EstimateArguments { runs, part, task, times, .. } = *arguments;
    let positive = [task, times].iter().all(|x| x.is_finite() && *x > 0.0);
    let sizes = (1..=100_000_000).contains(&runs) && part >= 1;
    let cores = arguments.cores.iter().all(|cores| (1..=10_000_000).contains(cores));
    let costs =
        [arguments.per_task, arguments.per_part, arguments.start, arguments.per_row, arguments.deaths];
    if !(positive && sizes && cores && costs.iter().all(|x| x.is_finite() && *x >= 0.0)) {
        return Err(Failure::Input(
            "--cores, --runs, --part, --task and --times must be positive, at most 10 million cores and 100 million runs".into(),
        ));
    }
    seconds.iter_mut().for_each(|s| *s *= times);
    let costs = Costs {
        task: 1e-3 * arguments.per_task,
        part: 1e-3 * arguments.per_part,
        start: 1e-3 * arguments.start,
        row: 1e-6 * arguments.per_row,
        deaths: arguments.deaths,
    };
    let names = ["cores", "time", "ideal", "efficiency", "driver busy", "tail", "merge", "lost", "tasks"];
    let mut rows = vec![names.map(str::to_owned).to_vec()];
    for &cores in &arguments.cores {
        let found = simulate(&costs, &Cluster { cores, runs, part, target: task }, &seconds);
        let time = |seconds: f64| format!("{} s", table::number(seconds));
        rows.push(vec![
            cores.to_string(),
            time(found.seconds),
            time(found.ideal),
            format!("{:.3}", found.efficiency()),
            format!("{:.1} %", 100.0 * found.driver),
            time(found.tail),
            time(found.merge),
            format!("{:.2} %", 100.0 * found.lost / (found.ideal * cores as f64)),
            found.tasks.to_string(),
        ]);
    }
    console::say(table::aligned(&rows, true))
}
