//! The size that gives a number of vertices: a search on lattices that are cut but not improved.

use super::error::TetrahedralizeError;
use super::make::Making;

/// As near as the number has to be, as a share.
const CLOSE: f64 = 0.02;
/// Sizes that are tried.
const TRIALS: usize = 9;

impl Making<'_> {
    /// A size for about `wanted` vertices inside `volume`.
    pub fn size_for(&self, wanted: usize, volume: f64) -> Result<f64, TetrahedralizeError> {
        let goal = wanted as f64;
        // A lattice has two points for each cube.
        let mut size = (2.0 * volume / goal).cbrt();
        let mut best = (f64::INFINITY, size);
        // ln(count) is nearly a straight line over ln(size), with a slope between −3 (bulk) and −2 (shells).
        let mut last: Option<(f64, f64)> = None;
        for _ in 0..TRIALS {
            self.refuse_too_fine(size)?;
            let count = self.count(size).max(1) as f64;
            let off = (count / goal).ln();
            if off.abs() < best.0 {
                best = (off.abs(), size);
            }
            if off.abs() < CLOSE {
                break;
            }
            let here = size.ln();
            let slope = match last {
                Some((at, other)) if (at - here).abs() > 1e-9 => {
                    ((other - off) / (at - here)).clamp(-4.0, -1.5)
                }
                _ => -2.7,
            };
            last = Some((here, off));
            size = (here - off / slope).exp();
        }
        Ok(best.1)
    }
}
