//! 3-vectors and 3×3 matrices over lanes: one operation works on four elements at a time.
//!
//! Contains only what the element kernels need. Everything is `#[inline(always)]`: the compiler may use the instructions of the lanes only
//! inside the kernel that was dispatched, see [`crate::simd`].

mod rotation;
mod svd;

pub(crate) use rotation::rotation;
pub(crate) use svd::svd;

use crate::simd::{F64x4, LANES, Simd};
use glam::{DMat3, DVec3};
use std::array::from_fn;
use std::ops::{Add, Mul, Neg, Sub};

/// A 3-vector per lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vec3<T> {
    pub x: T,
    pub y: T,
    pub z: T,
}

/// A 3×3 matrix per lane, by columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mat3<T> {
    pub x: Vec3<T>,
    pub y: Vec3<T>,
    pub z: Vec3<T>,
}

/// A symmetric 3×3 matrix per lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symmetric<T> {
    pub xx: T,
    pub yy: T,
    pub zz: T,
    pub xy: T,
    pub xz: T,
    pub yz: T,
}

impl<T: F64x4> Vec3<T> {
    /// The same vector in every lane.
    #[inline(always)]
    pub fn splat<S: Simd<F64 = T>>(simd: S, v: DVec3) -> Self {
        Self { x: simd.splat(v.x), y: simd.splat(v.y), z: simd.splat(v.z) }
    }

    /// One vector per lane.
    #[inline(always)]
    pub fn load<S: Simd<F64 = T>>(simd: S, v: &[DVec3; LANES]) -> Self {
        Self { x: simd.load(&v.map(|v| v.x)), y: simd.load(&v.map(|v| v.y)), z: simd.load(&v.map(|v| v.z)) }
    }

    /// One vector per lane, from the lanes of the three coordinates.
    #[inline(always)]
    pub fn load_lanes<S: Simd<F64 = T>>(simd: S, v: &[[f64; LANES]; 3]) -> Self {
        Self { x: simd.load(&v[0]), y: simd.load(&v[1]), z: simd.load(&v[2]) }
    }

    #[inline(always)]
    pub fn to_array(self) -> [DVec3; LANES] {
        let (x, y, z) = (self.x.to_array(), self.y.to_array(), self.z.to_array());
        from_fn(|i| DVec3::new(x[i], y[i], z[i]))
    }

    #[inline(always)]
    pub fn dot(self, b: Self) -> T {
        self.z.mul_add(b.z, self.y.mul_add(b.y, self.x * b.x))
    }

    #[inline(always)]
    pub fn cross(self, b: Self) -> Self {
        Self {
            x: self.z.neg_mul_add(b.y, self.y * b.z),
            y: self.x.neg_mul_add(b.z, self.z * b.x),
            z: self.y.neg_mul_add(b.x, self.x * b.y),
        }
    }

    /// self·s + c.
    #[inline(always)]
    pub fn mul_add(self, s: T, c: Self) -> Self {
        Self { x: self.x.mul_add(s, c.x), y: self.y.mul_add(s, c.y), z: self.z.mul_add(s, c.z) }
    }

    /// c − self·s.
    #[inline(always)]
    pub fn neg_mul_add(self, s: T, c: Self) -> Self {
        Self { x: self.x.neg_mul_add(s, c.x), y: self.y.neg_mul_add(s, c.y), z: self.z.neg_mul_add(s, c.z) }
    }

    /// `yes` where the mask holds, `no` elsewhere.
    #[inline(always)]
    pub fn select(mask: T::Mask, yes: Self, no: Self) -> Self {
        Self {
            x: T::select(mask, yes.x, no.x),
            y: T::select(mask, yes.y, no.y),
            z: T::select(mask, yes.z, no.z),
        }
    }
}

impl<T: F64x4> Add for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self { x: self.x + b.x, y: self.y + b.y, z: self.z + b.z }
    }
}

impl<T: F64x4> Sub for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self { x: self.x - b.x, y: self.y - b.y, z: self.z - b.z }
    }
}

impl<T: F64x4> Neg for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl<T: F64x4> Mul<T> for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        Self { x: self.x * s, y: self.y * s, z: self.z * s }
    }
}

impl<T: F64x4> Mat3<T> {
    #[inline(always)]
    pub fn splat<S: Simd<F64 = T>>(simd: S, m: &DMat3) -> Self {
        Self {
            x: Vec3::splat(simd, m.x_axis),
            y: Vec3::splat(simd, m.y_axis),
            z: Vec3::splat(simd, m.z_axis),
        }
    }

    /// One matrix per lane.
    #[inline(always)]
    pub fn load<S: Simd<F64 = T>>(simd: S, m: &[DMat3; LANES]) -> Self {
        Self {
            x: Vec3::load(simd, &m.map(|m| m.x_axis)),
            y: Vec3::load(simd, &m.map(|m| m.y_axis)),
            z: Vec3::load(simd, &m.map(|m| m.z_axis)),
        }
    }

    #[inline(always)]
    pub fn to_array(self) -> [DMat3; LANES] {
        let (x, y, z) = (self.x.to_array(), self.y.to_array(), self.z.to_array());
        from_fn(|i| DMat3::from_cols(x[i], y[i], z[i]))
    }

    /// From the lanes of the nine entries, by columns.
    #[inline(always)]
    pub fn load_lanes<S: Simd<F64 = T>>(simd: S, m: &[[f64; LANES]; 9]) -> Self {
        Self {
            x: Vec3 { x: simd.load(&m[0]), y: simd.load(&m[1]), z: simd.load(&m[2]) },
            y: Vec3 { x: simd.load(&m[3]), y: simd.load(&m[4]), z: simd.load(&m[5]) },
            z: Vec3 { x: simd.load(&m[6]), y: simd.load(&m[7]), z: simd.load(&m[8]) },
        }
    }

    /// The nine entries, by columns.
    #[inline(always)]
    pub fn to_entries(self) -> [T; 9] {
        let Self { x, y, z } = self;
        [x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z]
    }

    /// The lanes of the nine entries, by columns.
    #[inline(always)]
    pub fn to_lanes(self) -> [[f64; LANES]; 9] {
        self.to_entries().map(|entry| entry.to_array())
    }

    /// Frobenius inner product Σ aᵢⱼ bᵢⱼ.
    #[inline(always)]
    pub fn inner(&self, b: &Self) -> T {
        self.x.dot(b.x) + self.y.dot(b.y) + self.z.dot(b.z)
    }

    /// ∂ det/∂self: columns are cross products of columns.
    #[inline(always)]
    pub fn cofactor(&self) -> Self {
        Self { x: self.y.cross(self.z), y: self.z.cross(self.x), z: self.x.cross(self.y) }
    }

    /// selfᵀ·self.
    #[inline(always)]
    pub fn gram(&self) -> Symmetric<T> {
        let Self { x, y, z } = *self;
        Symmetric { xx: x.dot(x), yy: y.dot(y), zz: z.dot(z), xy: x.dot(y), xz: x.dot(z), yz: y.dot(z) }
    }

    /// selfᵀ·v.
    #[inline(always)]
    pub fn transpose_mul(&self, v: Vec3<T>) -> Vec3<T> {
        Vec3 { x: self.x.dot(v), y: self.y.dot(v), z: self.z.dot(v) }
    }

    /// self·v.
    #[inline(always)]
    pub fn mul_vector(&self, v: Vec3<T>) -> Vec3<T> {
        self.z.mul_add(v.z, self.y.mul_add(v.y, self.x * v.x))
    }

    /// self·m with a symmetric m.
    #[inline(always)]
    pub fn mul_symmetric(&self, m: &Symmetric<T>) -> Self {
        Self {
            x: self.mul_vector(Vec3 { x: m.xx, y: m.xy, z: m.xz }),
            y: self.mul_vector(Vec3 { x: m.xy, y: m.yy, z: m.yz }),
            z: self.mul_vector(Vec3 { x: m.xz, y: m.yz, z: m.zz }),
        }
    }

    /// self·s + c.
    #[inline(always)]
    pub fn mul_add(self, s: T, c: Self) -> Self {
        Self { x: self.x.mul_add(s, c.x), y: self.y.mul_add(s, c.y), z: self.z.mul_add(s, c.z) }
    }

    /// `yes` where the mask holds, `no` elsewhere.
    #[inline(always)]
    pub fn select(mask: T::Mask, yes: Self, no: Self) -> Self {
        Self {
            x: Vec3::select(mask, yes.x, no.x),
            y: Vec3::select(mask, yes.y, no.y),
            z: Vec3::select(mask, yes.z, no.z),
        }
    }
}

impl<T: F64x4> Sub for Mat3<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self { x: self.x - b.x, y: self.y - b.y, z: self.z - b.z }
    }
}

impl<T: F64x4> Mul<T> for Mat3<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        Self { x: self.x * s, y: self.y * s, z: self.z * s }
    }
}

impl<T: F64x4> Symmetric<T> {
    /// a·I − s·self.
    #[inline(always)]
    pub fn shifted(&self, s: T, a: T) -> Self {
        Self {
            xx: self.xx.neg_mul_add(s, a),
            yy: self.yy.neg_mul_add(s, a),
            zz: self.zz.neg_mul_add(s, a),
            xy: -(self.xy * s),
            xz: -(self.xz * s),
            yz: -(self.yz * s),
        }
    }

    /// Σ aᵢⱼ² over all nine entries.
    #[inline(always)]
    pub fn norm_squared(&self) -> T {
        let Self { xx, yy, zz, xy, xz, yz } = *self;
        let off = Vec3 { x: xy, y: xz, z: yz };
        let diagonal = Vec3 { x: xx, y: yy, z: zz };
        diagonal.dot(diagonal) + off.dot(off + off)
    }

    /// self⁻¹·v by cofactors.
    #[inline(always)]
    pub fn solve(&self, v: Vec3<T>) -> Vec3<T> {
        let Self { xx, yy, zz, xy, xz, yz } = *self;
        let (x, y, z) =
            (Vec3 { x: xx, y: xy, z: xz }, Vec3 { x: xy, y: yy, z: yz }, Vec3 { x: xz, y: yz, z: zz });
        let cofactor = Mat3 { x: y.cross(z), y: z.cross(x), z: x.cross(y) };
        let solution = cofactor.transpose_mul(v);
        let determinant = x.dot(cofactor.x);
        Vec3 { x: solution.x / determinant, y: solution.y / determinant, z: solution.z / determinant }
    }
}

#[cfg(test)]
mod testing {
    use glam::DMat3;

    /// Runs a kernel with every available instruction set and returns the result of the best one.
    macro_rules! on_lanes {
        ($kernel:expr) => {{
            let _ = $crate::simd::Simd::run($crate::simd::Portable, $kernel);
            $crate::simd::dispatch($kernel)
        }};
    }
    pub(super) use on_lanes;

    /// Largest absolute entry; NaN if any entry is NaN.
    pub fn largest(m: DMat3) -> f64 {
        m.to_cols_array().iter().fold(0.0, |s: f64, v| if v.is_nan() { f64::NAN } else { s.max(v.abs()) })
    }
}
