//! Wind, the resistance of air, and acceleration of the frame.

use crate::scenes::*;
use sinew::*;
use std::sync::Arc;

#[test]
fn wind_blows_a_pinned_cloth_and_is_booked() {
    for correction in [FEPR, Correction::None] {
        let n = 9;
        let mut builder = Model::builder();
        builder.body(cloth(n, 0.0, DVec3::ZERO));
        builder.pin(0).pin(n - 1).gravity(DVec3::Y * -GRAVITY).air(1.2);
        let model = Arc::new(builder.build().unwrap());
        let mut state = State::new(&model);
        state.controls_mut().set_wind(DVec3::new(10.0, 10.0, 0.0)).unwrap();
        let mut simulator = Simulator::new(model, settings(correction)).unwrap();
        let mut worst = 0.0f64;
        let mut first = 0.0;
        for k in 0..60 {
            simulator.step(&mut state).unwrap();
            if k < 3 {
                first = state.ledger().entries[Cause::Wind];
            }
            worst = worst.max(imbalance(&state));
        }
        assert!(first > 0.0, "{}: {first} J", correction.name());
        assert!(fastest(&state) < 30.0, "{} m/s in a wind of 14 m/s", fastest(&state));
        if correction != Correction::None {
            assert!(worst < 1e-9, "the ledger is off by {worst:e}");
        }
        assert!(
            state.controls_mut().set_wind(DVec3::NAN).is_err()
                && state.controls_mut().set_acceleration(DVec3::INFINITY).is_err()
        );
    }
}

#[test]
fn a_falling_sheet_reaches_its_terminal_speed() {
    for correction in [FEPR, Correction::None] {
        let mut builder = Model::builder();
        builder.body(cloth(5, 0.0, DVec3::ZERO));
        builder.gravity(DVec3::Y * -GRAVITY).air(1.2);
        let model = Arc::new(builder.build().unwrap());
        let mut state = State::new(&model);
        let mut simulator = Simulator::new(model.clone(), settings(correction)).unwrap();
        let mut worst = 0.0f64;
        for _ in 0..90 {
            simulator.step(&mut state).unwrap();
            worst = worst.max(imbalance(&state));
        }
        let speed = -drift(&model, &state, 0).y;
        let expected = (2.0 * GRAVITY / 1.2f64).sqrt();
        assert!((speed / expected - 1.0).abs() < 0.1, "{}: {speed} of {expected} m/s", correction.name());
        assert!(state.ledger().entries[Cause::Wind] < 0.0, "air takes energy");
    }
}

#[test]
fn an_accelerated_frame_moves_free_bodies() {
    for correction in [FEPR, Correction::None] {
        let mut builder = Model::builder();
        builder.body(soft_box(3, 1e5, DVec3::ZERO, DVec3::ZERO));
        let model = Arc::new(builder.build().unwrap());
        let mass: f64 = model.masses().iter().sum();
        let mut state = State::new(&model);
        state.controls_mut().set_acceleration(DVec3::new(2.0, 0.0, -1.0)).unwrap();
        let mut simulator = Simulator::new(model.clone(), settings(correction)).unwrap();
        for _ in 0..30 {
            simulator.step(&mut state).unwrap();
        }
        let speed = drift(&model, &state, 0);
        let booked = state.ledger().entries[Cause::Acceleration];
        assert!(speed.distance(DVec3::new(2.0, 0.0, -1.0)) < 0.02, "{}: {speed}", correction.name());
        assert!((booked / (0.5 * mass * 5.0) - 1.0).abs() < 0.05, "{}: {booked} J", correction.name());
    }
}
