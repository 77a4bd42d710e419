//! The drawing operations of a plot, in pixels of the finished image, on either backend of plotters.

use super::Dash;
use crate::export::{ExportError, colour::Colour, text};
use plotters::{
    coord::Shift,
    drawing::DrawingArea,
    element::{Circle, PathElement, Rectangle, Text},
    prelude::DrawingBackend,
    style::{
        FontTransform, RGBColor, ShapeStyle, TextStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

/// Alignment of text relative to its point.
#[derive(Clone, Copy, Debug)]
pub(super) enum Align {
    Left,
    Centre,
    Right,
}

/// A drawing area whose unit is a pixel of the finished image.
pub(super) struct Canvas<'a, B: DrawingBackend> {
    area: &'a DrawingArea<B, Shift>,
    scale: f64,
    /// How far text must be moved down to be centred vertically, in units of its size.
    sink: f64,
}

impl<'a, B: DrawingBackend> Canvas<'a, B> {
    /// The rasteriser places centred text a fifth of its size too high.
    pub fn bitmap(area: &'a DrawingArea<B, Shift>, scale: f64) -> Self {
        Self { area, scale, sink: 0.2 }
    }

    pub fn vector(area: &'a DrawingArea<B, Shift>, scale: f64) -> Self {
        Self { area, scale, sink: 0.0 }
    }

    pub fn fill(
        &self,
        (left, top): (f64, f64),
        (right, bottom): (f64, f64),
        colour: Colour,
    ) -> Result<(), ExportError> {
        let style = ShapeStyle { color: rgb(colour).into(), filled: true, stroke_width: 0 };
        self.put(&Rectangle::new([self.point((left, top)), self.point((right, bottom))], style))
    }

    pub fn dot(&self, at: (f64, f64), radius: f64, colour: Colour) -> Result<(), ExportError> {
        let style = ShapeStyle { color: rgb(colour).into(), filled: true, stroke_width: 0 };
        self.put(&Circle::new(self.point(at), (radius * self.scale).round() as i32, style))
    }

    /// A line through points, solid or broken.
    pub fn line(
        &self,
        points: &[(f64, f64)],
        width: f64,
        colour: Colour,
        dash: Dash,
    ) -> Result<(), ExportError> {
        match dash {
            Dash::Solid => self.stroke(points, width, colour),
            Dash::Dashed => self.broken(points, (4.0 * width, 3.0 * width), width, colour),
            Dash::Dotted => self.broken(points, (1.2 * width, 2.0 * width), width, colour),
        }
    }

    fn stroke(&self, points: &[(f64, f64)], width: f64, colour: Colour) -> Result<(), ExportError> {
        let stroke_width = (width * self.scale).round().clamp(1.0, 1e3) as u32;
        let mut path: Vec<(i32, i32)> = points.iter().map(|&p| self.point(p)).collect();
        path.dedup();
        if path.len() < 2 {
            return Ok(());
        }
        self.put(&PathElement::new(
            path,
            ShapeStyle { color: rgb(colour).into(), filled: false, stroke_width },
        ))
    }

    fn broken(
        &self,
        points: &[(f64, f64)],
        (on, off): (f64, f64),
        width: f64,
        colour: Colour,
    ) -> Result<(), ExportError> {
        for piece in dashes(points, on.max(0.5), off.max(0.5)) {
            self.stroke(&piece, width, colour)?;
        }
        Ok(())
    }

    /// One line of text, vertically centred on `at`.
    pub fn text(
        &self,
        at: (f64, f64),
        text: &str,
        size: f64,
        colour: Colour,
        align: Align,
    ) -> Result<(), ExportError> {
        self.write((at.0, at.1 + self.sink * size), text, size, colour, align, FontTransform::None)
    }

    /// Vertical text that reads upwards, centred on `at`.
    pub fn upright_text(
        &self,
        at: (f64, f64),
        text: &str,
        size: f64,
        colour: Colour,
    ) -> Result<(), ExportError> {
        self.write(
            (at.0 + self.sink * size, at.1),
            text,
            size,
            colour,
            Align::Centre,
            FontTransform::Rotate270,
        )
    }

    fn write(
        &self,
        at: (f64, f64),
        content: &str,
        size: f64,
        colour: Colour,
        align: Align,
        transform: FontTransform,
    ) -> Result<(), ExportError> {
        let h_pos = match align {
            Align::Left => HPos::Left,
            Align::Centre => HPos::Center,
            Align::Right => HPos::Right,
        };
        let font = text::font(size * self.scale)?.transform(transform);
        let ink = rgb(colour);
        let style = TextStyle::from(font).color(&ink).pos(Pos::new(h_pos, VPos::Center));
        self.put(&Text::new(text::printable(content), self.point(at), style))
    }

    fn point(&self, (x, y): (f64, f64)) -> (i32, i32) {
        ((x * self.scale).round() as i32, (y * self.scale).round() as i32)
    }

    fn put<'e, E>(&self, element: &'e E) -> Result<(), ExportError>
    where
        &'e E: plotters::element::PointCollection<'e, (i32, i32)>,
        E: plotters::element::Drawable<B>,
    {
        self.area.draw(element).map_err(|e| ExportError::Plot(e.to_string()))
    }
}

fn rgb(colour: Colour) -> RGBColor {
    RGBColor(colour.r, colour.g, colour.b)
}

/// Cuts a line into pieces of length `on` with gaps of length `off`.
fn dashes(points: &[(f64, f64)], on: f64, off: f64) -> Vec<Vec<(f64, f64)>> {
    let mut pieces = Vec::new();
    let mut piece: Vec<(f64, f64)> = points.first().copied().into_iter().collect();
    let (mut drawing, mut left) = (true, on);
    for pair in points.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let length = (x1 - x0).hypot(y1 - y0);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let cut = (x0 + (x1 - x0) * done / length, y0 + (y1 - y0) * done / length);
            if drawing {
                piece.push(cut);
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![cut];
            }
            drawing = !drawing;
            left = if drawing { on } else { off };
        }
        left -= length - done;
        if drawing {
            piece.push((x1, y1));
        }
    }
    if drawing {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_follow_the_line_around_a_corner() {
        let pieces = dashes(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)], 3.0, 2.0);
        assert_eq!(pieces, [vec![(0.0, 0.0), (3.0, 0.0)], vec![(4.0, 1.0), (4.0, 4.0)]]);
    }
}
