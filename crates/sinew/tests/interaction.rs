//! What a user does to a running simulation: takes hold with any solver, changes the model, looks at fields.

use sinew::{
    Acceleration, Body, Budget, Cause, Constitutive, Correction, DVec3, Fepr, Grab, Lame, Model, Settings,
    Simulator, Solver, SpringLaw, State,
};
use std::sync::Arc;

/// A row of masses on springs along x, hanging from its first.
fn rope(stiffness: f64, pins: &[usize]) -> Arc<Model> {
    let points: Vec<DVec3> = (0..6).map(|i| DVec3::X * f64::from(i)).collect();
    let ends = (0..5).map(|i| [i, i + 1]).collect();
    let mut builder = Model::builder();
    builder.body(Body::new("rope", points).springs(ends, SpringLaw::Hookean, stiffness).masses(vec![0.1; 6]));
    builder.gravity(DVec3::NEG_Y * 9.81).grabs();
    pins.iter().for_each(|&i| {
        builder.pin(i);
    });
    Arc::new(builder.build().unwrap())
}

fn projective(acceleration: Acceleration) -> Solver {
    Solver::ProjectiveDynamics { budget: Budget::fixed(30), acceleration }
}

#[test]
fn every_solver_holds_a_grabbed_point() {
    let model = rope(500.0, &[0]);
    for solver in [
        projective(Acceleration::None),
        Solver::accelerated(30),
        Solver::newton(),
        Solver::Xpbd { iterations: 200 },
    ] {
        let mut state = State::new(&model);
        let settings = Settings { h: 1.0 / 60.0, solver, ..Settings::plain() };
        let mut simulator = Simulator::new(model.clone(), settings).unwrap();
        let grab = Grab {
            corners: [5; 3],
            weights: [1.0, 0.0, 0.0],
            stiffness: 2000.0,
            target: state.positions()[5],
        };
        let hand = state.controls_mut().grab(&model, grab).unwrap();
        for k in 0..120 {
            state
                .controls_mut()
                .move_grab(hand, DVec3::new(5.0 - 0.02 * f64::from(k.min(50)), 1.0, 0.0))
                .unwrap();
            simulator.step(&mut state).unwrap();
        }
        let gap = state.positions()[5].distance(DVec3::new(4.0, 1.0, 0.0));
        assert!(gap < 0.02, "{solver:?}: the held end is {gap} m from the pointer");
        assert!(state.ledger().entries[Cause::Grabs].abs() > 0.1, "{solver:?}: {:?}", state.ledger().entries);
    }
}

#[test]
fn a_stiffer_model_goes_on_from_where_the_softer_one_was() {
    let (soft, stiff) = (rope(500.0, &[0]), rope(2000.0, &[0]));
    let fepr = Settings { correction: Correction::Fepr(Fepr::default()), ..Settings::plain() };
    let mut state = State::new(&soft);
    let mut simulator = Simulator::new(soft.clone(), fepr).unwrap();
    for _ in 0..20 {
        simulator.step(&mut state).unwrap();
    }
    let mut next = state.carry_over(&soft, &stiff).unwrap();
    assert_eq!(next.positions(), state.positions());
    assert_eq!(next.velocities(), state.velocities());
    assert_eq!((next.time(), next.step_count()), (state.time(), state.step_count()));
    // Springs that are four times as stiff hold four times as much.
    let name = |model: &Model| model.potential_names().position(|n| n == "springs").unwrap();
    let (before, after) = (state.ledger().potentials[name(&soft)], next.ledger().potentials[name(&stiff)]);
    assert!((after - 4.0 * before).abs() < 1e-9 * after, "{before} {after}");
    assert!((next.ledger().entries[Cause::Edits] - (after - before)).abs() < 1e-9 * after);
    let mut simulator = Simulator::new(stiff, fepr).unwrap();
    for _ in 0..50 {
        simulator.step(&mut next).unwrap();
    }
    let ledger = next.ledger();
    let drift = (ledger.energy() - ledger.target()).abs() / ledger.kinetic.max(1.0);
    assert!(drift < 1e-9, "the books go on: {drift}");
}

#[test]
fn a_vertex_can_be_held_and_let_go_in_full_motion() {
    let (free, held) = (rope(500.0, &[0]), rope(500.0, &[0, 5]));
    let mut state = State::new(&free);
    let mut simulator = Simulator::new(free.clone(), Settings::plain()).unwrap();
    for _ in 0..15 {
        simulator.step(&mut state).unwrap();
    }
    let place = state.positions()[5];
    let kinetic = 0.05 * state.velocities()[5].length_squared();
    let mut pinned = state.carry_over(&free, &held).unwrap();
    assert!(
        (pinned.ledger().entries[Cause::Edits] + kinetic).abs() < 1e-12,
        "its motion is taken out of the books"
    );
    let mut simulator = Simulator::new(held.clone(), Settings::plain()).unwrap();
    for _ in 0..15 {
        simulator.step(&mut pinned).unwrap();
    }
    assert_eq!(pinned.positions()[5], place);
    let mut released = pinned.carry_over(&held, &free).unwrap();
    let mut simulator = Simulator::new(free, Settings::plain()).unwrap();
    for _ in 0..15 {
        simulator.step(&mut released).unwrap();
    }
    assert!(released.positions()[5].distance(place) > 0.1);
}

#[test]
fn a_body_can_join_and_other_bodies_cannot_be_meant() {
    let alone = rope(500.0, &[0]);
    let joined = |first: f64| {
        let mut builder = Model::builder();
        let points: Vec<DVec3> = (0..6).map(|i| DVec3::X * f64::from(i)).collect();
        let ends = (0..5).map(|i| [i, i + 1]).collect();
        let rope = Body::new("rope", points).springs(ends, SpringLaw::Hookean, 500.0).masses(vec![0.1; 6]);
        let pair = Body::new("pair", vec![DVec3::Y * first, DVec3::Y * (first + 1.0)])
            .springs(vec![[0, 1]], SpringLaw::Hookean, 10.0)
            .masses(vec![1.0; 2])
            .velocities(vec![DVec3::X; 2]);
        builder.body(rope);
        builder.body(pair);
        builder.gravity(DVec3::NEG_Y * 9.81).grabs().pin(0);
        builder.build().unwrap()
    };
    let mut state = State::new(&alone);
    Simulator::new(alone.clone(), Settings::plain()).unwrap().step(&mut state).unwrap();
    let both = joined(3.0);
    let next = state.carry_over(&alone, &both).unwrap();
    assert_eq!(&next.positions()[..6], state.positions());
    assert_eq!(next.velocities()[6], DVec3::X);
    // ½·2 kg·(1 m/s)² and 1 kg each at 3 m and 4 m.
    assert!(
        (next.ledger().entries[Cause::Edits] - (1.0 + 7.0 * 9.81)).abs() < 1e-9,
        "{:?}",
        next.ledger().entries
    );
    assert!(next.carry_over(&both, &alone).is_err(), "a body cannot vanish");
}

#[test]
fn fields_show_what_is_stretched() {
    // A block pulled to one and a half times its length along x.
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(DVec3::from);
    let lame = Lame { mu: 1000.0, lambda: 0.0 };
    let pulled = corners.map(|p| DVec3::new(1.5 * p.x, p.y, p.z)).to_vec();
    let body = Body::new("block", corners.to_vec())
        .tetrahedra(vec![[0, 1, 2, 3]], Constitutive::Corotated, lame, 600.0)
        .positions(pulled);
    let mut builder = Model::builder();
    builder.body(body);
    let model = builder.build().unwrap();
    let state = State::new(&model);
    let (mut energy, mut stress) = (Vec::new(), Vec::new());
    state.strain_energy(&model, &mut energy);
    state.stress(&model, &mut stress);
    // Ψ = μ|F − R|² = 1000·0.25 J/m³, and the body has 600 kg/m³.
    let total: f64 = energy.iter().zip(model.masses()).map(|(e, m)| e * m).sum();
    assert!((total - 250.0 / 6.0).abs() < 1e-9, "{energy:?}");
    // P = 2μ(F − R) = diag(1000, 0, 0), σ = P Fᵀ/J = diag(1000, 0, 0): von Mises 1000 Pa.
    assert!(stress.iter().all(|s| (s - 1000.0).abs() < 1e-6), "{stress:?}");

    let rope = rope(500.0, &[0]);
    let mut state = State::new(&rope);
    state.edit(&rope, |x, _| x[5].x += 0.1).unwrap();
    state.stress(&rope, &mut stress);
    state.strain_energy(&rope, &mut energy);
    assert!(
        (stress[5] - 50.0).abs() < 1e-9 && (stress[4] - 50.0).abs() < 1e-9 && stress[2] == 0.0,
        "{stress:?}"
    );
    assert!((energy[5] - 0.5 * 500.0 * 0.01 / 2.0 / 0.1).abs() < 1e-9, "{energy:?}");
}

#[test]
fn what_a_correction_did_can_be_seen() {
    let model = rope(500.0, &[0]);
    let settings = Settings { correction: Correction::Fepr(Fepr::default()), ..Settings::plain() };
    let mut state = State::new(&model);
    let mut simulator = Simulator::new(model, settings).unwrap();
    assert!(simulator.correction_sizes().is_none());
    simulator.watch_correction(true);
    let mut largest = 0.0f64;
    for _ in 0..10 {
        simulator.step(&mut state).unwrap();
        let sizes = simulator.correction_sizes().unwrap();
        assert_eq!(sizes.len(), 6);
        assert_eq!(sizes[0], 0.0, "a pinned vertex is not corrected");
        largest = sizes.iter().copied().fold(largest, f64::max);
    }
    assert!(largest > 1e-6 && largest < 1.0, "{largest}");
    simulator.watch_correction(false);
    assert!(simulator.correction_sizes().is_none());
}
