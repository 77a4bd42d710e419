//! What starts inside something comes out of it, and is not thrown.

use crate::scenes::*;
use crate::support::run;
use sinew::contact::{Collider, ContactLaw, Shape};
use sinew::*;

const CORRECTIONS: [Correction; 2] = [Correction::None, FEPR];

#[test]
fn what_starts_in_a_collider_comes_out_gently() {
    let ball = || Collider::new("ball", Shape::Sphere { radius: 0.3 }).at(Placement::at(DVec3::Y * -0.3));
    for (name, collider) in [("floor", floor()), ("ball", ball())] {
        for depth in [0.5, 1.0] {
            for correction in CORRECTIONS {
                let start = DVec3::new(0.003, (0.5 - depth) * SIDE, 0.001);
                let body = soft_box(3, 1e6, start, DVec3::ZERO);
                let model = model(vec![body], vec![collider.clone()], law(1.0, 0.0, 0.0), 0.0);
                let mut speed = 0.0f64;
                let end = run(&model, settings(correction), 90, |_, state| speed = speed.max(fastest(state)));
                assert_eq!(end.step_count(), 90);
                let shape = &collider.shape;
                let inside =
                    end.positions().iter().map(|p| shape.proximity(collider.placement.undo(*p)).distance);
                let deepest = inside.fold(f64::INFINITY, f64::min);
                assert!(deepest > -0.001, "{name}, {depth}, {}: {deepest} m", correction.name());
                assert!(speed < 2.0, "{name}, {depth}, {}: {speed} m/s", correction.name());
            }
        }
    }
}

#[test]
fn bodies_that_start_in_each_other_part_gently() {
    for correction in CORRECTIONS {
        for overlap in [0.1, 0.4, 0.8] {
            let shift = DVec3::new(0.01, (1.0 - overlap) * SIDE, 0.02);
            let bodies =
                vec![soft_box(4, 1e5, DVec3::ZERO, DVec3::ZERO), soft_box(4, 1e5, shift, DVec3::ZERO)];
            let model = model(bodies, vec![], ContactLaw::default(), 0.0);
            let mut speed = 0.0f64;
            let end = run(&model, settings(correction), 120, |_, state| speed = speed.max(fastest(state)));
            assert_eq!(end.step_count(), 120);
            let apart = middle(&model, &end, 1).y - middle(&model, &end, 0).y;
            assert!(apart > 0.99 * SIDE, "{overlap}, {}: {apart} m", correction.name());
            assert!(speed < 5.0, "{overlap}, {}: {speed} m/s", correction.name());
        }
    }
}
