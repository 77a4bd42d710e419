//! Rigid spheres and capsules: round, not faceted.

use crate::scenes::*;
use sinew::contact::{Collider, ContactLaw, Friction, Shape};
use sinew::*;
use std::sync::Arc;

const RADIUS: f64 = 0.25;
const DENSITY: f64 = 1000.0;

/// Contact distance of the spheres, m: that of the default law.
fn gap(radius: f64) -> f64 {
    ContactLaw::THICKNESS * 2.0 * radius * 3f64.sqrt()
}

fn ball(center: DVec3, radius: f64, velocity: DVec3, spin: DVec3) -> Body {
    Body::sphere("ball", center, radius, DENSITY).rigid_velocity(velocity, spin)
}

/// Angular velocity of body `body`.
fn spin(model: &Model, state: &State, body: usize) -> DVec3 {
    let momenta = state.momenta(model, BodyId(body)).unwrap();
    let radius = model.bodies()[body].round.unwrap().radius;
    momenta.angular / (0.4 * momenta.mass * radius * radius)
}

/// Backward Euler loses a share of (hω)²/2 of a rotation in every step: without a correction it takes small ones.
fn run(model: &Arc<Model>, correction: Correction, seconds: f64) -> State {
    let mut state = State::new(model);
    let h = if correction == Correction::None { 1.0 / 240.0 } else { 1.0 / 30.0 };
    let mut simulator = Simulator::new(model.clone(), Settings { h, ..settings(correction) }).unwrap();
    for _ in 0..(seconds / h).round() as usize {
        simulator.step(&mut state).unwrap();
    }
    state
}

fn verified(restitution: f64, friction: f64) -> ContactLaw {
    ContactLaw { verify: true, ..law(restitution, friction, friction) }
}

#[test]
fn mass_and_inertia_are_those_of_the_textbook() {
    let turn = DQuat::from_scaled_axis(DVec3::new(0.3, -1.0, 2.0));
    let ends = [-1.0, 1.0].map(|side| DVec3::new(3.0, 2.0, 1.0) + turn * (DVec3::Z * (0.4 * side)));
    let found = MassProperties::capsule(ends, 0.15, 700.0);
    // The same by thin slices along the axis.
    let (mut mass, mut about, mut across) = (0.0, 0.0, 0.0);
    let (n, half) = (200_000, 0.4 + 0.15);
    for k in 0..n {
        let z = half * ((2 * k + 1) as f64 / n as f64 - 1.0);
        let beyond = (z.abs() - 0.4).max(0.0);
        let square = 0.15 * 0.15 - beyond * beyond;
        let slice = 700.0 * std::f64::consts::PI * square * 2.0 * half / n as f64;
        mass += slice;
        about += 0.5 * slice * square;
        across += slice * (0.25 * square + z * z);
    }
    let turned = DMat3::from_quat(turn);
    let expected = turned * DMat3::from_diagonal(DVec3::new(across, across, about)) * turned.transpose();
    assert!((found.mass / mass - 1.0).abs() < 1e-8);
    assert!(found.center.distance(DVec3::new(3.0, 2.0, 1.0)) < 1e-14);
    assert!((found.inertia - expected).to_cols_array().iter().all(|d| d.abs() < 1e-8 * across));

    // What the model makes of it moves like it.
    let body = Body::capsule("rod", ends, 0.15, 700.0).rigid_velocity(DVec3::X, DVec3::new(1.0, 2.0, 3.0));
    let model = model(vec![body], vec![], ContactLaw::default(), 0.0);
    let state = State::new(&model);
    let momenta = state.momenta(&model, BodyId(0)).unwrap();
    let angular = momenta.angular;
    assert!((momenta.mass / found.mass - 1.0).abs() < 1e-12);
    assert!(angular.distance(found.inertia * DVec3::new(1.0, 2.0, 3.0)) < 1e-9 * angular.length());
}

/// Mean acceleration down a slope, and how much of it is slip: (a, v − ωr over v).
fn rolls(angle: f64, mu: f64, correction: Correction) -> (f64, f64) {
    let up = DVec3::new(angle.sin(), angle.cos(), 0.0);
    let body = ball(up * (RADIUS + gap(RADIUS)), RADIUS, DVec3::ZERO, DVec3::ZERO);
    let model = model(vec![body], vec![slope(angle)], verified(0.0, mu), GRAVITY);
    let state = run(&model, correction, 0.5);
    let speed = drift(&model, &state, 0).dot(DVec3::new(angle.cos(), -angle.sin(), 0.0));
    let turning = -spin(&model, &state, 0).z * RADIUS;
    (speed / 0.5, (speed - turning) / speed)
}

#[test]
fn a_sphere_rolls_down_a_slope() {
    for correction in [Correction::None, FEPR] {
        for degrees in [5.0f64, 15.0, 25.0] {
            let angle = degrees.to_radians();
            let expected = 5.0 / 7.0 * GRAVITY * angle.sin();
            let (found, slip) = rolls(angle, 0.6, correction);
            assert!(
                (found / expected - 1.0).abs() < 0.02,
                "{correction:?} {degrees}°: {found} of {expected}"
            );
            // Of the order of what backward Euler takes from the rotation in a step.
            let turn = if correction == Correction::None {
                0.5 * found / RADIUS / 240.0
            } else {
                0.5 * found / RADIUS / 30.0
            };
            assert!(slip.abs() < 0.005 + turn * turn, "{correction:?} {degrees}°: slips {slip}");
        }
    }
}

/// Below tan θ · 2/7 it cannot keep up, and slides while it turns: a = g(sin θ − μ cos θ), ω̇ = 5μg cos θ/2r.
#[test]
fn a_sphere_that_has_too_little_grip_slides_and_turns() {
    for correction in [Correction::None, FEPR] {
        let (angle, mu) = (30f64.to_radians(), 0.1);
        let expected = GRAVITY * (angle.sin() - mu * angle.cos());
        let (found, slip) = rolls(angle, mu, correction);
        let turning = 2.5 * mu * GRAVITY * angle.cos();
        assert!((found / expected - 1.0).abs() < 0.02, "{correction:?}: {found} of {expected}");
        assert!(((1.0 - slip) * found / turning - 1.0).abs() < 0.03, "{correction:?}: {slip} {turning}");
    }
}

#[test]
fn a_rolling_sphere_keeps_its_speed() {
    let velocity = DVec3::new(0.5, 0.0, 0.0);
    for (correction, lost) in [(Correction::None, 0.02), (FEPR, 0.005)] {
        for restitution in [0.0, 1.0] {
            let center = DVec3::Y * (RADIUS + gap(RADIUS));
            let body = ball(center, RADIUS, velocity, DVec3::Z * (-velocity.x / RADIUS));
            let model = model(vec![body], vec![floor()], verified(restitution, 0.5), GRAVITY);
            let state = run(&model, correction, 3.0);
            let kept = drift(&model, &state, 0).x / velocity.x;
            assert!((kept - 1.0).abs() < lost, "{correction:?} e = {restitution}: {kept}");
            let place = middle(&model, &state, 0);
            assert!((place.x / 1.5 - 1.0).abs() < 0.02 && place.z.abs() < 1e-6, "{correction:?}: {place}");
            assert!((place.y - center.y).abs() < 0.2 * gap(RADIUS), "{correction:?}: {}", place.y);
        }
    }
}

/// A sphere that slides at first ends up rolling at 5/7 of its speed, wherever friction is what it is.
#[test]
fn a_sliding_sphere_comes_to_roll_at_five_sevenths() {
    for correction in [Correction::None, FEPR] {
        let body = ball(DVec3::Y * (RADIUS + gap(RADIUS)), RADIUS, DVec3::X, DVec3::ZERO);
        let model = model(vec![body], vec![floor()], verified(0.0, 0.05), GRAVITY);
        let state = run(&model, correction, 1.0);
        let speed = drift(&model, &state, 0).x;
        assert!((speed * 7.0 / 5.0 - 1.0).abs() < 0.02, "{correction:?}: {speed}");
        assert!((spin(&model, &state, 0).z * RADIUS / -speed - 1.0).abs() < 0.02);
        // What friction took: 1 − 5/7 of ½mv².
        let mass = state.momenta(&model, BodyId(0)).unwrap().mass;
        let heat = state.ledger().entries[Cause::Friction] / (0.5 * mass);
        if correction == FEPR {
            assert!((heat / (2.0 / 7.0) - 1.0).abs() < 0.05, "{heat}");
        }
    }
}

/// A capsule across the slope rolls with its own inertia: a = g sin θ / (1 + I/mr²).
#[test]
fn a_capsule_rolls_as_its_inertia_says() {
    let (angle, half) = (10f64.to_radians(), 0.3);
    let up = DVec3::new(angle.sin(), angle.cos(), 0.0);
    for correction in [Correction::None, FEPR] {
        let size = (DVec3::new(0.0, 0.0, 2.0 * half) + 2.0 * RADIUS).length();
        let center = up * (RADIUS + ContactLaw::THICKNESS * size);
        let ends = [-1.0, 1.0].map(|side| center + DVec3::Z * (half * side));
        let body = Body::capsule("roll", ends, RADIUS, DENSITY);
        let properties = MassProperties::capsule(ends, RADIUS, DENSITY);
        let model = model(vec![body], vec![slope(angle)], verified(0.0, 0.6), GRAVITY);
        let state = run(&model, correction, 0.5);
        let speed = drift(&model, &state, 0).dot(DVec3::new(angle.cos(), -angle.sin(), 0.0)) / 0.5;
        let factor = 1.0 + properties.inertia.z_axis.z / (properties.mass * RADIUS * RADIUS);
        let expected = GRAVITY * angle.sin() / factor;
        assert!((speed / expected - 1.0).abs() < 0.02, "{correction:?}: {speed} of {expected}");
        assert!(state.positions()[0].x - state.positions()[1].x < 1e-6, "it goes straight");
    }
}

#[test]
fn spheres_exchange_velocities() {
    for ratio in [1.0f64, 2.0, 10.0] {
        let other = RADIUS * ratio.cbrt();
        let left = ball(DVec3::X * -0.4, RADIUS, DVec3::X, DVec3::ZERO);
        let right = ball(DVec3::X * (0.2 + other), other, DVec3::X * -0.5, DVec3::ZERO);
        let model = model(vec![left, right], vec![], verified(1.0, 0.0), 0.0);
        let mass = [0, 1].map(|b| State::new(&model).momenta(&model, BodyId(b)).unwrap().mass);
        assert!((mass[1] / mass[0] / ratio - 1.0).abs() < 1e-9);
        let state = run(&model, FEPR, 1.3);
        let found = [0, 1].map(|b| drift(&model, &state, b));
        // Seen from their common centre both turn back.
        let common = (mass[0] - 0.5 * mass[1]) / (mass[0] + mass[1]);
        let expected = [2.0 * common - 1.0, 2.0 * common + 0.5];
        for k in 0..2 {
            let off = (found[k] - DVec3::X * expected[k]).length();
            assert!(off < 0.02 * 1.5, "1:{ratio}: {found:?} instead of {expected:?}");
        }
        let momentum = found[0] * mass[0] + found[1] * mass[1];
        let before = mass[0] - 0.5 * mass[1];
        assert!((momentum - DVec3::X * before).length() < 1e-10 * mass[1], "{momentum} {before}");
    }
}

/// A central impact without friction sets nothing in rotation, an oblique one with friction does, and keeps both momenta.
#[test]
fn an_oblique_impact_keeps_momenta_and_spins_both() {
    let left = ball(DVec3::new(-0.4, 0.1, 0.0), RADIUS, DVec3::X, DVec3::ZERO);
    let right = ball(DVec3::new(0.4, -0.1, 0.0), RADIUS, -DVec3::X, DVec3::ZERO);
    let model = model(vec![left, right], vec![], verified(1.0, 0.5), 0.0);
    let momenta = |state: &State| {
        let both = [0, 1].map(|b| state.momenta(&model, BodyId(b)).unwrap());
        let angular = both.map(|m| m.angular + m.center.cross(m.linear));
        (both[0].linear + both[1].linear, angular[0] + angular[1])
    };
    let first = momenta(&State::new(&model));
    let state = run(&model, FEPR, 1.0);
    let last = momenta(&state);
    assert!(last.0.length() < 1e-10, "{}", last.0);
    assert!((last.1 - first.1).length() < 1e-8 * first.1.length(), "{} {}", last.1, first.1);
    let spins = [0, 1].map(|b| spin(&model, &state, b));
    assert!(spins[0].z < -0.1 && (spins[0] - spins[1]).length() < 1e-6, "{spins:?}");
    assert!(imbalance(&state) < 1e-9, "{}", imbalance(&state));
}

#[test]
fn a_dropped_sphere_bounces_as_high_as_before() {
    let height = RADIUS + gap(RADIUS) + 0.5;
    let model = model(
        vec![ball(DVec3::Y * height, RADIUS, DVec3::ZERO, DVec3::ZERO)],
        vec![floor()],
        verified(1.0, 0.0),
        GRAVITY,
    );
    let mut state = State::new(&model);
    let mut simulator = Simulator::new(model.clone(), settings(FEPR)).unwrap();
    let (mut touched, mut highest) = (false, 0.0f64);
    for _ in 0..42 {
        touched |= simulator.step(&mut state).unwrap().contact.pressing > 0;
        if touched {
            highest = highest.max(middle(&model, &state, 0).y);
        }
    }
    assert!(touched && ((highest - RADIUS) / (height - RADIUS) - 1.0).abs() < 0.02, "{highest} of {height}");
}

/// A sphere comes through a hole that its faceted counterpart would not fit, and rests on a box, a mesh and another sphere.
#[test]
fn round_things_rest_on_everything() {
    let under: [(Shape, f64); 3] = [
        (Shape::Cuboid { half: DVec3::new(0.5, 0.2, 0.5) }, 0.2),
        (Shape::Sphere { radius: 0.4 }, 0.4),
        (Shape::Capsule { half_length: 0.2, radius: 0.3 }, 0.5),
    ];
    for (shape, top) in under {
        for correction in [Correction::None, FEPR] {
            let body = ball(DVec3::Y * (top + RADIUS + gap(RADIUS)), RADIUS, DVec3::ZERO, DVec3::ZERO);
            let collider = Collider::new("under", shape.clone());
            let model = model(vec![body], vec![collider], verified(0.0, 0.5), GRAVITY);
            let state = run(&model, correction, 1.0);
            let off = middle(&model, &state, 0) - DVec3::Y * (top + RADIUS + gap(RADIUS));
            assert!(off.length() < 0.2 * gap(RADIUS), "{correction:?} {shape:?}: {off}");
        }
    }
}

/// A box of flesh that slides over a sphere sets it in rotation.
#[test]
fn flesh_turns_a_sphere() {
    let body = ball(DVec3::Y * (RADIUS + gap(RADIUS)), RADIUS, DVec3::ZERO, DVec3::ZERO);
    let above = 2.0 * RADIUS + 1.5 * gap(RADIUS) + 0.5 * SIDE + 0.002;
    let flesh = soft_box(3, 1e5, DVec3::new(0.0, above, 0.0), DVec3::X);
    let model = model(vec![body, flesh], vec![floor()], verified(0.0, 0.4), GRAVITY);
    let state = run(&model, FEPR, 0.2);
    let (speed, turning) = (drift(&model, &state, 0).x, -spin(&model, &state, 0).z * RADIUS);
    assert!(turning > 0.02, "{turning}");
    assert!((speed - turning).abs() < 0.1 * turning, "it rolls on the floor: {speed} {turning}");
}

#[test]
fn each_surface_may_have_its_own_friction_and_restitution() {
    let slides = |of_body: Option<f64>, of_floor: Option<f64>| {
        let mut body = soft_box(3, 1e6, DVec3::Y * (0.5 * SIDE + 0.0018), DVec3::X);
        if let Some(mu) = of_body {
            body = body.friction(Friction::uniform(mu));
        }
        let floor = Collider { friction: of_floor.map(Friction::uniform), ..floor() };
        let model = model(vec![body], vec![floor], law(0.0, 0.2, 0.2), GRAVITY);
        let state = run(&model, FEPR, 0.3);
        (1.0 - drift(&model, &state, 0).x) / (GRAVITY * 0.3)
    };
    for (own, other, expected) in [
        (None, None, 0.2),
        (None, Some(0.1), 0.1),
        (Some(0.3), None, 0.3),
        (Some(0.16), Some(0.09), 0.12),
        (Some(0.0), Some(0.3), 0.0),
    ] {
        let found = slides(own, other);
        assert!((found - expected).abs() < 0.02, "{own:?} {other:?}: {found} instead of {expected}");
    }

    let rebound = |of_body: f64, of_floor: f64| {
        let body = ball(DVec3::Y * (RADIUS + gap(RADIUS) + 0.01), RADIUS, DVec3::Y * -2.0, DVec3::ZERO);
        let floor = Collider { restitution: Some(of_floor), ..floor() };
        let model = model(vec![body.restitution(of_body)], vec![floor], law(1.0, 0.0, 0.0), 0.0);
        drift(&model, &run(&model, FEPR, 0.2), 0).y / 2.0
    };
    for (own, other, expected) in [(1.0, 0.25, 0.5), (0.0, 1.0, 0.0), (0.5, 0.5, 0.5)] {
        let found = rebound(own, other);
        assert!((found - expected).abs() < 0.02, "{own} {other}: {found} instead of {expected}");
    }
}

#[test]
fn bad_round_surfaces_are_refused() {
    let build = |body: Body| Model::builder().body(body).build().map(|_| ());
    let good = || Body::sphere("ball", DVec3::ZERO, 0.1, 1000.0);
    assert_eq!(build(good()), Ok(()));
    for body in [
        good().round([0, 0], 0.0),
        good().round([0, 0], f64::NAN),
        good().round([0, 1], 0.1),
        good().friction(Friction::uniform(-1.0)),
        good().restitution(1.5),
        Body::sphere("ball", DVec3::ZERO, -0.1, 1000.0),
        Body::sphere("ball", DVec3::ZERO, 0.1, f64::NAN),
        Body::capsule("rod", [DVec3::ZERO, DVec3::NAN], 0.1, 1.0),
    ] {
        assert!(build(body).unwrap_err().to_string().contains('`'));
    }
}
