//! A table as a picture, with cells in colours.

use super::{ExportError, colour::Colour, image::Image, text};

/// Height of letters, pixels.
const LETTERS: f64 = 15.0;
/// Height of a row, pixels.
const ROW: u32 = 27;
/// Free space beside the words of a cell, pixels.
const MARGIN: f64 = 9.0;
/// Colour of the lines between cells.
const LINE: Colour = Colour::hex(0xd0_d4_da);

/// A cell: its words, and the colour behind them.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// One line.
    pub text: String,
    /// White if there is none.
    pub colour: Option<Colour>,
}

/// Draws rows of cells, each column as wide as its words; `None` if there are no cells.
///
/// # Errors
/// [`ExportError`] if the picture would be too large.
pub fn sheet(rows: &[Vec<Cell>]) -> Result<Option<Image>, ExportError> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    if columns == 0 {
        return Ok(None);
    }
    let mut widths = vec![0.0_f64; columns];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = width.max(text::width(&cell.text, LETTERS)? + 2.0 * MARGIN);
        }
    }
    let widths: Vec<u32> = widths.iter().map(|width| width.ceil() as u32).collect();
    let all: u32 = widths.iter().sum();
    let mut image = Image::filled(all + 1, rows.len() as u32 * ROW + 1, Colour::WHITE)?;
    for (row, top) in rows.iter().zip((0..).map(|i| i * ROW)) {
        let mut left = 0;
        for (cell, &width) in row.iter().zip(&widths) {
            if let Some(colour) = cell.colour {
                fill(&mut image, (left, top), (width, ROW), colour);
            }
            let at = (f64::from(left) + MARGIN, f64::from(top) + 0.66 * f64::from(ROW));
            text::draw(&mut image, at, &cell.text, LETTERS, Colour::BLACK)?;
            fill(&mut image, (left, top), (1, ROW), LINE);
            left += width;
        }
        fill(&mut image, (0, top), (all + 1, 1), LINE);
    }
    Ok(Some(image))
}

fn fill(image: &mut Image, (left, top): (u32, u32), (wide, tall): (u32, u32), colour: Colour) {
    for y in top..top + tall {
        for x in left..left + wide {
            image.blend(i64::from(x), i64::from(y), colour, 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_their_colours() {
        let cell = |text: &str, colour| Cell { text: text.to_owned(), colour };
        let green = Colour::hex(0xb7_e4_c0);
        let rows = [vec![cell("a", None), cell("stable", Some(green))], vec![cell("b", None)]];
        let image = sheet(&rows).unwrap().unwrap();
        assert_eq!(image.height(), 2 * ROW + 1);
        // Below the words of the second column, and beside those of the first.
        assert_eq!(image.pixel(image.width() - 4, ROW - 3), Some(green));
        assert_eq!(image.pixel(3, ROW - 3), Some(Colour::WHITE));
        assert!(sheet(&[]).unwrap().is_none());
    }
}
