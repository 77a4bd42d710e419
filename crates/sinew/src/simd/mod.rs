//! Four `f64` or eight `f32` lanes at a time; the instruction set is chosen at run time.
//!
//! A kernel is written once, generic over [`Simd`], and [`dispatch`] runs it with the widest instructions that the processor has: AVX2 with
//! FMA on x86-64, simd128 in WebAssembly, plain arrays elsewhere. Only a token of an instruction set can create values of its lane type, and
//! the token exists only after the set has been detected, so any code that has a value may compute with it: kernels need no `unsafe`. This
//! module and the files below it are the only ones of the engine that may use it.
//!
//! AVX2 fuses a·b + c into one rounding, the others round twice: results agree between processors to rounding, not to the bit. On one
//! processor they do not depend on the number of threads.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;

pub(crate) use portable::Portable;

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Lanes of `f64` in one value.
pub(crate) const LANES: usize = 4;
/// Lanes of `f32` in one value.
pub(crate) const LANES_F32: usize = 8;

/// Arithmetic common to both widths.
pub(crate) trait Arithmetic:
    Copy
    + Debug
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + AddAssign
    + SubAssign
{
    /// self·b + c.
    fn mul_add(self, b: Self, c: Self) -> Self;
}

/// Four `f64`.
pub(crate) trait F64x4: Arithmetic + Div<Output = Self> + Neg<Output = Self> {
    /// One truth value per lane.
    type Mask: Copy + Debug;

    /// c − self·b.
    fn neg_mul_add(self, b: Self, c: Self) -> Self;
    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    /// The larger of each pair; `other` where either is NaN.
    fn max(self, other: Self) -> Self;
    /// self < other; false for NaN.
    fn lt(self, other: Self) -> Self::Mask;
    /// `yes` where the mask holds, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    fn any(mask: Self::Mask) -> bool;
    fn all(mask: Self::Mask) -> bool;
    fn store(self, to: &mut [f64; LANES]);
    /// (lane 0 + lane 2) + (lane 1 + lane 3), the same order in every instruction set.
    fn sum(self) -> f64;

    fn to_array(self) -> [f64; LANES] {
        let mut lanes = [0.0; LANES];
        self.store(&mut lanes);
        lanes
    }
}

/// Eight `f32`.
pub(crate) trait F32x8: Arithmetic {
    fn store(self, to: &mut [f32; LANES_F32]);
    /// Sum of the lanes, pairwise: first the halves, then the quarters.
    fn sum(self) -> f32;
}

/// A token of an available instruction set.
pub(crate) trait Simd: Copy + Debug + Send + Sync + 'static {
    type F64: F64x4;
    type F32: F32x8;

    fn splat(self, value: f64) -> Self::F64;
    fn load(self, from: &[f64; LANES]) -> Self::F64;
    fn splat_f32(self, value: f32) -> Self::F32;
    fn load_f32(self, from: &[f32; LANES_F32]) -> Self::F32;
    /// Runs a kernel with the instructions of this set.
    fn run<K: Kernel>(self, kernel: K) -> K::Output;

    fn zero(self) -> Self::F64 {
        self.splat(0.0)
    }
}

/// A computation, generic over the instruction set. Implementations are `#[inline(always)]`, and so is everything they call that works on
/// lanes: only then may the compiler use the instructions.
pub(crate) trait Kernel {
    type Output;
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Runs a kernel with the best instructions of this processor.
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = avx2::Avx2::detect() {
        return simd.run(kernel);
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return wasm::Simd128::new().run(kernel);
    #[allow(unreachable_code)]
    Portable.run(kernel)
}

/// Name of the instruction set that the kernels use on this machine.
pub fn instruction_set() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if avx2::Avx2::detect().is_some() {
        return "AVX2 and FMA";
    }
    if cfg!(all(target_arch = "wasm32", target_feature = "simd128")) { "simd128" } else { "portable" }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation once; returns numbers that all instruction sets must agree on.
    struct Everything([f64; 4], [f64; 4]);

    impl Kernel for Everything {
        type Output = Vec<f64>;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Vec<f64> {
            let (a, b) = (simd.load(&self.0), simd.load(&self.1));
            let mut c = a;
            c += b;
            c -= simd.splat(0.5);
            let less = a.lt(b);
            let all = [a + b, a - b, a * b, a / b, -a, a.abs().sqrt(), a.max(b), c];
            let mut out: Vec<f64> = all.iter().flat_map(|v| v.to_array()).collect();
            out.extend(a.mul_add(b, c).to_array());
            out.extend(a.neg_mul_add(b, c).to_array());
            out.extend(S::F64::select(less, a, b).to_array());
            out.push(f64::from(u8::from(S::F64::any(less))) + 2.0 * f64::from(u8::from(S::F64::all(less))));
            out.push(a.sum());
            let single: [f32; 8] = std::array::from_fn(|i| i as f32 - self.0[i % 4] as f32);
            let s = simd.load_f32(&single);
            let mut t = s.mul_add(simd.splat_f32(3.0), s * s) + s;
            t -= s;
            let mut lanes = [0.0; 8];
            t.store(&mut lanes);
            out.extend(lanes.map(f64::from));
            out.push(f64::from(t.sum()));
            out
        }
    }

    #[test]
    fn instruction_sets_agree() {
        // Small integers and halves: no rounding, fused or not.
        for (a, b) in
            [([1.0, -2.0, 3.5, 4.0], [2.0, 0.5, -4.0, 8.0]), ([-1.0, -2.0, -3.0, 0.0], [1.0, 2.0, 4.0, 16.0])]
        {
            assert_eq!(dispatch(Everything(a, b)), Portable.run(Everything(a, b)));
        }
    }

    #[test]
    fn comparisons_with_nan_are_false() {
        let out = dispatch(Everything([f64::NAN; 4], [1.0; 4]));
        let portable = Portable.run(Everything([f64::NAN; 4], [1.0; 4]));
        assert_eq!(out[24..28], [1.0; 4], "max takes the other");
        assert_eq!(out[44], 0.0, "nothing is less than NaN");
        assert_eq!(portable[44], 0.0);
        assert_eq!(portable[24..28], [1.0; 4]);
    }
}
