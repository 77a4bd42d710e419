//! Arrays and loops, for processors without a specialised path. The compiler may vectorise them.

use super::{Arithmetic, F32x8, F64x4, Kernel, LANES, LANES_F32, Simd};
use std::array::from_fn;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// The portable instruction set, available everywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

/// N lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Array<T, const N: usize>([T; N]);

macro_rules! operator {
    ($trait:ident, $method:ident, $op:tt) => {
        impl<T: Copy + $trait<Output = T>, const N: usize> $trait for Array<T, N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(from_fn(|i| self.0[i] $op other.0[i]))
            }
        }
    };
}
operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

impl<T: Copy + Add<Output = T>, const N: usize> AddAssign for Array<T, N> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<T: Copy + Sub<Output = T>, const N: usize> SubAssign for Array<T, N> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Array<f64, LANES> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|a| -a))
    }
}

impl Arithmetic for Array<f64, LANES> {
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        // Two roundings: without the instruction, a fused operation is a slow function call.
        self * b + c
    }
}

impl F64x4 for Array<f64, LANES> {
    type Mask = [bool; LANES];

    #[inline(always)]
    fn neg_mul_add(self, b: Self, c: Self) -> Self {
        c - self * b
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f64::abs))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(from_fn(|i| if self.0[i] > other.0[i] { self.0[i] } else { other.0[i] }))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Self::Mask {
        from_fn(|i| self.0[i] < other.0[i])
    }
    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Self(from_fn(|i| if mask[i] { yes.0[i] } else { no.0[i] }))
    }
    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        mask.iter().any(|&m| m)
    }
    #[inline(always)]
    fn all(mask: Self::Mask) -> bool {
        mask.iter().all(|&m| m)
    }
    #[inline(always)]
    fn store(self, to: &mut [f64; LANES]) {
        *to = self.0;
    }
    #[inline(always)]
    fn sum(self) -> f64 {
        (self.0[0] + self.0[2]) + (self.0[1] + self.0[3])
    }
}

impl Arithmetic for Array<f32, LANES_F32> {
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        self * b + c
    }
}

impl F32x8 for Array<f32, LANES_F32> {
    #[inline(always)]
    fn store(self, to: &mut [f32; LANES_F32]) {
        *to = self.0;
    }
    #[inline(always)]
    fn sum(self) -> f32 {
        let half: [f32; 4] = from_fn(|i| self.0[i] + self.0[i + 4]);
        (half[0] + half[2]) + (half[1] + half[3])
    }
}

impl Simd for Portable {
    type F64 = Array<f64, LANES>;
    type F32 = Array<f32, LANES_F32>;

    #[inline(always)]
    fn splat(self, value: f64) -> Self::F64 {
        Array([value; LANES])
    }
    #[inline(always)]
    fn load(self, from: &[f64; LANES]) -> Self::F64 {
        Array(*from)
    }
    #[inline(always)]
    fn splat_f32(self, value: f32) -> Self::F32 {
        Array([value; LANES_F32])
    }
    #[inline(always)]
    fn load_f32(self, from: &[f32; LANES_F32]) -> Self::F32 {
        Array(*from)
    }
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}
