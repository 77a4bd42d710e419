//! Heights of rebound and what the ledger says about them.

use crate::scenes::*;
use crate::support::run;
use sinew::contact::ContactLaw;
use sinew::*;

/// Greatest height of the middle after the first contact, as a share of the drop, and the end.
fn rebound(law: ContactLaw, correction: Correction, seconds: usize) -> (f64, State) {
    let drop = 1.0;
    let start = DVec3::Y * (0.5 * SIDE + drop);
    let model = model(vec![soft_box(3, 1e6, start, DVec3::ZERO)], vec![floor()], law, GRAVITY);
    let (mut met, mut highest) = (false, 0.0f64);
    let (mut worst, mut open) = (0.0f64, 0);
    let end = run(&model, settings(correction), 30 * seconds, |_, state| {
        let rising = drift(&model, state, 0).y > 0.0;
        met |= rising;
        if met {
            highest = highest.max((middle(&model, state, 0).y - 0.5 * SIDE) / drop);
        }
        worst = worst.max(imbalance(state));
        open += u64::from(imbalance(state) > 1e-9);
    });
    assert_eq!(end.step_count(), 30 * seconds as u64);
    if correction != Correction::None {
        // What lies still after a fall may owe a little for a step.
        let elastic = law.restitution > 0.0;
        assert!(elastic || worst < 0.03, "{law:?}: the ledger is off by {worst:e}");
        assert!(!elastic || open == 0, "{law:?}: {open} steps leave the ledger open, by up to {worst:e}");
    }
    (highest, end)
}

#[test]
fn rebound_heights_follow_restitution() {
    for (e, tolerance) in [(1.0, 0.01), (0.5, 0.1), (0.0, 0.02)] {
        let (height, end) = rebound(law(e, 0.0, 0.0), FEPR, 1);
        let lost = end.ledger().entries[Cause::Restitution];
        assert!((height - e * e).abs() < tolerance, "e = {e}: {height}");
        assert_eq!(lost > 0.0, e < 1.0, "e = {e}: {lost} J");
    }
}

#[test]
fn without_a_correction_nothing_rebounds_higher() {
    for e in [1.0, 0.5, 0.0] {
        let (height, _) = rebound(law(e, 0.0, 0.0), Correction::None, 1);
        assert!(height < e * e + 0.02, "e = {e}: {height}");
    }
}

#[test]
fn a_box_bounces_elastically_for_long() {
    let (height, end) = rebound(ContactLaw::default(), FEPR, 20);
    let ledger = end.ledger();
    assert!(height < 1.005, "{height}");
    assert_eq!(ledger.entries.dissipated(), 0.0);
    let brought = ledger.entries.added();
    assert!(brought.abs() < 1e-9 * ledger.initial, "{brought} J came from nowhere");
    let drift = (ledger.energy() - ledger.initial).abs() / ledger.initial;
    assert!(drift < 1e-9, "{drift:e}");
}

/// A box that turns about its lower edge fast enough to get its middle up by a tenth of its side: how far it gets up, m.
fn tipped(rigid: bool, restitution: f64, correction: Correction) -> f64 {
    let rise = 0.1 * SIDE;
    let omega = (3.0 * GRAVITY * rise).sqrt() / SIDE;
    // The contact distance is 0.5 % of the body's size.
    let middle = DVec3::Y * (0.5 + 0.005 * 3f64.sqrt()) * SIDE;
    let (velocity, spin) = (DVec3::new(1.0, 1.0, 0.0) * (0.5 * omega * SIDE), DVec3::Z * -omega);
    let body = soft_box(5, 3e6, middle, DVec3::ZERO);
    let body = if rigid {
        body.rigid().rigid_velocity(velocity, spin)
    } else {
        let points = crate::support::cube(5).0;
        let velocities = points.iter().map(|point| velocity + spin.cross(*point * SIDE)).collect();
        body.velocities(velocities)
    };
    let model = model(vec![body], vec![floor()], law(restitution, 1.5, 1.5), GRAVITY);
    let settings = Settings { h: 1.0 / 240.0, solver: Solver::accelerated(40), ..settings(correction) };
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let mut state = State::new(&model);
    let start = middle_of(&model, &state);
    let mut highest: f64 = 0.0;
    for _ in 0..60 {
        simulator.step(&mut state).unwrap();
        highest = highest.max(middle_of(&model, &state) - start);
    }
    highest
}

fn middle_of(model: &Model, state: &State) -> f64 {
    middle(model, state, 0).y
}

/// Restitution below one kept the middle of a body from going up while it touched: nothing could tip over an edge, or roll over.
#[test]
fn what_does_not_bounce_could_not_tip_over() {
    for rigid in [true, false] {
        for restitution in [0.0, 0.3] {
            for correction in [Correction::None, FEPR] {
                let rise = tipped(rigid, restitution, correction) / (0.1 * SIDE);
                assert!(
                    (0.93..1.07).contains(&rise),
                    "rigid {rigid}, e {restitution}, {}: {rise}",
                    correction.name()
                );
            }
        }
    }
}
