//! Tables of numbers: a header row, then one row of numbers per line, separated by commas.
//!
//! Every number reads back to the same bits: [`Digits::Shortest`] writes the shortest decimal that does so, [`Digits::Seventeen`] always 17
//! significant digits. NaN is written as `NaN`, infinities as `inf` and `-inf`.

use super::ExportError;
use std::{
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

/// How many digits a number is written with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Digits {
    /// As few as identify the number.
    #[default]
    Shortest,
    /// 17 significant digits in scientific notation.
    Seventeen,
}

/// Writes a table row by row, through a buffer.
#[derive(Debug)]
pub struct CsvWriter {
    path: PathBuf,
    out: BufWriter<File>,
    columns: usize,
    line: usize,
    digits: Digits,
}

impl CsvWriter {
    /// Creates `path` and writes the header. Column names must not contain commas, quotes or line breaks.
    pub fn create<S: AsRef<str>>(
        path: impl AsRef<Path>,
        columns: &[S],
        digits: Digits,
    ) -> Result<Self, ExportError> {
        let path = path.as_ref().to_owned();
        let refuse = |reason: String| Err(ExportError::Table { path: path.clone(), line: 1, reason });
        if columns.is_empty() {
            return refuse("a table needs at least one column".into());
        }
        if let Some(bad) = columns.iter().find(|name| name.as_ref().contains([',', '"', '\n', '\r'])) {
            return refuse(format!(
                "the column name {:?} holds a comma, a quote or a line break; choose another",
                bad.as_ref()
            ));
        }
        let mut out = BufWriter::new(File::create(&path).map_err(ExportError::io(&path))?);
        let names: Vec<&str> = columns.iter().map(AsRef::as_ref).collect();
        writeln!(out, "{}", names.join(",")).map_err(ExportError::io(&path))?;
        Ok(Self { path, out, columns: columns.len(), line: 1, digits })
    }

    /// Appends a row: one number per column.
    pub fn row(&mut self, numbers: &[f64]) -> Result<(), ExportError> {
        self.line += 1;
        if numbers.len() != self.columns {
            let reason = format!("{} numbers for {} columns", numbers.len(), self.columns);
            return Err(ExportError::Table { path: self.path.clone(), line: self.line, reason });
        }
        self.write_numbers(numbers).map_err(ExportError::io(&self.path))
    }

    /// Writes the rest of the buffer. Without this call a full disk would go unnoticed.
    pub fn finish(mut self) -> Result<(), ExportError> {
        self.out.flush().map_err(ExportError::io(&self.path))
    }

    fn write_numbers(&mut self, numbers: &[f64]) -> std::io::Result<()> {
        for (i, number) in numbers.iter().enumerate() {
            let separator = if i == 0 { "" } else { "," };
            match self.digits {
                // `{:?}` is also the shortest form, and uses an exponent where that is shorter.
                Digits::Shortest => write!(self.out, "{separator}{number:?}")?,
                Digits::Seventeen => write!(self.out, "{separator}{number:.16e}")?,
            }
        }
        writeln!(self.out)
    }
}

/// A table read back: `rows.len()` by `columns.len()` numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct CsvTable {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<f64>>,
}

impl CsvTable {
    /// Reads a table that [`CsvWriter`] wrote. Empty lines are skipped.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ExportError> {
        let path = path.as_ref();
        let text = crate::input::read_text(path).map_err(ExportError::io(path))?;
        let refuse = |line: usize, reason: String| ExportError::Table { path: path.to_owned(), line, reason };
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
        let (_, header) = lines.next().ok_or_else(|| refuse(1, "the file is empty".into()))?;
        let columns: Vec<String> = header.split(',').map(|name| name.trim().to_owned()).collect();
        let mut rows = Vec::new();
        for (line, content) in lines.filter(|(_, content)| !content.is_empty()) {
            let row = content
                .split(',')
                .map(|field| {
                    let field = field.trim();
                    field.parse().map_err(|_| refuse(line, format!("{field:?} is not a number")))
                })
                .collect::<Result<Vec<f64>, _>>()?;
            if row.len() != columns.len() {
                return Err(refuse(line, format!("{} numbers for {} columns", row.len(), columns.len())));
            }
            rows.push(row);
        }
        Ok(Self { columns, rows })
    }

    /// The numbers of the column called `name`, or `None` if there is no such column.
    pub fn column(&self, name: &str) -> Option<Vec<f64>> {
        let at = self.columns.iter().position(|column| column == name)?;
        Some(self.rows.iter().filter_map(|row| row.get(at).copied()).collect())
    }
}
