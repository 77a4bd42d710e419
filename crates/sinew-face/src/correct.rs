//! A whole sequence corrected: frames are read, corrected and written batch by batch, those of a batch in parallel. Memory holds one batch.

use crate::error::FaceError;
use crate::mesh::ObjFile;
use crate::model::Model;
use crate::sequence::{Frames, Sequence, SequenceWriter};
use glam::DVec3;
use rayon::prelude::*;

/// What happened to one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    /// The frame, from 0.
    pub frame: usize,
    /// Mean distance by which inner vertices moved, in the unit of the mesh.
    pub moved: f64,
    /// What no combination of the examples explains of the mouth, [`Model::unexplained`].
    pub unexplained: f64,
}

struct Done {
    correction: Correction,
    points: Vec<DVec3>,
}

/// Corrects every frame of a sequence. `progress` gets the number of frames that are done, and returns whether to go on.
///
/// # Errors
/// [`FaceError`] if a frame cannot be read, does not fit or cannot be written.
pub fn correct(
    model: &Model,
    input: &Sequence,
    out: &mut SequenceWriter,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Result<Vec<Correction>, FaceError> {
    let batch = 4 * rayon::current_num_threads().max(1);
    let mut all = Vec::with_capacity(input.len());
    let mut start = 0;
    while start < input.len() {
        let end = (start + batch).min(input.len());
        let done: Vec<Done> =
            (start..end).into_par_iter().map(|k| one(model, input, out, k)).collect::<Result<_, _>>()?;
        for done in done {
            if !out.is_folder() {
                out.push(done.correction.frame, &done.points)?;
            }
            all.push(done.correction);
        }
        start = end;
        if !progress(end) {
            break;
        }
    }
    Ok(all)
}

fn one(model: &Model, input: &Sequence, out: &SequenceWriter, frame: usize) -> Result<Done, FaceError> {
    let source = input.obj(frame).map(ObjFile::read).transpose()?;
    let mut points = Vec::new();
    match &source {
        Some(source) => points.clone_from(&source.points),
        None => input.read(frame, &mut points)?,
    }
    let name = input.name(frame);
    let inner = &model.patch().regions().inner;
    let before: Vec<DVec3> = inner.iter().filter_map(|&v| points.get(v as usize).copied()).collect();
    let unexplained = model.apply(&name, &mut points)?;
    let sum: f64 = inner.iter().zip(&before).map(|(&v, &p)| (points[v as usize] - p).length()).sum();
    let correction = Correction { frame, moved: sum / inner.len().max(1) as f64, unexplained };
    if out.is_folder() {
        out.write_obj(&input.stem(frame), source.as_ref(), inner, &points)?;
        points = Vec::new();
    }
    Ok(Done { correction, points })
}
