//! The two precisions of a panel: four rows of `f64` or eight of `f32`.

use crate::simd::{Arithmetic, F32x8, F64x4, LANES, LANES_F32, Simd};
use glam::DVec3;
use std::fmt::Debug;
use std::ops::AddAssign;

/// Consecutive rows of one column, aligned so that no load straddles a boundary.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct Lane<T, const W: usize>(pub [T; W]);

/// A floating-point number of which W fit into a lane.
pub(crate) trait Scalar<const W: usize>:
    Copy + Debug + Default + AddAssign + Send + Sync + 'static
{
    type Lanes<S: Simd>: Arithmetic;

    fn zero<S: Simd>(simd: S) -> Self::Lanes<S>;
    fn splat<S: Simd>(simd: S, value: Self) -> Self::Lanes<S>;
    fn load<S: Simd>(simd: S, from: &Lane<Self, W>) -> Self::Lanes<S>;
    fn store<S: Simd>(lanes: Self::Lanes<S>, to: &mut Lane<Self, W>);
    fn sum<S: Simd>(lanes: Self::Lanes<S>) -> Self;
    fn from_f64(value: f64) -> Self;
    fn to_f64(self) -> f64;
    /// Divisor that brings a right-hand side into the range of T.
    fn scale(x: &[DVec3]) -> f64;
}

impl Scalar<LANES> for f64 {
    type Lanes<S: Simd> = S::F64;

    #[inline(always)]
    fn zero<S: Simd>(simd: S) -> S::F64 {
        simd.zero()
    }
    #[inline(always)]
    fn splat<S: Simd>(simd: S, value: f64) -> S::F64 {
        simd.splat(value)
    }
    #[inline(always)]
    fn load<S: Simd>(simd: S, from: &Lane<f64, LANES>) -> S::F64 {
        simd.load(&from.0)
    }
    #[inline(always)]
    fn store<S: Simd>(lanes: S::F64, to: &mut Lane<f64, LANES>) {
        lanes.store(&mut to.0);
    }
    #[inline(always)]
    fn sum<S: Simd>(lanes: S::F64) -> f64 {
        lanes.sum()
    }
    #[inline(always)]
    fn from_f64(value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
    fn scale(_: &[DVec3]) -> f64 {
        1.0
    }
}

impl Scalar<LANES_F32> for f32 {
    type Lanes<S: Simd> = S::F32;

    #[inline(always)]
    fn zero<S: Simd>(simd: S) -> S::F32 {
        simd.splat_f32(0.0)
    }
    #[inline(always)]
    fn splat<S: Simd>(simd: S, value: f32) -> S::F32 {
        simd.splat_f32(value)
    }
    #[inline(always)]
    fn load<S: Simd>(simd: S, from: &Lane<f32, LANES_F32>) -> S::F32 {
        simd.load_f32(&from.0)
    }
    #[inline(always)]
    fn store<S: Simd>(lanes: S::F32, to: &mut Lane<f32, LANES_F32>) {
        lanes.store(&mut to.0);
    }
    #[inline(always)]
    fn sum<S: Simd>(lanes: S::F32) -> f32 {
        lanes.sum()
    }
    #[inline(always)]
    fn from_f64(value: f64) -> f32 {
        value as f32
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    fn scale(x: &[DVec3]) -> f64 {
        let largest = x.iter().fold(0.0, |largest: f64, x| largest.max(x.abs().max_element()));
        // The inverse of anything smaller is infinite.
        if largest > 1e-300 && largest.is_finite() { largest } else { 1.0 }
    }
}
