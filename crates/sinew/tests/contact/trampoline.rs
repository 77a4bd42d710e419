//! A ball thrown on the middle of a trampoline: it comes back up along the axis, and never gets below the mat.

use crate::scenes::*;
use sinew::contact::ContactLaw;
use sinew::*;
use std::sync::Arc;

/// Vertices along a side of the mat, 1 m wide.
const N: usize = 31;

/// A mat with a fixed border and a ball above its middle.
fn trampoline(radius: f64, speed: f64) -> Arc<Model> {
    let mut builder = Model::builder();
    let mat = cloth(N, 0.0, DVec3::ZERO);
    builder.body(mat);
    for i in 0..N {
        for j in (0..N).filter(|&j| i % (N - 1) == 0 || j % (N - 1) == 0) {
            builder.pin(i * N + j);
        }
    }
    // 0.5 kg whatever its size.
    let density = 0.5 / (4.0 / 3.0 * std::f64::consts::PI * radius.powi(3));
    let ball = Body::sphere("ball", DVec3::Y * (radius + 0.05), radius, density);
    builder.add_rigid(ball.rigid_velocity(DVec3::Y * -speed, DVec3::ZERO));
    builder.contact(ContactLaw { verify: true, ..law(1.0, 0.0, 0.0) }).gravity(DVec3::Y * -GRAVITY);
    Arc::new(builder.build().unwrap())
}

/// What a ball did until it was back at its height, or for a second and a half: how far it got from the axis, how low its middle got, its speed aside, and how fast it came back up.
fn thrown(radius: f64, speed: f64, settings: Settings) -> [f64; 4] {
    let model = trampoline(radius, speed);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let mut state = State::new(&model);
    let [mut aside, mut lowest, mut sideways, mut up] = [0.0, f64::INFINITY, 0.0f64, 0.0f64];
    while state.time() < 1.5 {
        // Every step is verified: the ball does not get through.
        simulator.step(&mut state).unwrap();
        let (at, v) = (middle(&model, &state, 1), drift(&model, &state, 1));
        aside = at.x.hypot(at.z).max(aside);
        lowest = lowest.min(at.y);
        sideways = sideways.max(v.x.hypot(v.z));
        up = up.max(v.y);
        if v.y > 0.0 && at.y > radius + 0.05 {
            break;
        }
    }
    [aside, lowest, sideways, up]
}

#[test]
fn a_ball_comes_back_along_the_axis() {
    for (radius, speed) in [(0.05, 3.0), (0.05, 15.0), (0.1, 7.0), (0.15, 3.0), (0.15, 15.0)] {
        for correction in [FEPR, Correction::None] {
            let [aside, lowest, sideways, up] = thrown(radius, speed, settings(correction));
            println!(
                "{} {radius} m, {speed} m/s: {lowest:.3} m low, back at {up:.2} m/s, {aside:.1e} m and {sideways:.1e} m/s aside",
                correction.name()
            );
            // Steps are broken off before forces are found exactly, and amplify rounding; nothing amplifies what they leave.
            assert!(aside < 0.01 && sideways < 0.03 * speed, "{aside} m, {sideways} m/s from the axis");
            assert!(lowest < radius && up > 0.0, "{lowest} m low, back at {up} m/s");
            assert!(up < 1.1 * speed, "thrown at {speed} m/s, back at {up} m/s");
        }
    }
}

/// It sinks into the mat and leaves it as small steps say, and does not bounce off as from a stone.
#[test]
fn a_ball_sinks_in_as_deep_as_with_small_steps() {
    for (radius, speed) in [(0.05, 3.0), (0.05, 15.0), (0.1, 7.0), (0.15, 3.0), (0.15, 15.0)] {
        let [_, lowest, _, up] = thrown(radius, speed, settings(FEPR));
        let small = Settings { h: 1.0 / 1500.0, integrator: Integrator::Bdf2, ..settings(Correction::None) };
        let [_, truly, _, back] = thrown(radius, speed, small);
        println!(
            "{radius} m, {speed} m/s: {lowest:.3} m low, truly {truly:.3}; back at {up:.2} m/s, truly {back:.2}"
        );
        let depth = (radius - lowest) / (radius - truly);
        assert!((0.6..1.2).contains(&depth), "{lowest} m low instead of {truly} m");
        // At 15 m/s a step is half of the mat's width, and more of the energy stays in the mat.
        let least = if speed > 10.0 { 0.45 } else { 0.7 };
        assert!((least..1.5).contains(&(up / back)), "back at {up} m/s instead of {back} m/s");
    }
}
