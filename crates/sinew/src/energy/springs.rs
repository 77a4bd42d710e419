//! Springs between pairs of vertices.
//!
//! Hookean: ψ(r) = k/2 (r − l)², r = |d|, d = x₀ − x₁. Its Projective Dynamics projection is l·d/r with weight
//! k \[liu2013\]. Squared: ψ(r) = k/2 ((r² − l²)/l)², smooth at r = 0; for l = 1 m this is Eq. 7 of \[dinev2018stab\].
//! It has no closed-form projection; its L uses the stiffness at rest, ψ''(l) = 4k.
//!
//! Hessian: ψ'' nnᵀ + (ψ'/r)(I − nnᵀ), n = d/r. The second term is negative in compression; the semi-definite
//! version drops it. A Hookean spring whose ends coincide has no direction: its gradient is taken as 0, the
//! mean over all directions, and its Hessian as kI, which is exact for l = 0.

use super::batch::{Batch, Element, blocks};
use super::compliant::{Compliant, CompliantForm, Constraint};
use super::{Energy, HessianKind, Pose, Projective, Work};
use crate::math::lanes::Vec3;
use crate::math::outer;
use crate::simd::{F64x4, LANES, Simd};
use glam::{DMat3, DVec3};

/// Force law of a spring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpringLaw {
    /// k/2 (|d| − l)².
    #[default]
    Hookean,
    /// k/2 ((|d|² − l²)/l)².
    Squared,
}

/// A batch of springs with the same law.
#[derive(Clone, Debug)]
pub(crate) struct Springs {
    batch: Batch<2>,
    law: SpringLaw,
    parameters: Vec<SpringBlock>,
}

/// Parameters of four springs.
#[derive(Clone, Debug)]
pub(crate) struct SpringBlock {
    /// k, N/m.
    stiffness: [f64; LANES],
    /// l, m.
    length: [f64; LANES],
}

impl Springs {
    /// `ends` #S by 2, `parameters` (k, l) #S; the model has already validated both.
    pub fn new(law: SpringLaw, ends: &[[u32; 2]], parameters: &[(f64, f64)]) -> Self {
        let block =
            |p: [(f64, f64); LANES]| SpringBlock { stiffness: p.map(|p| p.0), length: p.map(|p| p.1) };
        let parameters = blocks(parameters, |(_, length)| (0.0, length)).into_iter().map(block).collect();
        Self { batch: Batch::new(ends), law, parameters }
    }

    /// Ends, k and l of spring `e`.
    fn spring(&self, e: usize) -> ([u32; 2], f64, f64) {
        let (block, lane) = self.batch.locate(e);
        let block = &self.parameters[block];
        (self.batch.corners(e), block.stiffness[lane], block.length[lane])
    }
}

/// Squared length below which the ends of a spring coincide, m²; its inverse must be finite.
const COINCIDENT: f64 = 1e-300;

/// k/2 (|d| − l)².
struct Hookean;

impl Element<2> for Hookean {
    type Block = SpringBlock;

    #[inline(always)]
    fn value<S: Simd>(&self, simd: S, block: &SpringBlock, x: &[Vec3<S::F64>; 2]) -> S::F64 {
        let d = x[0] - x[1];
        let stretch = d.dot(d).sqrt() - simd.load(&block.length);
        simd.splat(0.5) * simd.load(&block.stiffness) * stretch * stretch
    }

    #[inline(always)]
    fn gradient<S: Simd>(
        &self,
        simd: S,
        block: &SpringBlock,
        x: &[Vec3<S::F64>; 2],
    ) -> (S::F64, [Vec3<S::F64>; 2]) {
        let (d, k) = (x[0] - x[1], simd.load(&block.stiffness));
        // r/r² instead of 1/r: the root and the division do not wait for each other.
        let square = d.dot(d);
        let length = square.sqrt();
        let inverse = length * (simd.splat(1.0) / square);
        let stretch = length - simd.load(&block.length);
        let force = k * stretch;
        let apart = simd.splat(COINCIDENT).lt(square);
        let pull = d * S::F64::select(apart, force * inverse, simd.zero());
        (simd.splat(0.5) * force * stretch, [pull, -pull])
    }
}

/// k/2 ((|d|² − l²)/l)².
struct Squared;

impl Element<2> for Squared {
    type Block = SpringBlock;

    #[inline(always)]
    fn value<S: Simd>(&self, simd: S, block: &SpringBlock, x: &[Vec3<S::F64>; 2]) -> S::F64 {
        let (d, l) = (x[0] - x[1], simd.load(&block.length));
        let stretch = l.neg_mul_add(l, d.dot(d)) / l;
        simd.splat(0.5) * simd.load(&block.stiffness) * stretch * stretch
    }

    #[inline(always)]
    fn gradient<S: Simd>(
        &self,
        simd: S,
        block: &SpringBlock,
        x: &[Vec3<S::F64>; 2],
    ) -> (S::F64, [Vec3<S::F64>; 2]) {
        let (d, l) = (x[0] - x[1], simd.load(&block.length));
        let inverse = simd.splat(1.0) / l;
        let stretch = l.neg_mul_add(l, d.dot(d)) * inverse;
        let force = simd.load(&block.stiffness) * stretch;
        let pull = d * ((force + force) * inverse);
        (simd.splat(0.5) * force * stretch, [pull, -pull])
    }
}

/// ψ'/r and ψ'' at squared length r².
fn stiffnesses(law: SpringLaw, (k, l): (f64, f64), r2: f64) -> (f64, f64) {
    match law {
        SpringLaw::Hookean if r2 == 0.0 => (k, k),
        SpringLaw::Hookean => (k * (1.0 - l / r2.sqrt()), k),
        SpringLaw::Squared => (2.0 * k * (r2 - l * l) / (l * l), 2.0 * k * (3.0 * r2 - l * l) / (l * l)),
    }
}

impl Energy for Springs {
    fn name(&self) -> &str {
        "springs"
    }

    fn value(&self, at: Pose, work: &mut Work) -> f64 {
        match self.law {
            SpringLaw::Hookean => self.batch.value(&Hookean, &self.parameters, at.x, work),
            SpringLaw::Squared => self.batch.value(&Squared, &self.parameters, at.x, work),
        }
    }

    fn gradient(&self, at: Pose, work: &mut Work, gradient: &mut [DVec3]) -> f64 {
        match self.law {
            SpringLaw::Hookean => self.batch.gradient(&Hookean, &self.parameters, at.x, work, gradient),
            SpringLaw::Squared => self.batch.gradient(&Squared, &self.parameters, at.x, work, gradient),
        }
    }

    fn hessian(&self, at: Pose, kind: HessianKind, add: &mut dyn FnMut(u32, u32, DMat3)) {
        for e in 0..self.batch.len() {
            let ([a, b], k, l) = self.spring(e);
            let d = at.x[a as usize] - at.x[b as usize];
            let r2 = d.length_squared();
            let (mut across, mut along) = stiffnesses(self.law, (k, l), r2);
            if kind == HessianKind::PositiveSemidefinite {
                across = across.max(0.0);
                along = along.max(0.0);
            }
            let n = if r2 > 0.0 { d / r2.sqrt() } else { DVec3::ZERO };
            let block = outer(n, n) * (along - across) + DMat3::IDENTITY * across;
            add(a, a, block);
            add(b, a, -block);
            add(b, b, block);
        }
    }

    fn laplacian(&self, add: &mut dyn FnMut(u32, u32, f64)) {
        let fit = if self.law == SpringLaw::Squared { 4.0 } else { 1.0 };
        for ([a, b], k, _) in (0..self.batch.len()).map(|e| self.spring(e)) {
            add(a, a, fit * k);
            add(b, b, fit * k);
            add(a, b, -fit * k);
        }
    }

    fn projective(&self) -> Projective {
        match self.law {
            SpringLaw::Hookean => Projective::Exact,
            SpringLaw::Squared => Projective::BestFit,
        }
    }

    fn compliant(&self) -> Option<CompliantForm<'_>> {
        Some(CompliantForm::Constraints(self))
    }

    fn external(&self) -> bool {
        false
    }

    fn work_size(&self) -> Work {
        self.batch.work_size()
    }
}

/// C = |d| − l, or (|d|² − l²)/l, with compliance 1/k \[macklin2016\].
impl Compliant for Springs {
    fn len(&self) -> usize {
        self.batch.len()
    }

    fn constraint(&self, j: usize, at: Pose) -> Constraint {
        let ([a, b], k, l) = self.spring(j);
        let d = at.x[a as usize] - at.x[b as usize];
        let (value, gradient) = match self.law {
            SpringLaw::Hookean => (d.length() - l, d.normalize_or_zero()),
            SpringLaw::Squared => ((d.length_squared() - l * l) / l, d * (2.0 / l)),
        };
        Constraint::new(value, 1.0 / k, &[(a, gradient), (b, -gradient)])
    }
}
