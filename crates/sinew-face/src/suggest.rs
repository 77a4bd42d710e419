//! Which frames to correct next: the one whose mouth is farthest from every combination of the frames chosen so far, again and again.
//!
//! This is Gram–Schmidt with pivoting: with an orthonormal basis Q of the chosen mouths, the residual of a frame is ‖y‖² − Σ (q·y)². One pass over the
//! sequence for each chosen frame; memory holds the basis and one number per frame. The residual predicts the error of the correction.

use crate::error::FaceError;
use crate::model::{Model, dot};
use crate::patch::Patch;
use crate::sequence::Frames;
use glam::DVec3;

/// A frame that is worth correcting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suggestion {
    /// The frame, from 0.
    pub frame: usize,
    /// ‖r‖/√m, the root mean square of what was unexplained when it was chosen.
    pub residual: f64,
}

/// The `count` frames to correct next, fewer if nothing is left to explain. With a model, its examples count as chosen.
///
/// # Errors
/// [`FaceError`] if a frame cannot be read or does not fit.
pub fn suggest(
    patch: &Patch,
    model: Option<&Model>,
    frames: &mut dyn Frames,
    count: usize,
) -> Result<Vec<Suggestion>, FaceError> {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for example in model.map_or(&[][..], |m| m.examples()) {
        extend(&mut basis, example.mouth.clone());
    }
    let mut points: Vec<DVec3> = Vec::new();
    let mut gradients = |frames: &mut dyn Frames, k: usize| -> Result<Vec<f64>, FaceError> {
        frames.read(k, &mut points)?;
        patch.check(&frames.name(k), &points)?;
        Ok(patch.mouth_gradients(&points, &patch.alignment(&points)))
    };
    let mut left: Vec<f64> = Vec::new();
    for k in 0..frames.len() {
        let y = gradients(frames, k)?;
        left.push(basis.iter().fold(dot(&y, &y), |left, q| left - dot(q, &y).powi(2)));
    }
    let scale = patch.triangle_counts().0 as f64;
    let floor = 1e-10 * left.iter().copied().fold(0.0, f64::max).max(1e-12 * scale);
    let mut chosen = Vec::new();
    while chosen.len() < count {
        let best = (0..left.len()).fold(0, |best, k| if left[k] > left[best] { k } else { best });
        if left.get(best).is_none_or(|&left| left <= floor) {
            break;
        }
        let residual = (left[best] / scale).sqrt();
        chosen.push(Suggestion { frame: best, residual });
        let y = gradients(frames, best)?;
        extend(&mut basis, y);
        left[best] = 0.0;
        if chosen.len() == count {
            break;
        }
        if let Some(q) = basis.last() {
            for k in 0..left.len() {
                if left[k] > floor {
                    left[k] -= dot(q, &gradients(frames, k)?).powi(2);
                }
            }
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
