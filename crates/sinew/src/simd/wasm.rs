//! WebAssembly's simd128: pairs of 128-bit values, so that kernels see the same number of lanes everywhere.
//!
//! The feature is a property of the module, fixed when it is compiled: nothing is detected, and the intrinsics are safe except for loads and
//! stores through pointers. There is no fused multiply-add without relaxed-simd, which differs between machines.

use super::{Arithmetic, F32x8, F64x4, Kernel, LANES, LANES_F32, Simd};
use core::arch::wasm32::*;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// The instruction set of this module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128(());

#[derive(Clone, Copy, Debug)]
pub(crate) struct Doubles(v128, v128);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Singles(v128, v128);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Mask(v128, v128);

impl Simd128 {
    pub fn new() -> Self {
        Self(())
    }
}

macro_rules! operator {
    ($type:ident, $trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self($intrinsic(self.0, other.0), $intrinsic(self.1, other.1))
            }
        }
    };
}
operator!(Doubles, Add, add, f64x2_add);
operator!(Doubles, Sub, sub, f64x2_sub);
operator!(Doubles, Mul, mul, f64x2_mul);
operator!(Doubles, Div, div, f64x2_div);
operator!(Singles, Add, add, f32x4_add);
operator!(Singles, Sub, sub, f32x4_sub);
operator!(Singles, Mul, mul, f32x4_mul);

macro_rules! assigning {
    ($type:ident) => {
        impl AddAssign for $type {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
        impl SubAssign for $type {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }
        impl Arithmetic for $type {
            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                self * b + c
            }
        }
    };
}
assigning!(Doubles);
assigning!(Singles);

impl Neg for Doubles {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(f64x2_neg(self.0), f64x2_neg(self.1))
    }
}

impl F64x4 for Doubles {
    type Mask = Mask;

    #[inline(always)]
    fn neg_mul_add(self, b: Self, c: Self) -> Self {
        c - self * b
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(f64x2_sqrt(self.0), f64x2_sqrt(self.1))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(f64x2_abs(self.0), f64x2_abs(self.1))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // pmax(a, b) is a < b ? b : a: with the arguments exchanged, `other` where either is NaN.
        Self(f64x2_pmax(other.0, self.0), f64x2_pmax(other.1, self.1))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Mask {
        Mask(f64x2_lt(self.0, other.0), f64x2_lt(self.1, other.1))
    }
    #[inline(always)]
    fn select(mask: Mask, yes: Self, no: Self) -> Self {
        Self(v128_bitselect(yes.0, no.0, mask.0), v128_bitselect(yes.1, no.1, mask.1))
    }
    #[inline(always)]
    fn any(mask: Mask) -> bool {
        v128_any_true(v128_or(mask.0, mask.1))
    }
    #[inline(always)]
    fn all(mask: Mask) -> bool {
        i64x2_all_true(v128_and(mask.0, mask.1))
    }
    #[inline(always)]
    fn store(self, to: &mut [f64; LANES]) {
        let low = [f64x2_extract_lane::<0>(self.0), f64x2_extract_lane::<1>(self.0)];
        let high = [f64x2_extract_lane::<0>(self.1), f64x2_extract_lane::<1>(self.1)];
        *to = [low[0], low[1], high[0], high[1]];
    }
    #[inline(always)]
    fn sum(self) -> f64 {
        let halves = f64x2_add(self.0, self.1);
        f64x2_extract_lane::<0>(halves) + f64x2_extract_lane::<1>(halves)
    }
}

impl F32x8 for Singles {
    #[inline(always)]
    fn store(self, to: &mut [f32; LANES_F32]) {
        // SAFETY: the reference is to eight floats, and simd128 stores need no alignment.
        unsafe {
            v128_store(to.as_mut_ptr().cast(), self.0);
            v128_store(to.as_mut_ptr().add(4).cast(), self.1);
        }
    }
    #[inline(always)]
    fn sum(self) -> f32 {
        let half = f32x4_add(self.0, self.1);
        (f32x4_extract_lane::<0>(half) + f32x4_extract_lane::<2>(half))
            + (f32x4_extract_lane::<1>(half) + f32x4_extract_lane::<3>(half))
    }
}

impl Simd for Simd128 {
    type F64 = Doubles;
    type F32 = Singles;

    #[inline(always)]
    fn splat(self, value: f64) -> Doubles {
        Doubles(f64x2_splat(value), f64x2_splat(value))
    }
    #[inline(always)]
    fn load(self, from: &[f64; LANES]) -> Doubles {
        // SAFETY: the reference is to four doubles, and simd128 loads need no alignment.
        unsafe { Doubles(v128_load(from.as_ptr().cast()), v128_load(from.as_ptr().add(2).cast())) }
    }
    #[inline(always)]
    fn splat_f32(self, value: f32) -> Singles {
        Singles(f32x4_splat(value), f32x4_splat(value))
    }
    #[inline(always)]
    fn load_f32(self, from: &[f32; LANES_F32]) -> Singles {
        // SAFETY: the reference is to eight floats, and simd128 loads need no alignment.
        unsafe { Singles(v128_load(from.as_ptr().cast()), v128_load(from.as_ptr().add(4).cast())) }
    }
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}
