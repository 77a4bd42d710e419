//! Tables in plain text, columns aligned.

/// Aligns the rows in columns as wide as needed; the first row is the header. Columns after the first are right-aligned if `numbers` is true.
pub fn aligned(rows: &[Vec<String>], numbers: bool) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if numbers && column > 0 { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A number with four significant digits, in plain notation if that is short.
pub fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".into()
    } else if (1e-3..1e5).contains(&size) {
        let digits = (3 - size.log10().floor() as i32).max(0) as usize;
        format!("{x:.digits$}")
    } else {
        format!("{x:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits() {
        let shown = [0.0, 1.0, 78150.0, -0.012_346, 1.5e-7, 123_456.0].map(number);
        assert_eq!(shown, ["0", "1.000", "78150", "-0.01235", "1.50e-7", "1.23e5"]);
    }

    #[test]
    fn columns_align() {
        let rows = [vec!["a".into(), "bb".into()], vec!["ccc".into(), "d".into()]];
        assert_eq!(aligned(&rows, true), "a    bb\nccc   d");
    }
}
