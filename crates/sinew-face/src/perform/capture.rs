//! What capture does to inner lips: it smooths them, leaves a gap where they touch, and jitters [dinev2020, §2.3.1].

use super::noise;
use crate::regions::Regions;
use glam::DVec3;
use std::collections::BTreeMap;

/// A capture system with its flaws.
#[derive(Clone, Debug)]
pub struct Capture {
    /// Neighbours of each inner vertex.
    neighbours: Vec<Vec<u32>>,
    inner: Vec<u32>,
    /// +1 for the upper lip, −1 for the lower, less away from the line between them, of each inner vertex.
    side: Vec<f64>,
    seed: u64,
    /// Largest gap, cm.
    pub gap: f64,
    /// Jitter of a vertex, cm.
    pub jitter: f64,
    /// Rounds of smoothing.
    pub smoothing: usize,
}

impl Capture {
    /// For the inner lips of a mesh; `side` is +1 for a vertex of the upper lip and −1 for one of the lower, less away from the line between them.
    pub fn new(triangles: &[[u32; 3]], regions: &Regions, side: impl Fn(u32) -> f64, seed: u64) -> Self {
        let mut all: BTreeMap<u32, Vec<u32>> = regions.inner.iter().map(|&v| (v, Vec::new())).collect();
        for t in triangles {
            for k in 0..3 {
                if let Some(list) = all.get_mut(&t[k]) {
                    list.extend([t[(k + 1) % 3], t[(k + 2) % 3]]);
                }
            }
        }
        all.values_mut().for_each(|list| {
            list.sort_unstable();
            list.dedup();
        });
        let inner: Vec<u32> = all.keys().copied().collect();
        let side = inner.iter().map(|&v| side(v)).collect();
        let neighbours = all.into_values().collect();
        Self { neighbours, inner, side, seed, gap: 0.1, jitter: 0.02, smoothing: 10 }
    }

    /// How bad the capture of a frame is, 0 to 1; 0 for about a fifth of them.
    pub fn badness(&self, time: f64) -> f64 {
        (0.55 + 1.2 * noise::wander(self.seed, 900, 0.5 * time)).clamp(0.0, 1.0)
    }

    /// The captured frame of a true one; `up` is the direction in which lips part. `badness` 0 keeps it.
    pub fn degrade(&self, truth: &[DVec3], up: DVec3, frame: usize, badness: f64) -> Vec<DVec3> {
        let mut points = truth.to_vec();
        if badness <= 0.0 {
            return points;
        }
        for _ in 0..self.smoothing {
            let next: Vec<DVec3> = (self.inner.iter().zip(&self.neighbours))
                .map(|(&v, list)| {
                    let sum: DVec3 = list.iter().map(|&w| points[w as usize]).sum();
                    points[v as usize].lerp(sum / list.len().max(1) as f64, 0.5)
                })
                .collect();
            self.inner.iter().zip(next).for_each(|(&v, p)| points[v as usize] = p);
        }
        for (k, &v) in self.inner.iter().enumerate() {
            let random = |axis: u64| {
                2.0 * noise::uniform(self.seed + 1, ((frame as u64 * 100_000) + k as u64) * 3 + axis) - 1.0
            };
            let jitter = DVec3::new(random(0), random(1), random(2)) * self.jitter;
            let flawed = points[v as usize] + up * (self.side[k] * self.gap) + jitter;
            points[v as usize] = truth[v as usize].lerp(flawed, badness);
        }
        points
    }
}
