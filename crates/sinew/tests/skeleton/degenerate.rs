//! Bones of one vertex, or of a line of them.

use crate::bodies::*;
use crate::support::run;
use sinew::*;
use std::sync::Arc;

/// Points of 1 kg each, as one bone, that hang from the world at the origin by a ball joint.
fn hung(points: Vec<DVec3>) -> Arc<Model> {
    let n = points.len();
    let mut builder = Model::builder();
    builder.body(Body::new("bob", points).masses(vec![1.0; n]));
    let bone = builder.add_bone(Bone::new("bob", (0..n).collect()));
    builder.joint(Joint::ball("hook", [None, Some(bone)], DVec3::ZERO));
    builder.gravity(GRAVITY);
    Arc::new(builder.build().unwrap())
}

/// Out of the vertical by `angle`, at this distance from the origin.
fn out(angle: f64, distance: f64) -> DVec3 {
    DVec3::new(angle.sin(), -angle.cos(), 0.0) * distance
}

/// Mean time between passages of vertex 0 through the vertical from left to right, by linear interpolation.
fn period(model: &Arc<Model>, seconds: f64) -> f64 {
    let h = 1e-3;
    let (mut last, mut passages) = (0.0, Vec::new());
    let end = run(model, settings(h, 5), (seconds / h) as usize, |_, state| {
        let x = state.positions()[0].x;
        if last < 0.0 && x >= 0.0 {
            passages.push(state.time() - h * x / (x - last));
        }
        last = x;
    });
    assert_eq!(end.step_count(), (seconds / h) as u64);
    assert!(passages.len() > 2, "it should swing");
    (passages[passages.len() - 1] - passages[0]) / (passages.len() - 1) as f64
}

/// 2π√(I/(g Σmd))/agm(1, cos(θ/2)).
fn true_period(distances: &[f64], angle: f64) -> f64 {
    let inertia: f64 = distances.iter().map(|d| d * d).sum();
    let moment: f64 = distances.iter().sum();
    let (mut a, mut b) = (1.0, (0.5 * angle).cos());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    std::f64::consts::TAU * (inertia / (9.81 * moment)).sqrt() / a
}

#[test]
fn one_vertex_on_an_offset_joint_is_a_pendulum() {
    for length in [0.1, 1.0, 4.0] {
        let angle = 0.5;
        let expected = true_period(&[length], angle);
        let found = period(&hung(vec![out(angle, length)]), 3.6 * expected);
        assert!((found / expected - 1.0).abs() < 0.005, "{length} m: {found} s, should be {expected} s");
    }
}

#[test]
fn a_line_of_vertices_is_a_compound_pendulum() {
    for distances in [vec![0.5, 0.75, 1.0], vec![0.2, 1.0], vec![-0.1, 0.3, 0.9, 1.0]] {
        let angle = 0.5;
        let expected = true_period(&distances, angle);
        let found = period(&hung(distances.iter().map(|d| out(angle, *d)).collect()), 3.6 * expected);
        assert!((found / expected - 1.0).abs() < 0.005, "{distances:?}: {found} s, should be {expected} s");
    }
}

#[test]
fn the_length_of_a_degenerate_pendulum_stays() {
    for points in [vec![out(1.5, 0.7)], vec![out(1.5, 0.7), out(1.5, 0.2)]] {
        let model = hung(points.clone());
        for correction in [Correction::None, FEPR] {
            let mut off = 0.0f64;
            run(&model, Settings { correction, ..settings(1.0 / 60.0, 5) }, 300, |_, state| {
                off = off.max((state.positions()[0].length() - 0.7).abs());
            });
            assert!(off < 1e-12, "{} points, {correction:?}: {off:e}", points.len());
        }
    }
}

#[test]
fn a_free_vertex_that_is_a_bone_falls() {
    let mut builder = Model::builder();
    builder.body(Body::new("bob", vec![DVec3::ZERO]).masses(vec![2.0]));
    builder.bone(Bone::new("bob", vec![0]));
    builder.gravity(GRAVITY);
    let model = Arc::new(builder.build().unwrap());
    let end = run(&model, settings(0.01, 3), 100, |_, _| {});
    // Backward Euler: g t (t + h)/2.
    assert!((end.positions()[0] - GRAVITY * 0.5 * 1.01).length() < 1e-9, "{}", end.positions()[0]);
}

#[test]
fn a_flat_bone_is_as_rigid_as_any() {
    let points = vec![DVec3::ZERO, DVec3::X * 0.4, DVec3::Z * 0.4, DVec3::new(0.4, 0.0, 0.4)];
    let model = hung(points);
    let (mut bent, mut off) = (0.0f64, 0.0f64);
    let end = run(&model, settings(0.01, 5), 300, |_, state| {
        bent = bent.max(bending(&model, state, &[0, 1, 2, 3]));
        off = off.max(state.positions()[0].length());
    });
    assert_eq!(end.step_count(), 300);
    assert!(bent < 1e-12 && off < 1e-12, "{bent:e}, {off:e}");
}

#[test]
fn flesh_hangs_on_a_bone_of_one_vertex() {
    let (body, _) = fleshy_bar(1e5);
    let mut builder = Model::builder();
    builder.body(body);
    let middle = (0..125).find(|&i| i == 62).unwrap();
    let bone = builder.add_bone(Bone::new("dot", vec![middle]));
    builder.joint(Joint::ball("nail", [None, Some(bone)], DVec3::ZERO));
    builder.gravity(GRAVITY);
    let model = Arc::new(builder.build().unwrap());
    assert!(model.rest()[middle].length() < 1e-12);
    let mut off = 0.0f64;
    let end = run(&model, settings(1.0 / 60.0, 10), 120, |_, state| {
        off = off.max(state.positions()[middle].length());
    });
    assert_eq!(end.step_count(), 120);
    assert!(off < 1e-12, "{off:e}");
}
