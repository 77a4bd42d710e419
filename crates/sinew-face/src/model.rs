//! The regression from mouth to inner lips, and its use on a frame.
//!
//! The dissertation minimises ‖ΘY − X‖² over Θ (9n × 9m) [dinev2020, Eq. 2.2]. The solution of least norm is Θ = X G⁺ Yᵀ with the Gram matrix
//! G = YᵀY (k × k), so a prediction is a combination of the examples, x = Σ wᵢ xᵢ with w = G⁺ Yᵀ y: nothing of size 9m × 9m is ever formed,
//! and no singular value decomposition is needed. The map from gradients to positions is linear, too: each example is solved once
//! (`solved`), and a frame takes one more solve, for its border:
//!
//! v = L⁻¹(border) + (1 − Σw) p_I + Σ wᵢ pᵢ, with pᵢ = L⁻¹ ∇ᵀFᵢ and p_I that of F = I.
//!
//! Adding an example costs k products, one solve and the eigenvalues of a k × k matrix: a model is trained by adding.

use crate::align::Rigid;
use crate::eigen;
use crate::error::FaceError;
use crate::patch::Patch;
use glam::DVec3;
use std::sync::Arc;

/// What is added to the diagonal of the Gram matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ridge {
    /// Nothing: examples are reproduced exactly.
    None,
    /// This times trace/k: examples are reproduced approximately, and contradictions between similar ones do not blow up.
    Relative(f64),
}

/// A corrected frame in gradients.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// Its name, for messages.
    pub name: String,
    /// y = F − I of the mouth, 9m.
    pub mouth: Vec<f64>,
    /// x = F − I of the inner lips, 9n.
    pub inner: Vec<f64>,
}

/// Eigenvalues of the Gram matrix below this, relative to the largest, are zero: duplicates.
const CUT_OFF: f64 = 1e-12;

/// A trained correction.
#[derive(Clone, Debug)]
pub struct Model {
    patch: Arc<Patch>,
    ridge: Ridge,
    examples: Vec<Example>,
    /// G, k × k.
    pub(crate) gram: Vec<f64>,
    /// G⁺, k × k.
    inverse: Vec<f64>,
    /// pᵢ, and p_I.
    solved: Vec<Vec<DVec3>>,
    identity: Vec<DVec3>,
}

/// Sums in lanes, in an order that does not depend on anything: fast and always the same bits.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (p, q) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = p.remainder().iter().zip(q.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in p.zip(q) {
        for k in 0..8 {
            lanes[k] += x[k] * y[k];
        }
    }
    lanes.iter().sum::<f64>() + rest
}

impl Model {
    /// A model without examples: it predicts the neutral shape.
    pub fn new(patch: Arc<Patch>, ridge: Ridge) -> Self {
        let identity = patch.solve_gradients(&patch.identity_gradients());
        let (gram, inverse) = (Vec::new(), Vec::new());
        Self { patch, ridge, examples: Vec::new(), gram, inverse, solved: Vec::new(), identity }
    }

    /// Adds a corrected frame, #V points, and retrains.
    ///
    /// # Errors
    /// [`FaceError`] if the frame does not fit the neutral mesh.
    pub fn add(&mut self, name: &str, frame: &[DVec3]) -> Result<(), FaceError> {
        self.patch.check(name, frame)?;
        let rigid = self.patch.alignment(frame);
        let mouth = self.patch.mouth_gradients(frame, &rigid);
        let inner = self.patch.inner_gradients(frame, &rigid);
        self.add_example(Example { name: name.into(), mouth, inner });
        Ok(())
    }

    pub(crate) fn add_example(&mut self, example: Example) {
        let k = self.examples.len();
        let products: Vec<f64> = self.examples.iter().map(|e| dot(&e.mouth, &example.mouth)).collect();
        let mut gram = vec![0.0; (k + 1) * (k + 1)];
        for i in 0..k {
            gram[i * (k + 1)..i * (k + 1) + k].copy_from_slice(&self.gram[i * k..(i + 1) * k]);
            (gram[i * (k + 1) + k], gram[k * (k + 1) + i]) = (products[i], products[i]);
        }
        gram[k * (k + 1) + k] = dot(&example.mouth, &example.mouth);
        self.gram = gram;
        self.inverse = pseudo_inverse(&self.gram, k + 1, self.ridge);
        // F = I + x: the solver needs F itself.
        let full: Vec<f64> = example
            .inner
            .iter()
            .enumerate()
            .map(|(i, x)| if i % 9 % 4 == 0 { x + 1.0 } else { *x })
            .collect();
        self.solved.push(self.patch.solve_gradients(&full));
        self.examples.push(example);
    }

    /// The patch that it was trained on.
    pub fn patch(&self) -> &Arc<Patch> {
        &self.patch
    }

    /// The examples.
    pub fn examples(&self) -> &[Example] {
        &self.examples
    }

    /// The ridge.
    pub fn ridge(&self) -> Ridge {
        self.ridge
    }

    /// The same with another ridge.
    #[must_use]
    pub fn with_ridge(mut self, ridge: Ridge) -> Self {
        self.ridge = ridge;
        self.inverse = pseudo_inverse(&self.gram, self.examples.len(), ridge);
        self
    }

    /// w = G⁺ Yᵀ y, k numbers.
    pub fn weights(&self, mouth: &[f64]) -> Vec<f64> {
        let k = self.examples.len();
        let g: Vec<f64> = self.examples.iter().map(|e| dot(&e.mouth, mouth)).collect();
        let apply =
            |g: &[f64]| -> Vec<f64> { (0..k).map(|i| dot(&self.inverse[i * k..(i + 1) * k], g)).collect() };
        let mut w = apply(&g);
        if self.ridge == Ridge::None {
            // One step of refinement: the pseudo-inverse has the square of the condition of Y.
            let rest: Vec<f64> = (0..k).map(|i| g[i] - dot(&self.gram[i * k..(i + 1) * k], &w)).collect();
            apply(&rest).iter().zip(&mut w).for_each(|(d, w)| *w += d);
        }
        w
    }

    /// How much of a frame's mouth no combination of the examples explains: ‖y − Yw‖/‖y‖, 0 for the neutral mesh.
    pub fn unexplained(&self, mouth: &[f64]) -> f64 {
        self.rest(mouth, &self.weights(mouth))
    }

    fn rest(&self, mouth: &[f64], weights: &[f64]) -> f64 {
        let mut rest = mouth.to_vec();
        for (e, w) in self.examples.iter().zip(weights) {
            rest.iter_mut().zip(&e.mouth).for_each(|(r, y)| *r -= w * y);
        }
        let length = dot(mouth, mouth).sqrt();
        if length > 0.0 { dot(&rest, &rest).sqrt() / length } else { 0.0 }
    }

    /// The predicted gradients of the inner lips, 9n: for comparison; [`Model::apply`] does not form them.
    pub fn predict(&self, mouth: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.patch.identity_gradients().len()];
        for (e, w) in self.examples.iter().zip(self.weights(mouth)) {
            x.iter_mut().zip(&e.inner).for_each(|(x, e)| *x += w * e);
        }
        x
    }

    /// Replaces the inner lips of a frame, #V points; all other vertices keep their bits. Returns how much of the frame's mouth the examples do not
    /// explain, [`Model::unexplained`].
    ///
    /// # Errors
    /// [`FaceError`] if the frame does not fit the neutral mesh.
    pub fn apply(&self, name: &str, frame: &mut [DVec3]) -> Result<f64, FaceError> {
        self.patch.check(name, frame)?;
        let rigid = self.patch.alignment(frame);
        let mouth = self.patch.mouth_gradients(frame, &rigid);
        let weights = self.weights(&mouth);
        self.write(&weights, &rigid, frame);
        Ok(self.rest(&mouth, &weights))
    }

    fn write(&self, weights: &[f64], rigid: &Rigid, frame: &mut [DVec3]) {
        let mut v = self.patch.solve_border(|vertex| rigid.apply(frame[vertex as usize]));
        let mut blend = |p: &[DVec3], w: f64| v.iter_mut().zip(p).for_each(|(v, p)| *v += *p * w);
        blend(&self.identity, 1.0 - weights.iter().sum::<f64>());
        self.solved.iter().zip(weights).for_each(|(p, &w)| blend(p, w));
        for (&vertex, &p) in self.patch.regions().inner.iter().zip(&v) {
            frame[vertex as usize] = rigid.apply_inverse(p);
        }
    }
}

/// (G + ridge)⁺ with the eigenvalues below the cut-off left out.
fn pseudo_inverse(gram: &[f64], k: usize, ridge: Ridge) -> Vec<f64> {
    let mut gram = gram.to_vec();
    if let Ridge::Relative(r) = ridge {
        let add = r * (0..k).map(|i| gram[i * k + i]).sum::<f64>() / k as f64;
        (0..k).for_each(|i| gram[i * k + i] += add);
    }
    let e = eigen::symmetric(gram, k);
    let largest = e.values.iter().copied().fold(0.0, f64::max);
    let mut inverse = vec![0.0; k * k];
    for (l, &value) in e.values.iter().enumerate() {
        if value > CUT_OFF * largest {
            let v = &e.vectors[l * k..(l + 1) * k];
            for i in 0..k {
                for j in 0..k {
                    inverse[i * k + j] += v[i] * v[j] / value;
                }
            }
        }
    }
    inverse
}
