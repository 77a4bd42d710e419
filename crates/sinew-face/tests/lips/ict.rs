//! The performances of the ICT face, where its data is there: 300 frames with a rotating jaw, correctives, lip contact and head motion. Lengths in mm.

use sinew_face::perform::Performance;
use sinew_face::perform::ict::{IctOptions, IctPerformer, Repertoire};
use sinew_face::positions::PositionModel;
use sinew_face::{Model, Patch, Ridge, evaluate, suggest};
use std::sync::Arc;

/// Frames whose capture is off by more are bad, mm.
const VISIBLE: f64 = 0.2;

fn perform(repertoire: Repertoire, seed: u64) -> Option<(Performance, Arc<Patch>)> {
    let Some(data) = std::env::var_os("SINEW_DATA") else {
        println!("skipped: SINEW_DATA does not name the folder of the test data");
        return None;
    };
    let folder = std::path::Path::new(&data).join("face");
    let performer = IctPerformer::load(&folder, &IctOptions { repertoire, frames: 300, seed }).unwrap();
    let mut performance = Performance::of(&performer);
    if repertoire == Repertoire::SpeechAndSmile {
        // Only frames with the smile, its last channel.
        let keep: Vec<bool> =
            (0..300).map(|k| performer.activations(k).last().is_some_and(|&smile| smile > 0.2)).collect();
        let mut smiling = keep.iter();
        performance.truth.retain(|_| smiling.next() == Some(&true));
        let mut smiling = keep.iter();
        performance.captured.retain(|_| smiling.next() == Some(&true));
        let mut smiling = keep.iter();
        performance.good.retain(|_| smiling.next() == Some(&true));
        assert!(performance.truth.len() > 30);
    }
    let patch = Patch::new(&performance.neutral, &performance.triangles, performance.regions.clone());
    Some((performance, Arc::new(patch.unwrap())))
}

/// What a model does to frames that it has not seen.
#[derive(Debug)]
struct Seen {
    ratio: f64,
    mean: f64,
    frame_95: f64,
    good_mean: f64,
    good_worst: f64,
    worse: f64,
}

fn mean(list: &[f64]) -> f64 {
    list.iter().sum::<f64>() / list.len().max(1) as f64
}

fn measure(p: &Performance, model: &Model, chosen: &[usize]) -> Seen {
    let error =
        |a: &[glam::DVec3], k: usize| 10.0 * evaluate::frame_error(a, &p.truth[k], &p.regions.inner).mean;
    let (mut before, mut after, mut good) = (Vec::new(), Vec::new(), Vec::new());
    for k in (0..p.truth.len()).filter(|k| !chosen.contains(k)) {
        let mut frame = p.captured[k].clone();
        before.push(error(&frame, k));
        model.apply("frame", &mut frame).unwrap();
        after.push(error(&frame, k));
        if p.good[k] {
            good.push(error(&frame, k));
        }
    }
    let bad: Vec<usize> = (0..before.len()).filter(|&k| before[k] > VISIBLE).collect();
    let worse = bad.iter().filter(|&&k| after[k] > before[k]).count();
    Seen {
        ratio: mean(&after) / mean(&before),
        mean: mean(&after),
        frame_95: evaluate::percentile(&after, 0.95),
        good_mean: mean(&good),
        good_worst: evaluate::percentile(&good, 1.0),
        worse: worse as f64 / bad.len() as f64,
    }
}

fn learn(p: &Performance, patch: &Arc<Patch>, chosen: &[usize]) -> Model {
    let mut model = Model::new(patch.clone(), Ridge::None);
    chosen.iter().for_each(|&k| model.add(&format!("frame {k}"), &p.truth[k]).unwrap());
    model
}

fn check(repertoire: Repertoire, seed: u64, ten: f64, twenty: f64) {
    let Some((p, patch)) = perform(repertoire, seed) else { return };
    let chosen: Vec<usize> =
        suggest(&patch, None, &p.captured, 20).unwrap().iter().map(|s| s.frame).collect();
    let mut ratios = Vec::new();
    for k in [2, 4, 6, 8, 10, 20] {
        let seen = measure(&p, &learn(&p, &patch, &chosen[..k]), &chosen[..k]);
        println!("{repertoire:?}, seed {seed}, {k} frames: {seen:.3?}");
        if k == 10 {
            let mut plain = Model::with_windows(patch.clone(), Ridge::None, 1);
            chosen[..k].iter().for_each(|&k| plain.add("frame", &p.truth[k]).unwrap());
            let plain = measure(&p, &plain, &chosen[..k]);
            println!("{repertoire:?}, seed {seed}, {k} frames, the dissertation's method: {plain:.3?}");
            assert!(seen.ratio < plain.ratio, "{seen:?} and {plain:?}");
            assert!(seen.ratio <= ten && seen.mean <= 0.20 && seen.frame_95 <= 0.55, "{seen:?}");
            // Which frames are good is chance: with other seeds they may be the hard ones.
            let good = if seed == 1 { 0.20 } else { 0.25 };
            assert!(seen.good_mean <= good && seen.good_worst <= 0.5 && seen.worse <= 0.03, "{seen:?}");
        }
        ratios.push(seen.ratio);
    }
    assert!(ratios[5] <= twenty, "{ratios:?}");
    // Diminishing returns: a frame among the first ten is worth more than twice one of the next ten.
    assert!(ratios.windows(2).all(|pair| pair[1] < pair[0]), "{ratios:?}");
    assert!((ratios[0] - ratios[4]) / 8.0 > 2.0 * (ratios[4] - ratios[5]) / 10.0, "{ratios:?}");
    // The same regression on positions is at least twice as bad.
    let frames: Vec<_> = chosen[..10].iter().map(|&k| p.truth[k].clone()).collect();
    let positions = PositionModel::train(&patch, &frames).unwrap();
    let (mut before, mut after) = (0.0, 0.0);
    for k in (0..p.truth.len()).filter(|k| !chosen[..10].contains(k)) {
        let mut frame = p.captured[k].clone();
        before += evaluate::frame_error(&frame, &p.truth[k], &p.regions.inner).mean;
        positions.apply(&mut frame).unwrap();
        after += evaluate::frame_error(&frame, &p.truth[k], &p.regions.inner).mean;
    }
    println!("{repertoire:?}, seed {seed}, positions: {:.3} of the capture's error", after / before);
    assert!(after / before >= 2.0 * ratios[4], "{} and {}", after / before, ratios[4]);
}

#[test]
fn ten_frames_correct_speech() {
    check(Repertoire::Speech, 1, 0.30, 0.20);
}

#[test]
fn ten_frames_correct_a_rich_performance() {
    check(Repertoire::Rich, 1, 0.45, 0.20);
    if std::env::var_os("SINEW_SOAK").is_some() {
        (2..=5).for_each(|seed| check(Repertoire::Rich, seed, 0.45, 0.20));
    }
}

/// A model of speech meets a smile: no worse than the capture, and good after the two frames that are suggested then.
#[test]
fn an_expression_that_was_never_seen_does_no_harm_and_is_learned_from_two_frames() {
    let Some((speech, patch)) = perform(Repertoire::Speech, 1) else { return };
    let chosen: Vec<usize> =
        suggest(&patch, None, &speech.captured, 10).unwrap().iter().map(|s| s.frame).collect();
    let mut model = learn(&speech, &patch, &chosen);
    drop(speech);
    let Some((p, _)) = perform(Repertoire::SpeechAndSmile, 2) else { return };
    let unseen = measure(&p, &model, &[]);
    println!("never seen: {unseen:.3?}");
    assert!(unseen.ratio <= 1.0, "{unseen:?}");
    let more: Vec<usize> =
        suggest(&patch, Some(&model), &p.captured, 2).unwrap().iter().map(|s| s.frame).collect();
    more.iter().for_each(|&k| model.add("more", &p.truth[k]).unwrap());
    let seen = measure(&p, &model, &more);
    println!("after two more frames, {more:?}: {seen:.3?}");
    assert!(seen.ratio <= 0.40, "{seen:?}");
}
