//! AVX2 and FMA.
//!
//! Why every `unsafe` here is sound: the intrinsics ask only that the processor has AVX2 and FMA. They are called from methods
//! of [`Avx2`], which [`Avx2::detect`] alone can make and only after finding both, or of values, which only an `Avx2` can make.
//! Loads and stores go through references to arrays of the full width, and need no alignment.

use super::{Arithmetic, F32x8, F64x4, Kernel, LANES, LANES_F32, Simd};
use std::arch::x86_64::*;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Proof that the processor has AVX2 and FMA.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

#[derive(Clone, Copy, Debug)]
pub(crate) struct Doubles(__m256d);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Singles(__m256);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Mask(__m256d);

impl Avx2 {
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
    }
}

macro_rules! operators {
    ($type:ident, $add:ident, $sub:ident, $mul:ident) => {
        impl Add for $type {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: a value exists, so the processor has the instruction.
                Self(unsafe { $add(self.0, other.0) })
            }
        }
        impl Sub for $type {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $sub(self.0, other.0) })
            }
        }
        impl Mul for $type {
            type Output = Self;
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $mul(self.0, other.0) })
            }
        }
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
    };
}
operators!(Doubles, _mm256_add_pd, _mm256_sub_pd, _mm256_mul_pd);
operators!(Singles, _mm256_add_ps, _mm256_sub_ps, _mm256_mul_ps);

impl Div for Doubles {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: a value exists, so the processor has the instruction.
        Self(unsafe { _mm256_div_pd(self.0, other.0) })
    }
}

impl Neg for Doubles {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: a value exists, so the processor has the instruction.
        Self(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
    }
}

impl Arithmetic for Doubles {
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        // SAFETY: a value exists, so the processor has the instruction.
        Self(unsafe { _mm256_fmadd_pd(self.0, b.0, c.0) })
    }
}

impl F64x4 for Doubles {
    type Mask = Mask;

    #[inline(always)]
    fn neg_mul_add(self, b: Self, c: Self) -> Self {
        // SAFETY: a value exists, so the processor has the instruction; so for all methods below.
        Self(unsafe { _mm256_fnmadd_pd(self.0, b.0, c.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see `neg_mul_add`.
        Self(unsafe { _mm256_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: see `neg_mul_add`.
        Self(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: see `neg_mul_add`.
        Self(unsafe { _mm256_max_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Mask {
        // SAFETY: see `neg_mul_add`.
        Mask(unsafe { _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0) })
    }
    #[inline(always)]
    fn select(mask: Mask, yes: Self, no: Self) -> Self {
        // SAFETY: see `neg_mul_add`.
        Self(unsafe { _mm256_blendv_pd(no.0, yes.0, mask.0) })
    }
    #[inline(always)]
    fn any(mask: Mask) -> bool {
        // SAFETY: a mask exists, so the processor has the instruction.
        unsafe { _mm256_movemask_pd(mask.0) != 0 }
    }
    #[inline(always)]
    fn all(mask: Mask) -> bool {
        // SAFETY: as above.
        unsafe { _mm256_movemask_pd(mask.0) == 0b1111 }
    }
    #[inline(always)]
    fn store(self, to: &mut [f64; LANES]) {
        // SAFETY: see `neg_mul_add`; the reference is to four doubles.
        unsafe { _mm256_storeu_pd(to.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn sum(self) -> f64 {
        // SAFETY: see `neg_mul_add`.
        unsafe {
            let halves = _mm_add_pd(_mm256_castpd256_pd128(self.0), _mm256_extractf128_pd::<1>(self.0));
            _mm_cvtsd_f64(_mm_add_sd(halves, _mm_unpackhi_pd(halves, halves)))
        }
    }
}

impl Arithmetic for Singles {
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        // SAFETY: a value exists, so the processor has the instruction.
        Self(unsafe { _mm256_fmadd_ps(self.0, b.0, c.0) })
    }
}

impl F32x8 for Singles {
    #[inline(always)]
    fn store(self, to: &mut [f32; LANES_F32]) {
        // SAFETY: a value exists, so the processor has the instruction; the reference is to eight floats.
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn sum(self) -> f32 {
        // SAFETY: a value exists, so the processor has the instructions.
        unsafe {
            let half = _mm_add_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            let quarter = _mm_add_ps(half, _mm_movehl_ps(half, half));
            _mm_cvtss_f32(_mm_add_ss(quarter, _mm_shuffle_ps::<1>(quarter, quarter)))
        }
    }
}

impl Simd for Avx2 {
    type F64 = Doubles;
    type F32 = Singles;

    #[inline(always)]
    fn splat(self, value: f64) -> Doubles {
        // SAFETY: the token exists, so the processor has the instruction.
        Doubles(unsafe { _mm256_set1_pd(value) })
    }
    #[inline(always)]
    fn load(self, from: &[f64; LANES]) -> Doubles {
        // SAFETY: the token exists, and the reference is to four doubles.
        Doubles(unsafe { _mm256_loadu_pd(from.as_ptr()) })
    }
    #[inline(always)]
    fn splat_f32(self, value: f32) -> Singles {
        // SAFETY: the token exists, so the processor has the instruction.
        Singles(unsafe { _mm256_set1_ps(value) })
    }
    #[inline(always)]
    fn load_f32(self, from: &[f32; LANES_F32]) -> Singles {
        // SAFETY: the token exists, and the reference is to eight floats.
        Singles(unsafe { _mm256_loadu_ps(from.as_ptr()) })
    }
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: the token exists, so the processor has what the function is compiled for.
        unsafe { run_with_features(kernel, self) }
    }
}

/// The kernel is inlined here, and so may be compiled to these instructions.
///
/// # Safety
/// The processor has AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
unsafe fn run_with_features<K: Kernel>(kernel: K, simd: Avx2) -> K::Output {
    kernel.run(simd)
}
