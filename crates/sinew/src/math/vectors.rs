//! Fields of 3-vectors as one long vector: dot products and updates, four numbers at a time.
//!
//! A long field is halved at fixed positions down to [`LEAF`], and the halves run on the pool if there is one: the order of the sum depends
//! on the length alone.

use crate::parallel;
use crate::simd::{Arithmetic, F64x4, Kernel, LANES, Simd, dispatch};
use glam::DVec3;

/// Number of vectors per task: 100 kB of each field.
const LEAF: usize = 4096;

/// Σ aᵢ·bᵢ.
pub(crate) fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    if a.len() <= LEAF {
        return dispatch(Dot { a: bytemuck::cast_slice(a), b: bytemuck::cast_slice(b) });
    }
    let half = a.len() / 2;
    let ((a0, a1), (b0, b1)) = (a.split_at(half), b.split_at(half));
    let (left, right) = parallel::both(|| dot(a0, b0), || dot(a1, b1));
    left + right
}

/// to ← to + scale·from.
pub(crate) fn add_scaled(scale: f64, from: &[DVec3], to: &mut [DVec3]) {
    if from.len() <= LEAF {
        return dispatch(AddScaled {
            scale,
            from: bytemuck::cast_slice(from),
            to: bytemuck::cast_slice_mut(to),
        });
    }
    let half = from.len() / 2;
    let ((from0, from1), (to0, to1)) = (from.split_at(half), to.split_at_mut(half));
    parallel::both(|| add_scaled(scale, from0, to0), || add_scaled(scale, from1, to1));
}

struct Dot<'a> {
    a: &'a [f64],
    b: &'a [f64],
}

impl Kernel for Dot<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f64 {
        // Four sums, so that one addition need not wait for the previous one.
        let mut sums = [simd.splat(0.0); 4];
        let (blocks_a, rest_a) = self.a.as_chunks::<{ 4 * LANES }>();
        let (blocks_b, rest_b) = self.b.as_chunks::<{ 4 * LANES }>();
        for (a, b) in blocks_a.iter().zip(blocks_b) {
            let (a, b) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0);
            for k in 0..4 {
                sums[k] = simd.load(&a[k]).mul_add(simd.load(&b[k]), sums[k]);
            }
        }
        let rest: f64 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
        ((sums[0] + sums[1]) + (sums[2] + sums[3])).sum() + rest
    }
}

struct AddScaled<'a> {
    scale: f64,
    from: &'a [f64],
    to: &'a mut [f64],
}

impl Kernel for AddScaled<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let scale = simd.splat(self.scale);
        let (from, rest_from) = self.from.as_chunks::<LANES>();
        let (to, rest_to) = self.to.as_chunks_mut::<LANES>();
        for (from, to) in from.iter().zip(to) {
            scale.mul_add(simd.load(from), simd.load(to)).store(to);
        }
        for (from, to) in rest_from.iter().zip(rest_to) {
            *to += self.scale * from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(n: usize, seed: f64) -> Vec<DVec3> {
        (0..n)
            .map(|i| DVec3::new((i as f64 * seed).sin(), i as f64 / n as f64, (i as f64 + seed).cos()))
            .collect()
    }

    #[test]
    fn long_and_odd_lengths_agree_with_plain_sums() {
        for n in [0, 1, 2, 5, 16, 1001, 3 * LEAF + 7] {
            let (a, b) = (field(n, 0.7), field(n, 1.3));
            let plain: f64 = a.iter().zip(&b).map(|(a, b)| a.dot(*b)).sum();
            assert!((dot(&a, &b) - plain).abs() <= 1e-12 * n as f64);
            let mut c = b.clone();
            add_scaled(-2.5, &a, &mut c);
            for i in 0..n {
                assert!((c[i] - (b[i] - a[i] * 2.5)).length() < 1e-14);
            }
        }
    }

    #[test]
    fn the_sum_does_not_depend_on_the_pool() {
        let (a, b) = (field(5 * LEAF + 3, 0.7), field(5 * LEAF + 3, 1.3));
        let alone = dot(&a, &b);
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| dot(&a, &b)).to_bits(), alone.to_bits());
        }
    }
}
