//! The mode that must be exact: translation of every connected part as a whole.
//!
//! 1ᵀAd = 1ᵀg says that a step d changes the linear momentum by the impulse of the forces. A factor solves this to rounding with everything
//! else; an iteration that ends early would leave a spurious force. With w the indicator of one part, adding w·(wᵀr)/(wᵀAw) makes wᵀr vanish
//! and lowers the error in the energy norm. This is done before the iteration, which then starts without its slowest mode, and after it. In
//! the scaled system w is D^½ on the part.

use super::rows::UnitRows;
use glam::DVec3;

/// The part that each row belongs to, and w, Âw and wᵀÂw.
#[derive(Debug)]
pub(super) struct Translations {
    part: Vec<u32>,
    mode: Vec<f64>,
    image: Vec<f64>,
    stiffness: Vec<f64>,
    sums: Vec<DVec3>,
}

impl Translations {
    /// `mode` is D^½.
    pub fn new(matrix: &UnitRows, mode: Vec<f64>) -> Self {
        let n = matrix.pattern.n();
        let part = parts(matrix);
        let count = part.iter().max().map_or(0, |&last| last as usize + 1);
        let image: Vec<f64> =
            (0..n).map(|i| mode[i] + matrix.row(i).map(|(j, a)| a * mode[j]).sum::<f64>()).collect();
        let mut stiffness = vec![0.0; count];
        for i in 0..n {
            stiffness[part[i] as usize] += mode[i] * image[i];
        }
        Self { part, mode, image, stiffness, sums: vec![DVec3::ZERO; count] }
    }

    pub fn bytes(&self) -> usize {
        20 * self.part.len() + 32 * self.sums.len()
    }

    /// x ← x + w(wᵀr)/(wᵀÂw), r ← b − Âx.
    pub fn correct(&mut self, x: &mut [DVec3], r: &mut [DVec3]) {
        self.sums.fill(DVec3::ZERO);
        for ((&part, &mode), r) in self.part.iter().zip(&self.mode).zip(&*r) {
            self.sums[part as usize] += *r * mode;
        }
        for (sum, &stiffness) in self.sums.iter_mut().zip(&self.stiffness) {
            // Rounding may cancel a positive number that is far below the others.
            *sum = if stiffness > 0.0 { *sum / stiffness } else { DVec3::ZERO };
        }
        for (i, (x, r)) in x.iter_mut().zip(r).enumerate() {
            let shift = self.sums[self.part[i] as usize];
            *x += shift * self.mode[i];
            *r -= shift * self.image[i];
        }
    }
}

/// Connected parts, numbered by their first row.
fn parts(matrix: &UnitRows) -> Vec<u32> {
    const UNSEEN: u32 = u32::MAX;
    let mut part = vec![UNSEEN; matrix.pattern.n()];
    let mut count = 0;
    let mut open = Vec::new();
    for first in 0..part.len() {
        if part[first] != UNSEEN {
            continue;
        }
        part[first] = count;
        open.push(first);
        while let Some(i) = open.pop() {
            for (j, _) in matrix.row(i) {
                if part[j] == UNSEEN {
                    part[j] = count;
                    open.push(j);
                }
            }
        }
        count += 1;
    }
    part
}
