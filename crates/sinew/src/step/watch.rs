//! How far a correction moves each vertex: what a viewer colours bodies by.

use crate::model::Model;
use crate::next::{Candidate, Next};
use glam::DVec3;

/// What was there before the correction, and how far it moved.
#[derive(Debug)]
pub(super) struct CorrectionWatch {
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    candidate: Candidate,
    /// #V, m.
    sizes: Vec<f64>,
}

impl CorrectionWatch {
    pub fn new(model: &Model) -> Self {
        let zeros = vec![DVec3::ZERO; model.vertex_count()];
        let sizes = vec![0.0; zeros.len()];
        Self { x: zeros.clone(), v: zeros, candidate: Candidate::Missing, sizes }
    }

    pub fn before(&mut self, next: &Next) {
        let n = self.x.len();
        self.x.copy_from_slice(&next.x[..n]);
        self.v.copy_from_slice(&next.v[..n]);
        self.candidate = next.candidate;
    }

    pub fn after(&mut self, next: &Next, h: f64) {
        for (i, size) in self.sizes.iter_mut().enumerate() {
            let (dx, dv) = (next.x[i].distance_squared(self.x[i]), next.v[i].distance_squared(self.v[i]));
            *size = (dx + h * h * dv).sqrt();
            // A solve that failed left nothing to compare with.
            if self.candidate == Candidate::Missing || !size.is_finite() {
                *size = 0.0;
            }
        }
    }

    pub fn sizes(&self) -> &[f64] {
        &self.sizes
    }
}
