//! Line plots, alone or stacked, as PNG and SVG.
//!
//! plotters draws lines and text; axes, ticks and legend are laid out here, because energy plots need two things: the legend must not cover a
//! curve (it is above the axes), and a curve that varies in the tenth digit must be readable (ticks are then labelled relative to an offset).
//!
//! A point that is not finite makes a gap in its line; so does one that is not positive on a logarithmic axis.

mod axis;
mod canvas;
mod layout;

use super::{
    ExportError,
    colour::Colour,
    image::{Image, check_size},
};
use canvas::Canvas;
use plotters::prelude::{BitMapBackend, IntoDrawingArea, SVGBackend};
use std::path::Path;

/// PNG is drawn this much larger and averaged down, which smooths lines and letter spacing.
const PNG_OVERSAMPLING: u32 = 3;
/// The SVG backend supports only whole numbers; drawing ten times larger gives tenths of a pixel.
const SVG_UNITS: u32 = 10;

/// One pair of axes with its lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// Title above the axes; may be empty.
    pub title: String,
    /// Label below the x axis, with unit: `time (s)`.
    pub x_label: String,
    /// Label next to the y axis, with unit: `energy (J)`.
    pub y_label: String,
    /// The lines.
    pub series: Vec<Series>,
    /// Whether x is logarithmic.
    pub log_x: bool,
    /// Whether y is logarithmic.
    pub log_y: bool,
}

/// One line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend; a line without a name is not listed.
    pub name: String,
    /// Points in drawing order.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub style: Style,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Its colour; `None` takes the next of [`Colour::distinct`], and after the last starts over with broken lines.
    pub colour: Option<Colour>,
    /// Width, pixels.
    pub width: f64,
    /// Solid or broken.
    pub dash: Dash,
}

/// Solid or broken lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    /// ————
    #[default]
    Solid,
    /// – – –
    Dashed,
    /// · · ·
    Dotted,
}

impl Default for Style {
    fn default() -> Self {
        Self { colour: None, width: 1.8, dash: Dash::Solid }
    }
}

impl Series {
    /// A line in the default style.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, style: Style::default() }
    }
}

impl Plot {
    /// Writes a PNG file of `size` (width, height) pixels.
    pub fn write_png(&self, path: impl AsRef<Path>, size: (u32, u32)) -> Result<(), ExportError> {
        image_of(&[self], size)?.write_png(path)
    }

    /// Writes an SVG file of `size` (width, height) pixels.
    pub fn write_svg(&self, path: impl AsRef<Path>, size: (u32, u32)) -> Result<(), ExportError> {
        write_svg_file(&[self], path.as_ref(), size)
    }
}

/// Plots below each other, in panels of equal height.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// The panels from top to bottom.
    pub panels: Vec<Plot>,
}

impl Figure {
    /// Writes a PNG file of `size` (width, height) pixels.
    pub fn write_png(&self, path: impl AsRef<Path>, size: (u32, u32)) -> Result<(), ExportError> {
        self.image(size)?.write_png(path)
    }

    /// Writes an SVG file of `size` (width, height) pixels.
    pub fn write_svg(&self, path: impl AsRef<Path>, size: (u32, u32)) -> Result<(), ExportError> {
        write_svg_file(&self.panels.iter().collect::<Vec<_>>(), path.as_ref(), size)
    }

    /// The figure as an image of `size` (width, height) pixels.
    pub fn image(&self, size: (u32, u32)) -> Result<Image, ExportError> {
        image_of(&self.panels.iter().collect::<Vec<_>>(), size)
    }
}

fn image_of(panels: &[&Plot], (width, height): (u32, u32)) -> Result<Image, ExportError> {
    check_size(width, height)?;
    // A large image needs no smoothing, and nine times its pixels would not fit into memory.
    let n = if u64::from(width) * u64::from(height) <= 1 << 24 { PNG_OVERSAMPLING } else { 1 };
    let (wide, tall) = (width * n, height * n);
    let mut large = vec![255; wide as usize * tall as usize * 3];
    let area = BitMapBackend::with_buffer(&mut large, (wide, tall)).into_drawing_area();
    layout::draw(&Canvas::bitmap(&area, f64::from(n)), panels, (f64::from(width), f64::from(height)))?;
    area.present().map_err(|e| ExportError::Plot(e.to_string()))?;
    drop(area);
    let mut image = Image::filled(width, height, Colour::WHITE)?;
    let (n, width, wide) = (n as usize, width as usize, wide as usize);
    for (i, pixel) in image.bytes_mut().as_chunks_mut::<3>().0.iter_mut().enumerate() {
        let mut sums = [0u32; 3];
        for row in 0..n {
            let first = ((i / width * n + row) * wide + i % width * n) * 3;
            for (k, &byte) in large[first..first + 3 * n].iter().enumerate() {
                sums[k % 3] += u32::from(byte);
            }
        }
        *pixel = sums.map(|sum| ((sum + (n * n) as u32 / 2) / (n * n) as u32) as u8);
    }
    Ok(image)
}

fn write_svg_file(panels: &[&Plot], path: &Path, (width, height): (u32, u32)) -> Result<(), ExportError> {
    check_size(width, height)?;
    let (wide, tall) = (width * SVG_UNITS, height * SVG_UNITS);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (wide, tall)).into_drawing_area();
        let canvas = Canvas::vector(&area, f64::from(SVG_UNITS));
        layout::draw(&canvas, panels, (f64::from(width), f64::from(height)))?;
        area.present().map_err(|e| ExportError::Plot(e.to_string()))?;
    }
    // The view box stays in tenths of pixels; the image itself has the requested size.
    let declared = format!("width=\"{wide}\" height=\"{tall}\"");
    let svg = svg.replacen(&declared, &format!("width=\"{width}\" height=\"{height}\""), 1);
    std::fs::write(path, svg).map_err(ExportError::io(path))
}
