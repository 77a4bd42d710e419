//! F = U Σ Vᵀ over lanes, U and V rotations, the sign of det F at the smallest singular value.
//!
//! One-sided Jacobi (Hestenes): rotate pairs of columns of F until they are orthogonal. It works on F itself, not on FᵀF, so small singular
//! values keep their digits, which flattened elements need. With this sign convention U Vᵀ is the closest rotation to F also for inverted
//! elements \[irving2004\]. Lanes that have converged rotate by zero while others continue.

use super::{Mat3, Vec3};
use crate::math::Svd;
use crate::simd::{Arithmetic, F64x4, LANES, Simd};
use glam::DVec3;
use std::array::from_fn;

/// Squared cosine of two columns below which they count as orthogonal.
const ORTHOGONAL: f64 = 1e-30;
/// Five sweeps suffice; the rest are for matrices without significant digits.
const SWEEPS: usize = 30;

/// F = U · diag(σ) · Vᵀ per lane; see [`Svd`] for the conventions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SvdLanes<T> {
    pub u: Mat3<T>,
    pub sigma: Vec3<T>,
    pub v: Mat3<T>,
}

impl<T: F64x4> SvdLanes<T> {
    /// The rotation U Vᵀ closest to F.
    #[inline(always)]
    pub fn rotation(&self) -> Mat3<T> {
        let Mat3 { x, y, z } = self.v;
        Mat3 {
            x: self.u.mul_vector(Vec3 { x: x.x, y: y.x, z: z.x }),
            y: self.u.mul_vector(Vec3 { x: x.y, y: y.y, z: z.y }),
            z: self.u.mul_vector(Vec3 { x: x.z, y: y.z, z: z.z }),
        }
    }

    #[inline(always)]
    pub fn to_array(self) -> [Svd; LANES] {
        let (u, sigma, v) = (self.u.to_array(), self.sigma.to_array(), self.v.to_array());
        from_fn(|i| Svd { u: u[i], sigma: sigma[i], v: v[i] })
    }
}

/// Decomposes any finite F, singular and inverted ones included. A lane that is not finite gives NaN.
#[inline(always)]
pub(crate) fn svd<S: Simd>(simd: S, f: &Mat3<S::F64>) -> SvdLanes<S::F64> {
    let (zero, one) = (simd.zero(), simd.splat(1.0));
    // Scale entries to at most 1, so that no square over- or underflows. Divide: the inverse of a tiny number is infinite.
    let size = f.to_entries().iter().fold(zero, |size, entry| entry.abs().max(size));
    let size = S::F64::select(zero.lt(size), size, one);
    let shrink = |c: Vec3<S::F64>| Vec3 { x: c.x / size, y: c.y / size, z: c.z / size };
    let mut a = [shrink(f.x), shrink(f.y), shrink(f.z)];
    // 0, or NaN if an entry is NaN: columns without one must not hide it.
    let poison = (a[0].dot(a[0]) + a[1].dot(a[1]) + a[2].dot(a[2])) * zero;
    let mut v = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| Vec3::splat(simd, axis));
    for _ in 0..SWEEPS {
        let turned = orthogonalise(simd, 0, 1, &mut a, &mut v)
            | orthogonalise(simd, 0, 2, &mut a, &mut v)
            | orthogonalise(simd, 1, 2, &mut a, &mut v);
        if !turned {
            break;
        }
    }
    let mut square = a.map(|a| a.dot(a));
    for (p, q) in [(0, 1), (0, 2), (1, 2)] {
        let swap = square[p].lt(square[q]);
        exchange(swap, &mut square, p, q, S::F64::select);
        exchange(swap, &mut a, p, q, Vec3::select);
        exchange(swap, &mut v, p, q, Vec3::select);
    }
    // A permutation may have mirrored V: restore it by flipping the axis of the smallest singular value.
    let mirrored = v[0].cross(v[1]).dot(v[2]).lt(zero);
    v[2] = Vec3::select(mirrored, -v[2], v[2]);
    a[2] = Vec3::select(mirrored, -a[2], a[2]);
    let u = left_rotation(simd, &a, square[0].sqrt(), poison);
    // U is right-handed by construction; the remaining sign belongs to σ₃.
    let sigma = Vec3 { x: square[0].sqrt(), y: square[1].sqrt(), z: a[2].dot(u.z) };
    SvdLanes {
        u,
        sigma: (sigma * size) + Vec3 { x: poison, y: poison, z: poison },
        v: Mat3 { x: v[0], y: v[1], z: v[2] },
    }
}

/// Rotates columns p and q of A, and of V with them, until they are orthogonal; returns whether any lane needed it.
#[inline(always)]
fn orthogonalise<S: Simd>(
    simd: S,
    p: usize,
    q: usize,
    a: &mut [Vec3<S::F64>; 3],
    v: &mut [Vec3<S::F64>; 3],
) -> bool {
    let (zero, one) = (simd.zero(), simd.splat(1.0));
    let (pp, qq, pq) = (a[p].dot(a[p]), a[q].dot(a[q]), a[p].dot(a[q]));
    let oblique = (simd.splat(ORTHOGONAL) * pp * qq).lt(pq * pq);
    if !S::F64::any(oblique) {
        return false;
    }
    let zeta = (qq - pp) / (pq + pq);
    let sign = S::F64::select(zeta.lt(zero), -one, one);
    let t = sign / (zeta.abs() + zeta.mul_add(zeta, one).sqrt());
    let t = S::F64::select(oblique, t, zero);
    let c = one / t.mul_add(t, one).sqrt();
    let s = t * c;
    (a[p], a[q]) = (a[q].neg_mul_add(s, a[p] * c), a[p].mul_add(s, a[q] * c));
    (v[p], v[q]) = (v[q].neg_mul_add(s, v[p] * c), v[p].mul_add(s, v[q] * c));
    true
}

/// Swaps items p and q where the mask holds.
#[inline(always)]
fn exchange<M: Copy, X: Copy>(
    mask: M,
    items: &mut [X; 3],
    p: usize,
    q: usize,
    select: impl Fn(M, X, X) -> X,
) {
    (items[p], items[q]) = (select(mask, items[q], items[p]), select(mask, items[p], items[q]));
}

/// U from the orthogonal columns σᵢuᵢ, completed to a rotation where singular values vanish.
#[inline(always)]
fn left_rotation<S: Simd>(simd: S, a: &[Vec3<S::F64>; 3], largest: S::F64, poison: S::F64) -> Mat3<S::F64> {
    let (zero, one) = (simd.zero(), simd.splat(1.0));
    let first = Vec3::splat(simd, DVec3::X);
    let u0 = Vec3::select(zero.lt(largest), a[0] * (one / largest), first)
        + Vec3 { x: poison, y: poison, z: poison };
    let u1 = u0.neg_mul_add(u0.dot(a[1]), a[1]);
    let length = u1.dot(u1).sqrt();
    let there = (simd.splat(1e-16) * largest).lt(length);
    let u1 = Vec3::select(there, u1 * (one / length), orthonormal_to(simd, u0));
    Mat3 { x: u0, y: u1, z: u0.cross(u1) }
}

/// A unit vector orthogonal to the unit vector n, continuous except at z = 0.
#[inline(always)]
fn orthonormal_to<S: Simd>(simd: S, n: Vec3<S::F64>) -> Vec3<S::F64> {
    let one = simd.splat(1.0);
    let sign = S::F64::select(n.z.lt(simd.zero()), -one, one);
    let w = -one / (sign + n.z);
    Vec3 { x: n.x * n.y * w, y: (n.y * n.y).mul_add(w, sign), z: -n.y }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{largest, on_lanes};
    use super::*;
    use crate::math::svd as reference;
    use crate::simd::Kernel;
    use glam::DMat3;
    use proptest::prelude::*;

    struct Decompose([DMat3; LANES]);

    impl Kernel for Decompose {
        type Output = [Svd; LANES];

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> [Svd; LANES] {
            svd(simd, &Mat3::load(simd, &self.0)).to_array()
        }
    }

    fn check(lanes: [DMat3; LANES]) {
        for (f, d) in lanes.iter().zip(on_lanes!(Decompose(lanes))) {
            let scale = largest(*f).max(f64::MIN_POSITIVE);
            let back = d.u * DMat3::from_diagonal(d.sigma / scale) * d.v.transpose();
            assert!(largest(back - *f * (1.0 / scale)) <= 8e-15, "{f:?}: {back:?}");
            for q in [d.u, d.v] {
                assert!(largest(q.transpose() * q - DMat3::IDENTITY) < 8e-15, "{q:?}");
                assert!((q.determinant() - 1.0).abs() < 1e-14);
            }
            assert!(d.sigma.x >= d.sigma.y && d.sigma.y >= d.sigma.z.abs() - 1e-15 * scale);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn any_matrix(c in prop::array::uniform9(-10.0f64..10.0), scale in -150i32..150) {
            let f = DMat3::from_cols_array(&c);
            check([f, f.transpose(), -f, f * 10f64.powi(scale)]);
            let (lanes, scalar) = (on_lanes!(Decompose([f; LANES]))[0], reference(&f));
            prop_assert!((lanes.sigma - scalar.sigma).abs().max_element() < 1e-14 * scalar.sigma.x);
        }

        #[test]
        fn flattened_matrix(c in prop::array::uniform9(-1.0f64..1.0), thin in -16i32..0, thinner in -16i32..0) {
            let d = reference(&DMat3::from_cols_array(&c));
            let with = |y: f64, z: f64| d.u * DMat3::from_diagonal(DVec3::new(d.sigma.x, y, z)) * d.v.transpose();
            let (thin, thinner) = (10f64.powi(thin), 10f64.powi(thin + thinner));
            check([with(d.sigma.y, thin), with(d.sigma.y, -thin), with(thin, thinner), with(thin, -thin)]);
        }
    }

    #[test]
    fn degenerate_matrices() {
        check([
            DMat3::ZERO,
            DMat3::IDENTITY,
            -DMat3::IDENTITY,
            DMat3::from_diagonal(DVec3::new(1.0, 0.0, 0.0)),
        ]);
        check([
            DMat3::from_diagonal(DVec3::new(0.0, -2.0, 0.0)),
            DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0)),
            DMat3::from_cols(DVec3::ONE, DVec3::ONE, DVec3::ONE),
            DMat3::from_diagonal(DVec3::splat(1e-300)),
        ]);
    }

    #[test]
    fn what_is_not_finite_gives_nan_in_its_lane_alone() {
        for bad in [f64::NAN, f64::INFINITY] {
            for place in 0..9 {
                let mut c = DMat3::IDENTITY.to_cols_array();
                c[place] = bad;
                let d = on_lanes!(Decompose([
                    DMat3::IDENTITY,
                    DMat3::from_cols_array(&c),
                    DMat3::ZERO,
                    DMat3::ZERO
                ]));
                assert!(d[1].u.is_nan() && d[1].sigma.is_nan());
                assert!(d[0].u.is_finite() && d[2].u.is_finite());
            }
        }
    }
}
