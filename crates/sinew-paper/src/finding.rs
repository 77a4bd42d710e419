//! The result of an experiment.

use serde::Serialize;
use sinew_scene::export::ExportError;
use sinew_scene::export::colour::Colour;
use sinew_scene::export::image::Image;
use sinew_scene::export::sheet::{Cell, sheet};
use sinew_scene::run::Run;
use std::fmt;

/// Whether our results agree with the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every claim holds.
    Reproduced,
    /// Some claims hold.
    Partly,
    /// No claim holds.
    #[default]
    NotReproduced,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reproduced => "reproduced",
            Self::Partly => "partly",
            Self::NotReproduced => "not-reproduced",
        })
    }
}

/// One of our numbers next to the paper's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Number {
    /// Name with unit.
    pub name: String,
    /// The paper's number, if it prints one.
    pub paper: Option<f64>,
    /// Our number; `None` if a run ended early or nothing moved.
    pub ours: Option<f64>,
}

/// A table to print.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Names of the columns.
    pub header: Vec<String>,
    /// The rows, as many cells each as the header has.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The table in Markdown, below its title.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut text =
            format!("{}\n\n{}|{}\n", self.title, line(&self.header), "---|".repeat(self.header.len()));
        text.extend(self.rows.iter().map(|row| line(row)));
        text
    }

    /// The table as a picture if some of its cells say that a run is stable or not: they are green or red, as in the papers.
    ///
    /// # Errors
    /// [`ExportError`] if the picture would be too large.
    pub fn picture(&self) -> Result<Option<Image>, ExportError> {
        let colour = |text: &str| match text {
            text if text.contains("unstable") => Some(Colour::hex(0xf2_b0_a8)),
            text if text.contains("stable") => Some(Colour::hex(0xb7_e4_c0)),
            _ => None,
        };
        if !self.rows.iter().flatten().any(|text| colour(text).is_some()) {
            return Ok(None);
        }
        let cell = |text: &String| Cell { text: text.clone(), colour: colour(text) };
        let rows: Vec<Vec<Cell>> = std::iter::once(&self.header)
            .chain(&self.rows)
            .map(|row| row.iter().map(cell).collect())
            .collect();
        sheet(&rows)
    }
}

/// The numbers, the verdict and its reasons.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Finding {
    /// Id of the experiment.
    pub id: &'static str,
    /// Whether the claims hold.
    pub verdict: Verdict,
    /// Our numbers next to the paper's.
    pub numbers: Vec<Number>,
    /// Tables of more numbers, for experiments that compare many runs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Table>,
    /// Each claim with its result, and what is different here.
    pub note: String,
    #[serde(skip)]
    held: usize,
    #[serde(skip)]
    failed: usize,
}

impl Finding {
    /// Adds a number.
    pub(super) fn number(
        mut self,
        name: impl Into<String>,
        paper: Option<f64>,
        ours: impl Into<Option<f64>>,
    ) -> Self {
        let ours = ours.into().filter(|x| x.is_finite());
        self.numbers.push(Number { name: name.into(), paper, ours });
        self
    }

    /// Adds a number of each run.
    pub(super) fn numbers_of(self, runs: &[Run], what: &str, number: impl Fn(&Run) -> f64) -> Self {
        runs.iter().fold(self, |finding, run| {
            finding.number(
                format!("{what}, {}: largest energy over the target", run.name()),
                None,
                number(run),
            )
        })
    }

    /// Adds a table.
    pub(super) fn table(mut self, table: Table) -> Self {
        self.tables.push(table);
        self
    }

    /// Adds a claim of the paper and whether it holds here.
    pub(super) fn claim(mut self, holds: bool, claim: &str) -> Self {
        if holds {
            self.held += 1;
        } else {
            self.failed += 1;
        }
        self.verdict = match (self.held, self.failed) {
            (_, 0) => Verdict::Reproduced,
            (0, _) => Verdict::NotReproduced,
            _ => Verdict::Partly,
        };
        self.remark(&format!("{}: {claim}.", if holds { "Holds" } else { "Does not hold" }))
    }

    /// Adds a sentence to the note.
    pub(super) fn remark(mut self, sentence: &str) -> Self {
        if !self.note.is_empty() {
            self.note.push(' ');
        }
        self.note.push_str(sentence);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_follows_from_the_claims() {
        let none = Finding::default();
        assert_eq!(none.clone().claim(true, "a").verdict, Verdict::Reproduced);
        assert_eq!(none.clone().claim(false, "a").verdict, Verdict::NotReproduced);
        let some = none.claim(true, "a").claim(false, "b");
        assert_eq!((some.verdict, some.note.as_str()), (Verdict::Partly, "Holds: a. Does not hold: b."));
    }

    #[test]
    fn a_bar_in_a_cell_does_not_end_it() {
        let cells = |row: &[&str]| row.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let table = Table { title: "t".into(), header: cells(&["", "|ln|"]), rows: vec![cells(&["a", "1"])] };
        assert_eq!(table.markdown(), "t\n\n|  | \\|ln\\| |\n|---|---|\n| a | 1 |\n");
    }

    #[test]
    fn only_tables_of_stability_have_a_picture() {
        let with = |cell: &str| Table {
            title: String::new(),
            header: vec!["model".to_owned()],
            rows: vec![vec![cell.to_owned()]],
        };
        assert!(with("3 ms, stable").picture().unwrap().is_some());
        assert!(with("3 ms").picture().unwrap().is_none());
    }

    #[test]
    fn a_number_that_is_none_is_null() {
        let finding = Finding::default().number("x", None, f64::NAN).number("y", Some(2.0), 3.0);
        let json = serde_json::to_value(&finding).unwrap();
        assert_eq!(json["numbers"][0], serde_json::json!({"name": "x", "paper": null, "ours": null}));
        assert_eq!(json["numbers"][1]["paper"], 2.0);
    }
}
