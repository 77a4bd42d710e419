//! What the integrators keep, lose and gain: the table of known behaviour.

mod support;

use sinew::*;
use std::sync::Arc;
use support::*;

const NEWTON: Solver = Solver::Newton(Budget::to(100, 1e-13));

fn with(integrator: Integrator) -> Settings {
    Settings { integrator, solver: NEWTON, ..Settings::plain() }
}

fn angular(model: &Model, state: &State) -> DVec3 {
    Momenta::new(model.masses(), state.positions(), state.velocities()).angular
}

/// H and |L| after 10 s over their start, C27 on its axle.
fn left_after_ten_seconds(integrator: Integrator) -> (f64, f64) {
    let model = cube_on_axle(3);
    let start = State::new(&model);
    let end = run(&model, with(integrator), 300, |_, _| {});
    assert_eq!(end.step_count(), 300);
    let l = angular(&model, &end).length() / angular(&model, &start).length();
    (end.ledger().energy() / start.ledger().energy(), l)
}

#[test]
fn backward_euler_damps_a_spinning_cube_heavily() {
    let (h, l) = left_after_ten_seconds(Integrator::BackwardEuler);
    assert!((0.045..0.07).contains(&h), "H {h}");
    assert!((0.21..0.27).contains(&l), "L {l}");
}

#[test]
fn bdf2_damps_it_less() {
    let (h, l) = left_after_ten_seconds(Integrator::Bdf2);
    assert!((0.77..0.84).contains(&h), "H {h}");
    assert!((0.87..0.92).contains(&l), "L {l}");
}

#[test]
fn implicit_midpoint_explodes_on_the_axle() {
    let model = cube_on_axle(5);
    let initial = State::new(&model).ledger().energy();
    let mut exploded = None;
    run(&model, with(Integrator::ImplicitMidpoint), 100, |k, state| {
        if exploded.is_none() && state.ledger().energy() > 10.0 * initial {
            exploded = Some(k);
        }
    });
    assert!(exploded.is_some(), "implicit midpoint was expected to explode");
}

#[test]
fn implicit_midpoint_keeps_the_momenta_of_a_free_body_while_it_explodes() {
    let lame = Lame::new(1e4, 1e4).unwrap();
    let model = build(spinning_cube(5, Constitutive::Corotated, lame, DVec3::new(1.2, 0.95, 0.95), 5.0));
    let start = State::new(&model);
    let before = angular(&model, &start);
    let mut highest: f64 = 0.0;
    let mut worst: f64 = 0.0;
    run(&model, with(Integrator::ImplicitMidpoint), 50, |_, state| {
        highest = highest.max(state.ledger().energy() / start.ledger().energy());
        worst = worst.max((angular(&model, state) - before).length() / before.length());
    });
    assert!(highest > 100.0, "expected an explosion, highest H/H₀ was {highest}");
    assert!(worst < 1e-10, "|ΔL| {worst:e}");
}

/// Eq. 7 of Stabilizing Integrators: k/2(|x|² − 1)², k = 1e5, 0.5 kg, from 1.5 m at 10 m/s.
fn simple_spring() -> Arc<Model> {
    let mut builder = Model::builder();
    builder.body(
        Body::new("spring", vec![DVec3::ZERO, DVec3::X])
            .springs(vec![[0, 1]], SpringLaw::Squared, 1e5)
            .masses(vec![0.5, 0.5])
            .positions(vec![DVec3::ZERO, DVec3::X * 1.5])
            .velocities(vec![DVec3::ZERO, DVec3::Y * 10.0]),
    );
    builder.pin(0);
    Arc::new(builder.build().unwrap())
}

#[test]
fn implicit_midpoint_explodes_on_one_spring() {
    let model = simple_spring();
    let h0 = State::new(&model).ledger().energy();
    assert!((h0 - 78_150.0).abs() < 1e-6, "{h0}");
    let mut ratio = vec![1.0];
    let settings = Settings { h: 0.033, ..with(Integrator::ImplicitMidpoint) };
    run(&model, settings, 5, |_, state| ratio.push(state.ledger().energy() / h0));
    assert!(ratio[2] > 10.0, "{ratio:?}");
    assert!(ratio[5] > 100.0, "{ratio:?}");
}

#[test]
fn backward_euler_can_raise_the_energy_of_a_nonconvex_potential() {
    // Fig. 14 of Stabilizing Integrators: a vertex between two springs that are too long for the gap.
    let mut builder = Model::builder();
    builder.body(
        Body::new("two springs", vec![DVec3::Y, DVec3::ZERO, -DVec3::Y])
            .graded_springs(
                vec![[0, 1], [1, 2]],
                SpringLaw::Hookean,
                vec![100.0; 2],
                Some(vec![std::f64::consts::SQRT_2; 2]),
            )
            .masses(vec![1.0; 3])
            .positions(vec![DVec3::Y, DVec3::X * 0.1, -DVec3::Y])
            .velocities(vec![DVec3::ZERO, DVec3::X * -3.0, DVec3::ZERO]),
    );
    builder.pin(0).pin(2);
    let model = Arc::new(builder.build().unwrap());
    let mut last = State::new(&model).ledger().energy();
    let (first, mut rises) = (last, 0);
    run(&model, Settings { h: 0.1, ..with(Integrator::BackwardEuler) }, 600, |_, state| {
        let h = state.ledger().energy();
        if h > last * (1.0 + 1e-9) {
            rises += 1;
        }
        last = h;
    });
    assert!(rises >= 1, "no rise in 600 steps");
    assert!(last < first, "but the trend is down");
}

#[test]
fn rigid_preserving_damping_keeps_both_momenta_and_the_books() {
    let model = free_cube(Constitutive::Corotated);
    let start = State::new(&model);
    let before = Momenta::new(model.masses(), start.positions(), start.velocities());
    let damping = Damping { rigid_preserving: 0.2, ..Damping::default() };
    let settings = Settings { h: 1e-3, damping, ..with(Integrator::ImplicitMidpoint) };
    let end = run(&model, settings, 200, |_, _| {});
    let after = Momenta::new(model.masses(), end.positions(), end.velocities());
    assert!((after.angular - before.angular).length() < 1e-11 * before.angular.length());
    assert!((after.linear - before.linear).length() < 1e-12);
    let ledger = end.ledger();
    assert!(ledger.entries[Cause::RigidPreserving] > 0.0 && ledger.entries[Cause::Ether] == 0.0);
    let gap = (ledger.energy() - ledger.target()).abs();
    assert!(gap < 1e-3 * ledger.initial, "gap {gap} of {}", ledger.initial);
}

#[test]
fn ether_drag_is_accounted_and_never_reverses_motion() {
    let model = free_cube(Constitutive::Corotated);
    let huge = Damping { ether: 1e9, ..Damping::default() };
    let end = run(&model, Settings { damping: huge, ..with(Integrator::BackwardEuler) }, 1, |_, _| {});
    assert!(end.velocities().iter().all(|v| *v == DVec3::ZERO));
    assert!(end.ledger().entries[Cause::Ether] > 0.0);
}

#[test]
fn moved_attachments_pay_into_the_ledger() {
    let mut builder = Model::builder();
    builder.body(Body::new("point", vec![DVec3::ZERO]).masses(vec![2.0]));
    let hook = builder.add_attachment(0, 50.0, None);
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::new(&model);
    let mut simulator =
        Simulator::new(model, Settings { h: 1e-3, ..with(Integrator::ImplicitMidpoint) }).unwrap();
    state.controls_mut().move_target(hook, DVec3::X * 0.1).unwrap();
    let report = simulator.step(&mut state).unwrap();
    // The mean force of the spring, times its way; the point has moved by a few micrometres.
    let work = 0.5 * 50.0 * (0.1 - state.positions()[0].x) * 0.1;
    let booked = report.entries.added();
    assert!((booked - work).abs() < 1e-15, "{booked} {work}");
    for _ in 0..1000 {
        simulator.step(&mut state).unwrap();
    }
    // Implicit midpoint conserves quadratic energies: everything is as the ledger says.
    assert!((state.ledger().energy() - booked).abs() < 1e-12);
    assert!(state.controls_mut().move_target(sinew::AttachmentId(7), DVec3::ZERO).is_err());
    assert!(state.controls_mut().move_target(hook, DVec3::NAN).is_err());
}

#[test]
fn edits_are_booked_as_added_energy() {
    let model = free_cube(Constitutive::Corotated);
    let mut state = State::new(&model);
    let target = state.ledger().target();
    state.edit(&model, |_, v| v.iter_mut().for_each(|v| *v *= 2.0)).unwrap();
    let ledger = state.ledger();
    assert!(ledger.entries.added() > 0.0);
    assert!((ledger.target() - ledger.energy()).abs() < 1e-12 * target);
    let hash = state.hash();
    assert!(state.edit(&model, |x, _| x[3] = DVec3::NAN).is_err());
    assert_eq!(state.hash(), hash, "a refused edit changes nothing");
}
