//! The reference itself against exact solutions and conservation laws.

use glam::DVec3;
use sinew_reference::{Articulated, BallJoint, RigidBody};

const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

#[test]
fn a_free_box_keeps_energy_and_angular_momentum() {
    let body = RigidBody::cuboid(2.0, DVec3::X, DVec3::new(0.2, 0.5, 1.1));
    let spin = DVec3::new(0.1, 6.0, 0.2); // about the middle axis: it tumbles
    let body = RigidBody { velocity: DVec3::Y, spin, ..body };
    let mut system = Articulated::new(vec![body], vec![], DVec3::ZERO);
    let (energy, momentum) = (system.energy(), system.angular_momentum());
    let mut turned: f64 = 0.0;
    for _ in 0..20 {
        system.advance(0.1, 1000);
        turned = turned.max(system.spin(0).distance(spin));
    }
    assert!(turned > 3.0, "{turned}");
    assert!((system.energy() / energy - 1.0).abs() < 1e-10, "{:e}", system.energy() / energy - 1.0);
    assert!(system.angular_momentum().distance(momentum) < 1e-10 * momentum.length());
}

/// ∫ over a swing from rest at this angle: 2π√(I/(mgd))/agm(1, cos(θ/2)).
fn period(inertia: f64, moment: f64, angle: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * angle).cos());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    std::f64::consts::TAU * (inertia / (9.81 * moment)).sqrt() / a
}

#[test]
fn a_compound_pendulum_is_back_after_its_period() {
    let (mass, size) = (3.0, DVec3::new(1.0, 0.2, 0.4));
    let body = RigidBody::cuboid(mass, DVec3::X * 0.5, size);
    let joint = BallJoint { bodies: [None, Some(0)], position: DVec3::ZERO };
    let mut system = Articulated::new(vec![body], vec![joint], GRAVITY);
    let inertia = mass * ((1.0 + 0.04) / 12.0 + 0.25);
    // From the horizontal: a quarter turn to each side.
    system.advance(period(inertia, mass * 0.5, 0.5 * std::f64::consts::PI), 10_000);
    assert!(system.point(0, DVec3::X).distance(DVec3::X) < 1e-9, "{}", system.point(0, DVec3::X));
    assert!(system.gap() < 1e-14);
}

/// Angles of two bars from the vertical and their rates: d/dt for bars of unit mass and length with their centres in their
/// middles, from the Lagrangian in the two angles.
fn double_pendulum(state: [f64; 4], inertia: f64) -> [f64; 4] {
    let [a, b, da, db] = state;
    let (c, s) = ((a - b).cos(), (a - b).sin());
    let [first, coupling, second] = [0.25 + inertia + 1.0, 0.5 * c, 0.25 + inertia];
    let right = [-0.5 * s * db * db - 1.5 * 9.81 * a.sin(), 0.5 * s * da * da - 0.5 * 9.81 * b.sin()];
    let determinant = first * second - coupling * coupling;
    let dda = (second * right[0] - coupling * right[1]) / determinant;
    let ddb = (first * right[1] - coupling * right[0]) / determinant;
    [da, db, dda, ddb]
}

#[test]
fn a_planar_double_pendulum_agrees_with_its_two_angles() {
    let size = DVec3::new(1.0, 0.1, 0.1);
    let bars = [0.5, 1.5].map(|x| RigidBody::cuboid(1.0, DVec3::X * x, size)).to_vec();
    let hung = BallJoint { bodies: [Some(0), None], position: DVec3::ZERO };
    let elbow = BallJoint { bodies: [Some(0), Some(1)], position: DVec3::X };
    let mut system = Articulated::new(bars, vec![hung, elbow], GRAVITY);
    let energy = system.energy();

    let mut state = [0.5 * std::f64::consts::PI, 0.5 * std::f64::consts::PI, 0.0, 0.0];
    let (steps, h) = (20_000, 1e-4);
    let inertia = (1.0 + 0.01) / 12.0;
    for _ in 0..steps {
        let add = |rate: [f64; 4], h: f64| std::array::from_fn(|i| state[i] + h * rate[i]);
        let first = double_pendulum(state, inertia);
        let second = double_pendulum(add(first, 0.5 * h), inertia);
        let third = double_pendulum(add(second, 0.5 * h), inertia);
        let fourth = double_pendulum(add(third, h), inertia);
        for i in 0..4 {
            state[i] += h / 6.0 * (first[i] + 2.0 * second[i] + 2.0 * third[i] + fourth[i]);
        }
    }
    system.advance(steps as f64 * h, steps);
    let along = |angle: f64| DVec3::new(angle.sin(), -angle.cos(), 0.0);
    let elbow = along(state[0]);
    let end = elbow + along(state[1]);
    assert!(system.point(0, DVec3::X).distance(elbow) < 1e-8, "{} {elbow}", system.point(0, DVec3::X));
    assert!(system.point(1, DVec3::X * 2.0).distance(end) < 1e-8);
    assert!((system.energy() - energy).abs() < 1e-9 && system.gap() < 1e-14);
}

#[test]
fn a_closed_ring_stays_closed() {
    let n = 6;
    let place = |k: f64| {
        DVec3::new(
            (std::f64::consts::TAU * k / n as f64).cos(),
            0.0,
            (std::f64::consts::TAU * k / n as f64).sin(),
        )
    };
    let bead = |k: usize| RigidBody::cuboid(1.0, place(k as f64), DVec3::splat(0.2));
    let joint =
        |k: usize| BallJoint { bodies: [Some(k), Some((k + 1) % n)], position: place(k as f64 + 0.5) };
    let mut joints: Vec<_> = (0..n).map(joint).collect();
    joints.push(BallJoint { bodies: [Some(0), None], position: place(0.0) });
    let mut system = Articulated::new((0..n).map(bead).collect(), joints, GRAVITY);
    let energy = system.energy();
    system.advance(0.5, 1000);
    assert!((system.energy() - energy).abs() < 1e-6, "{}", system.energy() - energy);
    assert!(system.gap() < 1e-13, "{:e}", system.gap());
    assert!(system.point(3, DVec3::ZERO).y < -0.5);
}
