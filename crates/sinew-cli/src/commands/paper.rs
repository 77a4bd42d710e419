//! `sinew paper`: the papers' experiments, with our numbers next to theirs.

use crate::drive::{Ending, drive_while};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::{console, table, threads};
use clap::Args;
use serde_json::json;
use sinew_paper::{EXPERIMENTS, Experiment, Finding, Length, Outcome, STUDIES, Study, Table};
use sinew_scene::export::plot::Figure;
use sinew_scene::run::{OutputError, PLOT_SIZE, Run};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Width of a note on a terminal, characters.
const LINE: usize = 100;

/// Reproduce a figure or table of the papers: numbers, plot, verdict.
///
/// A verdict of "not-reproduced" is a result: the exit code is 0.
#[derive(Debug, Args)]
pub struct PaperArguments {
    /// `list`, `all`, or the ID of an experiment.
    what: String,
    /// Use the paper's length and size instead of a few seconds.
    #[arg(long)]
    full: bool,
    /// Write ID.png, ID.svg and ID.json into this folder, ID.md if the experiment has tables, and ID-picture.png if it has a picture; for `all` also summary.md.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of threads; by default one per core.
    #[arg(long, value_name = "N", value_parser = super::threads)]
    threads: Option<usize>,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Lists or runs experiments.
pub fn paper(arguments: &PaperArguments) -> Result<(), Failure> {
    match arguments.what.as_str() {
        "list" => list(arguments.json),
        "all" => {
            let mut findings = run(EXPERIMENTS, arguments)?;
            findings.extend(run_studies(STUDIES, arguments)?);
            if let Some(folder) = &arguments.out {
                write(&folder.join("summary.md"), &summary(&findings))?;
            }
            if arguments.json { print_json(&findings) } else { Ok(()) }
        }
        id => {
            let findings = match (sinew_paper::find(id), sinew_paper::find_study(id)) {
                (Some(experiment), _) => run(std::slice::from_ref(experiment), arguments)?,
                (None, Some(study)) => run_studies(std::slice::from_ref(study), arguments)?,
                (None, None) => return Err(Failure::Input(unknown(id))),
            };
            match (arguments.json, findings.first()) {
                (true, Some(finding)) => print_json(finding),
                _ => Ok(()),
            }
        }
    }
}

/// Id, figure, document and title of everything.
fn entries() -> impl Iterator<Item = [&'static str; 4]> {
    let simulated = EXPERIMENTS.iter().map(|e| [e.id, e.figure, e.document.name(), e.title]);
    simulated.chain(STUDIES.iter().map(|s| [s.id, s.figure, s.document.name(), s.title]))
}

fn list(as_json: bool) -> Result<(), Failure> {
    if as_json {
        let entry = |[id, figure, document, title]: [&str; 4]| json!({"id": id, "title": title, "document": document, "figure": figure});
        return print_json(&entries().map(entry).collect::<Vec<_>>());
    }
    let mut rows = vec![["id", "figure", "document", "title"].map(str::to_owned).to_vec()];
    rows.extend(entries().map(|row| row.map(str::to_owned).to_vec()));
    console::say(table::aligned(&rows, false))
}

/// Runs figures without a simulation.
fn run_studies(studies: &[Study], arguments: &PaperArguments) -> Result<Vec<Finding>, Failure> {
    make_folder(arguments)?;
    let length = if arguments.full { Length::Full } else { Length::Quick };
    let mut findings = Vec::new();
    for study in studies {
        let refuse = |what: String| Failure::Run(format!("{}: {what}", study.id));
        let outcome = threads::with(arguments.threads, || study.run(length).map_err(refuse))?;
        if let Some(folder) = &arguments.out {
            write_outcome(study, &outcome, folder)?;
        }
        if !arguments.json {
            let entry = [study.id, study.document.name(), study.figure, study.title];
            console::say(described(entry, &outcome.finding))?;
        }
        findings.push(outcome.finding);
    }
    Ok(findings)
}

fn write_outcome(study: &Study, outcome: &Outcome, folder: &Path) -> Result<(), Failure> {
    let at = |ending: &str| folder.join(format!("{}{ending}", study.id));
    if let Some(plot) = &outcome.plot {
        write_plot(plot, &at(".png"), &at(".svg"))?;
    }
    if let Some(picture) = &outcome.picture {
        picture.write_png(at("-picture.png")).map_err(OutputError::from)?;
    }
    write(&at(".json"), &(to_json(&outcome.finding)? + "\n"))
}

fn write_plot(figure: &Figure, png: &Path, svg: &Path) -> Result<(), Failure> {
    // Two panels need less than twice the height to be readable.
    let size = (PLOT_SIZE.0, PLOT_SIZE.1 + 340 * (figure.panels.len().saturating_sub(1)) as u32);
    figure.write_png(png, size).map_err(OutputError::from)?;
    figure.write_svg(svg, size).map_err(OutputError::from)?;
    Ok(())
}

fn make_folder(arguments: &PaperArguments) -> Result<(), Failure> {
    if let Some(folder) = &arguments.out {
        let refuse = |error| Failure::Input(format!("--out {}: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(refuse)?;
    }
    Ok(())
}

/// Runs experiments one after the other; each is printed and written as soon as it is done.
fn run(experiments: &[Experiment], arguments: &PaperArguments) -> Result<Vec<Finding>, Failure> {
    make_folder(arguments)?;
    let interrupt = Interrupt::listen();
    threads::with(arguments.threads, || {
        let mut findings = Vec::new();
        for experiment in experiments {
            let runs = simulate(experiment, arguments, &interrupt)?;
            let finding = experiment.judge(&runs);
            if let Some(folder) = &arguments.out {
                write_files(experiment, &runs, &finding, folder)?;
            }
            if !arguments.json {
                let entry = [experiment.id, experiment.document.name(), experiment.figure, experiment.title];
                console::say(described(entry, &finding))?;
            }
            findings.push(finding);
        }
        Ok(findings)
    })
}

fn simulate(
    experiment: &Experiment,
    arguments: &PaperArguments,
    interrupt: &Interrupt,
) -> Result<Vec<Run>, Failure> {
    let length = if arguments.full { Length::Full } else { Length::Quick };
    let mut runs = Vec::new();
    for trial in experiment.trials(length) {
        let mut run = trial.start()?;
        let goes_on = |run: &Run| trial.goes_on(run);
        if drive_while(&mut run, None, interrupt, arguments.quiet, goes_on)? == Ending::Interrupted {
            return Err(Failure::Interrupted { frame: run.frame(), frames: run.frames() });
        }
        runs.push(run);
    }
    Ok(runs)
}

fn write_files(
    experiment: &Experiment,
    runs: &[Run],
    finding: &Finding,
    folder: &Path,
) -> Result<(), Failure> {
    let at = |extension: &str| folder.join(format!("{}.{extension}", experiment.id));
    write_plot(&experiment.figure(runs), &at("png"), &at("svg"))?;
    if let Some(picture) = experiment.picture(runs).map_err(OutputError::from)? {
        let path = folder.join(format!("{}-picture.png", experiment.id));
        picture.write_png(path).map_err(OutputError::from)?;
    }
    if !finding.tables.is_empty() {
        let tables: Vec<_> = finding.tables.iter().map(Table::markdown).collect();
        write(&at("md"), &tables.join("\n"))?;
        if let Some(picture) = finding.tables[0].picture().map_err(OutputError::from)? {
            let path = folder.join(format!("{}-picture.png", experiment.id));
            picture.write_png(path).map_err(OutputError::from)?;
        }
    }
    write(&at("json"), &(to_json(finding)? + "\n"))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|source| OutputError::Io { path: path.to_owned(), source }.into())
}

fn to_json(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value).map_err(|error| Failure::Run(error.to_string()))
}

fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    console::say(to_json(value)?)
}

fn optional(x: Option<f64>) -> String {
    x.map_or_else(|| "–".to_owned(), table::number)
}

/// Describes the finding for people.
fn described([id, document, figure, title]: [&str; 4], finding: &Finding) -> String {
    let mut text = format!("{id}  {document}, {figure}: {title}\n");
    for shown in &finding.tables {
        let rows: Vec<_> = std::iter::once(&shown.header).chain(&shown.rows).cloned().collect();
        let _ = writeln!(text, "\n{}\n{}", shown.title, table::aligned(&rows, true));
    }
    let mut rows = vec![["", "paper", "ours"].map(str::to_owned).to_vec()];
    rows.extend(finding.numbers.iter().map(|n| vec![n.name.clone(), optional(n.paper), optional(n.ours)]));
    let _ = writeln!(text, "{}", table::aligned(&rows, true));
    let _ = writeln!(text, "{}", wrapped(&format!("{}: {}", finding.verdict, finding.note)));
    text
}

/// The text in lines of at most [`LINE`] characters, broken at spaces.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let full = lines
            .last()
            .is_some_and(|line| !line.is_empty() && line.chars().count() + 1 + word.chars().count() > LINE);
        if full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}

/// All findings as a page of Markdown.
fn summary(findings: &[Finding]) -> String {
    let mut text = String::from(
        "# The papers, made again\n\nWritten by `sinew paper all --out DIR` as `DIR/summary.md`. `sinew paper ID` makes one \
         again, `--full` at the paper's length. Times are of the machine that ran it. The paper's number stands in \
         brackets where it prints one.\n\n",
    );
    text.push_str(
        "| ID | figure | claim | verdict | numbers (ours; the paper's in brackets) |\n|---|---|---|---|---|\n",
    );
    for finding in findings {
        let experiment = sinew_paper::find(finding.id).map(|e| (e.document, e.figure, e.claim));
        let study = sinew_paper::find_study(finding.id).map(|s| (s.document, s.figure, s.claim));
        let Some((document, figure, claim)) = experiment.or(study) else { continue };
        let number = |n: &sinew_paper::Number| {
            let theirs = n.paper.map_or_else(String::new, |x| format!(" ({})", table::number(x)));
            format!("{} {}{theirs}", n.name, optional(n.ours))
        };
        let numbers = finding.numbers.iter().map(number).collect::<Vec<_>>().join("; ");
        let document = document.name();
        let _ = writeln!(
            text,
            "| `{}` | {document}, {figure} | {} | {} | {numbers} |",
            finding.id, claim, finding.verdict
        );
    }
    text.push_str("\n## Notes\n\n");
    for finding in findings {
        let _ = writeln!(text, "- `{}`, {}: {}", finding.id, finding.verdict, finding.note);
    }
    text
}

fn unknown(id: &str) -> String {
    let hint = sinew_paper::closest(id).map_or_else(String::new, |close| format!("did you mean `{close}`? "));
    format!("there is no experiment `{id}`; {hint}`sinew paper list` lists them, `sinew paper all` runs them")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_break_at_spaces() {
        let text = wrapped(&"abcd ".repeat(60));
        assert!(text.lines().all(|line| line.chars().count() <= LINE));
        assert_eq!(text.replace('\n', " ").trim(), "abcd ".repeat(60).trim());
    }
}
