//! Uniform gravity, E = −Σ mᵢ g·xᵢ. Its zero is at the origin.

use super::compliant::CompliantForm;
use super::{Energy, HessianKind, Pose, Projective, Work};
use glam::{DMat3, DVec3};

/// The weight of every vertex.
#[derive(Clone, Debug)]
pub(crate) struct Gravity {
    /// mᵢ g, N, #V.
    weights: Vec<DVec3>,
}

impl Gravity {
    pub fn new(acceleration: DVec3, masses: &[f64]) -> Self {
        Self { weights: masses.iter().map(|&m| acceleration * m).collect() }
    }
}

impl Energy for Gravity {
    fn name(&self) -> &str {
        "gravity"
    }

    fn value(&self, at: Pose, _: &mut Work) -> f64 {
        -self.weights.iter().zip(at.x).map(|(w, x)| w.dot(*x)).sum::<f64>()
    }

    fn gradient(&self, at: Pose, work: &mut Work, gradient: &mut [DVec3]) -> f64 {
        for (g, w) in gradient.iter_mut().zip(&self.weights) {
            *g -= *w;
        }
        self.value(at, work)
    }

    fn hessian(&self, _: Pose, _: HessianKind, _: &mut dyn FnMut(u32, u32, DMat3)) {}

    fn projective(&self) -> Projective {
        Projective::Exact
    }

    fn compliant(&self) -> Option<CompliantForm<'_>> {
        Some(CompliantForm::ConstantForce)
    }

    fn external(&self) -> bool {
        true
    }
}
