//! Lips corrected on a few frames \[dinev2020, ch. 2\].
//!
//! The dissertation evaluates on captured data that is not published. A performance made by code takes its place: the built-in mouth, whose truth is known.

use super::{Document, Finding, Length, Outcome, Study};
use sinew_face::perform::mouth::{MouthOptions, MouthPerformer};
use sinew_face::perform::{Performance, Performer};
use sinew_face::positions::PositionModel;
use sinew_face::study::{Sheet, TrainingPoint, errors_over, training_curve};
use sinew_face::{FaceError, Model, Patch, Ridge, evaluate, suggest};
use sinew_scene::export::plot::{Figure, Plot, Series};
use std::sync::Arc;

/// Millimetres of a centimetre.
const UNIT: f64 = 10.0;

fn performance(length: Length) -> Performance {
    // The paper's sequence has 276 frames.
    let options = MouthOptions { frames: length.pick(150, 276), ..MouthOptions::default() };
    let options = MouthOptions { columns: length.pick(64, 96), rings: length.pick(28, 40), ..options };
    let performer = MouthPerformer::new(&options);
    Performance::of(&performer as &dyn Performer)
}

fn patch(p: &Performance) -> Result<Arc<Patch>, FaceError> {
    Patch::new(&p.neutral, &p.triangles, p.regions.clone()).map(Arc::new)
}

pub(super) const LIPS_FIG29: Study = Study {
    id: "lips-fig2.9",
    title: "error of the inner lips against the number of corrected frames",
    document: Document::Dissertation,
    figure: "Fig. 2.9",
    claim: "The error falls with the number of training frames, with diminishing returns once the extreme poses are in.",
    run: |length| fig29(length).map_err(|error| error.to_string()),
};

fn fig29(length: Length) -> Result<Outcome, FaceError> {
    let p = performance(length);
    let patch = patch(&p)?;
    let counts = [1, 2, 3, 4, 6, 8, 10, 12, 15, 20];
    let (truth, captured) = (&p.truth, &p.captured);
    let curve = training_curve(&patch, truth, captured, &counts, UNIT)?;
    let at = |k: usize| curve.iter().find(|t| t.frames == k).cloned().unwrap_or_default();
    let (few, ten, many) = (at(2), at(10), at(20));
    let positions = positions_error(&patch, &p, &ten.chosen)?;
    let gain = |a: &TrainingPoint, b: &TrainingPoint| a.gradients - b.gradients;
    let finding = Finding::default()
        .number("error of gradients with 2 frames", None, few.gradients)
        .number("error of gradients with 10 frames", None, ten.gradients)
        .number("error of gradients with 20 frames", None, many.gradients)
        .number("10 frames: mean error of unseen frames (mm)", None, ten.mean)
        .number("10 frames: error over the capture's", None, ten.ratio)
        .number("10 frames: the same regression on positions, over the capture's", None, positions)
        .claim(ten.gradients < 0.6 * few.gradients, "ten frames are much better than two")
        .claim(many.gradients < ten.gradients, "twenty are better than ten")
        .claim(
            gain(&few, &ten) / 8.0 > 2.0 * gain(&ten, &many) / 10.0,
            "returns diminish: a frame among the first ten is worth more than twice one of the next ten",
        )
        .remark("The paper's axis has no numbers. A performance made by code stands for the captured one.");
    let line = |f: fn(&TrainingPoint) -> f64| curve.iter().map(|t| (t.frames as f64, f(t))).collect();
    let panel = |y: &str, series| Plot {
        x_label: "training frames".into(),
        y_label: y.into(),
        series,
        ..Plot::default()
    };
    let plot = Figure {
        panels: vec![
            panel("mean of |x* − x|", vec![Series::new("gradients, as in the paper", line(|t| t.gradients))]),
            panel(
                "error of vertices (mm)",
                vec![
                    Series::new("mean of unseen frames", line(|t| t.mean)),
                    Series::new("95th percentile frame", line(|t| t.frame_95)),
                ],
            ),
        ],
    };
    Ok(Outcome { finding, plot: Some(plot), picture: None })
}

/// Mean error of a regression on positions over that of the capture.
fn positions_error(patch: &Patch, p: &Performance, chosen: &[usize]) -> Result<f64, FaceError> {
    let frames: Vec<_> = chosen.iter().map(|&k| p.truth[k].clone()).collect();
    let model = PositionModel::train(patch, &frames)?;
    let (mut before, mut after) = (0.0, 0.0);
    for k in (0..p.truth.len()).filter(|k| !chosen.contains(k)) {
        let mut points = p.captured[k].clone();
        before += evaluate::frame_error(&points, &p.truth[k], &p.regions.inner).mean;
        model.apply(&mut points)?;
        after += evaluate::frame_error(&points, &p.truth[k], &p.regions.inner).mean;
    }
    Ok(after / before)
}

pub(super) const LIPS_FIG27: Study = Study {
    id: "lips-fig2.7",
    title: "captured, corrected and true lips with 10 training frames",
    document: Document::Dissertation,
    figure: "Fig. 2.7 and 2.8",
    claim: "With 10 training samples the inner lips differ only subtly from the ground truth.",
    run: |length| fig27(length).map_err(|error| error.to_string()),
};

fn fig27(length: Length) -> Result<Outcome, FaceError> {
    let p = performance(length);
    let patch = patch(&p)?;
    let (truth, captured) = (&p.truth, &p.captured);
    let mut model = Model::new(patch.clone(), Ridge::None);
    let chosen: Vec<usize> = suggest(&patch, None, captured, 10)?.iter().map(|s| s.frame).collect();
    for &k in &chosen {
        model.add(&format!("frame {k}"), &p.truth[k])?;
    }
    let before = errors_over(&patch, truth, captured, None, UNIT)?;
    let after = errors_over(&patch, truth, captured, Some(&model), UNIT)?;
    // The worst frames of the capture that were not corrected by hand.
    let mut order: Vec<usize> = (0..p.truth.len()).filter(|k| !chosen.contains(k)).collect();
    order.sort_by(|&a, &b| before.frames[b].total_cmp(&before.frames[a]).then(a.cmp(&b)));
    let shown: Vec<usize> = [0, order.len() / 8, order.len() / 3].iter().map(|&k| order[k]).collect();
    let sheet = Sheet { patch: &patch, truth, captured, result: None, model: Some(&model), unit: UNIT };
    let picture = sinew_face::picture::beside(&sheet.faces(&shown)?, &sheet.maps(&shown)?)?;
    let line = |list: &[f64]| list.iter().enumerate().map(|(k, &e)| (k as f64, e)).collect();
    let plot = Plot {
        x_label: "frame".into(),
        y_label: "mean error of the inner lips (mm)".into(),
        series: vec![
            Series::new("captured", line(&before.frames)),
            Series::new("corrected, 10 training frames", line(&after.frames)),
        ],
        ..Plot::default()
    };
    let finding = Finding::default()
        .number("captured: mean error (mm)", None, before.mean)
        .number("corrected: mean error (mm)", None, after.mean)
        .number("corrected: 95th percentile frame (mm)", None, after.frame_95)
        .number("captured: largest Hausdorff distance (mm)", None, before.hausdorff)
        .number("corrected: largest Hausdorff distance (mm)", None, after.hausdorff)
        .claim(after.mean < 0.2, "the mean error is below 0.2 mm, which one does not see")
        .claim(after.mean < 0.45 * before.mean, "the correction is less than half as wrong as the capture")
        .remark(
            "The paper prints pictures, no numbers. A performance made by code stands for the captured one.",
        );
    Ok(Outcome { finding, plot: Some(Figure { panels: vec![plot] }), picture: Some(picture) })
}
