//! The rotation closest to a deformation gradient over lanes: R = argmin ‖F − R‖ over SO(3), inverted and flat F included.
//!
//! Let F = UΣVᵀ with rotations U, V and signed singular values, the sign of det F at the smallest, and s = σ₁ + σ₂ + σ₃. Then
//! s = max tr(RᵀF), so by the envelope theorem R = ∂s/∂F. The sum s is the largest root of
//!
//!   (s² − ‖F‖²)² = 4‖cof F‖² + 8 s det F,
//!
//! the characteristic polynomial of the quaternion matrix of F, whose four roots are real \[higham2016\]. Differentiating it gives
//!
//!   R = (½(s² + ‖F‖²) F − F FᵀF + s cof F)/D,  D = ½s(s² − ‖F‖²) − det F = (σ₁+σ₂)(σ₁+σ₃)(σ₂+σ₃).
//!
//! No case is special: D > 0 wherever R is unique. And s need not be accurate: the right side is U·f(Σ)·Vᵀ for any s, so that an error of s
//! stretches the result but does not turn it, and one step of Newton and Schulz, X ← X(3I − XᵀX)/2, removes the stretch. Rounding, amplified
//! by 1/D, does turn the result. Lanes with a small D, which are those close to σ₂ + σ₃ = 0, where R is not unique, get a Newton step on the
//! rotation or, closer still, the singular value decomposition.
//!
//! Rotations are not warm-started. The two iterations for s are a small part of the kernel, and a start that depends on the previous step
//! would have to be part of a saved state for a resumed run to give the same bits. For the same reason a lane does not depend on its
//! neighbours: converged lanes do not change while others iterate.

use super::{Mat3, Symmetric, Vec3, svd};
use crate::simd::{Arithmetic, F64x4, Kernel, LANES, Simd};

/// (D/‖F‖³)², 2.4 at rest, below which rounding may turn R by 1e-12: those lanes are polished.
const POLISH: f64 = 1e-6;
/// (D/‖F‖³)² below which polishing may not converge: those lanes are decomposed.
const DECOMPOSE: f64 = 1e-10;
/// ‖F‖⁶ below which products of entries lose digits to underflow: those lanes are decomposed.
const TINY: f64 = 1e-200;
/// Times ‖F‖¹² it is negligible next to ‖F‖⁶ for ordinary F, and infinite for ‖F‖ > 1e26: those lanes are decomposed too.
const VANISHING: f64 = 1e-300;

/// The closest rotation to F. Always in SO(3); NaN where F is not finite.
#[inline(always)]
pub(crate) fn rotation<S: Simd>(simd: S, f: &Mat3<S::F64>) -> Mat3<S::F64> {
    let half = simd.splat(0.5);
    let square = f.inner(f);
    let cube = square * square * square;
    // ‖F‖⁶, infinite where products of entries may overflow.
    let cube = (cube * cube).mul_add(simd.splat(VANISHING), cube);
    let cofactor = f.cofactor();
    let determinant = f.x.dot(cofactor.x);
    let s = sum_of_singular_values(simd, square, cube, determinant, cofactor.inner(&cofactor));
    let d = (half * s).mul_add(s.mul_add(s, -square), -determinant);
    let scale = simd.splat(1.0) / d;
    let weight = half * s.mul_add(s, square);
    let stretched = f.mul_symmetric(&f.gram().shifted(scale, weight * scale));
    let r = orthonormal(simd, &cofactor.mul_add(s * scale, stretched));
    let trust = d * d.abs();
    if S::F64::all((simd.splat(POLISH) * cube.max(simd.splat(TINY / POLISH))).lt(trust)) {
        return r;
    }
    let trust = S::F64::select(simd.splat(TINY).lt(cube), trust / cube, simd.zero());
    let repair = Repair { f: f.to_lanes(), r: r.to_lanes(), trust: trust.to_array() };
    Mat3::load_lanes(simd, &repaired(simd, repair))
}

/// The largest root of p(s) = ⅛(s² − ‖F‖²)² − s·det − ½‖cof‖², of which D is the slope, by Halley's iteration.
///
/// From √3‖F‖, an upper bound, it decreases to the root without overshooting, and triples the digits with each step. Two steps suffice for
/// strains up to a third; they come without a branch, whose misprediction would cost as much as a step.
#[inline(always)]
fn sum_of_singular_values<S: Simd>(
    simd: S,
    square: S::F64,
    cube: S::F64,
    determinant: S::F64,
    cofactor_square: S::F64,
) -> S::F64 {
    let (zero, half) = (simd.zero(), simd.splat(0.5));
    let polynomial = Polynomial { square, determinant, offset: -(half * cofactor_square) };
    let bound = (simd.splat(3.0) * square).sqrt();
    let (step, _, _) = polynomial.halley(simd, bound);
    let s = bound - step;
    let (step, p, slope_square) = polynomial.halley(simd, s);
    let mut s = s - step;
    // With ‖F‖ = 1, a step of e leaves at most 4e³/D², and an error of e in s stretches R by 4e/D at most. From p < 5e-4 D², that
    // is e < 5e-4 D, R is stretched by 2e-9, whose square is below rounding.
    let close = simd.splat(5e-4);
    let floor = simd.splat(0.25 * DECOMPOSE) * cube;
    let mut active = S::F64::select((close * slope_square).lt(p * square), slope_square - floor, zero);
    // The slowest lanes, whose D approaches the floor, converge linearly by a third per iteration.
    for _ in 0..24 {
        let open = zero.lt(active);
        if !S::F64::any(open) {
            break;
        }
        let (step, p, slope_square) = polynomial.halley(simd, s);
        s = S::F64::select(open, s - step, s);
        let active_next = S::F64::select((close * slope_square).lt(p * square), slope_square - floor, zero);
        active = S::F64::select(open, active_next, zero);
    }
    s
}

/// p(s) of four matrices.
struct Polynomial<T> {
    square: T,
    determinant: T,
    /// −½‖cof‖².
    offset: T,
}

impl<T: F64x4> Polynomial<T> {
    /// Halley's step at s, p and p'².
    #[inline(always)]
    fn halley<S: Simd<F64 = T>>(&self, simd: S, s: T) -> (T, T, T) {
        let half = simd.splat(0.5);
        let q = s.mul_add(s, -self.square);
        let p = (simd.splat(0.125) * q).mul_add(q, self.determinant.neg_mul_add(s, self.offset));
        let slope = (half * s).mul_add(q, -self.determinant);
        let slope_square = slope * slope;
        let half_curvature = simd.splat(0.75).mul_add(q, half * self.square);
        (p * slope / p.neg_mul_add(half_curvature, slope_square), p, slope_square)
    }
}

/// X(3I − XᵀX)/2.
#[inline(always)]
fn orthonormal<S: Simd>(simd: S, x: &Mat3<S::F64>) -> Mat3<S::F64> {
    x.mul_symmetric(&x.gram().shifted(simd.splat(0.5), simd.splat(1.5)))
}

/// Recomputes the lanes whose `trust` is low. It is a separate call, so that its registers do not burden the common path; it takes the lanes
/// through memory, because a kernel does not know the lane type of its caller.
struct Repair {
    f: [[f64; LANES]; 9],
    r: [[f64; LANES]; 9],
    trust: [f64; LANES],
}

#[cold]
#[inline(never)]
fn repaired<S: Simd>(simd: S, repair: Repair) -> [[f64; LANES]; 9] {
    simd.run(repair)
}

impl Kernel for Repair {
    type Output = [[f64; LANES]; 9];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [[f64; LANES]; 9] {
        let (f, r) = (Mat3::load_lanes(simd, &self.f), Mat3::load_lanes(simd, &self.r));
        let trust = simd.load(&self.trust);
        let decent = simd.splat(DECOMPOSE).lt(trust);
        let mut sound = polished(simd, &f, &r);
        if !S::F64::all(decent) {
            sound = Mat3::select(decent, sound, svd(simd, &f).rotation());
        }
        Mat3::select(simd.splat(POLISH).lt(trust), r, sound).to_lanes()
    }
}

/// One Newton step of max tr(RᵀF): R ← R exp(ω̂), (tr(A)I − A)ω = the axial vector of A = RᵀF.
#[inline(always)]
fn polished<S: Simd>(simd: S, f: &Mat3<S::F64>, r: &Mat3<S::F64>) -> Mat3<S::F64> {
    let half = simd.splat(0.5);
    let unit = *f * (simd.splat(1.0) / f.inner(f).sqrt());
    let (x, y, z) = (r.transpose_mul(unit.x), r.transpose_mul(unit.y), r.transpose_mul(unit.z));
    let axial = Vec3 { x: y.z - z.y, y: z.x - x.z, z: x.y - y.x };
    let k = Symmetric {
        xx: y.y + z.z,
        yy: x.x + z.z,
        zz: x.x + y.y,
        xy: -(half * (x.y + y.x)),
        xz: -(half * (x.z + z.x)),
        yz: -(half * (y.z + z.y)),
    };
    let omega = k.solve(axial);
    let turned = Mat3 {
        x: r.x + r.mul_vector(Vec3 { x: simd.zero(), y: omega.z, z: -omega.y }),
        y: r.y + r.mul_vector(Vec3 { x: -omega.z, y: simd.zero(), z: omega.x }),
        z: r.z + r.mul_vector(Vec3 { x: omega.y, y: -omega.x, z: simd.zero() }),
    };
    orthonormal(simd, &turned)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{largest, on_lanes};
    use super::*;
    use crate::math::svd as reference;
    use glam::{DMat3, DVec3};
    use proptest::prelude::*;

    struct Rotate([DMat3; LANES]);

    impl Kernel for Rotate {
        type Output = [DMat3; LANES];

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> [DMat3; LANES] {
            rotation(simd, &Mat3::load(simd, &self.0)).to_array()
        }
    }

    /// Asserts that r is orthogonal to 1e-12 and right-handed, whatever F.
    fn assert_rotation(f: &DMat3, r: &DMat3) {
        assert!(largest(r.transpose() * *r - DMat3::IDENTITY) < 1e-12, "{f:?}: {r:?}");
        assert!((r.determinant() - 1.0).abs() < 1e-12, "{f:?}: {r:?}");
    }

    /// Asserts that r is as good as the decomposition's: tr(RᵀF) attains σ₁ + σ₂ + σ₃, also where R is not unique.
    fn assert_closest(f: &DMat3, r: &DMat3) {
        assert_rotation(f, r);
        let sigma = reference(f).sigma;
        let trace = crate::math::inner(r, f);
        let sum = sigma.x + sigma.y + sigma.z;
        assert!((trace - sum).abs() <= 1e-13 * sigma.x, "{f:?}: {trace} instead of {sum}");
    }

    fn with_sigma(turns: [f64; 9], other: [f64; 9], sigma: DVec3) -> DMat3 {
        let (u, v) =
            (reference(&DMat3::from_cols_array(&turns)).u, reference(&DMat3::from_cols_array(&other)).v);
        u * DMat3::from_diagonal(sigma) * v.transpose()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn agrees_with_the_decomposition(c in prop::array::uniform9(-2.0f64..2.0)) {
            let f = DMat3::from_cols_array(&c);
            let s = reference(&f);
            let lanes = [f, f * 3.0, -f, f.transpose()];
            for (f, r) in lanes.iter().zip(on_lanes!(Rotate(lanes))) {
                assert_closest(f, &r);
            }
            // The closest rotation is unique only away from σ₂ + σ₃ = 0.
            prop_assume!(s.sigma.y + s.sigma.z > 1e-3);
            let r = on_lanes!(Rotate([f; LANES]))[0];
            prop_assert!(largest(r - s.rotation()) < 1e-11);
        }

        /// From healthy to flat, to inverted, to where R stops being unique.
        #[test]
        fn any_singular_values(
            turns in prop::array::uniform9(-1.0f64..1.0), other in prop::array::uniform9(-1.0f64..1.0),
            second in 0.0f64..1.0, third in -1.0f64..1.0, gap in 0i32..20, scale in -140i32..140
        ) {
            let second = second.max(third.abs());
            let size = 10f64.powi(scale);
            let lanes = [
                DVec3::new(1.0, second, third),
                DVec3::new(1.0, second, -second + 10f64.powi(-gap)),
                DVec3::new(1.0, 1.0, -1.0 + 10f64.powi(-gap)),
                DVec3::new(1.0, second * 10f64.powi(-gap), third * 10f64.powi(-gap)),
            ].map(|sigma| with_sigma(turns, other, sigma));
            for (f, r) in lanes.iter().zip(on_lanes!(Rotate(lanes.map(|f| f * size)))) {
                assert_closest(f, &r);
            }
        }

        /// A lane does not depend on its neighbours.
        #[test]
        fn lanes_are_independent(a in prop::array::uniform9(-2.0f64..2.0), b in prop::array::uniform9(-2.0f64..2.0)) {
            let (a, b) = (DMat3::from_cols_array(&a), DMat3::from_cols_array(&b));
            let flat = DMat3::from_cols(a.x_axis, a.x_axis * 2.0, a.x_axis);
            let alone = on_lanes!(Rotate([a; LANES]))[0];
            prop_assert_eq!(alone, on_lanes!(Rotate([b, flat, a, DMat3::ZERO]))[2]);
        }
    }

    #[test]
    fn degenerate_matrices() {
        let extremes = [1.0, 1e-150, 1e150, 1e-300, 1e300];
        for size in extremes {
            let cases = [
                DMat3::IDENTITY,
                -DMat3::IDENTITY,
                DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0)),
                DMat3::from_diagonal(DVec3::new(1.0, 0.0, 0.0)),
                DMat3::from_diagonal(DVec3::new(0.0, -2.0, 0.0)),
                DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0)),
                DMat3::from_cols(DVec3::ONE, DVec3::ONE, DVec3::ONE),
                DMat3::ZERO,
            ];
            for lanes in cases.map(|f| f * size).as_chunks::<LANES>().0 {
                for (f, r) in lanes.iter().zip(on_lanes!(Rotate(*lanes))) {
                    assert_rotation(f, &r);
                }
            }
        }
        assert_eq!(on_lanes!(Rotate([DMat3::ZERO; LANES]))[0], DMat3::IDENTITY);
    }

    #[test]
    fn what_is_not_finite_gives_nan_in_its_lane_alone() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for place in 0..9 {
                let mut c = DMat3::IDENTITY.to_cols_array();
                c[place] = bad;
                let good = DMat3::from_diagonal(DVec3::new(2.0, 1.0, 0.5));
                let r = on_lanes!(Rotate([good, DMat3::from_cols_array(&c), good, good]));
                assert!(r[1].is_nan());
                assert_eq!([r[0], r[2], r[3]], on_lanes!(Rotate([good; LANES]))[..3]);
            }
        }
    }
}
