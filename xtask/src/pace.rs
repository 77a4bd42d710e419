//! Whether a step became slower: two builds run the same scenes in turn.
//!
//! Other work on the machine disturbs both alike only if they run close to each other in time. So each round runs both, one
//! right after the other, rounds swap who begins, and the verdict is about the median of the ratios within rounds, not about
//! the ratio of two medians.

use crate::arguments::Arguments;
use crate::sinew;
use crate::steps::{Failure, Steps};
use serde_json::Value;
use std::path::Path;

const SCENES: [&str; 4] = ["trampoline", "peers-bar", "cloth-torus", "stairs"];
/// A step may take so many times as long as before.
const BOUND: f64 = 1.03;
const FEWEST_ROUNDS: usize = 7;
const ROUNDS: usize = 9;
/// Frames are doubled until the steps of a run take this long, ms.
const RUN: f64 = 1200.0;
const FIRST_FRAMES: usize = 8;
const MOST_FRAMES: usize = 4096;

/// Times of a step in one run, ms.
#[derive(Clone, Copy, Debug)]
struct Times {
    median: f64,
    mean: f64,
}

/// Compares two builds.
pub fn task(steps: &mut Steps, mut arguments: Arguments) -> Result<(), Failure> {
    let base = sinew::existing(arguments.required("--base")?)?;
    let given = arguments.value("--binary")?;
    let rounds = match arguments.value("--rounds")? {
        None => ROUNDS,
        Some(text) => text.parse().ok().filter(|&n| n >= FEWEST_ROUNDS).ok_or_else(|| {
            Failure::new("pace", format!("--rounds must be a whole number from {FEWEST_ROUNDS} on"))
        })?,
    };
    let mut scenes = arguments.rest()?;
    if scenes.is_empty() {
        scenes = SCENES.map(str::to_owned).to_vec();
    }
    let binary = sinew::binary(steps, given)?;
    let folder = crate::page::target(steps.root()).join("pace");
    std::fs::create_dir_all(&folder)?;
    let report = folder.join("report.json");
    println!(
        "\nTime of a step on one thread, median and mean of a run, in ms; ratio: now over base, within rounds.\n"
    );
    println!(
        "{:<20} {:>6} {:>9} {:>9} {:>7} {:>17} {:>11}",
        "scene", "frames", "base", "now", "ratio", "quartiles", "of the mean"
    );
    let mut slower = Vec::new();
    for scene in &scenes {
        let frames = frames(&base, scene, &report)?;
        let measured = in_turn(&base, &binary, scene, frames, rounds, &report)?;
        let column = |pick: fn(&(Times, Times)) -> f64| sorted(measured.iter().map(pick).collect());
        let ratios = column(|(base, now)| now.median / base.median);
        let ratio = quantile(&ratios, 0.5);
        println!(
            "{scene:<20} {frames:>6} {:>9.3} {:>9.3} {ratio:>7.3} {:>8.3} {:>8.3} {:>11.3}",
            quantile(&column(|(base, _)| base.median), 0.5),
            quantile(&column(|(_, now)| now.median), 0.5),
            quantile(&ratios, 0.25),
            quantile(&ratios, 0.75),
            quantile(&column(|(base, now)| now.mean / base.mean), 0.5),
        );
        // Written such that what is not a number fails too.
        if !matches!(ratio.partial_cmp(&BOUND), Some(std::cmp::Ordering::Less | std::cmp::Ordering::Equal)) {
            slower.push(format!("{scene} {ratio:.3}"));
        }
    }
    match slower.is_empty() {
        true => Ok(()),
        false => Err(Failure::new("pace", format!("over {BOUND}: {}", slower.join(", ")))),
    }
}

/// So many frames that a run takes a second or two.
fn frames(base: &Path, scene: &str, report: &Path) -> Result<usize, Failure> {
    let mut frames = FIRST_FRAMES;
    while frames < MOST_FRAMES && times(base, scene, frames, report)?.mean * (frames as f64) < RUN {
        frames *= 2;
    }
    Ok(frames)
}

fn in_turn(
    base: &Path,
    now: &Path,
    scene: &str,
    frames: usize,
    rounds: usize,
    report: &Path,
) -> Result<Vec<(Times, Times)>, Failure> {
    (0..rounds)
        .map(|round| {
            let run = |binary: &Path| times(binary, scene, frames, report);
            if round % 2 == 0 {
                let first = run(base)?;
                Ok((first, run(now)?))
            } else {
                let first = run(now)?;
                Ok((run(base)?, first))
            }
        })
        .collect()
}

fn times(binary: &Path, scene: &str, frames: usize, file: &Path) -> Result<Times, Failure> {
    let report = sinew::report(binary, scene, frames, file, None)?.unwrap_or(Value::Null);
    if let Some(failure) = report["failure"].as_str() {
        return Err(Failure::new(scene, failure));
    }
    let time = |key: &str| {
        let value = report["time_ms"][key].as_f64();
        value.ok_or_else(|| Failure::new(scene, format!("its report has no time_ms.{key}")))
    };
    Ok(Times { median: time("step_p50")?, mean: time("step_mean")? })
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

/// Linear between the two values around it; of sorted values.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * sorted.len().saturating_sub(1) as f64;
    let at = |i: usize| sorted.get(i).copied().unwrap_or(f64::NAN);
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    at(below) + (place - place.floor()) * (at(above) - at(below))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_values() {
        let values = sorted(vec![4.0, 1.0, 3.0, 2.0]);
        assert_eq!(quantile(&values, 0.0), 1.0);
        assert_eq!(quantile(&values, 0.5), 2.5);
        assert_eq!(quantile(&values, 0.75), 3.25);
        assert_eq!(quantile(&values, 1.0), 4.0);
        assert!(quantile(&[], 0.5).is_nan());
    }
}
