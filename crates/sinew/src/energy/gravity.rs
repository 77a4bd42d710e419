//! Uniform gravity, E = −Σ mᵢ g·xᵢ. Its zero is at the origin.

use super::compliant::CompliantForm;
use super::{Energy, HessianKind, Pose, Projective, Work};
use glam::{DMat3, DVec3};

/// The weight of the vertices of one connected component.
#[derive(Clone, Debug)]
pub(crate) struct Gravity {
    /// Vertex and mᵢ g, N.
    weights: Vec<(u32, DVec3)>,
}

impl Gravity {
    pub fn new(acceleration: DVec3, masses: &[f64], vertices: &[u32]) -> Self {
        Self { weights: vertices.iter().map(|&i| (i, acceleration * masses[i as usize])).collect() }
    }
}

impl Energy for Gravity {
    fn name(&self) -> &str {
        "gravity"
    }

    fn value(&self, at: Pose, _: &mut Work) -> f64 {
        -self.weights.iter().map(|(i, w)| w.dot(at.x[*i as usize])).sum::<f64>()
    }

    fn gradient(&self, at: Pose, work: &mut Work, gradient: &mut [DVec3]) -> f64 {
        for (i, w) in &self.weights {
            gradient[*i as usize] -= *w;
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
