//! The obvious alternative, for comparison: the same regression on positions of vertices instead of gradients.
//!
//! y and x are the displacements from the neutral mesh of the mouth and of the inner lips of the aligned frame; x = Σ wᵢ xᵢ, w = G⁺ Yᵀ y. The dissertation
//! rejects it because positions of the lips change with the jaw [dinev2020, §2.2].

use crate::eigen;
use crate::error::FaceError;
use crate::model::dot;
use crate::patch::Patch;
use glam::DVec3;

/// A regression on positions.
#[derive(Debug)]
pub struct PositionModel<'a> {
    patch: &'a Patch,
    mouth: Vec<Vec<f64>>,
    inner: Vec<Vec<f64>>,
}

impl<'a> PositionModel<'a> {
    /// Learns corrected frames.
    ///
    /// # Errors
    /// [`FaceError`] if a frame does not fit.
    pub fn train(patch: &'a Patch, frames: &[Vec<DVec3>]) -> Result<Self, FaceError> {
        let mut model = Self { patch, mouth: Vec::new(), inner: Vec::new() };
        for frame in frames {
            patch.check("a training frame", frame)?;
            model.mouth.push(model.displacements(frame, patch.mouth_vertices()));
            model.inner.push(model.displacements(frame, &patch.regions().inner));
        }
        Ok(model)
    }

    fn displacements(&self, frame: &[DVec3], vertices: &[u32]) -> Vec<f64> {
        let rigid = self.patch.alignment(frame);
        let of = |&v: &u32| (rigid.apply(frame[v as usize]) - self.patch.neutral()[v as usize]).to_array();
        vertices.iter().flat_map(of).collect()
    }

    /// Replaces the inner lips of a frame.
    ///
    /// # Errors
    /// [`FaceError`] if the frame does not fit.
    pub fn apply(&self, frame: &mut [DVec3]) -> Result<(), FaceError> {
        self.patch.check("a frame", frame)?;
        let y = self.displacements(frame, self.patch.mouth_vertices());
        let k = self.mouth.len();
        let gram = (0..k * k).map(|n| dot(&self.mouth[n / k], &self.mouth[n % k])).collect();
        let e = eigen::symmetric(gram, k);
        let largest = e.values.iter().copied().fold(0.0, f64::max);
        let g: Vec<f64> = self.mouth.iter().map(|m| dot(m, &y)).collect();
        let mut w = vec![0.0; k];
        for (l, &value) in e.values.iter().enumerate().filter(|(_, v)| **v > 1e-12 * largest) {
            let v = &e.vectors[l * k..(l + 1) * k];
            let along = dot(v, &g) / value;
            w.iter_mut().zip(v).for_each(|(w, v)| *w += along * v);
        }
        let rigid = self.patch.alignment(frame);
        for (i, &vertex) in self.patch.regions().inner.iter().enumerate() {
            let mut p = self.patch.neutral()[vertex as usize];
            for (x, w) in self.inner.iter().zip(&w) {
                p += DVec3::from_slice(&x[3 * i..3 * i + 3]) * *w;
            }
            frame[vertex as usize] = rigid.apply_inverse(p);
        }
        Ok(())
    }
}
