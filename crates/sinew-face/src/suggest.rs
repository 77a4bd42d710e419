//! Which frames to correct next: the one whose mouth is farthest from every combination of the frames chosen so far, again and again.
//!
//! This is Gram–Schmidt with pivoting, in each [`Windows`] of the model: ‖r‖² = ‖y‖² − Σ (q·y)², where the coordinates q·y follow from products of mouths
//! (pivoted Cholesky of the Gram matrix), so that no basis is kept. One pass over the sequence for each chosen frame. The mouths of the frames are
//! kept in memory as far as they fit into [`KEPT`]; others are read again in each pass. The residual predicts the error of the correction.

use crate::error::FaceError;
use crate::model::{Model, WINDOWS};
use crate::patch::Patch;
use crate::sequence::Frames;
use crate::windows::Windows;
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

/// What is known of a whole sequence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// What the examples leave unexplained of each frame, as [`Model::unexplained`].
    pub unexplained: Vec<f64>,
    /// The frames to correct next.
    pub suggestions: Vec<Suggestion>,
}

/// The mouths of a sequence in memory, for more than one survey of it.
#[derive(Clone, Debug, Default)]
pub struct Mouths {
    /// The mouth's vertices of the first frames.
    kept: Vec<Vec<DVec3>>,
}

impl Mouths {
    /// Reads as many frames as there is memory for.
    ///
    /// # Errors
    /// [`FaceError`] if a frame cannot be read or does not fit.
    pub fn read(patch: &Patch, frames: &dyn Frames) -> Result<Self, FaceError> {
        let size = patch.mouth_vertices().len() * size_of::<DVec3>();
        let count = frames.len().min(KEPT / size.max(1));
        let one = |frame: usize| -> Result<Vec<DVec3>, FaceError> {
            let points = points(patch, frames, frame)?;
            Ok(patch.mouth_vertices().iter().map(|&v| points[v as usize]).collect())
        };
        Ok(Self { kept: (0..count).into_par_iter().map(one).collect::<Result<_, _>>()? })
    }
}

fn points(patch: &Patch, frames: &dyn Frames, frame: usize) -> Result<Vec<DVec3>, FaceError> {
    let mut points = Vec::new();
    frames.read(frame, &mut points)?;
    patch.check(&frames.name(frame), &points)?;
    Ok(points)
}

/// A sequence that is looked through.
struct Look<'a> {
    patch: &'a Patch,
    frames: &'a dyn Frames,
    mouths: &'a Mouths,
}

impl Look<'_> {
    /// y of a frame.
    fn gradients(&self, frame: usize) -> Result<Vec<f64>, FaceError> {
        let points = match self.mouths.kept.get(frame) {
            Some(mouth) => {
                let mut points = self.patch.neutral().to_vec();
                self.patch.mouth_vertices().iter().zip(mouth).for_each(|(&v, &p)| points[v as usize] = p);
                points
            }
            None => points(self.patch, self.frames, frame)?,
        };
        Ok(self.patch.mouth_gradients(&points, &self.patch.alignment(&points)))
    }

    /// Something of each frame.
    fn each<T: Send>(&self, f: impl Fn(usize, &[f64]) -> T + Sync) -> Result<Vec<T>, FaceError> {
        (0..self.frames.len()).into_par_iter().map(|k| Ok(f(k, &self.gradients(k)?))).collect()
    }
}

/// What a frame still has to be explained.
#[derive(Clone, Default)]
struct Rest {
    /// ‖r‖² in each window.
    left: Vec<f64>,
    /// Coordinates in the orthonormal bases of the windows, one list for each frame chosen so far.
    along: Vec<Vec<f64>>,
}

impl Rest {
    fn new(windows: &Windows, y: &[f64]) -> Self {
        Self { left: windows.products(y, y), along: Vec::new() }
    }

    /// Takes out what a chosen mouth explains; `chosen` is its rest before, `products` those of both mouths.
    fn explain(&mut self, chosen: &Self, products: &[f64], floor: f64) {
        let mut coordinates = Vec::with_capacity(products.len());
        for (a, product) in products.iter().enumerate() {
            let known: f64 = self.along.iter().zip(&chosen.along).map(|(p, q)| p[a] * q[a]).sum();
            // A mouth that is explained already adds no direction.
            let new = if chosen.left[a] > floor { (product - known) / chosen.left[a].sqrt() } else { 0.0 };
            self.left[a] = (self.left[a] - new * new).max(0.0);
            coordinates.push(new);
        }
        self.along.push(coordinates);
    }

    fn sum(&self) -> f64 {
        self.left.iter().sum()
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
    let mouths = Mouths::read(patch, frames)?;
    Ok(survey(patch, model, frames, &mouths, count)?.suggestions)
}

/// What a model leaves unexplained, and the `count` frames to correct next; `mouths` are those of the same frames.
///
/// # Errors
/// [`FaceError`] if a frame cannot be read or does not fit.
pub fn survey(
    patch: &Patch,
    model: Option<&Model>,
    frames: &dyn Frames,
    mouths: &Mouths,
    count: usize,
) -> Result<Survey, FaceError> {
    let own = patch.windows(WINDOWS);
    let windows = model.map_or(&own, Model::windows);
    let mouths = Look { patch, frames, mouths };
    let mut rests = mouths.each(|_, y| Rest::new(windows, y))?;
    let scale = (patch.triangle_counts().0 * windows.count()) as f64;
    let floor = 1e-10 * rests.iter().map(Rest::sum).fold(0.0, f64::max).max(1e-12 * scale);
    let mut known: Vec<(Rest, &[f64])> = Vec::new();
    for example in model.map_or(&[][..], |m| m.examples()) {
        let mut rest = Rest::new(windows, &example.mouth);
        for (other, mouth) in &known {
            rest.explain(other, &windows.products(mouth, &example.mouth), floor);
        }
        known.push((rest, &example.mouth));
    }
    if !known.is_empty() {
        rests = mouths.each(|k, y| {
            let mut new = rests[k].clone();
            known.iter().for_each(|(rest, mouth)| new.explain(rest, &windows.products(mouth, y), floor));
            new
        })?;
    }
    let unexplained = rests.iter().map(|rest| (rest.sum() / scale).sqrt()).collect();
    let mut chosen: Vec<Suggestion> = Vec::new();
    while chosen.len() < count {
        let free = (0..rests.len()).filter(|k| chosen.iter().all(|c| c.frame != *k));
        let best = free.max_by(|&a, &b| rests[a].sum().total_cmp(&rests[b].sum()).then(b.cmp(&a)));
        let Some(best) = best.filter(|&best| rests[best].sum() > floor) else { break };
        chosen.push(Suggestion { frame: best, residual: (rests[best].sum() / scale).sqrt() });
        if chosen.len() == count {
            break;
        }
        let (rest, mouth) = (rests[best].clone(), mouths.gradients(best)?);
        rests = mouths.each(|k, y| {
            let mut new = rests[k].clone();
            new.explain(&rest, &windows.products(&mouth, y), floor);
            new
        })?;
    }
    Ok(Survey { unexplained, suggestions: chosen })
}
