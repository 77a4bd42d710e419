//! What must hold to rounding: examples are reproduced, rigid motions and translations do not matter, nor do order and duplicates; and the reduced
//! regression is the unreduced one.

use crate::{patch, performance, train, worst};
use glam::{DMat3, DVec3};
use sinew_face::{Model, evaluate, suggest};

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
