//! Springs between pairs of vertices.
//!
//! Hookean: ψ(r) = k/2 (r − l)², r = |d|, d = x₀ − x₁. Its Projective Dynamics projection is l·d/r with weight
//! k \[liu2013\]. Squared: ψ(r) = k/2 ((r² − l²)/l)², smooth at r = 0; for l = 1 m this is Eq. 7 of \[dinev2018stab\].
//! It has no closed-form projection; its L uses the stiffness at rest, ψ''(l) = 4k.
//!
//! Hessian: ψ'' nnᵀ + (ψ'/r)(I − nnᵀ), n = d/r. The second term is negative in compression; the semi-definite
//! version drops it. A Hookean spring whose ends coincide has no direction: its gradient is taken as 0, the
//! mean over all directions, and its Hessian as kI, which is exact for l = 0.

use super::batch::{Batch, Element};
use super::compliant::{Compliant, CompliantForm, Constraint};
use super::{Energy, HessianKind, Pose, Projective, Work};
use crate::math::outer;
use glam::{DMat3, DVec3};

/// Force law of a spring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SpringLaw {
    /// k/2 (|d| − l)².
    #[default]
    Hookean,
    /// k/2 ((|d|² − l²)/l)².
    Squared,
}

/// A batch of springs of one law.
#[derive(Clone, Debug)]
pub(crate) struct Springs {
    batch: Batch<2>,
    kernel: SpringKernel,
}

#[derive(Clone, Debug)]
struct SpringKernel {
    law: SpringLaw,
    /// (stiffness k N/m, rest length l m) per spring.
    parameters: Vec<(f64, f64)>,
}

impl Springs {
    /// `ends` #S by 2, `parameters` (k, l) #S; both already validated by the model.
    pub fn new(law: SpringLaw, ends: Vec<[u32; 2]>, parameters: Vec<(f64, f64)>) -> Self {
        Self { batch: Batch::new(ends), kernel: SpringKernel { law, parameters } }
    }
}

impl SpringKernel {
    /// ψ'/r and ψ'' at squared length r².
    fn stiffnesses(&self, e: usize, r2: f64) -> (f64, f64) {
        let (k, l) = self.parameters[e];
        match self.law {
            SpringLaw::Hookean if r2 == 0.0 => (k, k),
            SpringLaw::Hookean => (k * (1.0 - l / r2.sqrt()), k),
            SpringLaw::Squared => (2.0 * k * (r2 - l * l) / (l * l), 2.0 * k * (3.0 * r2 - l * l) / (l * l)),
        }
    }
}

impl Element<2> for SpringKernel {
    fn value(&self, e: usize, x: &[DVec3; 2]) -> f64 {
        let (k, l) = self.parameters[e];
        let d = x[0] - x[1];
        let stretch = match self.law {
            SpringLaw::Hookean => d.length() - l,
            SpringLaw::Squared => (d.length_squared() - l * l) / l,
        };
        0.5 * k * stretch * stretch
    }

    fn gradient(&self, e: usize, x: &[DVec3; 2]) -> (f64, [DVec3; 2]) {
        let (k, l) = self.parameters[e];
        let d = x[0] - x[1];
        let (stretch, tension) = match self.law {
            SpringLaw::Hookean => {
                let r = d.length();
                let stretch = r - l;
                (stretch, if r > 0.0 { k * stretch / r } else { 0.0 })
            }
            SpringLaw::Squared => {
                let stretch = (d.length_squared() - l * l) / l;
                (stretch, 2.0 * k * stretch / l)
            }
        };
        (0.5 * k * stretch * stretch, [d * tension, d * -tension])
    }

    fn hessian(&self, e: usize, x: &[DVec3; 2], kind: HessianKind) -> [[DMat3; 2]; 2] {
        let d = x[0] - x[1];
        let r2 = d.length_squared();
        let (mut across, mut along) = self.stiffnesses(e, r2);
        if kind == HessianKind::PositiveSemidefinite {
            across = across.max(0.0);
            along = along.max(0.0);
        }
        let n = if r2 > 0.0 { d / r2.sqrt() } else { DVec3::ZERO };
        let block = outer(n, n) * (along - across) + DMat3::IDENTITY * across;
        [[block, -block], [-block, block]]
    }
}

impl Energy for Springs {
    fn name(&self) -> &str {
        "springs"
    }

    fn value(&self, at: Pose, work: &mut Work) -> f64 {
        self.batch.value(&self.kernel, at.x, work)
    }

    fn gradient(&self, at: Pose, work: &mut Work, gradient: &mut [DVec3]) -> f64 {
        self.batch.gradient(&self.kernel, at.x, work, gradient)
    }

    fn hessian(&self, at: Pose, kind: HessianKind, add: &mut dyn FnMut(u32, u32, DMat3)) {
        self.batch.hessian(&self.kernel, at.x, kind, add);
    }

    fn laplacian(&self, add: &mut dyn FnMut(u32, u32, f64)) {
        let fit = if self.kernel.law == SpringLaw::Squared { 4.0 } else { 1.0 };
        for (&[a, b], &(k, _)) in self.batch.corners.iter().zip(&self.kernel.parameters) {
            add(a, a, fit * k);
            add(b, b, fit * k);
            add(a, b, -fit * k);
        }
    }

    fn projective(&self) -> Projective {
        match self.kernel.law {
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
        self.batch.corners.len()
    }

    fn constraint(&self, j: usize, at: Pose) -> Constraint {
        let [a, b] = self.batch.corners[j];
        let (k, l) = self.kernel.parameters[j];
        let d = at.x[a as usize] - at.x[b as usize];
        let (value, gradient) = match self.kernel.law {
            SpringLaw::Hookean => (d.length() - l, d.normalize_or_zero()),
            SpringLaw::Squared => ((d.length_squared() - l * l) / l, d * (2.0 / l)),
        };
        Constraint::new(value, 1.0 / k, &[(a, gradient), (b, -gradient)])
    }
}
