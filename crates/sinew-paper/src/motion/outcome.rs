//! What a run made of the true motion.

use crate::measure::{blew_up, budget, gravity};
use sinew_scene::run::{Row, Run, percentile};

/// The visible motion of a truth.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TrueMotion {
    /// Its mean in the last fifth, J; `None` if the truth did not reach its end.
    visible: Option<f64>,
    /// Its frequency, Hz.
    hertz: Option<f64>,
}

/// What is left of the motion at the end of a run, and what keeping it took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    /// Mean visible motion of the last fifth over the truth's; `None` if one of them did not reach its end.
    pub kept: Option<f64>,
    /// Frequency of the visible motion over the truth's.
    pub frequency: Option<f64>,
    /// Whether it exploded.
    pub exploded: bool,
    /// max |H − H_total| over the largest kinetic energy plus the largest change of potential energy.
    pub drift: f64,
    /// max (H − H_total) over the largest kinetic energy; 0 if H never exceeds its total.
    pub over: f64,
    /// Median share of the correction in the time of a step.
    pub share: f64,
    /// Median time of a step, ms.
    pub step_time: f64,
}

impl TrueMotion {
    pub fn of(truth: &Run) -> Self {
        let report = truth.report();
        if !is_complete(truth) || report.exploded {
            return Self::default();
        }
        Self { visible: report.motion.visible_last.filter(|x| *x > 0.0), hertz: report.motion.visible_hz }
    }
}

impl Outcome {
    pub fn of(run: &Run, truth: TrueMotion) -> Self {
        let (rows, motion) = (run.rows(), run.report().motion);
        let exploded = run.report().exploded || blew_up(run);
        let over_truth = |ours: Option<f64>, true_one: Option<f64>| Some(ours? / true_one?);
        let seen = is_complete(run) && !exploded;
        let most = |value: &dyn Fn(&Row) -> f64| rows.iter().map(value).fold(0.0, f64::max);
        let kinetic = most(&|row| row.kinetic);
        let start = rows[0].potential();
        let change = most(&|row| (row.potential() - start).abs());
        // A body that rests has neither energy in motion nor an error.
        let relative = |error: f64, scale: f64| if error > 0.0 { error / scale } else { 0.0 };
        Self {
            kept: over_truth(motion.visible_last, truth.visible).filter(|_| seen),
            frequency: over_truth(motion.visible_hz, truth.hertz).filter(|_| seen),
            exploded,
            drift: relative(most(&|row| (row.total() - budget(row)).abs()), kinetic + change),
            over: relative(most(&|row| row.total() - budget(row)), kinetic),
            share: median(rows.iter().skip(1).map(|row| row.times.correct / row.times.step)),
            step_time: median(rows.iter().skip(1).map(|row| row.times.step)),
        }
    }
}

fn is_complete(run: &Run) -> bool {
    run.failure().is_none() && run.frame() == run.frames()
}

/// The height that the centre of mass still reaches in the last fifth, as a share of its first fall.
pub(super) fn swing(run: &Run) -> f64 {
    let height: Vec<f64> = run.rows().iter().map(|row| gravity(run, row)).collect();
    let frames = height.len();
    let highest = |part: &[f64]| part.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let lowest = height.iter().copied().fold(f64::INFINITY, f64::min);
    let first = &height[..(frames / 30).max(2).min(frames)];
    (highest(&height[4 * frames / 5..]) - lowest) / (highest(first) - lowest)
}

/// The median; 0 without values.
pub(super) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.filter(|x| x.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    percentile(&sorted, 0.5)
}
