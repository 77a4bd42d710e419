//! A correction compared with the truth over a whole sequence: numbers, the curve of error against training frames \[dinev2020, Fig. 2.9\], and pictures
//! \[dinev2020, Fig. 2.7, 2.8\].

mod sheet;

pub use sheet::Sheet;

use crate::error::FaceError;
use crate::evaluate::{frame_error, hausdorff, percentile, vertex_errors};
use crate::model::{Model, Ridge};
use crate::patch::Patch;
use crate::sequence::Frames;
use crate::suggest::suggest;
use glam::DVec3;
use rayon::prelude::*;
use serde::Serialize;
use std::sync::Arc;

/// Errors of the inner lips over a sequence, mm.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Errors {
    /// Mean over vertices and frames.
    pub mean: f64,
    /// The 95th percentile of the frames' means.
    pub frame_95: f64,
    /// The largest mean of a frame.
    pub frame_worst: f64,
    /// The largest Hausdorff distance of a frame's surface from the true one.
    pub hausdorff: f64,
    /// Mean of each frame.
    #[serde(skip)]
    pub frames: Vec<f64>,
    /// Largest distance of a vertex in each frame.
    #[serde(skip)]
    pub worst: Vec<f64>,
    /// Hausdorff distance of each frame.
    #[serde(skip)]
    pub hausdorffs: Vec<f64>,
    /// Mean of each inner vertex, in the order of the region.
    #[serde(skip)]
    pub vertices: Vec<f64>,
}

/// One point of the curve of Fig. 2.9.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TrainingPoint {
    /// Number of training frames.
    pub frames: usize,
    /// Mean error of the other frames, mm.
    pub mean: f64,
    /// The 95th percentile of their means, mm.
    pub frame_95: f64,
    /// Mean error over that of the capture, in the same frames.
    pub ratio: f64,
    /// ε = ‖x* − x‖, the paper's error of the gradients, mean over all frames.
    pub gradients: f64,
    /// The training frames.
    pub chosen: Vec<usize>,
}

/// Reads a frame, checked.
pub(crate) fn read(patch: &Patch, frames: &dyn Frames, k: usize) -> Result<Vec<DVec3>, FaceError> {
    let mut points = Vec::new();
    frames.read(k, &mut points)?;
    patch.check(&frames.name(k), &points)?;
    Ok(points)
}

/// Errors of a sequence, or of what a model makes of it; `unit` is the number of millimetres in a unit of the mesh.
///
/// # Errors
/// [`FaceError`] if a frame cannot be read or does not fit.
pub fn errors_over(
    patch: &Patch,
    truth: &dyn Frames,
    frames: &dyn Frames,
    model: Option<&Model>,
    unit: f64,
) -> Result<Errors, FaceError> {
    let inner = &patch.regions().inner;
    let triangles = patch.inner_triangles();
    let one = |k: usize| -> Result<(Vec<f64>, f64), FaceError> {
        let (t, mut p) = (read(patch, truth, k)?, read(patch, frames, k)?);
        if let Some(model) = model {
            model.apply(&frames.name(k), &mut p)?;
        }
        Ok((vertex_errors(&p, &t, inner), hausdorff(&p, &t, &triangles, inner)))
    };
    let all: Vec<(Vec<f64>, f64)> = (0..truth.len()).into_par_iter().map(one).collect::<Result<_, _>>()?;
    let mut errors = Errors { vertices: vec![0.0; inner.len()], ..Errors::default() };
    for (list, h) in &all {
        errors.frames.push(unit * list.iter().sum::<f64>() / list.len().max(1) as f64);
        errors.worst.push(unit * list.iter().copied().fold(0.0, f64::max));
        errors.hausdorffs.push(unit * h);
        let share = unit / all.len() as f64;
        errors.vertices.iter_mut().zip(list).for_each(|(sum, e)| *sum += share * e);
    }
    errors.mean = errors.frames.iter().sum::<f64>() / errors.frames.len().max(1) as f64;
    errors.frame_95 = percentile(&errors.frames, 0.95);
    errors.frame_worst = percentile(&errors.frames, 1.0);
    errors.hausdorff = percentile(&errors.hausdorffs, 1.0);
    Ok(errors)
}

/// The error against the number of training frames: chosen from the capture by [`suggest()`], learned from the truth.
///
/// # Errors
/// [`FaceError`] if a frame cannot be read or does not fit.
pub fn training_curve(
    patch: &Arc<Patch>,
    truth: &dyn Frames,
    captured: &dyn Frames,
    counts: &[usize],
    unit: f64,
) -> Result<Vec<TrainingPoint>, FaceError> {
    let most = counts.iter().copied().max().unwrap_or(0);
    let chosen: Vec<usize> = suggest(patch, None, captured, most)?.iter().map(|s| s.frame).collect();
    let mut points = Vec::new();
    for &count in counts {
        let frames = &chosen[..count.min(chosen.len())];
        let mut model = Model::new(patch.clone(), Ridge::None);
        for &k in frames {
            model.add(&truth.name(k), &read(patch, truth, k)?)?;
        }
        points.push(one_point(&model, truth, captured, frames, unit)?);
    }
    Ok(points)
}

fn one_point(
    model: &Model,
    truth: &dyn Frames,
    captured: &dyn Frames,
    chosen: &[usize],
    unit: f64,
) -> Result<TrainingPoint, FaceError> {
    let patch = model.patch();
    let inner = &patch.regions().inner;
    let one = |k: usize| -> Result<[f64; 3], FaceError> {
        let (t, mut p) = (read(patch, truth, k)?, read(patch, captured, k)?);
        let before = frame_error(&p, &t, inner).mean;
        model.apply(&captured.name(k), &mut p)?;
        let rigid = patch.alignment(&p);
        let (x, true_ones) = (patch.inner_gradients(&p, &rigid), patch.inner_gradients(&t, &rigid));
        let epsilon = x.iter().zip(&true_ones).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        Ok([before, frame_error(&p, &t, inner).mean, epsilon])
    };
    let all: Vec<[f64; 3]> = (0..truth.len()).into_par_iter().map(one).collect::<Result<_, _>>()?;
    let unseen: Vec<&[f64; 3]> =
        all.iter().enumerate().filter(|(k, _)| !chosen.contains(k)).map(|(_, e)| e).collect();
    let mean = |c: usize| unseen.iter().map(|e| e[c]).sum::<f64>() / unseen.len().max(1) as f64;
    let after: Vec<f64> = unseen.iter().map(|e| unit * e[1]).collect();
    Ok(TrainingPoint {
        frames: chosen.len(),
        mean: unit * mean(1),
        frame_95: percentile(&after, 0.95),
        ratio: if mean(0) > 0.0 { mean(1) / mean(0) } else { 0.0 },
        gradients: all.iter().map(|e| e[2]).sum::<f64>() / all.len().max(1) as f64,
        chosen: chosen.to_vec(),
    })
}
