//! Windows on the mouth: parts of the inner lips that are predicted each by itself, from the mouth near it.
//!
//! Deviating from the dissertation, which has one set of weights for the whole mouth: the left corner may smile while the right one does not, and ten frames
//! are too few to show every such combination. Centres are spread over the inner lips. A triangle of the mouth counts for a window by
//! g = a (ε + exp(−d²/2σ²)), d its distance from the centre and a its area over the mean; a vertex of the inner lips belongs to windows by
//! shares φ ∝ exp(−d²/2τ²) that sum to 1. Every window has its own weights of the examples, w = (YᵀgY)⁺ Yᵀg y, so that examples are still reproduced
//! exactly. One window is the dissertation's method: g = φ = 1.

use glam::DVec3;

/// How much everything counts everywhere, ε.
const EVERYWHERE: f64 = 0.003;
/// σ and τ over the distance of neighbouring centres.
const SEEN: f64 = 0.7;
const PREDICTED: f64 = 0.45;

/// The windows of a patch.
#[derive(Clone, Debug, PartialEq)]
pub struct Windows {
    /// Windows.
    count: usize,
    /// g of each triangle of the mouth, window by window within it, m × count.
    seen: Vec<f64>,
    /// φ of each inner vertex, #inner × count.
    predicted: Vec<f64>,
}

impl Windows {
    /// `count` windows, at least one, for triangles of the mouth (centre and area) and vertices of the inner lips.
    pub(crate) fn new(mouth: &[(DVec3, f64)], inner: &[DVec3], count: usize) -> Self {
        let centres = spread(inner, count.max(1));
        let count = centres.len().max(1);
        if count == 1 {
            return Self { count, seen: vec![1.0; mouth.len()], predicted: vec![1.0; inner.len()] };
        }
        let apart = |i: usize| {
            let others = centres.iter().enumerate().filter(|(j, _)| *j != i);
            others.map(|(_, c)| c.distance(centres[i])).fold(f64::INFINITY, f64::min)
        };
        let spacing = (0..count).map(apart).sum::<f64>() / count as f64;
        let bell = |d: f64, width: f64| (-0.5 * (d / (width * spacing)).powi(2)).exp();
        let mean = mouth.iter().map(|(_, area)| area).sum::<f64>() / mouth.len().max(1) as f64;
        let mut seen = Vec::with_capacity(count * mouth.len());
        for (p, area) in mouth {
            seen.extend(centres.iter().map(|c| area / mean * (EVERYWHERE + bell(c.distance(*p), SEEN))));
        }
        let mut predicted = Vec::with_capacity(count * inner.len());
        for p in inner {
            let shares: Vec<f64> =
                centres.iter().map(|c| bell(c.distance(*p), PREDICTED) + f64::MIN_POSITIVE).collect();
            let sum: f64 = shares.iter().sum();
            predicted.extend(shares.iter().map(|s| s / sum));
        }
        Self { count, seen, predicted }
    }

    /// Number of windows.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Σ g yᵀz over the mouth, for each window.
    pub(crate) fn products(&self, y: &[f64], z: &[f64]) -> Vec<f64> {
        if self.count == 1 {
            return vec![crate::model::dot(y, z)];
        }
        let mut sums = vec![0.0; self.count];
        let triangles = y.chunks_exact(9).zip(z.chunks_exact(9));
        for ((a, b), g) in triangles.zip(self.seen.chunks_exact(self.count)) {
            let mut product = 0.0;
            for k in 0..9 {
                product += a[k] * b[k];
            }
            sums.iter_mut().zip(g).for_each(|(sum, g)| *sum += g * product);
        }
        sums
    }

    /// The shares of the windows in an inner vertex.
    pub(crate) fn shares(&self, vertex: usize) -> &[f64] {
        &self.predicted[vertex * self.count..(vertex + 1) * self.count]
    }
}

/// Points that are far from each other: each the farthest from those before; the first is the farthest from the middle.
fn spread(points: &[DVec3], count: usize) -> Vec<DVec3> {
    let middle = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
    let mut distance: Vec<f64> = points.iter().map(|p| p.distance(middle)).collect();
    let mut chosen: Vec<DVec3> = Vec::new();
    while chosen.len() < count {
        let far = (0..points.len()).fold(None, |best: Option<usize>, k| match best {
            Some(b) if distance[b] >= distance[k] => Some(b),
            _ => Some(k),
        });
        let Some(far) = far else { break };
        if !chosen.is_empty() && distance[far] <= 0.0 {
            break;
        }
        let first = chosen.is_empty();
        chosen.push(points[far]);
        for (d, p) in distance.iter_mut().zip(points) {
            let new = p.distance(points[far]);
            *d = if first { new } else { d.min(new) };
        }
    }
    chosen
}
