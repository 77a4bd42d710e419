//! The result of a benchmark, as in reports.

use crate::machine::Machine;
use crate::statistics::Sample;
use serde::{Deserialize, Serialize};

/// The result of one benchmark. The first nine keys are those that scripts rely on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Name of the benchmark.
    pub id: String,
    /// The median of the measured quantity; null if it is not finite.
    pub value: Option<f64>,
    /// The unit of value, spread and reference value.
    pub unit: String,
    /// Interquartile range of the value.
    pub spread: Option<f64>,
    /// The reference, measured in the same run.
    pub reference: String,
    /// The reference's median.
    pub reference_value: Option<f64>,
    /// Reference value over value: how many times less we take. For overheads: value over reference value.
    pub ratio: Option<f64>,
    /// The goal in words.
    pub goal: String,
    /// Whether all parts of the goal hold.
    pub pass: bool,
    /// Each part of the goal, and other numbers.
    #[serde(default)]
    pub details: Vec<Detail>,
    /// Tables that the page and the terminal show in full.
    #[serde(default)]
    pub tables: Vec<Table>,
    /// Lines for a plot.
    #[serde(default)]
    pub curves: Vec<Curve>,
    /// What a reader must know.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Why it could not be measured; absent where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Where it was measured.
    #[serde(default)]
    pub machine: Machine,
}

/// A number, and perhaps a bound that it must satisfy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Detail {
    /// What it is.
    pub name: String,
    /// Its value; null if it is not finite or was not measured.
    pub value: Option<f64>,
    /// Its unit; empty for a ratio.
    pub unit: String,
    /// The bound in words; empty if there is none.
    #[serde(default)]
    pub goal: String,
    /// Whether the bound holds; null if there is none.
    #[serde(default)]
    pub pass: Option<bool>,
}

/// A table of text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Title.
    pub title: String,
    /// Column headings.
    pub columns: Vec<String>,
    /// Rows, each with one cell per column.
    pub rows: Vec<Vec<String>>,
}

/// A line of a plot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Points (x, y).
    pub points: Vec<(f64, f64)>,
}

/// A bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// The value must be at least this.
    AtLeast(f64),
    /// The value must be at most this.
    AtMost(f64),
}

impl Bound {
    /// Whether a value satisfies it; a value that was not measured does not.
    pub fn holds(self, value: f64) -> bool {
        match self {
            Self::AtLeast(bound) => value >= bound,
            Self::AtMost(bound) => value <= bound,
        }
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (sign, bound) = match self {
            Self::AtLeast(bound) => ('≥', bound),
            Self::AtMost(bound) => ('≤', bound),
        };
        if *bound != 0.0 && bound.abs() < 1e-3 {
            write!(f, "{sign} {bound:e}")
        } else {
            write!(f, "{sign} {bound}")
        }
    }
}

impl Detail {
    /// A number without a bound.
    pub fn new(name: impl Into<String>, value: f64, unit: &str) -> Self {
        let value = value.is_finite().then_some(value);
        Self { name: name.into(), value, unit: unit.into(), ..Self::default() }
    }

    /// A number with a bound.
    pub fn bounded(name: impl Into<String>, value: f64, unit: &str, bound: Bound) -> Self {
        let unit_of_bound = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        Self {
            goal: format!("{bound}{unit_of_bound}"),
            pass: Some(bound.holds(value)),
            ..Self::new(name, value, unit)
        }
    }
}

impl Table {
    /// An empty table.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        Self { title: title.into(), columns, rows: Vec::new() }
    }
}

impl Record {
    /// With a value and its spread; [`Record::detail`] adds goal and details.
    pub fn new(id: &str, value: &Sample, unit: &str) -> Self {
        let machine = Machine::here();
        Self {
            id: id.into(),
            value: finite(value.median()),
            unit: unit.into(),
            spread: finite(value.spread()),
            pass: true,
            notes: machine.disturbance().into_iter().collect(),
            machine,
            ..Self::default()
        }
    }

    /// A benchmark that could not be measured, and why.
    pub fn failed(id: &str, why: impl Into<String>) -> Self {
        Self { id: id.into(), failure: Some(why.into()), machine: Machine::here(), ..Self::default() }
    }

    /// Compares with a reference in the same unit; `ratio` is how often ours fits into it.
    #[must_use]
    pub fn against(mut self, reference: impl Into<String>, sample: &Sample) -> Self {
        self.reference = reference.into();
        self.reference_value = finite(sample.median());
        self.ratio = self.value.and_then(|value| finite(sample.median() / value));
        self
    }

    /// Adds a number; its bound becomes part of the goal.
    #[must_use]
    pub fn detail(mut self, detail: Detail) -> Self {
        if let Some(pass) = detail.pass {
            self.pass &= pass;
            let goal = format!("{} {}", detail.name, detail.goal);
            self.goal = if self.goal.is_empty() { goal } else { format!("{}; {goal}", self.goal) };
        }
        self.details.push(detail);
        self
    }

    /// Adds a table.
    #[must_use]
    pub fn table(mut self, table: Table) -> Self {
        self.tables.push(table);
        self
    }

    /// Adds a remark.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// JSON has no infinity.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// A number with three or four significant digits.
pub fn number(x: f64) -> String {
    let size = x.abs();
    if !x.is_finite() {
        "–".into()
    } else if x == 0.0 {
        "0".into()
    } else if (1e-3..1e5).contains(&size) {
        let digits = (2 - size.log10().floor() as i32).max(0) as usize;
        format!("{x:.digits$}")
    } else {
        format!("{x:.1e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_passes_only_if_every_bound_holds() {
        let ours = Sample::new([1.0, 1.0, 2.0]);
        let record = Record::new("x", &ours, "ms").against("theirs", &Sample::new([3.0]));
        assert_eq!(record.ratio, Some(3.0));
        let good = record.clone().detail(Detail::bounded("ratio", 3.0, "", Bound::AtLeast(2.0)));
        assert!(good.pass && good.goal == "ratio ≥ 2");
        let bad = good.detail(Detail::bounded("time", 1.0, "ms", Bound::AtMost(0.5)));
        assert!(!bad.pass);
        assert_eq!(bad.goal, "ratio ≥ 2; time ≤ 0.5 ms");
    }

    #[test]
    fn what_was_not_measured_does_not_pass() {
        assert!(!Bound::AtLeast(1.0).holds(f64::NAN) && !Bound::AtMost(1.0).holds(f64::NAN));
        assert_eq!(Detail::new("n", f64::NAN, "").value, None);
    }

    #[test]
    fn a_report_survives_json() {
        let measured = Record::new("x", &Sample::new([1.5]), "ms").note("a note");
        for record in [measured, Record::failed("y", "no compiler")] {
            let text = serde_json::to_string(&record).unwrap();
            assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
        }
    }

    #[test]
    fn what_failed_does_not_pass() {
        let record = Record::failed("y", "no compiler");
        assert!(!record.pass && record.value.is_none() && record.failure.as_deref() == Some("no compiler"));
    }
}
