//! Finds the triangle that each sample sees.
//!
//! Rasterisation in homogeneous coordinates (Olano and Greer 1997): for a triangle with corners a, b, c in view
//! space and a ray d, the numbers
//!
//! ```text
//! e₀ = d·(b×c),  e₁ = d·(c×a),  e₂ = d·(a×b),  D = a·(b×c)
//! ```
//!
//! are linear over the image. The ray meets the triangle iff all eᵢ have the sign of D; then 1/z = (e₀+e₁+e₂)/D
//! and the barycentric coordinates are z·eᵢ/D. No division by depth occurs, so a triangle that reaches behind
//! the eye needs no cutting: samples with 1/z outside (0, 1/near] simply do not count. Two triangles that share
//! an edge compute exactly opposite eᵢ there, so no sample falls between them.

use super::{
    View,
    geometry::{Geometry, Triangle},
    scan::{Work, span},
};
use glam::DVec3;

/// A linear function over the image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Linear {
    per_column: f64,
    per_row: f64,
    constant: f64,
}

impl Linear {
    /// Ray d ↦ d·n, by column and row.
    pub fn along(n: DVec3, view: &View) -> Self {
        Self {
            per_column: n.x * view.sample,
            per_row: -n.y * view.sample,
            constant: n.dot(view.ray(0.0, 0.0)),
        }
    }

    pub fn at(&self, column: f64, row: f64) -> f64 {
        self.per_column * column + (self.per_row * row + self.constant)
    }

    fn steepness(&self) -> f64 {
        self.per_column.hypot(self.per_row)
    }
}

/// A triangle, ready to be sampled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    /// e₀, e₁, e₂ times the sign of D: non-negative inside.
    pub edges: [Linear; 3],
    /// Turns eᵢ into a distance from the edge in samples.
    pub per_sample: [f64; 3],
    /// 1/|D|.
    scale: f64,
    /// Whether the front (counter-clockwise) side is seen.
    pub front: bool,
    /// The least altitude of the triangle in the image, samples: below a few, its edges would fill it.
    pub altitude: f64,
    pub triangle: Triangle,
}

impl Facet {
    fn new(triangle: Triangle, [a, b, c]: [DVec3; 3], view: &View) -> Option<Self> {
        let normals = [b.cross(c), c.cross(a), a.cross(b)];
        let volume = a.dot(normals[0]);
        let usable = volume.is_finite() && volume != 0.0 && (1.0 / volume).is_finite();
        if !usable || normals.iter().any(|n| !n.is_finite()) {
            return None;
        }
        let edges = normals.map(|n| Linear::along(volume.signum() * n, view));
        let per_sample = edges.map(|edge| 1.0 / edge.steepness().max(f64::MIN_POSITIVE));
        let behind = [a, b, c].iter().any(|p| p.z <= view.near);
        let altitude = if behind {
            f64::INFINITY
        } else {
            [a, b, c]
                .iter()
                .zip(per_sample)
                .fold(f64::INFINITY, |least, (p, per)| least.min(volume.abs() / p.z * per))
        };
        // View space is left-handed (x right, y up, z forward): a front face has D > 0.
        Some(Self { edges, per_sample, scale: 1.0 / volume.abs(), front: volume > 0.0, altitude, triangle })
    }

    /// Barycentric coordinates and depth where the sample's ray meets the triangle's plane.
    pub fn hit(&self, column: f64, row: f64) -> (DVec3, f64) {
        let e = DVec3::from_array(self.edges.map(|edge| edge.at(column, row)));
        let sum = e.element_sum();
        (e / sum, 1.0 / (sum * self.scale))
    }
}

/// The visibility buffer.
#[derive(Debug, Default)]
pub(super) struct Visibility {
    pub facets: Vec<Facet>,
    /// 1/depth of what is seen, 1/m; 0 for nothing.
    pub inverse_depth: Vec<f32>,
    /// Index into `facets`, or [`Self::NOTHING`].
    pub seen: Vec<u32>,
}

impl Visibility {
    /// No facet is seen.
    pub const NOTHING: u32 = u32::MAX;

    /// Computes the visibility of a frame; the previous one is overwritten.
    pub fn update(&mut self, geometry: &Geometry, view: &View) {
        let samples = view.width * view.height;
        self.facets.clear();
        self.inverse_depth.clear();
        self.inverse_depth.resize(samples, 0.0);
        self.seen.clear();
        self.seen.resize(samples, Self::NOTHING);
        let positions: Vec<DVec3> = geometry.positions.iter().map(|&p| view.in_view(p)).collect();
        let mut work = Work::new(samples, geometry.triangles.len());
        for &triangle in &geometry.triangles {
            let corners = triangle.corners.map(|corner| positions[corner]);
            let Some(window) = window(corners, view) else { continue };
            if let Some(facet) = Facet::new(triangle, corners, view) {
                self.sample(&facet, window, view, &mut work);
                self.facets.push(facet);
            }
        }
    }

    fn sample(&mut self, facet: &Facet, window: Window, view: &View, work: &mut Work) {
        let number = self.facets.len() as u32;
        let nearest = (1.0 / view.near) as f32;
        let [e0, e1, e2] = facet.edges;
        for row in window.rows.0..window.rows.1 {
            let start = row * view.width;
            let [r0, r1, r2] = [e0, e1, e2].map(|e| e.per_row * row as f64 + e.constant);
            let columns =
                span(window.columns, [(r0, e0.per_column), (r1, e1.per_column), (r2, e2.per_column)]);
            if !work.row(columns.len()) {
                return;
            }
            for column in columns {
                let x = column as f64;
                let (a, b, c) = (e0.per_column * x + r0, e1.per_column * x + r1, e2.per_column * x + r2);
                if a < 0.0 || b < 0.0 || c < 0.0 {
                    continue;
                }
                let inverse = ((a + b + c) * facet.scale) as f32;
                let at = start + column;
                if inverse > self.inverse_depth[at] && inverse <= nearest {
                    self.inverse_depth[at] = inverse;
                    self.seen[at] = number;
                }
            }
        }
    }
}

/// Ranges of columns and rows, ends exclusive.
#[derive(Clone, Copy, Debug)]
struct Window {
    columns: (usize, usize),
    rows: (usize, usize),
}

/// The part of the image in which the part of a triangle beyond the near plane lies; `None` if there is none.
fn window(corners: [DVec3; 3], view: &View) -> Option<Window> {
    let (mut low, mut high) = ((f64::INFINITY, f64::INFINITY), (f64::NEG_INFINITY, f64::NEG_INFINITY));
    let mut include = |p: DVec3| {
        let (x, y) = view.project(p);
        low = (low.0.min(x), low.1.min(y));
        high = (high.0.max(x), high.1.max(y));
    };
    for i in 0..3 {
        let (p, q) = (corners[i], corners[(i + 1) % 3]);
        if p.z >= view.near {
            include(p);
        }
        if (p.z >= view.near) != (q.z >= view.near) {
            let crossing = p + (q - p) * ((view.near - p.z) / (q.z - p.z));
            include(DVec3::new(crossing.x, crossing.y, view.near));
        }
    }
    // Rounded outwards, as projecting rounds too. Casts saturate, so a triangle far outside gives an empty
    // range, not a wrapped one.
    let clamp = |from: f64, to: f64, size: usize| {
        let first = from.floor().max(0.0) as usize;
        let past = ((to.ceil() + 1.0).max(0.0) as usize).min(size);
        (first < past).then_some((first, past))
    };
    Some(Window { columns: clamp(low.0, high.0, view.width)?, rows: clamp(low.1, high.1, view.height)? })
}
