//! Lips: training on ten corrected frames and correcting a frame, against the dissertation's times and against its unreduced normal equations.
//!
//! The large mouth has as many triangles as the dissertation's (m = 19315). The unreduced equations are solved on a small one: their matrix is 9m × 9m, which for
//! the large mouth would take 240 GB.

use crate::catalogue::Options;
use crate::error::BenchError;
use crate::record::{Bound, Detail, Record, Table, number};
use crate::rounds::{Plan, side_by_side, timed};
use crate::statistics::Sample;
use glam::DVec3;
use nalgebra::{DMatrix, DVector};
use sinew_face::perform::mouth::{MouthOptions, MouthPerformer};
use sinew_face::perform::{Performer, Take};
use sinew_face::{FaceError, Model, Patch, Ridge, WINDOWS};
use std::sync::Arc;

/// Corrected frames.
const EXAMPLES: usize = 10;
/// The dissertation's times on an i7-4720HQ, s [dinev2020, §2.3.1.2].
const PAPER_TRAIN: f64 = 5.47;
const PAPER_APPLY: f64 = 5.15;

struct Stage {
    patch: Arc<Patch>,
    takes: Vec<Take>,
}

fn failed(error: FaceError) -> BenchError {
    BenchError::CannotRun(error.to_string())
}

fn stage(columns: usize, rings: usize) -> Result<Stage, BenchError> {
    let performer = MouthPerformer::new(&MouthOptions { columns, rings, frames: 120, seed: 1 });
    let face = performer.face();
    let patch = Patch::new(&face.neutral, &face.triangles, face.regions.clone()).map_err(failed)?;
    let takes = (0..=EXAMPLES).map(|k| performer.take(7 + 10 * k)).collect();
    Ok(Stage { patch: Arc::new(patch), takes })
}

impl Stage {
    fn train(&self, windows: usize) -> Result<Model, FaceError> {
        let mut model = Model::with_windows(self.patch.clone(), Ridge::None, windows);
        for take in &self.takes[..EXAMPLES] {
            model.add("example", &take.truth)?;
        }
        Ok(model)
    }

    fn new_frame(&self) -> &[DVec3] {
        &self.takes[EXAMPLES].captured
    }
}

/// Milliseconds to correct a frame of 19 thousand mouth triangles, one thread.
pub fn apply(
    id: &'static str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    let (columns, rings) = if options.quick { (64, 28) } else { (256, 56) };
    progress("the large mouth");
    let large = stage(columns, rings)?;
    let mut broken = None;
    let model = large.train(WINDOWS).map_err(failed)?;
    let mut frame = large.new_frame().to_vec();
    let plan = Plan { rounds: if options.quick { 3 } else { 31 }, turn: 0.0, budget: 20.0 };
    let times = side_by_side(
        plan,
        &mut [
            &mut || {
                frame.copy_from_slice(large.new_frame());
                timed(|| broken = model.apply("frame", &mut frame).err())
            },
            &mut || timed(|| drop(large.train(WINDOWS))),
        ],
    );
    if let Some(error) = broken {
        return Err(failed(error));
    }
    let [apply, train]: [Sample; 2] =
        times.try_into().map_err(|_| BenchError::CannotRun("a sample is missing".into()))?;
    progress("the unreduced normal equations on a small mouth");
    let table = unreduced(options.quick)?;
    let (mouth, inner) = large.patch.triangle_counts();
    Ok(Record::new(id, &apply.scaled(1e3), "ms")
        .against("the dissertation, i7-4720HQ", &Sample::new([1e3 * PAPER_APPLY]))
        .detail(Detail::bounded("apply", 1e3 * apply.median(), "ms", Bound::AtMost(10.0)))
        .detail(Detail::bounded("train", train.median(), "s", Bound::AtMost(1.0)))
        .detail(Detail::new("train, the dissertation over ours", PAPER_TRAIN / train.median(), ""))
        .table(table)
        .note(format!(
            "one thread; {mouth} triangles of the mouth, {inner} of the inner lips, {EXAMPLES} corrected frames, {WINDOWS} windows"
        )))
}

/// Θ = XYᵀ(YYᵀ)⁻¹ as a dense matrix (with 1e-9 on the diagonal, since YYᵀ has rank k), against the Gram matrix, on the same frames.
fn unreduced(quick: bool) -> Result<Table, BenchError> {
    let small = stage(8, if quick { 10 } else { 20 })?;
    let patch = &small.patch;
    let of = |frame: &[DVec3]| {
        let rigid = patch.alignment(frame);
        (patch.mouth_gradients(frame, &rigid), patch.inner_gradients(frame, &rigid))
    };
    let pairs: Vec<(Vec<f64>, Vec<f64>)> = small.takes[..EXAMPLES].iter().map(|t| of(&t.truth)).collect();
    let (rows, columns) = (pairs[0].1.len(), pairs[0].0.len());
    let mut theta = None;
    let dense_train = timed(|| {
        let y = DMatrix::from_fn(columns, EXAMPLES, |i, j| pairs[j].0[i]);
        let x = DMatrix::from_fn(rows, EXAMPLES, |i, j| pairs[j].1[i]);
        let mut a = &y * y.transpose();
        (0..columns).for_each(|i| a[(i, i)] += 1e-9);
        theta = a.cholesky().map(|factor| factor.solve(&(y * x.transpose())).transpose());
    });
    let theta = theta.ok_or_else(|| BenchError::CannotRun("the dense equations have no solution".into()))?;
    let mut model = None;
    let train = timed(|| model = small.train(1).ok());
    let model = model.ok_or_else(|| BenchError::CannotRun("the small mouth cannot be learned".into()))?;
    let (mouth, _) = of(small.new_frame());
    let new = DVector::from_vec(mouth.clone());
    let (mut direct, mut ours) = (DVector::zeros(rows), Vec::new());
    let dense_apply = timed(|| direct = &theta * &new);
    let apply = timed(|| ours = model.predict(0, &mouth));
    let apart = ours.iter().zip(direct.iter()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let mut table = Table::new(
        format!(
            "Unreduced normal equations with 1e-9 on their singular diagonal, {} triangles of the mouth; largest difference of a gradient {apart:.1e}",
            patch.triangle_counts().0
        ),
        &["", "unreduced (ms)", "reduced (ms)", "ratio"],
    );
    for (name, dense, reduced) in [("train", dense_train, train), ("predict", dense_apply, apply)] {
        let (a, b) = (1e3 * dense.as_secs_f64(), 1e3 * reduced.as_secs_f64());
        table.rows.push(vec![name.into(), number(a), number(b), number(a / b)]);
    }
    Ok(table)
}
