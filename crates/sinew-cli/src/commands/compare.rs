//! `sinew compare`: the same scene with several settings.

use crate::drive::{self, Ending, drive};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::side_by_side::side_by_side;
use crate::source::{self, Source};
use crate::truths::Truths;
use crate::{console, table, threads};
use clap::Args;
use serde_json::json;
use sinew_scene::build::build;
use sinew_scene::export::colour::Colour;
use sinew_scene::export::plot::{Dash, Plot, Series, Style};
use sinew_scene::format::Override;
use sinew_scene::run::{OutputError, PLOT_SIZE, Report, Row, Run};
use std::path::{Path, PathBuf};

/// Simulate one scene with several settings: one table, one plot.
///
/// A variant that explodes is a result: the others still run, and the exit code is 0.
#[derive(Debug, Args)]
pub struct CompareArguments {
    /// A scene file, or the name of a built-in scene.
    scene: String,
    /// A name and the values that it changes; NAME alone is the scene unchanged.
    #[arg(long, value_name = "NAME:KEY=VALUE[,KEY=VALUE…]", required = true)]
    variant: Vec<String>,
    /// Number of frames, instead of the scene's.
    #[arg(long, value_name = "N", value_parser = super::frames)]
    frames: Option<usize>,
    /// Change a value of the scene for all variants.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Write compare.png and compare.svg into this folder, and a folder for each variant.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write compare.gif: the variants side by side, at the pace of the first; needs --out.
    #[arg(long, requires = "out")]
    gif: bool,
    /// Also compute the true motion, in N times smaller steps without a correction, and print what share of it each variant has.
    #[arg(long, value_name = "N", value_parser = super::finer)]
    truth: Option<usize>,
    /// Number of threads; by default one per core.
    #[arg(long, value_name = "N", value_parser = super::threads)]
    threads: Option<usize>,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
    /// Print the reports as JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// A variant: its name and its overrides.
#[derive(Debug)]
struct Variant {
    name: String,
    overrides: Vec<Override>,
}

/// Runs all variants.
pub fn compare(arguments: &CompareArguments) -> Result<(), Failure> {
    let shared = source::overrides(&arguments.set)?;
    let mut variants: Vec<Variant> = Vec::new();
    for text in &arguments.variant {
        let variant = parse_variant(text, &shared)?;
        if variants.iter().any(|other| other.name == variant.name) {
            return Err(Failure::Input(format!("--variant {text}: the name `{}` is taken", variant.name)));
        }
        variants.push(variant);
    }
    let source = Source::load(&arguments.scene)?;
    threads::with(arguments.threads, || {
        // All are built before the first runs, so that a mistake in the last shows at once.
        let mut runs = Vec::new();
        let mut truths = Truths::default();
        for variant in &variants {
            let parsed = source.parse(&variant.overrides)?;
            let frames = arguments.frames.unwrap_or(parsed.scene.frames);
            runs.push(Run::new(&variant.name, build(&parsed, &source.folder)?, frames));
            if let Some(finer) = arguments.truth {
                truths.add(&variant.name, &parsed, &source.folder, frames, finer)?;
            }
        }
        simulate(&mut runs, truths, &source.name, arguments)
    })
}

fn simulate(
    runs: &mut [Run],
    mut truths: Truths,
    scene: &str,
    arguments: &CompareArguments,
) -> Result<(), Failure> {
    let interrupt = Interrupt::listen();
    let open = |folder: &Path, run: &Run| drive::open(&folder.join(run.name()), &[], run);
    let mut stopped = None;
    if let (true, Some(folder)) = (arguments.gif, &arguments.out) {
        let outputs = runs.iter().map(|run| open(folder, run)).collect::<Result<Vec<_>, _>>()?;
        let ending = side_by_side(runs, outputs, &folder.join("compare.gif"), &interrupt, arguments.quiet)?;
        let shortest = runs.iter().min_by_key(|run| run.frame());
        if let (Ending::Interrupted, Some(run)) = (ending, shortest) {
            stopped = Some(Failure::Interrupted { frame: run.frame(), frames: run.frames() });
        }
    } else {
        for run in runs.iter_mut() {
            let output = match &arguments.out {
                Some(folder) => Some(open(folder, run)?),
                None => None,
            };
            if drive(run, output, &interrupt, arguments.quiet)? == Ending::Interrupted {
                stopped = Some(Failure::Interrupted { frame: run.frame(), frames: run.frames() });
                break;
            }
        }
    }
    if stopped.is_none() {
        stopped = truths.simulate(&interrupt, arguments.quiet)?;
    }
    if let Some(folder) = &arguments.out {
        let plot = energy_plot(runs, scene);
        plot.write_png(folder.join("compare.png"), PLOT_SIZE).map_err(OutputError::from)?;
        plot.write_svg(folder.join("compare.svg"), PLOT_SIZE).map_err(OutputError::from)?;
    }
    let reports: Vec<Report> = runs.iter().map(Run::report).collect();
    for report in &reports {
        for advice in report.solve.advice.iter().chain(&report.contact.advice) {
            console::warn(format_args!("{}: {advice}", report.scene));
        }
    }
    if arguments.json {
        let entry = |(i, report): (usize, &Report)| match truths.json(i, report) {
            Some(truth) => json!({"variant": report.scene, "report": report, "truth": truth}),
            None => json!({"variant": report.scene, "report": report}),
        };
        let entries: Vec<_> = reports.iter().enumerate().map(entry).collect();
        let text = serde_json::to_string_pretty(&entries).map_err(|error| Failure::Run(error.to_string()))?;
        console::say(text)?;
    } else {
        console::say(overview(&reports, &truths))?;
        truths.remarks().try_for_each(console::say)?;
    }
    stopped.map_or(Ok(()), Err)
}

/// A row for each variant, then one for each truth. The shares of the true motion are columns only if there is a truth.
fn overview(reports: &[Report], truths: &Truths) -> String {
    let header = [
        "variant",
        "H start (J)",
        "H end (J)",
        "drift",
        "visible kept",
        "visible (Hz)",
        "kinetic kept",
        "angular drift",
        "ms/step",
        "exploded",
    ];
    let optional = |x: Option<f64>| x.map_or("–".into(), table::number);
    let row = |r: &Report| {
        vec![
            r.scene.clone(),
            table::number(r.energy.initial),
            table::number(r.energy.r#final),
            table::number(r.energy.drift),
            optional(r.motion.visible_kept),
            optional(r.motion.visible_hz),
            optional(r.motion.kinetic_kept),
            optional(r.momentum.angular_drift),
            table::number(r.time_ms.step_mean),
            if r.exploded { "yes" } else { "no" }.into(),
        ]
    };
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(reports.iter().chain(&truths.reports()).map(row));
    if !truths.is_empty() {
        rows[0].extend(["of true motion", "of true Hz"].map(str::to_owned));
        for (i, report) in reports.iter().enumerate() {
            let share = truths.share(i, report);
            rows[1 + i].extend([share.visible, share.frequency].map(optional));
        }
    }
    table::aligned(&rows, true)
}

/// Total energy of each variant and, dashed, its target.
fn energy_plot(runs: &[Run], scene: &str) -> Plot {
    let points =
        |run: &Run, value: fn(&Row) -> f64| run.rows().iter().map(|row| (row.time, value(row))).collect();
    let mut series: Vec<Series> = runs
        .iter()
        .enumerate()
        .map(|(i, run)| {
            let style = Style { colour: Some(Colour::distinct(i)), width: 2.2, ..Style::default() };
            Series { style, ..Series::new(run.name(), points(run, Row::total)) }
        })
        .collect();
    for (i, run) in runs.iter().enumerate() {
        // Targets usually coincide; equal ones are drawn once.
        let target: Vec<(f64, f64)> = points(run, |row| row.target);
        if i > 0 && runs[..i].iter().any(|other| points(other, |row| row.target).starts_with(&target)) {
            continue;
        }
        let name = if i == 0 { "target".to_owned() } else { format!("target of {}", run.name()) };
        let style = Style { colour: Some(Colour::BLACK), width: 1.2, dash: Dash::Dashed };
        series.push(Series { style, ..Series::new(name, target) });
    }
    let totals = || series.iter().flat_map(|line| line.points.iter().map(|point| point.1));
    let (low, high) = totals().fold((f64::INFINITY, 0.0f64), |(low, high), y| (low.min(y), high.max(y)));
    let start = series.iter().filter_map(|line| line.points.first()).fold(0.0, |most: f64, p| most.max(p.1));
    Plot {
        title: scene.to_owned(),
        x_label: "time (s)".into(),
        y_label: "total energy (J)".into(),
        // An explosion would flatten everything else onto the axis.
        log_y: low > 0.0 && high > 20.0 * start,
        log_x: false,
        series,
    }
}

/// `NAME:KEY=VALUE,KEY=VALUE`; commas inside brackets and quotes belong to the value.
fn parse_variant(text: &str, shared: &[Override]) -> Result<Variant, Failure> {
    let refuse = |why: &str| Failure::Input(format!("--variant {text}: {why}"));
    let (name, settings) = text.split_once(':').unwrap_or((text, ""));
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    if name.is_empty() || !name.chars().all(plain) || name.starts_with('.') {
        return Err(refuse("expected NAME:KEY=VALUE, the name of letters, digits, - _ . and +"));
    }
    let mut overrides = shared.to_vec();
    for setting in split_commas(settings).into_iter().filter(|setting| !setting.trim().is_empty()) {
        overrides.push(Override::parse(setting)?);
    }
    Ok(Variant { name: name.to_owned(), overrides })
}

fn split_commas(text: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut start) = (0i32, None, 0);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            (None, ',') if depth <= 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_inside_values_do_not_split() {
        let parts = split_commas("a=[1,2],b='x,y',c={ d = \"p,q\", e = 1 },f=3");
        assert_eq!(parts, ["a=[1,2]", "b='x,y'", "c={ d = \"p,q\", e = 1 }", "f=3"]);
    }

    #[test]
    fn variants_without_a_usable_name_are_refused() {
        for text in ["", ":h=1", "../x:h=1", "a/b:h=1", ".hidden"] {
            assert!(parse_variant(text, &[]).is_err(), "{text}");
        }
        assert_eq!(parse_variant("plain", &[]).unwrap().overrides.len(), 0);
        assert_eq!(parse_variant("im+pd:h=0.1,frames=3", &[]).unwrap().overrides.len(), 2);
    }
}
