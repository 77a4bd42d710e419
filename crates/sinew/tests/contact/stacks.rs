//! Stacks stand.

use crate::scenes::*;
use sinew::*;

const BOXES: usize = 10;

/// Ten boxes on top of each other stand for ten seconds, or a minute with `SINEW_SOAK`: nobody creeps sideways by more than 5 mm, and nothing trembles at the end.
///
/// As one column of soft boxes they would buckle under their weight below E = 3·10⁶ Pa: (7.84 E I / ρgA)^⅓ is the height of a column that just stands, 2 m.
fn stands(rigid: bool, correction: Correction) {
    let seconds = if std::env::var_os("SINEW_SOAK").is_some() { 60 } else { 10 };
    let gap = 0.005 * SIDE * 3f64.sqrt();
    let bodies = (0..BOXES).map(|k| {
        let middle = DVec3::Y * (0.5 * SIDE + gap + (SIDE + gap) * k as f64);
        let one = soft_box(if rigid { 2 } else { 3 }, 1e7, middle, DVec3::ZERO);
        if rigid { one.rigid() } else { one }
    });
    let model = model(bodies.collect(), vec![floor()], law(0.0, 0.5, 0.5), GRAVITY);
    let mut state = State::new(&model);
    let acceleration = Acceleration::Lbfgs { history: 5, preconditioner: Precision::Double };
    let solver = Solver::ProjectiveDynamics { budget: Budget::ENOUGH, acceleration };
    let mut simulator = Simulator::new(model.clone(), Settings { solver, ..settings(correction) }).unwrap();
    let first: Vec<DVec3> = (0..BOXES).map(|b| middle(&model, &state, b)).collect();
    let mut before = state.positions().to_vec();
    let (mut creep, mut trembling) = (0.0f64, 0.0f64);
    for step in 0..30 * seconds {
        before.copy_from_slice(state.positions());
        simulator.step(&mut state).unwrap();
        for (b, first) in first.iter().enumerate() {
            let off = middle(&model, &state, b) - first;
            creep = creep.max(DVec3::new(off.x, 0.0, off.z).length());
        }
        if step >= 30 * (seconds - 1) {
            let moved = state.positions().iter().zip(&before).map(|(x, y)| x.distance(*y));
            trembling = moved.fold(trembling, f64::max);
        }
    }
    let sunk = first[BOXES - 1].y - middle(&model, &state, BOXES - 1).y;
    println!(
        "rigid {rigid}, {correction:?}: creep {creep:.1e} m, sunk {sunk:.1e} m, moves {trembling:.1e} m a step"
    );
    assert!(creep < 5e-3, "rigid {rigid}, {correction:?}: creeps {creep} m");
    assert!(sunk.abs() < 0.02, "rigid {rigid}, {correction:?}: sinks {sunk} m");
    assert!(trembling < 5e-5, "rigid {rigid}, {correction:?}: trembles by {trembling} m a step");
}

#[test]
fn ten_rigid_boxes_stand_without_correction() {
    stands(true, Correction::None);
}

#[test]
fn ten_rigid_boxes_stand_with_fepr() {
    stands(true, FEPR);
}

#[test]
fn ten_soft_boxes_stand_without_correction() {
    stands(false, Correction::None);
}

#[test]
fn ten_soft_boxes_stand_with_fepr() {
    stands(false, FEPR);
}
