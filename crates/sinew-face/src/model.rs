//! The regression from mouth to inner lips, and its use on a frame.
//!
//! The dissertation minimises ‖ΘY − X‖² over Θ (9n × 9m) [dinev2020, Eq. 2.2]. The solution of least norm is Θ = X G⁺ Yᵀ with the Gram matrix
//! G = YᵀY (k × k), so a prediction is a combination of the examples, x = Σ wᵢ xᵢ with w = G⁺ Yᵀ y: nothing of size 9m × 9m is ever formed,
//! and no singular value decomposition is needed. The map from gradients to positions is linear, too, and the gradients of an example are those of a
//! shape: the prediction is
//!
//! v = base + Σ wᵢ uᵢ, with uᵢ the example's inner vertices less their own base,
//!
//! where the base of a frame solves the Poisson equation with the frame's border and the gradients that one expects without any example: those of the
//! neutral mesh in the dissertation, those [continued from the mouth](Patch::base) here. A frame takes one such solve, whatever the number of examples.
//! There is one regression for each of some [`Windows`], and the sum of their parts is the prediction.
//!
//! Adding an example costs k products, one solve and the eigenvalues of a k × k matrix for each window: a model is trained by adding.

use crate::align::Rigid;
use crate::eigen;
use crate::error::FaceError;
use crate::patch::Patch;
use crate::windows::Windows;
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
    /// u: where the inner vertices are, less where they would be without any example.
    pub learned: Vec<DVec3>,
}

/// Eigenvalues of the Gram matrix below this, relative to the largest, are zero: duplicates.
const CUT_OFF: f64 = 1e-12;

/// Windows of a model unless one asks for another number.
pub const WINDOWS: usize = 6;

/// A trained correction.
#[derive(Clone, Debug)]
pub struct Model {
    patch: Arc<Patch>,
    windows: Windows,
    ridge: Ridge,
    examples: Vec<Example>,
    /// G of each window, k × k.
    grams: Vec<Vec<f64>>,
    /// G⁺ of each window, k × k.
    inverses: Vec<Vec<f64>>,
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
    /// A model without examples: it predicts the neutral shape. It has [`WINDOWS`] windows.
    pub fn new(patch: Arc<Patch>, ridge: Ridge) -> Self {
        Self::with_windows(patch, ridge, WINDOWS)
    }

    /// A model with another number of windows; one is the dissertation's method.
    pub fn with_windows(patch: Arc<Patch>, ridge: Ridge, windows: usize) -> Self {
        let windows = patch.windows(windows);
        let none = || vec![Vec::new(); windows.count()];
        let (grams, inverses) = (none(), none());
        Self { patch, windows, ridge, examples: Vec::new(), grams, inverses }
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
        let base = self.patch.base(frame, &rigid, self.is_continued());
        let vertices = &self.patch.regions().inner;
        let learned = vertices.iter().zip(&base).map(|(&v, &b)| rigid.apply(frame[v as usize]) - b).collect();
        self.add_example(Example { name: name.into(), mouth, inner, learned });
        self.retrain();
        Ok(())
    }

    /// Adds an example without retraining.
    pub(crate) fn add_example(&mut self, example: Example) {
        let k = self.examples.len();
        let n = k + 1;
        let products: Vec<Vec<f64>> =
            self.examples.iter().map(|e| self.windows.products(&e.mouth, &example.mouth)).collect();
        let square = self.windows.products(&example.mouth, &example.mouth);
        for (a, old) in self.grams.iter_mut().enumerate() {
            let mut gram = vec![0.0; n * n];
            for i in 0..k {
                gram[i * n..i * n + k].copy_from_slice(&old[i * k..(i + 1) * k]);
                (gram[i * n + k], gram[k * n + i]) = (products[i][a], products[i][a]);
            }
            gram[k * n + k] = square[a];
            *old = gram;
        }
        self.examples.push(example);
    }

    /// Takes an example out and retrains; nothing happens if there is none of this number.
    pub fn remove(&mut self, example: usize) {
        let k = self.examples.len();
        if example >= k {
            return;
        }
        self.examples.remove(example);
        for gram in &mut self.grams {
            let kept = (0..k * k).filter(|at| at / k != example && at % k != example);
            *gram = kept.map(|at| gram[at]).collect();
        }
        self.retrain();
    }

    /// Inverts the Gram matrices.
    pub(crate) fn retrain(&mut self) {
        let (k, ridge) = (self.examples.len(), self.ridge);
        self.inverses = self.grams.iter().map(|gram| pseudo_inverse(gram, k, ridge)).collect();
    }

    /// The patch that it was trained on.
    pub fn patch(&self) -> &Arc<Patch> {
        &self.patch
    }

    /// The windows.
    pub fn windows(&self) -> &Windows {
        &self.windows
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
        self.retrain();
        self
    }

    /// w = G⁺ Yᵀ g y of each window, k numbers each.
    pub fn weights(&self, mouth: &[f64]) -> Vec<Vec<f64>> {
        self.explain(mouth).0
    }

    /// Weights of each window, and the root mean square of what the combinations leave over.
    fn explain(&self, mouth: &[f64]) -> (Vec<Vec<f64>>, f64) {
        let k = self.examples.len();
        let products: Vec<Vec<f64>> =
            self.examples.iter().map(|e| self.windows.products(&e.mouth, mouth)).collect();
        let squares = self.windows.products(mouth, mouth);
        let (mut all, mut left) = (Vec::new(), 0.0);
        for (a, (gram, inverse)) in self.grams.iter().zip(&self.inverses).enumerate() {
            let g: Vec<f64> = products.iter().map(|p| p[a]).collect();
            let times = |matrix: &[f64], v: &[f64]| -> Vec<f64> {
                (0..k).map(|i| dot(&matrix[i * k..(i + 1) * k], v)).collect()
            };
            let mut w = times(inverse, &g);
            if self.ridge == Ridge::None {
                // One step of refinement: the pseudo-inverse has the square of the condition of Y.
                let rest: Vec<f64> = times(gram, &w).iter().zip(&g).map(|(gw, g)| g - gw).collect();
                times(inverse, &rest).iter().zip(&mut w).for_each(|(d, w)| *w += d);
            }
            left += (squares[a] - 2.0 * dot(&w, &g) + dot(&w, &times(gram, &w))).max(0.0);
            all.push(w);
        }
        let triangles = (self.patch.triangle_counts().0 * self.windows.count()) as f64;
        (all, (left / triangles).sqrt())
    }

    /// How much of a frame's mouth no combination of the examples explains: ‖y − Yw‖/√m, root mean square over all windows, 0 for the neutral mesh. The
    /// same number as [`Suggestion::residual`](crate::Suggestion).
    pub fn unexplained(&self, mouth: &[f64]) -> f64 {
        self.explain(mouth).1
    }

    /// The gradients of the inner lips that one window predicts, Σ wᵢ xᵢ, 9n: for comparison; [`Model::apply`] does not form them.
    pub fn predict(&self, window: usize, mouth: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.patch.identity_gradients().len()];
        let weights = self.weights(mouth);
        for (e, w) in self.examples.iter().zip(weights.get(window).map_or(&[][..], Vec::as_slice)) {
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
        let (weights, unexplained) = self.explain(&self.patch.mouth_gradients(frame, &rigid));
        self.write(&weights, &rigid, frame);
        Ok(unexplained)
    }

    /// Whether gradients are continued from the mouth into the inner lips; the dissertation's method does not.
    fn is_continued(&self) -> bool {
        self.windows.count() > 1
    }

    fn write(&self, weights: &[Vec<f64>], rigid: &Rigid, frame: &mut [DVec3]) {
        let base = self.patch.base(frame, rigid, self.is_continued());
        for (k, (&vertex, &base)) in self.patch.regions().inner.iter().zip(&base).enumerate() {
            let shares = self.windows.shares(k);
            let mut p = base;
            for (i, example) in self.examples.iter().enumerate() {
                let w: f64 = shares.iter().zip(weights).map(|(share, w)| share * w[i]).sum();
                p += example.learned[k] * w;
            }
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
