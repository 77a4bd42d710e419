//! Faces: activations of a new expression with a known blend, against the baseline with six numbers for every tetrahedron, at equal stopping rules.

use crate::catalogue::Options;
use crate::error::BenchError;
use crate::record::{Bound, Detail, Record, Table, number};
use crate::rounds::timed;
use crate::statistics::Sample;
use sinew_face::FaceError;
use sinew_face::muscles::fit::{Cost, FreePose, Observation, Prepared, Stop, Target, Weights, fit_freely};
use sinew_face::muscles::study::hidden;
use sinew_face::muscles::{Anatomy, Face, MakeOptions, System};

/// The dissertation's time of an activation fit, ms, and how many times the baseline takes \[dinev2020, §4.3.2\].
const PAPER: [f64; 2] = [157.42, 998.08 / 157.42];

fn failed(error: FaceError) -> BenchError {
    BenchError::CannotRun(error.to_string())
}

/// What all threads of this program have worked so far, s, to a hundredth: a time that other programs change little. NaN where the system does not say.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in brackets: the times in user and in system mode are the twelfth and the thirteenth word.
    let words = text.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    let ticks: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
    if ticks.len() == 2 { 0.01 * (ticks[0] + ticks[1]) } else { f64::NAN }
}

/// Milliseconds for the activations of one expression.
pub fn fit(
    id: &'static str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    progress("the built-in head");
    let size = if options.quick { 0.016 } else { 0.010 };
    let face =
        Face::make(&Anatomy::head(), &MakeOptions { size, ..MakeOptions::default() }).map_err(failed)?;
    let system = System::new(&face, 1.0).map_err(failed)?;
    let muscles = face.muscles.len();
    let seen = Observation::vertices(&face.scanned);
    let poses = hidden(&face, &system, 1, if options.quick { 1 } else { 7 }).map_err(failed)?.poses;
    let targets: Vec<Target> = (poses.iter())
        .map(|pose| Target { name: "expression".into(), points: seen.see(&pose.balance.x) })
        .collect();
    let (weights, stop) = (Weights::default(), Stop::default());
    let mut prepared = None;
    let prepare = timed(|| prepared = Some(Prepared::new(&system, &face.blend, &seen, muscles)));
    let prepared =
        prepared.ok_or_else(|| BenchError::CannotRun("nothing was prepared".into()))?.map_err(failed)?;
    let rest = FreePose::rest(&system).map_err(failed)?;
    let mut table = Table::new(
        "Each expression, ours and every tetrahedron for itself",
        &["", "ms", "iterations", "factorisations", "solves", "mean error (mm)"],
    );
    let (mut times, mut costs) = ([Vec::new(), Vec::new()], [Vec::<Cost>::new(), Vec::new()]);
    let mut worked = 0.0;
    for (k, target) in targets.iter().enumerate() {
        progress(&format!("expression {} of {}", k + 1, targets.len()));
        let (mut ours, mut free) = (None, None);
        let before = processor_time();
        times[0].push(timed(|| ours = Some(prepared.fit(target, &weights, &stop))).as_secs_f64());
        worked += processor_time() - before;
        times[1].push(
            timed(|| free = Some(fit_freely(&system, &seen, target, &rest, &weights, &stop, muscles)))
                .as_secs_f64(),
        );
        let missing = || BenchError::CannotRun("a fit is missing".into());
        let (ours, free) =
            (ours.ok_or_else(missing)?.map_err(failed)?, free.ok_or_else(missing)?.map_err(failed)?);
        for (m, cost, x) in [(0, ours.cost, &ours.balance.x), (1, free.cost, &free.balance.x)] {
            let errors = seen.errors(x, target);
            let mean = errors.iter().sum::<f64>() / errors.len() as f64;
            let name = format!("{}, {}", k + 1, ["muscles", "tetrahedra"][m]);
            let counts = [cost.iterations, cost.factorisations, cost.solves].map(|n| n.to_string());
            let time = 1e3 * times[m].last().copied().unwrap_or(0.0);
            table.rows.push([vec![name, number(time)], counts.to_vec(), vec![number(mean)]].concat());
            costs[m].push(cost);
        }
    }
    let [ours, free] = times.map(|list| Sample::new(list.into_iter().map(|t| 1e3 * t)));
    let median =
        |m: usize, of: fn(&Cost) -> usize| Sample::new(costs[m].iter().map(|c| of(c) as f64)).median();
    let ratio = |of: fn(&Cost) -> usize| median(1, of) / median(0, of);
    Ok(Record::new(id, &ours, "ms")
        .against("six numbers for every tetrahedron", &free)
        .detail(Detail::bounded("a fit", ours.median(), "ms", Bound::AtMost(250.0)))
        .detail(Detail::bounded("the baseline over ours, time", free.median() / ours.median(), "", Bound::AtLeast(3.0)))
        .detail(Detail::bounded("iterations", median(0, |c| c.iterations), "", Bound::AtMost(8.0)))
        .detail(Detail::bounded("the baseline over ours, factorisations", ratio(|c| c.factorisations), "", Bound::AtLeast(2.0)))
        .detail(Detail::bounded("the baseline over ours, solves", ratio(|c| c.solves), "", Bound::AtLeast(2.0)))
        .detail(Detail::new("a fit, time of all processors, mean", 1e3 * worked / targets.len().max(1) as f64, "ms"))
        .detail(Detail::new("preparing the face, once", 1e3 * prepare.as_secs_f64(), "ms"))
        .detail(Detail::new("a fit, the dissertation", PAPER[0], "ms"))
        .detail(Detail::new("the baseline over ours, the dissertation", PAPER[1], ""))
        .table(table)
        .note(format!(
            "{} vertices, {} of them free, {} elements, {muscles} muscles, {} observed points; medians over {} expressions; both stop at 8 iterations or a decrease below 1 %",
            face.points.len(),
            face.free(),
            face.elements,
            seen.len(),
            targets.len()
        )))
}
