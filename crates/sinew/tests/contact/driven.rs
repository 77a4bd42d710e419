//! Moving colliders, and grabs.

use crate::scenes::*;
use sinew::contact::{Collider, Shape};
use sinew::*;
use std::sync::Arc;

/// A box at rest on a plate that can move.
fn on_plate(friction: f64) -> Arc<Model> {
    let plate = Collider::new("plate", Shape::Cuboid { half: DVec3::new(1.0, 0.1, 1.0) })
        .at(Placement::at(DVec3::Y * -0.1));
    let body = soft_box(3, 1e6, DVec3::Y * (0.5 * SIDE + 0.001), DVec3::ZERO);
    model(vec![body], vec![plate], law(0.0, friction, friction), GRAVITY)
}

/// A box at rest on a rigid one that the user moves; its number.
fn on_bone(friction: f64) -> (Arc<Model>, BoneId) {
    let mut builder = Model::builder();
    builder.contact(law(0.0, friction, friction)).gravity(DVec3::Y * -GRAVITY);
    let bone = builder.add_rigid(soft_box(3, 1e6, DVec3::Y * (-0.5 * SIDE), DVec3::ZERO));
    builder.kinematic(bone);
    builder.body(soft_box(3, 1e6, DVec3::Y * (0.5 * SIDE + 0.001), DVec3::ZERO));
    (Arc::new(builder.build().unwrap()), bone)
}

/// Lifts what lies on something by 0.1 m; `raise` moves that to a height. What the user moves has a weight of its own where it is a body.
fn lift(model: &Arc<Model>, correction: Correction, cause: Cause, raise: impl Fn(&mut State, f64)) {
    let damping = Damping { rigid_preserving: 0.05, ..Damping::default() };
    let settings = Settings { damping, ..settings(correction) };
    // Boxes of water.
    let mass = 1000.0 * SIDE.powi(3) * model.bodies().len() as f64;
    let mut state = State::new(model);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    for _ in 0..30 {
        simulator.step(&mut state).unwrap();
    }
    let lifted = model.bodies().len() - 1;
    let (low, before) = (middle(model, &state, lifted).y, state.ledger().entries[cause]);
    let mut worst = 0.0f64;
    for k in 1..=45 {
        // Up by 0.1 m in half a second, smoothly, then half a second of rest.
        let t = (f64::from(k) / 15.0).min(1.0);
        raise(&mut state, 0.1 * t * t * (3.0 - 2.0 * t));
        simulator.step(&mut state).unwrap();
        worst = worst.max(imbalance(&state));
    }
    let rise = middle(model, &state, lifted).y - low;
    let work = state.ledger().entries[cause] - before;
    let expected = mass * GRAVITY * 0.1;
    assert!((rise - 0.1).abs() < 0.002, "{}: {rise} m", correction.name());
    assert!((work / expected - 1.0).abs() < 0.02, "{}: {work} of {expected} J", correction.name());
    if correction != Correction::None {
        assert!(worst < 1e-9, "the ledger is off by {worst:e}");
    }
}

fn lift_by_plate(correction: Correction) {
    lift(&on_plate(0.5), correction, Cause::Colliders, |state, height| {
        state.controls_mut().move_collider(ColliderId(0), Placement::at(DVec3::Y * (height - 0.1))).unwrap();
    });
}

#[test]
fn a_rising_plate_does_the_work_of_lifting() {
    lift_by_plate(Correction::None);
}

#[test]
fn a_rising_plate_does_the_work_of_lifting_when_corrected() {
    lift_by_plate(FEPR);
}

/// The books had only the weight of the bone itself.
#[test]
fn a_rising_bone_did_not_pay_for_what_lies_on_it() {
    let (model, bone) = on_bone(0.5);
    for correction in [Correction::None, FEPR] {
        lift(&model, correction, Cause::Bones, |state, height| {
            state.controls_mut().move_bone(bone, Placement::at(DVec3::Y * height)).unwrap();
        });
    }
}

/// A box of 8 kg falls at 0.3 m/s on a plate that rises at a constant speed, for two seconds; the work of the plate and all that was dissipated, J, and the work that the momentum of the box says.
fn carried(rigid: bool, integrator: Integrator, rate: f64, speed: f64) -> (f64, f64, f64) {
    let plate = Collider::new("plate", Shape::Cuboid { half: DVec3::new(1.0, 0.1, 1.0) })
        .at(Placement::at(DVec3::Y * -0.1));
    let fall = DVec3::Y * (speed - 0.3);
    let body = soft_box(3, 1e6, DVec3::Y * (0.5 * SIDE + 0.0017), fall);
    let body = if rigid { body.rigid() } else { body };
    let model = model(vec![body], vec![plate], law(0.0, 0.5, 0.5), GRAVITY);
    let damping = Damping { rigid_preserving: 0.05, ..Damping::default() };
    let settings = Settings { damping, integrator, h: 1.0 / rate, ..settings(FEPR) };
    let mut state = State::new(&model);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let steps = (2.0 * rate) as usize;
    let before = drift(&model, &state, 0).y;
    for k in 1..=steps {
        let height = speed * k as f64 / rate - 0.1;
        state.controls_mut().move_collider(ColliderId(0), Placement::at(DVec3::Y * height)).unwrap();
        simulator.step(&mut state).unwrap();
    }
    let mass = 1000.0 * SIDE.powi(3);
    let impulse = mass * (drift(&model, &state, 0).y - before + GRAVITY * steps as f64 / rate);
    let ledger = state.ledger();
    (ledger.entries[Cause::Colliders], ledger.entries.dissipated(), speed * impulse)
}

/// Momenta of what lies on a plate were those of the laboratory, but its energy that of the plate: what lay there without restitution began to rock, and the books had up to 200 J for 50.
#[test]
fn a_plate_that_rises_at_a_constant_speed_is_as_good_as_one_at_rest() {
    for integrator in [
        Integrator::BackwardEuler,
        Integrator::Bdf2,
        Integrator::Sdirk2,
        Integrator::TrBdf2,
        Integrator::ImplicitMidpoint,
        Integrator::Newmark,
        Integrator::GeneralizedAlpha { spectral_radius: 0.5 },
    ] {
        for (rigid, rate) in [(false, 30.0), (false, 120.0), (true, 30.0), (true, 120.0)] {
            let (_, at_rest, _) = carried(rigid, integrator, rate, 0.0);
            let (work, dissipated, expected) = carried(rigid, integrator, rate, 0.5);
            let what = format!("{}, {rate} steps a second, rigid: {rigid}", integrator.name());
            assert!((work / expected - 1.0).abs() < 1e-3, "{what}: {work} instead of {expected} J");
            assert!((dissipated - at_rest).abs() < 0.1, "{what}: {dissipated} instead of {at_rest} J");
        }
    }
}

/// A soft block of 100 kg on a belt: the speed that it has reached after 0.4 s, m/s, the work of the belt and the heat of friction, J.
fn on_belt(integrator: Integrator, rate: f64, friction: f64, speed: f64) -> (f64, f64, f64) {
    let half = DVec3::new(20.0, 0.5, 20.0);
    let belt = |way: f64| Placement::at(DVec3::new(way, -0.5, 0.0));
    let (points, tets) = crate::support::cube(4);
    let points = points.iter().map(|p| *p + DVec3::Y * (0.5 + 0.005 * 3f64.sqrt())).collect();
    let lame = Lame::from_young(1e6, 0.3).unwrap();
    let body = Body::new("block", points).tetrahedra(tets, Constitutive::Corotated, lame, 100.0);
    let collider = Collider::new("belt", Shape::Cuboid { half }).at(belt(0.0));
    let model = model(vec![body], vec![collider], law(0.0, friction, friction), GRAVITY);
    let damping = Damping { rigid_preserving: 0.05, ..Damping::default() };
    let settings = Settings { damping, integrator, h: 1.0 / rate, ..settings(FEPR) };
    let mut state = State::new(&model);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    for k in 1..=(0.4 * rate) as usize {
        state.controls_mut().move_collider(ColliderId(0), belt(speed * k as f64 / rate)).unwrap();
        simulator.step(&mut state).unwrap();
    }
    let entries = &state.ledger().entries;
    (drift(&model, &state, 0).x, entries[Cause::Colliders], entries[Cause::Friction])
}

/// A little energy too much, which flesh at rest has nowhere to lose, made FEPR start again without friction: a belt took a block along at half of what friction can do, and did up to twice the work.
#[test]
fn a_belt_took_a_soft_block_along_too_slowly() {
    let (friction, speed) = (0.1, 0.5);
    for integrator in [Integrator::BackwardEuler, Integrator::Bdf2, Integrator::ImplicitMidpoint] {
        for rate in [30.0, 60.0, 120.0] {
            let (reached, work, heat) = on_belt(integrator, rate, friction, speed);
            let expected = friction * GRAVITY * 0.4;
            let what = format!("{}, {rate} steps a second", integrator.name());
            assert!((reached / expected - 1.0).abs() < 0.03, "{what}: {reached} of {expected} m/s");
            let (all, kept) = (100.0 * expected * speed, 50.0 * expected * expected);
            assert!((work / all - 1.0).abs() < 0.05, "{what}: work of {work} instead of {all} J");
            assert!(
                (heat / (all - kept) - 1.0).abs() < 0.05,
                "{what}: heat of {heat} instead of {} J",
                all - kept
            );
        }
    }
}

fn shake(correction: Correction) {
    let model = on_plate(0.8);
    let mut state = State::new(&model);
    let mut simulator = Simulator::new(model.clone(), settings(correction)).unwrap();
    let mut worst = 0.0f64;
    for k in 0..150 {
        // 5 cm to each side at 1 Hz: 2 m/s², well below what friction carries.
        let t = f64::from(k) / 30.0;
        let shake = 0.05 * (std::f64::consts::TAU * t).sin() * (t / 0.5).min(1.0);
        state
            .controls_mut()
            .move_collider(ColliderId(0), Placement::at(DVec3::new(shake, -0.1, 0.0)))
            .unwrap();
        simulator.step(&mut state).unwrap();
        worst = worst.max(imbalance(&state));
    }
    let offset = middle(&model, &state, 0) - state.controls().colliders()[0].translation;
    assert!(offset.x.abs() < 0.01 && offset.z.abs() < 0.01, "{}: {offset}", correction.name());
    assert!(fastest(&state) < 1.0);
    if correction != Correction::None {
        assert!(worst < 1e-9, "the ledger is off by {worst:e}");
    }
}

#[test]
fn a_shaken_plate_carries_what_lies_on_it() {
    shake(Correction::None);
}

#[test]
fn a_shaken_plate_carries_what_lies_on_it_when_corrected() {
    shake(FEPR);
}

fn held(hands: bool) -> Arc<Model> {
    let mut builder = Model::builder();
    builder.body(soft_box(3, 1e5, DVec3::ZERO, DVec3::ZERO));
    builder.body(soft_box(2, 1e5, DVec3::X, DVec3::ZERO));
    if hands {
        builder.grabs();
    }
    Arc::new(builder.build().unwrap())
}

#[test]
fn a_grab_moves_a_body_and_its_work_is_booked() {
    for correction in [FEPR, Correction::None] {
        let model = held(true);
        let mut state = State::new(&model);
        let mut simulator = Simulator::new(model.clone(), settings(correction)).unwrap();
        let [a, b, c] = model.bodies()[0].surface[0];
        let mut grab =
            Grab { corners: [a, b, c], weights: [0.5, 0.25, 0.25], stiffness: 2000.0, target: DVec3::ZERO };
        let point = grab.point(state.positions());
        grab.target = point;
        let hand = state.controls_mut().grab(&model, grab).unwrap();
        simulator.step(&mut state).unwrap();
        assert!(state.ledger().entries[Cause::Grabs].abs() < 1e-20, "a grab is free");
        for k in 1..=60 {
            let t = (f64::from(k) / 30.0).min(1.0);
            state.controls_mut().move_grab(hand, point + DVec3::Z * (0.3 * t)).unwrap();
            simulator.step(&mut state).unwrap();
        }
        let work = state.ledger().entries[Cause::Grabs];
        let held = *state.controls().grabbed(hand).unwrap();
        let away = held.point(state.positions()).distance(held.target);
        let still = middle(&model, &state, 1);
        let spring = state.ledger().potentials[model.potential_names().position(|n| n == "grab").unwrap()];
        let before = imbalance(&state);
        state.controls_mut().release(hand).unwrap();
        simulator.step(&mut state).unwrap();
        let booked = state.ledger().entries[Cause::Grabs] - work;
        assert!(work > 0.0 && away < 0.03, "{}: {work} J, {away} m", correction.name());
        assert!(still.distance(DVec3::X) < 1e-9, "the other body stays: {still}");
        assert!((booked + spring).abs() < 1e-9 * work, "{}: {booked} J for {spring} J", correction.name());
        if correction != Correction::None {
            assert!(before.max(imbalance(&state)) < 1e-9, "{before:e}");
        }
        assert!(
            state.controls_mut().release(hand).is_err()
                && state.controls_mut().move_grab(hand, point).is_err(),
            "the grab is released"
        );
    }
}

#[test]
fn grabs_that_cannot_be_are_refused() {
    let model = held(true);
    let mut state = State::new(&model);
    let good = Grab { corners: [0, 0, 0], weights: [1.0, 0.0, 0.0], stiffness: 10.0, target: DVec3::ZERO };
    let cases = [
        (Grab { weights: [0.5, 0.0, 0.0], ..good }, "add up to 1"),
        (Grab { weights: [f64::NAN, 0.0, 1.0], ..good }, "add up to 1"),
        (Grab { corners: [0, 1, 9999], ..good }, "no vertex 9999"),
        (Grab { corners: [0, 1, 27], ..good }, "different bodies"),
        (Grab { stiffness: 0.0, ..good }, "stiffness"),
        (Grab { stiffness: -1.0, ..good }, "stiffness"),
        (Grab { stiffness: f64::NAN, ..good }, "stiffness"),
        (Grab { target: DVec3::NAN, ..good }, "not finite"),
    ];
    let before = state.hash();
    for (grab, expected) in cases {
        let error = state.controls_mut().grab(&model, grab).unwrap_err().to_string();
        assert!(error.contains(expected), "`{error}` should mention `{expected}`");
    }
    assert!(
        state.controls_mut().move_grab(GrabId(99), DVec3::ZERO).is_err()
            && state.controls_mut().release(GrabId(99)).is_err()
    );
    assert_eq!(state.hash(), before, "refusals change nothing");
    let bare = held(false);
    let error = State::new(&bare).controls_mut().grab(&bare, good).unwrap_err().to_string();
    assert!(error.contains("does not allow grabs"), "{error}");
    let mut hands = 0;
    while state.controls_mut().grab(&model, good).is_ok() {
        hands += 1;
    }
    assert!((1..=64).contains(&hands), "{hands} grabs");
    assert!(state.controls_mut().grab(&model, good).unwrap_err().to_string().contains("in use"));
    // A saved state that holds a vertex which does not exist is refused.
    let mut bytes = state.to_bytes();
    // After the number of contacts, the number of steps, whether it is tangled and whether it has an acceleration.
    let corner = 4 * 8;
    bytes[corner..corner + 8].copy_from_slice(&9999u64.to_le_bytes());
    assert!(State::from_bytes(&model, &bytes).is_err());
}
