//! Bounded rasterisation: which columns of a row a triangle can cover, and how much a frame may cost.
//!
//! A body that has exploded has thousands of triangles that each span the whole image. Scanning all of them takes seconds and shows nothing but
//! noise. A frame therefore has an amount of [`Work`] that no ordinary picture needs; the triangles beyond it are left out.

use std::ops::Range;

/// Samples that may be visited for each sample of the image. Ordinary pictures visit fewer than ten.
const LAYERS: u64 = 60;
/// And for each triangle: small ones visit a few samples each, however many there are.
const EACH: u64 = 64;

/// Samples and rows that are left to visit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    left: u64,
}

impl Work {
    /// For an image of this many samples.
    pub fn new(samples: usize, triangles: usize) -> Self {
        Self { left: LAYERS * samples as u64 + EACH * triangles as u64 }
    }

    /// Counts a row of so many samples; `false` if the work is used up.
    pub fn row(&mut self, samples: usize) -> bool {
        let cost = samples as u64 + 1;
        let enough = self.left >= cost;
        self.left -= if enough { cost } else { self.left };
        enough
    }
}

/// The columns in which all three linear functions, each (value at column 0, change per column), can be non-negative; up to two columns too many on
/// each side, so that rounding loses none.
pub(super) fn span(columns: (usize, usize), edges: [(f64, f64); 3]) -> Range<usize> {
    let (mut from, mut past) = columns;
    for (value, change) in edges {
        let root = -value / change;
        // Casts saturate.
        if change > 0.0 {
            from = from.max((root.floor() - 1.0).max(0.0) as usize);
        } else if change < 0.0 {
            past = past.min((root.ceil() + 2.0).max(0.0) as usize);
        } else if value < 0.0 {
            past = from;
        }
    }
    from..past.max(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The span holds every column that a full scan would find, and few others.
    #[test]
    fn spans_lose_no_sample() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        for case in 0..2000 {
            let size = 10f64.powi(case % 13);
            let edges = [0; 3].map(|_| (size * 200.0 * random(), size * random()));
            let inside = |x: usize| edges.iter().all(|(value, change)| change * x as f64 + value >= 0.0);
            let found = span((3, 300), edges);
            let all: Vec<usize> = (3..300).filter(|&x| inside(x)).collect();
            assert!(all.iter().all(|x| found.contains(x)), "{edges:?}");
            assert!(found.len() <= all.len() + 6, "{edges:?}: {found:?}");
        }
        assert!(span((0, 10), [(-1.0, 0.0), (1.0, 0.0), (1.0, 0.0)]).is_empty());
    }

    #[test]
    fn work_ends() {
        let mut work = Work::new(100, 1);
        let rows = (0..1000).filter(|_| work.row(99)).count();
        assert_eq!(rows, 60);
    }
}
