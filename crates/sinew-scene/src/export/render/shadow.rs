//! Depth maps in one direction: for shadows on bodies and on the ground, and for contact with the ground.

use super::{
    Bounds,
    geometry::Geometry,
    scan::{Work, span},
};
use glam::DVec3;

/// A parallel projection of the geometry onto a square of texels, seen from a direction.
#[derive(Debug)]
pub(super) struct DepthMap {
    grid: Grid,
    /// Greatest coordinate along the grid's third axis per texel, m; −∞ where there is nothing.
    nearest: Vec<f32>,
}

/// Position of the texels.
#[derive(Clone, Copy, Debug)]
struct Grid {
    /// Axes of the square, and the direction it is seen from.
    axes: [DVec3; 3],
    /// Corner of the square along the first two axes, m.
    corner: [f64; 2],
    /// Side of a texel, m.
    texel: f64,
    /// Texels along a side.
    side: usize,
}

impl Grid {
    fn coordinates(&self, p: DVec3) -> DVec3 {
        let at = |k: usize| (p.dot(self.axes[k]) - self.corner[k]) / self.texel - 0.5;
        DVec3::new(at(0), at(1), p.dot(self.axes[2]))
    }

    /// `value` between the four texels around a point in [`Self::coordinates`].
    fn interpolate(&self, p: DVec3, outside: f64, value: impl Fn(usize) -> f64) -> f64 {
        let last = (self.side - 1) as f64;
        if !(p.x >= 0.0 && p.y >= 0.0 && p.x < last && p.y < last) {
            return outside;
        }
        let (i, j) = (p.x as usize, p.y as usize);
        let (s, t) = (p.x - i as f64, p.y - j as f64);
        let at = j * self.side + i;
        let top = value(at) * (1.0 - s) + value(at + 1) * s;
        let bottom = value(at + self.side) * (1.0 - s) + value(at + self.side + 1) * s;
        top * (1.0 - t) + bottom * t
    }
}

/// Places of a disc, texels: a spiral that fills it evenly.
const DISC: [[f64; 2]; 12] = [
    [1.02, 0.0],
    [-1.3, 1.2],
    [0.2, -2.28],
    [1.64, 2.14],
    [-3.01, -0.53],
    [2.8, -1.78],
    [-0.94, 3.49],
    [-1.79, -3.43],
    [3.84, 1.4],
    [-3.97, 1.75],
    [1.79, -4.22],
    [1.67, 4.5],
];

impl DepthMap {
    /// Seen from `towards` (unit length). The geometry within `sight` (a centre and a radius) fills the square but for
    /// a `margin`, a fraction of it. `None` if there is nothing to see.
    pub fn of(
        geometry: &Geometry,
        towards: DVec3,
        sight: (DVec3, f64),
        side: usize,
        margin: f64,
    ) -> Option<Self> {
        let (u, v) = towards.any_orthonormal_pair();
        let axes = [u, v, towards];
        let local: Vec<DVec3> =
            geometry.positions.iter().map(|p| DVec3::from_array(axes.map(|axis| p.dot(axis)))).collect();
        let used = geometry.triangles.iter().flat_map(|triangle| triangle.corners);
        let bounds = Bounds::of(used.map(|corner| &local[corner]))?;
        let (centre, radius) = (DVec3::from_array(axes.map(|axis| sight.0.dot(axis))), sight.1);
        let bounds = within(bounds, Bounds { min: centre - radius, max: centre + radius });
        let extent = bounds.max - bounds.min;
        let width = extent.x.max(extent.y).max(1e-9 * (1.0 + extent.z)) * (1.0 + 2.0 * margin);
        let centre = bounds.centre();
        if !width.is_finite() {
            return None;
        }
        let corner = [centre.x - 0.5 * width, centre.y - 0.5 * width];
        let grid = Grid { axes, corner, texel: width / side as f64, side };
        let mut map = Self { grid, nearest: vec![f32::NEG_INFINITY; side * side] };
        // Texels' centres lie at whole numbers.
        let in_texels = |p: DVec3| {
            let at = |k: usize, x: f64| (x - corner[k]) / grid.texel - 0.5;
            DVec3::new(at(0, p.x), at(1, p.y), p.z)
        };
        let mut work = Work::new(side * side, geometry.triangles.len());
        for triangle in &geometry.triangles {
            map.add(triangle.corners.map(|corner| in_texels(local[corner])), &mut work);
        }
        Some(map)
    }

    fn add(&mut self, [a, b, c]: [DVec3; 3], work: &mut Work) {
        let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        let scale = 1.0 / area;
        if !scale.is_finite() || !area.is_finite() {
            return;
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let past = |x: f64| ((x.floor() + 1.0).max(0.0) as usize).min(self.grid.side);
        let columns = (low.x.ceil().max(0.0) as usize, past(high.x));
        for j in low.y.ceil().max(0.0) as usize..past(high.y) {
            let y = j as f64;
            // Barycentric coordinates along the row.
            let at_start = |p: DVec3, q: DVec3| (p.x * (q.y - y) - (p.y - y) * q.x) * scale;
            let (wa, wb) = ((at_start(b, c), (b.y - c.y) * scale), (at_start(c, a), (c.y - a.y) * scale));
            let columns = span(columns, [wa, wb, (1.0 - wa.0 - wb.0, -wa.1 - wb.1)]);
            if !work.row(columns.len()) {
                return;
            }
            for i in columns {
                let x = i as f64;
                let wa = ((b.x - x) * (c.y - y) - (b.y - y) * (c.x - x)) * scale;
                let wb = ((c.x - x) * (a.y - y) - (c.y - y) * (a.x - x)) * scale;
                let wc = 1.0 - wa - wb;
                if wa >= 0.0 && wb >= 0.0 && wc >= 0.0 {
                    let at = j * self.grid.side + i;
                    self.nearest[at] = self.nearest[at].max((wa * a.z + wb * b.z + wc * c.z) as f32);
                }
            }
        }
    }

    /// How much of a surface point (with unit normal) is seen from the map's direction, 0–1: the mean over a small disc, as of a light that is not a point. At each place
    /// of the disc four texels are compared, and the answers interpolated.
    pub fn lit(&self, point: DVec3, normal: DVec3) -> f64 {
        // Offset from the surface by more than a texel, or it would shadow itself.
        let p = self.grid.coordinates(point + 2.0 * self.grid.texel * normal);
        // The surface goes on in its plane: along the disc it comes nearer to the light by so much a texel, and no slope is trusted for ever.
        let along = self.grid.axes.map(|axis| axis.dot(normal));
        let rise = [0, 1].map(|k| (-along[k] / along[2].max(0.25)).clamp(-2.0, 2.0) * self.grid.texel);
        let at = |[x, y]: [f64; 2]| {
            let place = p + DVec3::new(x, y, 0.0);
            let depth = (p.z + rise[0] * x + rise[1] * y + 1.5 * self.grid.texel) as f32;
            self.grid.interpolate(place, 1.0, |at| if self.nearest[at] > depth { 0.0 } else { 1.0 })
        };
        DISC.iter().map(|place| at(*place)).sum::<f64>() / DISC.len() as f64
    }

    /// A soft mask: `value` of the coordinate along the map's direction where there is something, 0 elsewhere,
    /// averaged over blocks of `block` texels and blurred over `radius` (a fraction of the map's side).
    pub fn mask(&self, block: usize, radius: f64, value: impl Fn(f32) -> f32) -> Mask {
        let fine = self.grid;
        let side = fine.side / block;
        let mut values = vec![0.0; side * side];
        for (j, row) in self.nearest.chunks(fine.side).take(side * block).enumerate() {
            for (i, &w) in row.iter().take(side * block).enumerate().filter(|(_, w)| w.is_finite()) {
                values[j / block * side + i / block] += value(w) / (block * block) as f32;
            }
        }
        let reach = (radius * side as f64).round().max(1.0) as usize;
        for _ in 0..4 {
            values = blur_rows_and_transpose(&values, side, reach);
        }
        Mask { grid: Grid { side, texel: fine.texel * block as f64, ..fine }, values }
    }
}

/// The part of a box within another; all of it if there is no such part.
fn within(bounds: Bounds, limit: Bounds) -> Bounds {
    let part = Bounds { min: bounds.min.max(limit.min), max: bounds.max.min(limit.max) };
    if part.min.cmple(part.max).all() { part } else { bounds }
}

/// A blurred [`DepthMap`].
#[derive(Debug)]
pub(super) struct Mask {
    grid: Grid,
    values: Vec<f32>,
}

impl Mask {
    /// The mask at a world point (its coordinate along the map's direction does not matter); 0 outside.
    pub fn at(&self, point: DVec3) -> f64 {
        self.grid.interpolate(self.grid.coordinates(point), 0.0, |at| f64::from(self.values[at]))
    }
}

/// Means over 2·`reach`+1 neighbours along rows, written as columns; values past the border are 0.
fn blur_rows_and_transpose(values: &[f32], side: usize, reach: usize) -> Vec<f32> {
    let mut blurred = vec![0.0; values.len()];
    let mut sums = vec![0.0f32; side + 1];
    let count = (2 * reach + 1) as f32;
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
