//! Limits of joints, met hard.

use crate::bodies::*;
use crate::support::run;
use sinew::*;
use std::sync::Arc;

/// What a limit may be exceeded by, rad: a hundredth of a degree.
const SLACK: f64 = 0.01 * std::f64::consts::PI / 180.0;

/// A link that hangs from the world at the origin by this joint, with a velocity about it.
fn pendulum(kind: JointKind, spin: DVec3) -> Arc<Model> {
    let link = Link::new(DVec3::Y * -0.25, DVec3::new(0.1, 0.5, 0.06)).thrown(DVec3::ZERO, spin);
    let mut builder = Model::builder();
    let bone = builder.add_rigid(link.body("link", Inertia::Volume));
    builder.joint(Joint { kind, ..Joint::ball("joint", [None, Some(bone)], DVec3::ZERO) });
    builder.gravity(GRAVITY);
    Arc::new(builder.build().unwrap())
}

/// Backward Euler, without and with energy projection, few iterations and many.
fn choices() -> Vec<Settings> {
    let mut all = Vec::new();
    for iterations in [1, 5, 20] {
        all.push(settings(1.0 / 60.0, iterations));
        all.push(Settings { correction: FEPR, ..settings(1.0 / 60.0, iterations) });
    }
    all.push(Settings { integrator: Integrator::ImplicitMidpoint, ..settings(1.0 / 60.0, 10) });
    all.push(Settings { solver: Solver::newton(), ..settings(1.0 / 60.0, 10) });
    all
}

fn named(settings: &Settings) -> String {
    format!("{:?}, {}, {}", settings.solver, settings.integrator.name(), settings.correction.name())
}

/// Swing of the axis and twist about it.
fn swing_twist(turn: DMat3, axis: DVec3) -> (f64, f64) {
    let swung = turn * axis;
    let swing = axis.cross(swung).length().atan2(axis.dot(swung));
    let rotation = DQuat::from_mat3(&turn);
    let twist = 2.0 * rotation.xyz().dot(axis).atan2(rotation.w);
    let whole = std::f64::consts::TAU;
    (swing, twist - whole * (twist / whole).round())
}

#[test]
fn a_hinge_stops_at_both_ends_of_its_range() {
    let range = [-0.4, 0.9];
    let model = pendulum(JointKind::Hinge { axis: DVec3::Z, range: Some(range) }, DVec3::Z * 20.0);
    let vertices = all(&model, 0);
    for settings in choices() {
        let (mut least, mut greatest) = (0.0f64, 0.0f64);
        let end = run(&model, settings, 300, |_, state| {
            let across = Fit::of(&model, state, &vertices).turn * DVec3::X;
            let angle = across.y.atan2(across.x);
            (least, greatest) = (least.min(angle), greatest.max(angle));
        });
        let name = named(&settings);
        assert_eq!(end.step_count(), 300, "{name}");
        assert!(greatest < range[1] + SLACK && least > range[0] - SLACK, "{name}: {least} to {greatest}");
        assert!(greatest > range[1] - 0.01, "{name}: it should arrive at its limit: {greatest}");
    }
}

#[test]
fn a_pendulum_stays_in_its_cone() {
    let limit = SwingTwist { axis: DVec3::Y * -2.0, cone: 0.6, twist: std::f64::consts::PI };
    for spin in [DVec3::Z * 20.0, DVec3::new(8.0, 3.0, 6.0), DVec3::new(1.0, -30.0, 15.0)] {
        let model = pendulum(JointKind::Ball { limit: Some(limit) }, spin);
        let vertices = all(&model, 0);
        for settings in choices() {
            let mut greatest = 0.0f64;
            let end = run(&model, settings, 300, |_, state| {
                let turn = Fit::of(&model, state, &vertices).turn;
                greatest = greatest.max(swing_twist(turn, DVec3::NEG_Y).0);
            });
            let name = named(&settings);
            assert_eq!(end.step_count(), 300, "{name}");
            assert!(greatest < limit.cone + SLACK, "{name}, {spin}: {greatest}");
            assert!(
                greatest > limit.cone - 0.02,
                "{name}, {spin}: it should arrive at its limit: {greatest}"
            );
        }
    }
}

#[test]
fn a_twist_ends_at_its_limit() {
    let limit = SwingTwist { axis: DVec3::NEG_Y, cone: 1.0, twist: 0.5 };
    for spin in [DVec3::Y * 40.0, DVec3::Y * -15.0, DVec3::new(4.0, 20.0, 2.0)] {
        let model = pendulum(JointKind::Ball { limit: Some(limit) }, spin);
        let vertices = all(&model, 0);
        for settings in choices() {
            let (mut swing, mut twist) = (0.0f64, 0.0f64);
            let end = run(&model, settings, 300, |_, state| {
                let now = swing_twist(Fit::of(&model, state, &vertices).turn, DVec3::NEG_Y);
                (swing, twist) = (swing.max(now.0), twist.max(now.1.abs()));
            });
            let name = named(&settings);
            assert_eq!(end.step_count(), 300, "{name}");
            assert!(
                twist < limit.twist + SLACK && swing < limit.cone + SLACK,
                "{name}, {spin}: {twist}, {swing}"
            );
            assert!(twist > limit.twist - 0.01, "{name}, {spin}: it should arrive at its limit: {twist}");
        }
    }
}

#[test]
fn limits_between_two_bones_count_from_the_first() {
    let size = DVec3::new(0.1, 0.4, 0.06);
    let links = [-0.2, -0.6].map(|y| Link::new(DVec3::Y * y, size).thrown(DVec3::ZERO, DVec3::Z * 6.0));
    let mut builder = Model::builder();
    let ids = links.map(|link| builder.add_rigid(link.body("link", Inertia::Volume)));
    builder.joint(Joint::ball("hook", [None, Some(ids[0])], DVec3::ZERO));
    let range = Some([0.0, 2.0]);
    let knee = Joint {
        kind: JointKind::Hinge { axis: DVec3::Z, range },
        ..Joint::ball("knee", ids.map(Some), DVec3::Y * -0.4)
    };
    builder.joint(knee);
    builder.gravity(GRAVITY);
    let model = Arc::new(builder.build().unwrap());
    let (upper, lower) = (all(&model, 0), all(&model, 1));
    for settings in choices() {
        let (mut least, mut greatest) = (0.0f64, 0.0f64);
        let end = run(&model, settings, 600, |_, state| {
            let [a, b] = [&upper, &lower].map(|vertices| Fit::of(&model, state, vertices).turn);
            let across = a.transpose() * (b * DVec3::X);
            let angle = across.y.atan2(across.x);
            (least, greatest) = (least.min(angle), greatest.max(angle));
        });
        let name = named(&settings);
        assert_eq!(end.step_count(), 600, "{name}");
        assert!(
            least > -SLACK && greatest < 2.0 + SLACK,
            "{name}: a knee bends one way: {least} to {greatest}"
        );
        assert!(greatest > 0.2, "{name}: {greatest}");
    }
}

#[test]
fn a_limit_takes_energy_and_never_gives_any() {
    let model = pendulum(JointKind::Hinge { axis: DVec3::Z, range: Some([-0.4, 0.9]) }, DVec3::Z * 20.0);
    let mut last = f64::INFINITY;
    run(&model, settings(1.0 / 240.0, 20), 1000, |k, state| {
        let energy = state.ledger().energy();
        assert!(energy < last + 1e-9, "step {k}: {last} J, then {energy} J");
        last = energy;
    });
}
