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

/// How far the ball got from the axis, how low it got, and how fast it came back up.
fn thrown(radius: f64, speed: f64, correction: Correction) -> [f64; 3] {
    let model = trampoline(radius, speed);
    let mut simulator = Simulator::new(model.clone(), settings(correction)).unwrap();
    let mut state = State::new(&model);
    let [mut aside, mut lowest, mut up] = [0.0f64; 3];
    for _ in 0..45 {
        // Every step is verified: the ball does not get through.
        simulator.step(&mut state).unwrap();
        let at = middle(&model, &state, 1);
        aside = aside.max(at.x.hypot(at.z));
        lowest = lowest.min(at.y);
        up = up.max(drift(&model, &state, 1).y);
    }
    [aside, lowest, up]
}

#[test]
fn a_ball_comes_back_along_the_axis() {
    for (radius, speed) in [(0.05, 3.0), (0.05, 15.0), (0.1, 7.0), (0.15, 3.0), (0.15, 15.0)] {
        for correction in [FEPR, Correction::None] {
            let [aside, lowest, up] = thrown(radius, speed, correction);
            println!(
                "{} {radius} m, {speed} m/s: {aside:.1e} m aside, {lowest:.3} m low, back at {up:.2} m/s",
                correction.name()
            );
            // Large balls touch many triangles at once, and rounding decides which of them count first: they leave the axis by up to 0.03 m in a second and a half.
            assert!(aside < if radius < 0.1 { 1e-6 } else { 0.1 }, "{aside} m from the axis");
            assert!(lowest < radius && up > 0.0, "{lowest} m low, back at {up} m/s");
            // Without a correction backward Euler takes most of it.
            assert!(up < 1.1 * speed, "thrown at {speed} m/s, back at {up} m/s");
            assert!(
                correction == Correction::None || up > 0.9 * speed,
                "thrown at {speed} m/s, back at {up} m/s"
            );
        }
    }
}
