//! What must hold to rounding: examples are reproduced, rigid motions and translations do not matter, nor do order and duplicates; and the reduced
//! regression is the unreduced one.

use glam::{DMat3, DVec3};
use sinew_face::perform::{Performance, mouth};
use sinew_face::{FaceError, Model, Patch, Regions, Ridge, evaluate, suggest};
use std::sync::Arc;

fn performance() -> Performance {
    mouth::perform(&mouth::MouthOptions { columns: 32, rings: 16, frames: 60, seed: 3 })
}

fn patch(p: &Performance) -> Arc<Patch> {
    Arc::new(Patch::new(&p.neutral, &p.triangles, p.regions.clone()).unwrap())
}

fn train(p: &Performance, patch: &Arc<Patch>, frames: &[usize]) -> Model {
    let mut model = Model::new(patch.clone(), Ridge::None);
    frames.iter().for_each(|&k| model.add(&format!("frame {k}"), &p.truth[k]).unwrap());
    model
}

fn worst(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max)
}

const FRAMES: [usize; 6] = [3, 11, 20, 31, 44, 57];

/// 1e-9 mm; the mesh is in centimetres.
#[test]
fn training_frames_and_neutral_are_reproduced() {
    let p = performance();
    let patch = patch(&p);
    let model = train(&p, &patch, &FRAMES);
    for k in FRAMES {
        let mut frame = p.captured[k].clone();
        model.apply("frame", &mut frame).unwrap();
        let error = worst(&frame, &p.truth[k]);
        assert!(error <= 1e-10, "frame {k}: {error:e} cm");
    }
    let mut neutral = p.neutral.clone();
    p.regions.inner.iter().for_each(|&v| neutral[v as usize] += DVec3::new(0.1, -0.2, 0.3));
    model.apply("neutral", &mut neutral).unwrap();
    assert!(worst(&neutral, &p.neutral) <= 1e-10);
}

#[test]
fn rigid_motions_of_the_head_move_the_result_and_nothing_else() {
    let p = performance();
    let patch = patch(&p);
    let model = train(&p, &patch, &FRAMES);
    let rotation = DMat3::from_axis_angle(DVec3::new(0.3, 1.0, -0.4).normalize(), 0.7);
    for (rotation, shift, limit) in
        [(DMat3::IDENTITY, DVec3::new(10.0, 0.0, 0.0), 1e-10), (rotation, DVec3::new(-3.0, 20.0, 5.0), 1e-9)]
    {
        let mut here = p.captured[25].clone();
        let mut there: Vec<DVec3> = here.iter().map(|&v| rotation * v + shift).collect();
        model.apply("here", &mut here).unwrap();
        model.apply("there", &mut there).unwrap();
        let moved: Vec<DVec3> = here.iter().map(|&v| rotation * v + shift).collect();
        assert!(worst(&there, &moved) <= limit);
    }
}

#[test]
fn vertices_outside_the_inner_lips_keep_their_bits() {
    let p = performance();
    let model = train(&p, &patch(&p), &FRAMES);
    let mut frame = p.captured[25].clone();
    model.apply("frame", &mut frame).unwrap();
    for v in (0..frame.len()).filter(|&v| p.regions.inner.binary_search(&(v as u32)).is_err()) {
        assert_eq!(frame[v].to_array().map(f64::to_bits), p.captured[25][v].to_array().map(f64::to_bits));
    }
}

#[test]
fn order_and_duplicates_do_not_matter_and_a_saved_model_continues() {
    let p = performance();
    let patch = patch(&p);
    let model = train(&p, &patch, &FRAMES);
    let mut backwards = FRAMES;
    backwards.reverse();
    let twice: Vec<usize> = FRAMES.iter().chain(&FRAMES[..3]).copied().collect();
    let others = [train(&p, &patch, &backwards), train(&p, &patch, &twice)];
    let mut expected = p.captured[25].clone();
    model.apply("frame", &mut expected).unwrap();
    for other in &others {
        let mut frame = p.captured[25].clone();
        other.apply("frame", &mut frame).unwrap();
        assert!(worst(&frame, &expected) <= 1e-9, "{:e}", worst(&frame, &expected));
    }
    let mut saved = Model::from_bytes(&train(&p, &patch, &FRAMES[..4]).to_bytes()).unwrap();
    FRAMES[4..].iter().for_each(|&k| saved.add("more", &p.truth[k]).unwrap());
    let mut frame = p.captured[25].clone();
    saved.apply("frame", &mut frame).unwrap();
    assert_eq!(frame, expected);
    let mut damaged = model.to_bytes();
    damaged[200] ^= 1;
    assert!(Model::from_bytes(&damaged).unwrap_err().contains("checksum"));
    assert!(Model::from_bytes(&damaged[..50]).is_err());
}

/// Θ Y Yᵀ = X Yᵀ [dinev2020, Eq. 2.3], solved for Θᵀ by conjugate gradients from zero in the full space 9m, which gives the solution of least norm.
#[test]
fn the_unreduced_normal_equations_give_the_same_prediction() {
    let options = mouth::MouthOptions { columns: 8, rings: 10, frames: 40, seed: 5 };
    let p = mouth::perform(&options);
    let patch = patch(&p);
    let chosen = [2, 15, 30];
    let model = train(&p, &patch, &chosen);
    let gradients = |k: usize| {
        let rigid = patch.alignment(&p.truth[k]);
        (patch.mouth_gradients(&p.truth[k], &rigid), patch.inner_gradients(&p.truth[k], &rigid))
    };
    let examples: Vec<_> = chosen.iter().map(|&k| gradients(k)).collect();
    let n = examples[0].0.len();
    let mut a = vec![0.0; n * n];
    for (y, _) in &examples {
        (0..n * n).for_each(|ij| a[ij] += y[ij / n] * y[ij % n]);
    }
    let times = |v: &[f64]| -> Vec<f64> {
        (0..n).map(|i| a[i * n..(i + 1) * n].iter().zip(v).map(|(a, v)| a * v).sum()).collect()
    };
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let (y, _) = gradients(22);
    let predicted = model.predict(&y);
    for row in (0..predicted.len()).step_by(7) {
        let mut r: Vec<f64> = (0..n).map(|i| examples.iter().map(|(y, x)| x[row] * y[i]).sum()).collect();
        let (mut theta, mut d) = (vec![0.0; n], r.clone());
        for _ in 0..30 {
            let (old, ad) = (dot(&r, &r), times(&d));
            let along = dot(&d, &ad);
            if old < 1e-28 || along <= 0.0 {
                break;
            }
            let step = old / along;
            for i in 0..n {
                theta[i] += step * d[i];
                r[i] -= step * ad[i];
            }
            let new = dot(&r, &r);
            (0..n).for_each(|i| d[i] = r[i] + new / old * d[i]);
        }
        let direct = dot(&theta, &y);
        assert!((direct - predicted[row]).abs() <= 1e-8, "row {row}: {direct} and {}", predicted[row]);
    }
}

#[test]
fn ten_suggested_frames_correct_the_built_in_performance() {
    let p = performance();
    let patch = patch(&p);
    let chosen = suggest(&patch, None, &p.captured, 10).unwrap();
    let frames: Vec<usize> = chosen.iter().map(|s| s.frame).collect();
    let model = train(&p, &patch, &frames);
    let (mut before, mut after) = (0.0, 0.0);
    for k in (0..p.truth.len()).filter(|k| !frames.contains(k)) {
        let mut frame = p.captured[k].clone();
        before += evaluate::frame_error(&frame, &p.truth[k], &p.regions.inner).mean;
        model.apply("frame", &mut frame).unwrap();
        after += evaluate::frame_error(&frame, &p.truth[k], &p.regions.inner).mean;
    }
    println!("error over the capture's: {:.3}", after / before);
    assert!(after <= 0.45 * before, "{:.3}", after / before);
}

#[test]
fn bad_input_is_refused_with_a_sentence() {
    let p = performance();
    let patch = patch(&p);
    let mut model = train(&p, &patch, &FRAMES[..2]);
    let mut bad = p.truth[0].clone();
    bad[7].y = f64::NAN;
    assert!(matches!(model.add("bad.obj", &bad), Err(FaceError::NotFinite { vertex: 7, .. })));
    assert!(matches!(model.apply("short.obj", &mut bad[..9]), Err(FaceError::Topology { found: 9, .. })));
    let all: Vec<u32> = (0..p.neutral.len() as u32).collect();
    let alone = Regions::from_lists(p.neutral.len(), &all, &all[64..]);
    assert!(Patch::new(&p.neutral, &p.triangles, alone).is_ok());
    let island = Regions::from_lists(p.neutral.len(), &[], &all);
    assert!(Patch::new(&p.neutral, &p.triangles, island).is_err());
}
