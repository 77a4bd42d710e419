//! Lays out a figure and draws it.

use super::{
    Dash, Plot, Style,
    axis::Axis,
    canvas::{Align, Canvas},
};
use crate::export::{ExportError, colour::Colour, text};
use plotters::prelude::DrawingBackend;

const INK: Colour = Colour::hex(0x22_28_30);
const FAINT: Colour = Colour::hex(0xdf_e3_e8);
const FRAME: Colour = Colour::hex(0x8a_93_9e);
/// Sizes of text, pixels.
const TITLE: f64 = 19.0;
const LABEL: f64 = 16.0;
const TICK: f64 = 14.5;
/// Largest share of a panel's height for the legend; names that do not fit are only counted.
const LEGEND_SHARE: f64 = 0.3;

/// The rectangle between the axes.
#[derive(Clone, Copy, Debug)]
struct Region {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Region {
    fn x(&self, place: f64) -> f64 {
        self.left + place * (self.right - self.left)
    }

    fn y(&self, place: f64) -> f64 {
        self.bottom - place * (self.bottom - self.top)
    }
}

/// Draws panels below each other into an area of `size` pixels.
pub(super) fn draw<B: DrawingBackend>(
    canvas: &Canvas<B>,
    panels: &[&Plot],
    (width, height): (f64, f64),
) -> Result<(), ExportError> {
    canvas.fill((0.0, 0.0), (width, height), Colour::WHITE)?;
    let tall = height / panels.len().max(1) as f64;
    let axes: Vec<(Axis, Axis)> = panels.iter().map(|plot| axes_of(plot, width, tall)).collect();
    // One margin for all panels, so that their x axes line up.
    let mut margin = 0.0f64;
    for (plot, (_, y)) in panels.iter().zip(&axes) {
        let label = if plot.y_label.is_empty() { 0.0 } else { LABEL + 8.0 };
        for (_, tick) in &y.ticks {
            margin = margin.max(label + text::width(tick, TICK)? + 16.0);
        }
    }
    for (i, (plot, axes)) in panels.iter().zip(&axes).enumerate() {
        let top = i as f64 * tall;
        let panel = Region { left: margin.min(0.5 * width), right: width - 18.0, top, bottom: top + tall };
        draw_panel(canvas, plot, axes, panel)?;
    }
    Ok(())
}

fn axes_of(plot: &Plot, width: f64, height: f64) -> (Axis, Axis) {
    let points = || plot.series.iter().flat_map(|series| &series.points);
    let (log_x, log_y) = (plot.log_x, plot.log_y);
    // A point counts only if both of its coordinates can be shown.
    let shown = move |&&(x, y): &&(f64, f64)| {
        x.is_finite() && y.is_finite() && (!log_x || x > 0.0) && (!log_y || y > 0.0)
    };
    let x = Axis::of(points().filter(shown).map(|p| p.0), log_x, (width / 110.0).clamp(2.0, 12.0), 0.0);
    let y = Axis::of(points().filter(shown).map(|p| p.1), log_y, (height / 48.0).clamp(2.0, 9.0), 0.05);
    (x, y)
}

fn draw_panel<B: DrawingBackend>(
    canvas: &Canvas<B>,
    plot: &Plot,
    (x, y): &(Axis, Axis),
    panel: Region,
) -> Result<(), ExportError> {
    let mut top = panel.top + 10.0;
    if !plot.title.is_empty() {
        let middle = (0.5 * (panel.left + panel.right), top + 0.5 * TITLE);
        canvas.text(middle, &plot.title, TITLE, INK, Align::Centre)?;
        top += TITLE + 6.0;
    }
    top = draw_legend(canvas, plot, panel, top)?;
    if !y.offset.is_empty() {
        canvas.text((panel.left, top + 0.5 * TICK), &format!("{} plus", y.offset), TICK, INK, Align::Left)?;
        top += TICK + 4.0;
    }
    let mut bottom = panel.bottom - 12.0 - TICK;
    if !plot.x_label.is_empty() {
        let middle = (0.5 * (panel.left + panel.right), panel.bottom - 6.0 - 0.5 * LABEL);
        canvas.text(middle, &plot.x_label, LABEL, INK, Align::Centre)?;
        bottom -= LABEL + 2.0;
    }
    let region = Region { top: (top + 4.0).min(bottom - 1.0), bottom, ..panel };
    if !plot.y_label.is_empty() {
        let middle = (6.0 + 0.5 * LABEL, 0.5 * (region.top + region.bottom));
        canvas.upright_text(middle, &plot.y_label, LABEL, INK)?;
    }
    draw_axes(canvas, x, y, region)?;
    for (i, series) in plot.series.iter().enumerate() {
        let (colour, dash) = look(i, series.style);
        for run in runs(&series.points, x, y) {
            let run: Vec<(f64, f64)> = run.into_iter().map(|(u, v)| (region.x(u), region.y(v))).collect();
            match run[..] {
                [single] => canvas.dot(single, 1.2 + series.style.width, colour)?,
                _ => canvas.line(&thinned(&run), series.style.width, colour, dash)?,
            }
        }
    }
    Ok(())
}

fn draw_axes<B: DrawingBackend>(
    canvas: &Canvas<B>,
    x: &Axis,
    y: &Axis,
    region: Region,
) -> Result<(), ExportError> {
    let Region { left, right, top, bottom } = region;
    for (place, label) in &x.ticks {
        let at = region.x(*place);
        canvas.line(&[(at, top), (at, bottom)], 1.0, FAINT, Dash::Solid)?;
        // A label at the very end must not be cut off by the image's border.
        let half = 0.5 * text::width(label, TICK)?;
        let centre = at.min(right + 14.0 - half).max(half + 2.0);
        canvas.text((centre, bottom + 5.0 + 0.5 * TICK), label, TICK, INK, Align::Centre)?;
    }
    for (place, label) in &y.ticks {
        let at = region.y(*place);
        canvas.line(&[(left, at), (right, at)], 1.0, FAINT, Dash::Solid)?;
        canvas.text((left - 7.0, at), label, TICK, INK, Align::Right)?;
    }
    if let Some(zero) = y.place(0.0).filter(|zero| (0.0..=1.0).contains(zero)) {
        canvas.line(&[(left, region.y(zero)), (right, region.y(zero))], 1.0, FRAME, Dash::Solid)?;
    }
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    canvas.line(&corners, 1.0, FRAME, Dash::Solid)
}

/// Draws names in rows above the axes, each with a sample of its line; returns where the rows end.
fn draw_legend<B: DrawingBackend>(
    canvas: &Canvas<B>,
    plot: &Plot,
    panel: Region,
    top: f64,
) -> Result<f64, ExportError> {
    const SAMPLE: f64 = 24.0;
    const ROW: f64 = LABEL + 5.0;
    let limit = top + LEGEND_SHARE * (panel.bottom - panel.top);
    let named: Vec<_> =
        plot.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty()).collect();
    let (mut x, mut y) = (panel.left, top);
    for (k, (i, series)) in named.iter().enumerate() {
        let wide = SAMPLE + 6.0 + text::width(&text::printable(&series.name), LABEL)?;
        if x > panel.left && x + wide > panel.right {
            (x, y) = (panel.left, y + ROW);
        }
        let middle = y + 0.5 * ROW;
        if y + ROW > limit && k > 0 {
            canvas.text((x, middle), &format!("and {} more", named.len() - k), LABEL, INK, Align::Left)?;
            break;
        }
        let (colour, dash) = look(*i, series.style);
        let width = series.style.width.max(1.5);
        canvas.line(&[(x, middle), (x + SAMPLE, middle)], width, colour, dash)?;
        canvas.text((x + SAMPLE + 6.0, middle), &series.name, LABEL, INK, Align::Left)?;
        x += wide + 18.0;
    }
    Ok(if named.is_empty() { top } else { y + ROW })
}

/// Colour and dashes of the `i`-th line. After the last distinct colour, the colours repeat with broken lines.
fn look(i: usize, style: Style) -> (Colour, Dash) {
    let dash = match (style.colour, style.dash, i / Colour::distinct_count()) {
        (None, Dash::Solid, 1) => Dash::Dashed,
        (None, Dash::Solid, 2..) => Dash::Dotted,
        (_, dash, _) => dash,
    };
    (style.colour.unwrap_or(Colour::distinct(i)), dash)
}

/// The unbroken runs of points that both axes can show, as positions on them.
fn runs(points: &[(f64, f64)], x: &Axis, y: &Axis) -> Vec<Vec<(f64, f64)>> {
    let mut runs = vec![Vec::new()];
    for &(px, py) in points {
        match (x.place(px), y.place(py), runs.last_mut()) {
            (Some(u), Some(v), Some(run)) => run.push((u, v)),
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// Leaves out points that cannot be seen: of many points in one column of half a pixel, the first, lowest, highest and last remain, in order.
/// A million steps make a plot of ordinary size.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept = Vec::new();
    for column in points.chunk_by(|a, b| (2.0 * a.0).floor() == (2.0 * b.0).floor()) {
        let by_height = |a: &usize, b: &usize| column[*a].1.total_cmp(&column[*b].1);
        let low = (0..column.len()).min_by(by_height).unwrap_or(0);
        let high = (0..column.len()).max_by(by_height).unwrap_or(0);
        let mut picked = [0, low.min(high), low.max(high), column.len() - 1].to_vec();
        picked.dedup();
        kept.extend(picked.into_iter().map(|i| column[i]));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_that_cannot_be_shown_break_the_line() {
        let points = [(0.0, 1.0), (1.0, 2.0), (2.0, f64::NAN), (3.0, 1.0), (4.0, f64::INFINITY), (5.0, 0.0)];
        let x = Axis::of(points.iter().map(|p| p.0), false, 5.0, 0.0);
        let y = Axis::of([0.0, 2.0].into_iter(), false, 5.0, 0.0);
        let lengths: Vec<usize> = runs(&points, &x, &y).iter().map(Vec::len).collect();
        assert_eq!(lengths, [2, 1, 1]);
    }

    #[test]
    fn thinning_keeps_the_extremes_of_a_dense_line() {
        let mut points: Vec<(f64, f64)> = (0..10_000).map(|i| (f64::from(i) * 1e-3, 0.0)).collect();
        points[5_003].1 = 9.0;
        points[5_004].1 = -9.0;
        let kept = thinned(&points);
        assert!(kept.len() < 100);
        assert!(kept.contains(&points[5_003]) && kept.contains(&points[5_004]));
        assert_eq!((kept.first(), kept.last()), (points.first(), points.last()));
    }
}
