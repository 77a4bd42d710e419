//! Text without system fonts: one face, compiled in, for plots and captions.
//!
//! The face is Ubuntu Light (Ubuntu Font Licence). It is registered under the generic family name, so that an
//! SVG file asks its viewer for `sans-serif` while our own rasteriser finds these outlines.

use super::{ExportError, colour::Colour, image::Image};
use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};
use std::sync::OnceLock;

/// Text is rasterised this much larger and averaged down: the rasteriser places glyphs on whole pixels, and
/// uneven letter spacing shows at caption sizes.
const OVERSAMPLING: usize = 4;

/// The face at `size` pixels (from the top of ascenders to the bottom of descenders).
pub(super) fn font(size: f64) -> Result<FontDesc<'static>, ExportError> {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    let registered = *REGISTERED.get_or_init(|| {
        register_font("sans-serif", FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT).is_ok()
    });
    if registered {
        Ok(FontDesc::new(FontFamily::SansSerif, size, FontStyle::Normal))
    } else {
        Err(ExportError::Plot("the built-in font could not be read".into()))
    }
}

/// Width of `text` at `size`, pixels.
pub(super) fn width(text: &str, size: f64) -> Result<f64, ExportError> {
    // Measured at a large size, because the layout rounds to whole pixels.
    let (wide, _) = font(16.0 * size)?.box_size(text).map_err(|e| ExportError::Plot(e.to_string()))?;
    Ok(f64::from(wide) / 16.0)
}

/// Removes control characters, which would make an SVG file malformed.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Draws one line of text; (`x`, `y`) is the left end of its baseline, pixels from the top left.
pub(super) fn draw(
    image: &mut Image,
    (x, y): (f64, f64),
    text: &str,
    size: f64,
    colour: Colour,
) -> Result<(), ExportError> {
    let n = OVERSAMPLING as f64;
    let text = printable(text);
    let wide = (width(&text, size)?.ceil() as usize + 4).min(image.width() as usize + 4);
    let tall = (2.0 * size).ceil() as usize + 2;
    let mut cover = vec![0.0f32; wide * tall];
    let large = font(size * n)?;
    // The outlines' baseline lies half a size below the origin that the rasteriser is given.
    let baseline = (size * n / 2.0) as i32;
    let origin = (OVERSAMPLING as i32, (size.ceil() * n) as i32 - baseline + OVERSAMPLING as i32);
    let drawn: Result<(), std::convert::Infallible> = large
        .draw(&text, origin, |px, py, c| {
            if let (Ok(px), Ok(py)) = (usize::try_from(px), usize::try_from(py)) {
                let (cx, cy) = (px / OVERSAMPLING, py / OVERSAMPLING);
                if cx < wide && cy < tall {
                    cover[cy * wide + cx] += c / (OVERSAMPLING * OVERSAMPLING) as f32;
                }
            }
            Ok(())
        })
        .map_err(|e| ExportError::Plot(e.to_string()))?;
    let Ok(()) = drawn;
    let (left, top) = (x.round() as i64 - 1, y.round() as i64 - size.ceil() as i64 - 1);
    for (i, c) in cover.into_iter().enumerate().filter(|(_, c)| *c > 0.0) {
        image.blend(left + (i % wide) as i64, top + (i / wide) as i64, colour, f64::from(c));
    }
    Ok(())
}
