//! Which frames to correct next: the one whose mouth is farthest from every combination of the frames chosen so far, again and again.
//!
//! This is Gram–Schmidt with pivoting: with an orthonormal basis Q of the chosen mouths, the residual of a frame is ‖y‖² − Σ (q·y)². One pass over the
//! sequence for each chosen frame. The mouths of the frames are kept in memory as far as they fit into [`KEPT`]; others are read again in each pass. The residual
//! predicts the error of the correction.

use crate::error::FaceError;
use crate::model::{Model, dot};
use crate::patch::Patch;
use crate::sequence::Frames;
use glam::DVec3;
use rayon::prelude::*;

/// Most memory for the mouths of frames, bytes.
const KEPT: usize = 512 << 20;

/// A frame that is worth correcting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suggestion {
    /// The frame, from 0.
    pub frame: usize,
    /// ‖r‖/√m, the root mean square of what was unexplained when it was chosen.
    pub residual: f64,
}

/// The mouths of a sequence.
struct Mouths<'a> {
    patch: &'a Patch,
    frames: &'a dyn Frames,
    /// The mouth's vertices of the first frames.
    kept: Vec<Vec<DVec3>>,
}

impl<'a> Mouths<'a> {
    fn read(patch: &'a Patch, frames: &'a dyn Frames) -> Result<Self, FaceError> {
        let size = patch.mouth_vertices().len() * size_of::<DVec3>();
        let count = frames.len().min(KEPT / size.max(1));
        let mut mouths = Self { patch, frames, kept: Vec::new() };
        let one = |frame: usize| -> Result<Vec<DVec3>, FaceError> {
            let points = mouths.points(frame)?;
            Ok(patch.mouth_vertices().iter().map(|&v| points[v as usize]).collect())
        };
        mouths.kept = (0..count).into_par_iter().map(one).collect::<Result<_, _>>()?;
        Ok(mouths)
    }

    fn points(&self, frame: usize) -> Result<Vec<DVec3>, FaceError> {
        let mut points = Vec::new();
        self.frames.read(frame, &mut points)?;
        self.patch.check(&self.frames.name(frame), &points)?;
        Ok(points)
    }

    /// y of a frame.
    fn gradients(&self, frame: usize) -> Result<Vec<f64>, FaceError> {
        let points = match self.kept.get(frame) {
            Some(mouth) => {
                let mut points = self.patch.neutral().to_vec();
                self.patch.mouth_vertices().iter().zip(mouth).for_each(|(&v, &p)| points[v as usize] = p);
                points
            }
            None => self.points(frame)?,
        };
        Ok(self.patch.mouth_gradients(&points, &self.patch.alignment(&points)))
    }

    /// A number of each frame.
    fn each(&self, f: impl Fn(usize, &[f64]) -> f64 + Sync) -> Result<Vec<f64>, FaceError> {
        (0..self.frames.len()).into_par_iter().map(|k| Ok(f(k, &self.gradients(k)?))).collect()
    }
}

/// The `count` frames to correct next, fewer if nothing is left to explain. With a model, its examples count as chosen.
///
/// # Errors
/// [`FaceError`] if a frame cannot be read or does not fit.
pub fn suggest(
    patch: &Patch,
    model: Option<&Model>,
    frames: &dyn Frames,
    count: usize,
) -> Result<Vec<Suggestion>, FaceError> {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for example in model.map_or(&[][..], |m| m.examples()) {
        extend(&mut basis, example.mouth.clone());
    }
    let mouths = Mouths::read(patch, frames)?;
    let mut left =
        mouths.each(|_, y| basis.iter().fold(dot(y, y), |left, q| left - dot(q, y).powi(2)))?;
    let scale = patch.triangle_counts().0 as f64;
    let floor = 1e-10 * left.iter().copied().fold(0.0, f64::max).max(1e-12 * scale);
    let mut chosen = Vec::new();
    while chosen.len() < count {
        let best = (0..left.len()).fold(0, |best, k| if left[k] > left[best] { k } else { best });
        if left.get(best).is_none_or(|&left| left <= floor) {
            break;
        }
        chosen.push(Suggestion { frame: best, residual: (left[best] / scale).sqrt() });
        extend(&mut basis, mouths.gradients(best)?);
        left[best] = 0.0;
        if chosen.len() == count {
            break;
        }
        if let Some(q) = basis.last() {
            left = mouths.each(|k, y| if left[k] > floor { left[k] - dot(q, y).powi(2) } else { 0.0 })?;
        }
    }
    Ok(chosen)
}

/// Adds what is new in `y`, orthogonalised twice.
fn extend(basis: &mut Vec<Vec<f64>>, mut y: Vec<f64>) {
    let before = dot(&y, &y).sqrt();
    for _ in 0..2 {
        for q in basis.iter() {
            let along = dot(q, &y);
            y.iter_mut().zip(q).for_each(|(y, q)| *y -= along * q);
        }
    }
    let length = dot(&y, &y).sqrt();
    if length > 1e-9 * before {
        y.iter_mut().for_each(|y| *y /= length);
        basis.push(y);
    }
}
