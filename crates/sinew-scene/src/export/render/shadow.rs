//! Maps of what is nearest in one direction: for shadows on bodies, on the ground, and where bodies touch it.

use super::{Bounds, geometry::Geometry};
use glam::DVec3;

/// A parallel projection of the geometry onto a square of texels, seen from a direction.
#[derive(Debug)]
pub(super) struct DepthMap {
    /// Axes of the square, and the direction it is seen from.
    axes: [DVec3; 3],
    /// Corner of the square along the first two axes, m.
    corner: [f64; 2],
    /// Side of a texel, m.
    texel: f64,
    side: usize,
    /// Greatest coordinate along the third axis per texel, m; −∞ where there is nothing.
    nearest: Vec<f64>,
}

impl DepthMap {
    /// Seen from `towards` (unit length). The geometry fills the square but for a `margin`, a fraction of it.
    /// `None` if there is nothing to see.
    pub fn of(geometry: &Geometry, towards: DVec3, side: usize, margin: f64) -> Option<Self> {
        let (u, v) = towards.any_orthonormal_pair();
        let axes = [u, v, towards];
        let local: Vec<DVec3> = geometry.positions.iter().map(|p| in_axes(&axes, *p)).collect();
        let used = geometry.triangles.iter().flat_map(|triangle| triangle.corners);
        let bounds = Bounds::of(used.map(|corner| &local[corner]))?;
        let extent = bounds.max - bounds.min;
        let width = extent.x.max(extent.y).max(1e-9 * (1.0 + extent.z)) * (1.0 + 2.0 * margin);
        let centre = bounds.centre();
        if !width.is_finite() {
            return None;
        }
        let mut map = Self {
            axes,
            corner: [centre.x - 0.5 * width, centre.y - 0.5 * width],
            texel: width / side as f64,
            side,
            nearest: vec![f64::NEG_INFINITY; side * side],
        };
        for triangle in &geometry.triangles {
            map.add(triangle.corners.map(|corner| local[corner]));
        }
        Some(map)
    }

    fn add(&mut self, corners: [DVec3; 3]) {
        // In texels, with centres of texels at whole numbers.
        let [a, b, c] = corners.map(|p| {
            let at = |k: usize, x: f64| (x - self.corner[k]) / self.texel - 0.5;
            DVec3::new(at(0, p.x), at(1, p.y), p.z)
        });
        let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let past = |x: f64| ((x.floor() + 1.0).max(0.0) as usize).min(self.side);
        for j in low.y.ceil().max(0.0) as usize..past(high.y) {
            for i in low.x.ceil().max(0.0) as usize..past(high.x) {
                let (x, y) = (i as f64, j as f64);
                let wa = ((b.x - x) * (c.y - y) - (b.y - y) * (c.x - x)) / area;
                let wb = ((c.x - x) * (a.y - y) - (c.y - y) * (a.x - x)) / area;
                let wc = 1.0 - wa - wb;
                if wa >= 0.0 && wb >= 0.0 && wc >= 0.0 {
                    let at = j * self.side + i;
                    self.nearest[at] = self.nearest[at].max(wa * a.z + wb * b.z + wc * c.z);
                }
            }
        }
    }

    /// How much of a surface point (with unit normal) is seen from the map's direction, 0–1. Four texels are
    /// compared, and the answers interpolated.
    pub fn lit(&self, point: DVec3, normal: DVec3) -> f64 {
        // Off the surface by more than a texel, or it would shade itself.
        let p = in_axes(&self.axes, point + 2.0 * self.texel * normal);
        let depth = p.z + 1.5 * self.texel;
        self.interpolate(p, 1.0, |at| if self.nearest[at] > depth { 0.0 } else { 1.0 })
    }

    /// Turns the map into a soft mask: `value` of the coordinate along the map's direction where there is
    /// something, 0 elsewhere, blurred over `radius` (a fraction of the map's side).
    pub fn mask(self, radius: f64, value: impl Fn(f64) -> f64) -> Mask {
        let mut values: Vec<f64> =
            self.nearest.iter().map(|&w| if w.is_finite() { value(w) } else { 0.0 }).collect();
        let reach = (radius * self.side as f64).ceil().max(1.0) as usize;
        for _ in 0..2 {
            values = blur_rows_and_transpose(&values, self.side, reach);
            values = blur_rows_and_transpose(&values, self.side, reach);
        }
        Mask { map: self, values }
    }

    fn interpolate(&self, p: DVec3, outside: f64, value: impl Fn(usize) -> f64) -> f64 {
        let x = (p.x - self.corner[0]) / self.texel - 0.5;
        let y = (p.y - self.corner[1]) / self.texel - 0.5;
        let last = (self.side - 1) as f64;
        if !(x >= 0.0 && y >= 0.0 && x < last && y < last) {
            return outside;
        }
        let (i, j) = (x as usize, y as usize);
        let (s, t) = (x - i as f64, y - j as f64);
        let at = j * self.side + i;
        let top = value(at) * (1.0 - s) + value(at + 1) * s;
        let bottom = value(at + self.side) * (1.0 - s) + value(at + self.side + 1) * s;
        top * (1.0 - t) + bottom * t
    }
}

/// A blurred [`DepthMap`].
#[derive(Debug)]
pub(super) struct Mask {
    map: DepthMap,
    values: Vec<f64>,
}

impl Mask {
    /// The mask at a world point (its place along the map's direction does not matter); 0 outside.
    pub fn at(&self, point: DVec3) -> f64 {
        self.map.interpolate(in_axes(&self.map.axes, point), 0.0, |at| self.values[at])
    }
}

fn in_axes(axes: &[DVec3; 3], p: DVec3) -> DVec3 {
    DVec3::new(p.dot(axes[0]), p.dot(axes[1]), p.dot(axes[2]))
}

/// Means over 2·`reach`+1 neighbours along rows, written as columns; values past the border are 0.
fn blur_rows_and_transpose(values: &[f64], side: usize, reach: usize) -> Vec<f64> {
    let mut blurred = vec![0.0; values.len()];
    let mut sums = vec![0.0; side + 1];
    let count = (2 * reach + 1) as f64;
    for row in 0..side {
        for column in 0..side {
            sums[column + 1] = sums[column] + values[row * side + column];
        }
        for column in 0..side {
            let (from, to) = (column.saturating_sub(reach), (column + reach + 1).min(side));
            blurred[column * side + row] = (sums[to] - sums[from]) / count;
        }
    }
    blurred
}
