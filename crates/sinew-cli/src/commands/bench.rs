//! `sinew bench`: named benchmarks, a report, the performance page.

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::{console, table};
use clap::Args;
use sinew_bench::peers::Folder;
use sinew_bench::{
    BENCHMARKS, BenchError, Benchmark, Detail, Options, Prose, Record, find, number, page, scaling_figure,
};
use sinew_scene::input;
use sinew_scene::run::{OutputError, PLOT_SIZE};
use std::path::{Path, PathBuf};

/// Measure kernels and steps against their references, and other simulators side by side.
///
/// A benchmark that misses its goal is a measurement: the exit code is 0, and the report says `pass: false`. A benchmark that cannot run
/// makes the exit code 1. Times are medians, spreads interquartile ranges; references are measured in turn with ours, in the same run.
#[derive(Debug, Args)]
pub struct BenchArguments {
    /// Benchmarks to run; by default all that can run. `sinew bench --list` lists them.
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// List the benchmarks.
    #[arg(long)]
    list: bool,
    /// Install other simulators into the private folder, with pip, npm and cargo, and run peers-c, peers-b and their parts of contact and meshing.
    #[arg(long)]
    peers: bool,
    /// The private folder of the other simulators; remove it to remove them.
    #[arg(long, value_name = "DIR", default_value = "target/peers")]
    peers_dir: PathBuf,
    /// Time limit of a run of another simulator, in seconds.
    #[arg(long, value_name = "S", default_value_t = 120.0, value_parser = seconds)]
    peers_budget: f64,
    /// Write the results as JSON to this file.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write the performance page to this file, and its plot into images/ next to it. Includes performance-story.md and performance-scale.md
    /// from the same folder.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Take results from earlier reports instead of measuring; later files replace results of earlier ones.
    #[arg(long, value_name = "REPORT", conflicts_with_all = ["ids", "peers"])]
    from: Vec<PathBuf>,
    /// Write the plot of `scaling` as PNG and SVG into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Use small bodies and few rounds: a check that everything works; the numbers are rough and goals mean little.
    #[arg(long)]
    quick: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
    /// Print the results as JSON.
    #[arg(long)]
    json: bool,
}

/// Parses `--peers-budget`.
fn seconds(text: &str) -> Result<f64, String> {
    let good = |s: &f64| (1.0..=86_400.0).contains(s);
    text.parse().ok().filter(good).ok_or_else(|| "must be a number of seconds from 1 to 86400".to_owned())
}

/// Runs benchmarks.
pub fn bench(arguments: &BenchArguments) -> Result<(), Failure> {
    if arguments.list {
        let rows: Vec<_> = BENCHMARKS.iter().map(|b| vec![b.id.to_owned(), b.what.to_owned()]).collect();
        return console::say(table::aligned(&rows, false));
    }
    if let Some(path) = &arguments.report {
        super::check_writable(path)?;
    }
    let measured = arguments.from.is_empty();
    let records = if measured { measure(arguments)? } else { read(&arguments.from)? };
    write_files(&records, arguments)?;
    if arguments.json {
        console::say(to_json(&records)?)?;
    }
    let failed = |record: &Record| Some(format!("{}: {}", record.id, record.failure.as_ref()?));
    let failures: Vec<String> = records.iter().filter(|_| measured).filter_map(failed).collect();
    match failures.len() {
        0 => Ok(()),
        1 => Err(Failure::Run(failures.join("\n"))),
        n => Err(Failure::Run(format!("{n} benchmarks could not run:\n{}", failures.join("\n")))),
    }
}

/// Runs what was asked for; one that cannot run is a record that says why, and does not stop the others.
fn measure(arguments: &BenchArguments) -> Result<Vec<Record>, Failure> {
    let chosen = chosen(arguments)?;
    let peers = has_peers(arguments);
    let options = Options {
        quick: arguments.quick,
        with_peers: peers,
        peers: arguments.peers_dir.clone(),
        peers_budget: arguments.peers_budget,
    };
    let interrupt = Interrupt::listen();
    let mut records = Vec::new();
    for (i, benchmark) in chosen.iter().enumerate() {
        if interrupt.is_pressed() {
            // Keep the results so far.
            write_files(&records, arguments)?;
            return Err(Failure::InterruptedBench { done: i, all: chosen.len() });
        }
        let mut progress = |what: &str| {
            if !arguments.quiet {
                console::remark(format_args!("{}: {what}", benchmark.id));
            }
        };
        let record = if benchmark.needs_peers && !peers {
            let folder = arguments.peers_dir.display();
            let why =
                format!("no other simulators are installed in {folder}; --peers installs and runs them");
            Record::failed(benchmark.id, why)
        } else {
            benchmark.attempt(&options, &mut progress)
        };
        if !arguments.json {
            console::say(described(&record))?;
        }
        records.push(record);
    }
    Ok(records)
}

/// Whether other simulators are there or wanted.
fn has_peers(arguments: &BenchArguments) -> bool {
    arguments.peers || Folder::is_in_use(&arguments.peers_dir)
}

/// The benchmarks by their names; without names, all, and those with rivals only if rivals are installed or requested.
fn chosen(arguments: &BenchArguments) -> Result<Vec<&'static Benchmark>, Failure> {
    let peers = has_peers(arguments);
    if arguments.ids.is_empty() {
        if !peers && !arguments.quiet {
            console::remark(
                "without peers-c and peers-b: no other simulators are installed; --peers installs and runs them",
            );
        }
        return Ok(BENCHMARKS.iter().filter(|benchmark| peers || !benchmark.needs_peers).collect());
    }
    let mut chosen: Vec<&Benchmark> = Vec::new();
    for id in &arguments.ids {
        let benchmark = find(id).map_err(input)?;
        if chosen.iter().all(|other| other.id != benchmark.id) {
            chosen.push(benchmark);
        }
    }
    Ok(chosen)
}

fn input(error: BenchError) -> Failure {
    if error.is_bad_input() { Failure::Input(error.to_string()) } else { Failure::Run(error.to_string()) }
}

fn read(reports: &[PathBuf]) -> Result<Vec<Record>, Failure> {
    let mut records: Vec<Record> = Vec::new();
    for path in reports {
        let refuse = |error: &dyn std::fmt::Display| Failure::Input(format!("{}: {error}", path.display()));
        let text = input::read_text(path).map_err(|error| refuse(&error))?;
        let more: Vec<Record> = serde_json::from_str(&text).map_err(|error| refuse(&error))?;
        for record in more {
            match records.iter_mut().find(|old| old.id == record.id) {
                Some(old) => *old = record,
                None => records.push(record),
            }
        }
    }
    let place = |record: &Record| BENCHMARKS.iter().position(|benchmark| benchmark.id == record.id);
    records.sort_by_key(place);
    Ok(records)
}

fn write_files(records: &[Record], arguments: &BenchArguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.report {
        write(path, &(to_json(&records)? + "\n"))?;
    }
    if let Some(folder) = &arguments.out {
        plot(records, folder)?;
    }
    if let Some(path) = &arguments.page {
        let folder = path.parent().unwrap_or(Path::new(""));
        let beside = |name: &str| input::read_text(&folder.join(name)).unwrap_or_default();
        let prose = Prose { story: beside("performance-story.md"), scale: beside("performance-scale.md") };
        write(path, &page(records, &prose))?;
        plot(records, &folder.join("images"))?;
    }
    Ok(())
}

fn plot(records: &[Record], folder: &Path) -> Result<(), Failure> {
    let Some(figure) = scaling_figure(records) else { return Ok(()) };
    let io = |source| OutputError::Io { path: folder.to_owned(), source };
    std::fs::create_dir_all(folder).map_err(io)?;
    figure.write_png(folder.join("scaling.png"), PLOT_SIZE).map_err(OutputError::from)?;
    figure.write_svg(folder.join("scaling.svg"), PLOT_SIZE).map_err(OutputError::from)?;
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|source| OutputError::Io { path: path.to_owned(), source }.into())
}

fn to_json(records: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(records).map_err(|error| Failure::Run(error.to_string()))
}

/// Describes a result for people.
fn described(record: &Record) -> String {
    if let Some(why) = &record.failure {
        return format!("{}  COULD NOT RUN: {why}\n", record.id);
    }
    let show = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
    let mut parts = vec![format!(
        "{}  {} {} (spread {})  {}",
        record.id,
        show(record.value),
        record.unit,
        show(record.spread),
        if record.pass { "goal met" } else { "GOAL NOT MET" },
    )];
    if !record.reference.is_empty() {
        let value = show(record.reference_value);
        parts.push(format!(
            "  against {}: {value} {}, ratio {}",
            record.reference,
            record.unit,
            show(record.ratio)
        ));
    }
    let mut rows: Vec<_> = record.details.iter().map(detail).collect();
    if !rows.is_empty() {
        rows.insert(0, ["", "value", "goal", ""].map(str::to_owned).to_vec());
        parts.push(indented(&table::aligned(&rows, false)));
    }
    for each in &record.tables {
        parts.push(indented(&each.title));
        let mut rows = vec![each.columns.clone()];
        rows.extend(each.rows.iter().cloned());
        parts.push(indented(&table::aligned(&rows, false)));
    }
    parts.extend(record.notes.iter().map(|note| indented(note)));
    parts.join("\n") + "\n"
}

fn detail(detail: &Detail) -> Vec<String> {
    let value = detail.value.map_or_else(|| "–".to_owned(), number);
    let verdict = match detail.pass {
        Some(true) => "met",
        Some(false) => "NOT MET",
        None => "",
    };
    vec![
        detail.name.clone(),
        format!("{value} {}", detail.unit).trim_end().to_owned(),
        detail.goal.clone(),
        verdict.to_owned(),
    ]
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}
