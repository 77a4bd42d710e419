//! How far a correction moves each vertex: what a viewer colours bodies by.

use crate::Model;
use glam::DVec3;

/// What was there before the correction, and how far it moved.
#[derive(Debug)]
pub(super) struct CorrectionWatch {
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    /// #V, m.
    sizes: Vec<f64>,
}

impl CorrectionWatch {
    pub fn new(model: &Model) -> Self {
        let zeros = vec![DVec3::ZERO; model.vertices()];
        Self { x: zeros.clone(), v: zeros, sizes: vec![0.0; model.vertices()] }
    }

    pub fn before(&mut self, x: &[DVec3], v: &[DVec3]) {
        let n = self.x.len();
        self.x.copy_from_slice(&x[..n]);
        self.v.copy_from_slice(&v[..n]);
    }

    pub fn after(&mut self, x: &[DVec3], v: &[DVec3], h: f64) {
        for (i, size) in self.sizes.iter_mut().enumerate() {
            *size = (x[i].distance_squared(self.x[i]) + h * h * v[i].distance_squared(self.v[i])).sqrt();
            // A solve that failed left nothing to compare with.
            if !size.is_finite() {
                *size = 0.0;
            }
        }
    }

    pub fn sizes(&self) -> &[f64] {
        &self.sizes
    }
}
