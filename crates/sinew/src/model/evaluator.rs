//! Values and gradients of all potentials of a model, or of one component.

use super::Model;
use crate::energy::{Pose, Work};
use crate::topology::Component;
use glam::DVec3;

/// Evaluates all energies of a model; owns its buffers.
#[derive(Debug)]
pub(crate) struct Evaluator {
    work: Vec<Work>,
}

impl Evaluator {
    pub fn new(model: &Model) -> Self {
        Self { work: model.energies.iter().map(|e| e.work_size()).collect() }
    }

    /// E at a pose.
    pub fn value(&mut self, model: &Model, at: Pose) -> f64 {
        model.energies.iter().zip(&mut self.work).map(|(e, w)| e.value(at, w)).sum()
    }

    /// E of each batch.
    pub fn values(&mut self, model: &Model, at: Pose, out: &mut [f64]) {
        for ((e, w), out) in model.energies.iter().zip(&mut self.work).zip(out) {
            *out = e.value(at, w);
        }
    }

    /// E of one component, with the potential of known forces; writes the value of each of its batches to `out`, which has an entry for every batch.
    pub fn component_value(
        &mut self,
        model: &Model,
        component: &Component,
        at: Pose,
        out: &mut [f64],
    ) -> f64 {
        let mut sum = 0.0;
        for &k in &component.energies {
            out[k] = model.energies[k].value(at, &mut self.work[k]);
            sum += out[k];
        }
        sum + at.known.map_or(0.0, |known| known.value(&component.vertices, at.x))
    }

    /// ∇E of one component; only its vertices in `gradient` are overwritten.
    pub fn component_gradient(
        &mut self,
        model: &Model,
        component: &Component,
        at: Pose,
        gradient: &mut [DVec3],
    ) {
        for &i in &component.vertices {
            gradient[i as usize] = DVec3::ZERO;
        }
        for &k in &component.energies {
            model.energies[k].gradient(at, &mut self.work[k], gradient);
        }
        if let Some(known) = at.known {
            known.add_gradient(&component.vertices, gradient);
        }
    }

    /// E and ∇E of one component in one pass; values as in [`Self::component_value`], gradient as in
    /// [`Self::component_gradient`].
    pub fn component_value_and_gradient(
        &mut self,
        model: &Model,
        component: &Component,
        at: Pose,
        out: &mut [f64],
        gradient: &mut [DVec3],
    ) -> f64 {
        for &i in &component.vertices {
            gradient[i as usize] = DVec3::ZERO;
        }
        let mut sum = 0.0;
        for &k in &component.energies {
            out[k] = model.energies[k].gradient(at, &mut self.work[k], gradient);
            sum += out[k];
        }
        let Some(known) = at.known else { return sum };
        known.add_gradient(&component.vertices, gradient);
        sum + known.value(&component.vertices, at.x)
    }

    /// Adds the gradient of one batch.
    pub fn add_gradient_of(&mut self, model: &Model, index: usize, at: Pose, gradient: &mut [DVec3]) {
        model.energies[index].gradient(at, &mut self.work[index], gradient);
    }

    /// E and ∇E; `gradient` is overwritten.
    pub fn gradient(&mut self, model: &Model, at: Pose, gradient: &mut [DVec3]) -> f64 {
        gradient.fill(DVec3::ZERO);
        model.energies.iter().zip(&mut self.work).map(|(e, w)| e.gradient(at, w, gradient)).sum()
    }
}
