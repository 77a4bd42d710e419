//! Loops that only stream memory, or only multiply and add: the reference for the kernels.
//!
//! A kernel that reads B bytes and does F floating-point operations cannot take less time than max(B/bandwidth, F/peak) \[williams2009\].
//! Bandwidth and peak are those of the instructions that the kernels use. The caller measures the time; the engine has no clock.

use crate::simd::{Arithmetic, F64x4, Kernel, LANES, Simd, dispatch};

/// Sums an array: reads 8 bytes and adds once per element.
pub fn sum(values: &[f64]) -> f64 {
    dispatch(Sum(values))
}

/// a = b + s·c: reads 16 bytes and writes 8 per element, up to the length of the shortest array.
pub fn triad(a: &mut [f64], b: &[f64], c: &[f64], s: f64) {
    dispatch(Triad { a, b, c, s });
}

/// Multiplies and adds in registers; returns the result, so that the work is not optimised away. Each of the `rounds` does
/// [`FLOPS_PER_ROUND`] floating-point operations.
pub fn multiply_add(rounds: usize) -> f64 {
    dispatch(MultiplyAdd(rounds))
}

/// Floating-point operations of one round of [`multiply_add`].
pub const FLOPS_PER_ROUND: usize = CHAINS * LANES * 2;

/// Independent chains: enough to hide the latency of two fused multiply-add units.
const CHAINS: usize = 12;

struct Sum<'a>(&'a [f64]);

impl Kernel for Sum<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f64 {
        let (blocks, rest) = self.0.as_chunks::<LANES>();
        let (rows, last) = blocks.as_chunks::<8>();
        let mut sums = [simd.zero(); 8];
        for row in rows {
            for (sum, block) in sums.iter_mut().zip(row) {
                *sum += simd.load(block);
            }
        }
        for block in last {
            sums[0] += simd.load(block);
        }
        sums.iter().map(|sum| sum.sum()).sum::<f64>() + rest.iter().sum::<f64>()
    }
}

struct Triad<'a> {
    a: &'a mut [f64],
    b: &'a [f64],
    c: &'a [f64],
    s: f64,
}

impl Kernel for Triad<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let s = simd.splat(self.s);
        let (a, b, c) =
            (self.a.as_chunks_mut::<LANES>(), self.b.as_chunks::<LANES>(), self.c.as_chunks::<LANES>());
        for ((a, b), c) in a.0.iter_mut().zip(b.0).zip(c.0) {
            simd.load(c).mul_add(s, simd.load(b)).store(a);
        }
        for ((a, b), c) in a.1.iter_mut().zip(b.1).zip(c.1) {
            *a = b + self.s * c;
        }
    }
}

struct MultiplyAdd(usize);

impl Kernel for MultiplyAdd {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f64 {
        // A contraction: the chains stay finite, and away from denormal numbers.
        let (factor, term) = (simd.splat(0.5), simd.splat(1.0));
        let mut chains: [S::F64; CHAINS] = std::array::from_fn(|i| simd.splat(i as f64));
        for _ in 0..self.0 {
            for chain in &mut chains {
                *chain = chain.mul_add(factor, term);
            }
        }
        chains.iter().map(|chain| chain.sum()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loops_compute_what_they_say() {
        let values: Vec<f64> = (0..103).map(f64::from).collect();
        assert_eq!(sum(&values), 103.0 * 51.0);
        let (b, c) = (values.clone(), vec![2.0; 103]);
        let mut a = vec![0.0; 103];
        triad(&mut a, &b, &c, 3.0);
        assert!(a.iter().zip(&b).all(|(a, b)| *a == b + 6.0));
        // x ← x/2 + 1 converges to 2.
        assert!((multiply_add(200) - 2.0 * (CHAINS * LANES) as f64).abs() < 1e-9);
    }
}
