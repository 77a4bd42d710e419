//! Plots of a finished sweep: a value over one axis or two.
//!
//! The first axis is x. Where several runs share a point, because other axes differ, the line is their median, with broken lines for the least and the most;
//! runs with random values are dots. The second axis makes a line for each of its values, and a table in colours.

use crate::column::{Cell, Kind};
use crate::error::SweepError;
use crate::table::Table;
use sinew_scene::export::colour::Colour;
use sinew_scene::export::plot::{Dash, Plot, Series, Style};
use sinew_scene::export::sheet;
use sinew_scene::run::PLOT_SIZE;
use sinew_scene::suggest;
use std::path::{Path, PathBuf};

/// Most values of the axis that makes lines.
const LINES: usize = 14;
/// Most rows and columns of a table.
const CELLS: usize = 60;
/// An axis whose values span more than this factor is logarithmic.
const WIDE: (f64, f64) = (30.0, 1e3);

/// What to draw.
#[derive(Clone, Debug, Default)]
pub struct Over {
    /// The column on the y axis.
    pub value: String,
    /// One axis or two; the sweep's own first two if none is named.
    pub axes: Vec<String>,
}

/// A value of an axis with the rows that have it.
struct Group {
    label: String,
    number: Option<f64>,
    rows: Vec<usize>,
}

/// Draws into `folder` and lists the files.
///
/// # Errors
/// [`SweepError::Ask`] if there is no such column, or nothing to draw.
pub fn draw(table: &Table, over: &Over, title: &str, folder: &Path) -> Result<Vec<PathBuf>, SweepError> {
    let value = column(table, &over.value)?;
    if table.columns[value].kind == Kind::Text {
        return Err(SweepError::Ask(format!("`{}` is text, which has no place on an axis", over.value)));
    }
    let mut axes = match &over.axes[..] {
        [] => own_axes(table),
        named => named.iter().map(|name| column(table, name)).collect::<Result<Vec<_>, _>>()?,
    };
    let all: Vec<usize> = (0..table.rows.len()).collect();
    // A line needs numbers below it: an axis of names is the second.
    let numeric = |&axis: &usize| table.columns[axis].kind != Kind::Text;
    if axes.len() == 2 && !numeric(&axes[0]) && numeric(&axes[1]) {
        axes.swap(0, 1);
    }
    let failed = table
        .column("ok")
        .map_or(0, |ok| table.rows.iter().filter(|row| row[ok] == Cell::Boolean(false)).count());
    let title = match failed {
        0 => title.to_owned(),
        n => format!("{title} ({n} of {} runs failed)", table.rows.len()),
    };
    if all.iter().all(|&row| number(table, row, value).is_none()) {
        return Err(SweepError::Ask(format!("no run has a value in `{}`", over.value)));
    }
    let name = |axes: &[usize]| {
        let names: Vec<&str> = axes.iter().map(|&axis| table.columns[axis].name.as_str()).collect();
        let text = format!("{}-over-{}", over.value, names.join("-and-"));
        text.replace(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '.'), "_")
    };
    let mut files = Vec::new();
    let write_plot = |plot: &Plot, axes: &[usize], files: &mut Vec<PathBuf>| -> Result<(), SweepError> {
        let path = folder.join(name(axes));
        let (png, svg) = (format!("{}.png", path.display()), format!("{}.svg", path.display()));
        plot.write_png(&png, PLOT_SIZE)?;
        plot.write_svg(&svg, PLOT_SIZE)?;
        files.extend([PathBuf::from(png), PathBuf::from(svg)]);
        Ok(())
    };
    match axes[..] {
        [x] if numeric(&x) => {
            let series = lines(table, x, value, &all, "", 0);
            write_plot(&plot_of(table, &title, (x, value), series), &axes, &mut files)?;
        }
        [x, by] => {
            let groups = groups(table, by, &all);
            if numeric(&x) && groups.len() <= LINES {
                let lines = groups.iter().enumerate().flat_map(|(i, group)| {
                    let name = format!("{} = {}", table.columns[by].name, group.label);
                    let mut series = lines(table, x, value, &group.rows, &name, i);
                    // With several lines, only medians.
                    series.truncate(1);
                    series
                });
                let plot = plot_of(table, &title, (x, value), lines.collect());
                write_plot(&plot, &axes, &mut files)?;
            }
        }
        [_] => {}
        _ => return Err(SweepError::Ask("a plot has one axis or two".into())),
    }
    if let Some(image) = coloured(table, &axes, value, &all)? {
        let path = PathBuf::from(format!("{}-table.png", folder.join(name(&axes)).display()));
        image.write_png(&path)?;
        files.push(path);
    }
    match files.is_empty() {
        true => Err(SweepError::Ask(format!(
            "the axes have too many values: at most {LINES} for lines and {CELLS} for a table"
        ))),
        false => Ok(files),
    }
}

fn column(table: &Table, name: &str) -> Result<usize, SweepError> {
    table.column(name).ok_or_else(|| {
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        SweepError::Ask(format!("there is no column `{name}`{}", suggest::hint(name, &names)))
    })
}

/// The first two axes of the sweep: the columns between the number of a run and its outcome that have more than one value.
fn own_axes(table: &Table) -> Vec<usize> {
    let all: Vec<usize> = (0..table.rows.len()).collect();
    let end = table.column("ok").unwrap_or(1);
    let axes = (1..end).filter(|&axis| table.columns[axis].name != "sample");
    axes.filter(|&axis| groups(table, axis, &all).len() > 1).take(2).collect()
}

fn number(table: &Table, row: usize, column: usize) -> Option<f64> {
    table.rows[row][column].number().filter(|value| value.is_finite())
}

/// The values of a column in rising order, or in that of the runs if they are names.
fn groups(table: &Table, column: usize, rows: &[usize]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places = std::collections::BTreeMap::new();
    for &row in rows {
        let cell = &table.rows[row][column];
        let label = match cell {
            Cell::Missing => "none".to_owned(),
            Cell::Boolean(value) => value.to_string(),
            Cell::Integer(value) => value.to_string(),
            Cell::Real(value) => short(*value),
            Cell::Text(text) => text.clone(),
        };
        // Numbers that read the same when they are short are still different.
        let key = match cell {
            Cell::Real(value) => format!("{value:?}"),
            _ => label.clone(),
        };
        let place = *places.entry(key).or_insert_with(|| {
            groups.push(Group { label, number: cell.number(), rows: Vec::new() });
            groups.len() - 1
        });
        groups[place].rows.push(row);
    }
    if groups.iter().all(|group| group.number.is_some()) {
        groups.sort_by(|a, b| a.number.unwrap_or(0.0).total_cmp(&b.number.unwrap_or(0.0)));
    }
    groups
}

/// Median, least and most; a series of dots where points have one run each and are many.
fn lines(table: &Table, x: usize, y: usize, rows: &[usize], name: &str, colour: usize) -> Vec<Series> {
    let groups = groups(table, x, rows);
    let mut points = Vec::new();
    for group in &groups {
        let mut values: Vec<f64> = group.rows.iter().filter_map(|&row| number(table, row, y)).collect();
        values.sort_by(f64::total_cmp);
        if let (Some(at), [least, .., most]) = (group.number, &values[..]) {
            points.push((at, [median(&values), *least, *most]));
        } else if let (Some(at), [only]) = (group.number, &values[..]) {
            points.push((at, [*only; 3]));
        }
    }
    let style = Style { colour: Some(Colour::distinct(colour)), ..Style::default() };
    let style = if colour < Colour::distinct_count() { style } else { Style { dash: Dash::Dashed, ..style } };
    let series = |name: &str, k: usize, style: Style| Series {
        name: name.to_owned(),
        points: points.iter().map(|(at, values)| (*at, values[k])).collect(),
        style,
    };
    let drawn = table.column("sample").is_some() && groups.len() > 30 && rows.len() < 2 * groups.len();
    if drawn {
        // A gap after each point makes it a dot.
        let dots = points.iter().flat_map(|(at, values)| [(*at, values[0]), (f64::NAN, f64::NAN)]);
        return vec![Series { name: name.to_owned(), points: dots.collect(), style }];
    }
    if points.iter().all(|(_, values)| values[1] == values[2]) {
        return vec![series(name, 0, style)];
    }
    let thin = Style { dash: Dash::Dashed, width: 1.2, ..style };
    let name = if name.is_empty() { "median" } else { name };
    vec![series(name, 0, style), series("least and most", 1, thin), series("", 2, thin)]
}

fn median(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    if n % 2 == 1 { sorted[n / 2] } else { 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]) }
}

fn plot_of(table: &Table, title: &str, (x, y): (usize, usize), series: Vec<Series>) -> Plot {
    let finite = |pick: fn(&(f64, f64)) -> f64| {
        let values: Vec<f64> =
            series.iter().flat_map(|s| &s.points).map(pick).filter(|value| value.is_finite()).collect();
        let fold = |start: f64, f: fn(f64, f64) -> f64| values.iter().copied().fold(start, f);
        (fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max))
    };
    let wide = |(low, high): (f64, f64), factor: f64| low > 0.0 && high / low > factor;
    Plot {
        title: title.to_owned(),
        x_label: table.columns[x].name.clone(),
        y_label: table.columns[y].name.clone(),
        log_x: wide(finite(|p| p.0), WIDE.0),
        log_y: wide(finite(|p| p.1), WIDE.1),
        series,
    }
}

/// A table of medians: a row for each value of the first axis, a column for each of the second, coloured from least to most.
fn coloured(
    table: &Table,
    axes: &[usize],
    value: usize,
    all: &[usize],
) -> Result<Option<sinew_scene::export::image::Image>, SweepError> {
    let rows = groups(table, axes[0], all);
    let columns = match axes.get(1) {
        Some(&axis) => groups(table, axis, all),
        None if table.columns[axes[0]].kind == Kind::Text => {
            vec![Group { label: table.columns[value].name.clone(), number: None, rows: all.to_vec() }]
        }
        None => return Ok(None),
    };
    if rows.len() > CELLS || columns.len() > CELLS {
        return Ok(None);
    }
    let middle = |row: &Group, column: &Group| {
        let shared = row.rows.iter().filter(|r| column.rows.binary_search(r).is_ok());
        let mut values: Vec<f64> = shared.filter_map(|&row| number(table, row, value)).collect();
        values.sort_by(f64::total_cmp);
        (!values.is_empty()).then(|| median(&values))
    };
    let medians: Vec<Vec<Option<f64>>> =
        rows.iter().map(|row| columns.iter().map(|column| middle(row, column)).collect()).collect();
    let known = || medians.iter().flatten().flatten().copied();
    let (low, high) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    let logarithmic = low > 0.0 && high / low > WIDE.1;
    let share = |x: f64| match (high > low, logarithmic) {
        (false, _) => 0.5,
        (_, true) => (x / low).ln() / (high / low).ln(),
        (_, false) => (x - low) / (high - low),
    };
    let plain = |text: String| sheet::Cell { text, colour: None };
    let corner = match axes.get(1) {
        Some(&axis) => format!("{} / {}", table.columns[axes[0]].name, table.columns[axis].name),
        None => table.columns[axes[0]].name.clone(),
    };
    let mut cells = vec![vec![plain(corner)]];
    cells[0].extend(columns.iter().map(|column| plain(column.label.clone())));
    for (row, medians) in rows.iter().zip(&medians) {
        let mut line = vec![plain(row.label.clone())];
        line.extend(medians.iter().map(|median| match median {
            Some(x) => sheet::Cell { text: short(*x), colour: Some(shade(share(*x))) },
            None => plain("–".into()),
        }));
        cells.push(line);
    }
    Ok(sheet::sheet(&cells)?)
}

/// From light blue over white to light orange: dark letters stay readable.
fn shade(share: f64) -> Colour {
    let (low, high) = ([0x8e, 0xc1, 0xe8], [0xf2, 0xa9, 0x6b]);
    let channel = |k: usize| {
        let (end, far) = if share < 0.5 { (low[k], 1.0 - 2.0 * share) } else { (high[k], 2.0 * share - 1.0) };
        (255.0 + (f64::from(end) - 255.0) * far.clamp(0.0, 1.0)).round() as u8
    };
    Colour { r: channel(0), g: channel(1), b: channel(2) }
}

/// Four significant digits.
fn short(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    if (1e-3..1e6).contains(&size) {
        let digits = (3 - size.log10().floor() as i32).max(0) as usize;
        let text = format!("{x:.digits$}");
        return match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text,
        };
    }
    let text = format!("{x:.3e}");
    match text.split_once('e') {
        Some((digits, power)) => format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.')),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Column;

    fn table() -> Table {
        let column = |name: &str, kind| Column { name: name.into(), kind };
        let columns = vec![
            column("run", Kind::Integer),
            column("young", Kind::Real),
            column("method", Kind::Text),
            column("ok", Kind::Boolean),
            column("failure", Kind::Text),
            column("drift", Kind::Real),
        ];
        let row = |i: usize| {
            let (young, method) = (10_f64.powi((i / 2) as i32), ["fepr", "none"][i % 2]);
            let drift = if i == 5 { Cell::Missing } else { Cell::Real((i as f64 + 1.0) * 1e-5) };
            let run = Cell::Integer(i as i64);
            vec![
                run,
                Cell::Real(young),
                Cell::Text(method.into()),
                Cell::Boolean(i != 5),
                Cell::Missing,
                drift,
            ]
        };
        Table { columns, rows: (0..8).map(row).collect(), remarks: Vec::new() }
    }

    #[test]
    fn axes_are_found_and_files_written() {
        let folder = tempfile::tempdir().unwrap();
        let over = Over { value: "drift".into(), axes: Vec::new() };
        let files = draw(&table(), &over, "a sweep", folder.path()).unwrap();
        let names: Vec<_> = files.iter().map(|file| file.file_name().unwrap().to_string_lossy()).collect();
        let base = "drift-over-young-and-method";
        assert_eq!(names, [format!("{base}.png"), format!("{base}.svg"), format!("{base}-table.png")]);
        assert!(files.iter().all(|file| file.metadata().unwrap().len() > 1000));
        // An axis of names first: numbers still go below the line.
        let over = Over { axes: vec!["method".into(), "young".into()], ..over };
        assert_eq!(draw(&table(), &over, "a sweep", folder.path()).unwrap(), files);
    }

    #[test]
    fn what_cannot_be_drawn_is_refused_with_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let ask = |value: &str, axes: &[&str]| {
            let over = Over { value: value.into(), axes: axes.iter().map(|&axis| axis.to_owned()).collect() };
            draw(&table(), &over, "", folder.path()).unwrap_err().to_string()
        };
        assert_eq!(ask("drft", &[]), "there is no column `drft`; did you mean `drift`?");
        assert_eq!(ask("method", &[]), "`method` is text, which has no place on an axis");
        assert_eq!(ask("drift", &["run", "young", "ok"]), "a plot has one axis or two");
    }

    #[test]
    fn medians_least_and_most() {
        let all: Vec<usize> = (0..8).collect();
        let series = lines(&table(), 1, 5, &all, "", 0);
        assert_eq!(series.len(), 3);
        assert!((series[0].points[0].1 - 1.5e-5).abs() < 1e-18);
        assert_eq!((series[1].points[0].1, series[2].points[0].1), (1e-5, 2e-5));
        // The failed run is left out.
        assert_eq!(series[0].points[2], (100.0, 5.0 * 1e-5));
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 1.0, 0.25, 1234.5, 1e-5, 2.5e7, 0.3].map(short);
        assert_eq!(shown, ["0", "1", "0.25", "1234", "1e-5", "2.5e7", "0.3"]);
    }
}
