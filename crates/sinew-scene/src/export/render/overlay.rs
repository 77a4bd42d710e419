//! Drawn over the picture: the axes in a corner, and the caption.

use super::{ExportError, Frame, Settings, View};
use crate::export::{colour::Colour, image::Image, text};
use glam::{DVec2, DVec3};

const AXES: [(DVec3, Colour, &str); 3] = [
    (DVec3::X, Colour::hex(0xc8_32_2b), "x"),
    (DVec3::Y, Colour::hex(0x2c_8f_3a), "y"),
    (DVec3::Z, Colour::hex(0x2b_5f_c8), "z"),
];

/// Draws caption and axes in sizes that grow with the image, but more slowly: text in small images must be legible.
pub(super) fn draw(
    image: &mut Image,
    frame: &Frame,
    view: &View,
    settings: &Settings,
) -> Result<(), ExportError> {
    let unit = (f64::from(image.width().min(image.height())) / 480.0).powf(0.7).clamp(0.4, 6.0);
    if settings.axes {
        draw_axes(image, view, unit)?;
    }
    if !frame.caption.is_empty() {
        let size = 20.0 * unit;
        let ink = settings.backdrop.tones().ink;
        text::draw(image, (14.0 * unit, 12.0 * unit + 0.75 * size), &frame.caption, size, ink)?;
    }
    Ok(())
}

fn draw_axes(image: &mut Image, view: &View, unit: f64) -> Result<(), ExportError> {
    let length = 26.0 * unit;
    let origin = DVec2::new(44.0 * unit, f64::from(image.height()) - 44.0 * unit);
    let mut axes = AXES.map(|(axis, colour, letter)| {
        let seen = DVec3::new(axis.dot(view.right), axis.dot(view.up), axis.dot(view.forward));
        (seen, colour, letter)
    });
    // Far ones first.
    axes.sort_by(|a, b| b.0.z.total_cmp(&a.0.z));
    for (seen, colour, letter) in axes {
        let direction = DVec2::new(seen.x, -seen.y);
        let tip = origin + length * direction;
        line(image, origin, tip, 1.1 * unit, colour);
        let size = 15.0 * unit;
        let middle = tip + 9.0 * unit * direction.normalize_or(DVec2::new(0.7, 0.7));
        let corner = (middle.x - 0.5 * text::width(letter, size)?, middle.y + 0.22 * size);
        text::draw(image, corner, letter, size, colour)?;
    }
    Ok(())
}

/// A line with round ends, `half` pixels to each side.
fn line(image: &mut Image, from: DVec2, to: DVec2, half: f64, colour: Colour) {
    let (low, high) = (from.min(to) - (half + 1.0), from.max(to) + (half + 1.0));
    let along = to - from;
    for y in low.y.floor() as i64..=high.y.ceil() as i64 {
        for x in low.x.floor() as i64..=high.x.ceil() as i64 {
            let p = DVec2::new(x as f64 + 0.5, y as f64 + 0.5) - from;
            let t = (p.dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
            let cover = (half + 0.5 - (p - t * along).length()).clamp(0.0, 1.0);
            if cover > 0.0 {
                image.blend(x, y, colour, cover);
            }
        }
    }
}
