//! How fast the error falls with the step: by h⁴, which is the order of the Runge–Kutta rule.

use glam::{DQuat, DVec3};
use sinew_reference::{Articulated, BallJoint, RigidBody};

/// The factors between errors of steps that are halved each time, and that they are near 2⁴.
fn assert_fourth_order(errors: &[f64]) {
    for pair in errors.windows(2) {
        let factor = pair[0] / pair[1];
        assert!((14.0..18.0).contains(&factor), "{factor} of {errors:?}");
    }
}

/// Where a point of a free box with two equal sides is: it precesses about the angular momentum L at |L|/I₁ and turns about its own
/// axis at ω₃(1 − I₃/I₁) besides.
fn symmetric_top(body: &RigidBody, start: DVec3, seconds: f64) -> DVec3 {
    let momentum = body.inertia * body.spin;
    let (across, along) = (body.inertia.x_axis.x, body.inertia.z_axis.z);
    let precession = DQuat::from_scaled_axis(momentum * (seconds / across));
    let own = DQuat::from_axis_angle(DVec3::Z, body.spin.z * (1.0 - along / across) * seconds);
    precession * (own * (start - body.center)) + body.center + body.velocity * seconds
}

#[test]
fn a_free_symmetric_top_converges_to_its_exact_motion() {
    let body = RigidBody::cuboid(2.0, DVec3::new(0.1, 0.2, 0.3), DVec3::new(0.3, 0.3, 0.8));
    let body = RigidBody { velocity: DVec3::X, spin: DVec3::new(3.0, 0.0, 7.0), ..body };
    let corner = body.center + DVec3::new(0.15, 0.15, 0.4);
    let truth = symmetric_top(&body, corner, 1.0);
    assert!(truth.distance(corner + body.velocity) > 0.1, "it has turned: {truth}");
    let error = |steps: usize| {
        let mut system = Articulated::new(vec![body], vec![], DVec3::ZERO);
        system.advance(1.0, steps);
        system.point(0, corner).distance(truth)
    };
    let errors = [50, 100, 200, 400].map(error);
    assert_fourth_order(&errors);
    assert!(errors[3] < 1e-9, "{errors:?}");
}

/// Two bars out of one plane: joints are kept by multipliers and closed after each step, which must not spoil the order.
#[test]
fn a_spatial_double_pendulum_converges_at_fourth_order() {
    let end = |steps: usize| {
        let upper = RigidBody::cuboid(2.0, DVec3::X * 0.5, DVec3::new(1.0, 0.1, 0.2));
        let lower = RigidBody::cuboid(1.0, DVec3::new(1.0, 0.0, 0.5), DVec3::new(0.2, 0.1, 1.0));
        let hook = BallJoint { bodies: [Some(0), None], position: DVec3::ZERO };
        let elbow = BallJoint { bodies: [Some(0), Some(1)], position: DVec3::X };
        let mut system = Articulated::new(vec![upper, lower], vec![hook, elbow], DVec3::Y * -9.81);
        system.advance(1.0, steps);
        system.point(1, DVec3::new(1.0, 0.0, 1.0))
    };
    let truth = end(6400);
    let errors = [100, 200, 400, 800].map(|steps| end(steps).distance(truth));
    assert_fourth_order(&errors);
    assert!(errors[3] < 1e-8, "{errors:?}");
}
