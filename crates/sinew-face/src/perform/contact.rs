//! Lips that meet: where the line of the lower lip would rise above that of the upper lip, both give way by half, and the flesh around them follows.
//!
//! The two lines run from corner to corner; points at the same share of their lengths are opposite each other. Contact makes the shape a
//! function with kinks of the expression, which no linear blend has.

use crate::geodesic::{Adjacency, distances};
use glam::DVec3;

/// Samples along a line.
const SAMPLES: usize = 48;

/// Two lines that do not pass each other.
#[derive(Clone, Debug)]
pub(super) struct LipContact {
    upper: Line,
    lower: Line,
    /// Overlap of the neutral lips, of which none counts, at each sample.
    neutral: Vec<f64>,
    /// Vertex, share of the line, and how it moves: positive up.
    follow: Vec<(u32, f64, f64)>,
}

/// A line of vertices, and the share of its length at each.
#[derive(Clone, Debug)]
struct Line {
    vertices: Vec<u32>,
    share: Vec<f64>,
}

impl Line {
    fn new(points: &[DVec3], vertices: &[u32]) -> Self {
        let mut length = vec![0.0];
        for pair in vertices.windows(2) {
            let step = (points[pair[0] as usize] - points[pair[1] as usize]).length();
            length.push(length.last().copied().unwrap_or(0.0) + step);
        }
        let whole = length.last().copied().unwrap_or(1.0).max(f64::MIN_POSITIVE);
        Self { vertices: vertices.to_vec(), share: length.iter().map(|l| l / whole).collect() }
    }

    fn height(&self, points: &[DVec3], share: f64) -> f64 {
        let next = self.share.partition_point(|&s| s < share).clamp(1, self.share.len() - 1);
        let (a, b) = (self.share[next - 1], self.share[next]);
        let y = |k: usize| points[self.vertices[k] as usize].y;
        let t = if b > a { ((share - a) / (b - a)).clamp(0.0, 1.0) } else { 0.0 };
        y(next - 1) + t * (y(next) - y(next - 1))
    }
}

impl LipContact {
    /// Lines of both lips from the same corner to the other, at least two vertices each; flesh within `radius` of a line follows it.
    pub fn new(points: &[DVec3], edges: &Adjacency, upper: &[u32], lower: &[u32], radius: f64) -> Self {
        let lines = [Line::new(points, upper), Line::new(points, lower)];
        let from: Vec<Vec<f64>> =
            lines.iter().map(|l| distances(edges, points.len(), &l.vertices, radius)).collect();
        let mut follow = Vec::new();
        for v in 0..points.len() {
            let side = usize::from(from[1][v] < from[0][v]);
            let d = from[side][v];
            if d > radius || from[0][v] == from[1][v] {
                continue;
            }
            let near = (lines[side].vertices.iter().zip(&lines[side].share)).min_by(|a, b| {
                let far = |v: u32, w: usize| (points[v as usize] - points[w]).length_squared();
                far(*a.0, v).total_cmp(&far(*b.0, v))
            });
            let share = near.map_or(0.5, |(_, &share)| share);
            let s = 1.0 - d / radius;
            let fall = s * s * (3.0 - 2.0 * s);
            follow.push((v as u32, share, if side == 0 { fall } else { -fall }));
        }
        let [upper, lower] = lines;
        let mut contact = Self { upper, lower, neutral: Vec::new(), follow };
        contact.neutral = contact.overlap(points);
        contact
    }

    fn overlap(&self, points: &[DVec3]) -> Vec<f64> {
        let share = |k: usize| (k as f64 + 0.5) / SAMPLES as f64;
        (0..SAMPLES)
            .map(|k| self.lower.height(points, share(k)) - self.upper.height(points, share(k)))
            .collect()
    }

    /// +1 for the upper lip, −1 for the lower, fading to 0 away from the line and at the corners; 0 for all others.
    pub fn side(&self, vertices: usize) -> Vec<f64> {
        let mut side = vec![0.0; vertices];
        for &(v, share, up) in &self.follow {
            let corner = (4.0 * share * (1.0 - share)).clamp(0.0, 1.0);
            side[v as usize] = up * corner.sqrt();
        }
        side
    }

    /// Moves lips that overlap apart.
    pub fn part(&self, points: &mut [DVec3]) {
        let raw: Vec<f64> =
            self.overlap(points).iter().zip(&self.neutral).map(|(o, n)| (o - n).max(0.0)).collect();
        let at = |k: isize| raw[k.clamp(0, SAMPLES as isize - 1) as usize];
        let smooth: Vec<f64> = (0..SAMPLES as isize)
            .map(|k| (at(k - 2) + 2.0 * at(k - 1) + 3.0 * at(k) + 2.0 * at(k + 1) + at(k + 2)) / 9.0)
            .collect();
        for &(v, share, up) in &self.follow {
            let x = (share * SAMPLES as f64 - 0.5).clamp(0.0, (SAMPLES - 1) as f64);
            let (k, t) = (x.floor() as usize, x.fract());
            let next = smooth.get(k + 1).copied().unwrap_or(smooth[k]);
            points[v as usize].y += 0.5 * up * (smooth[k] + t * (next - smooth[k]));
        }
    }
}
