//! The same simulation with a factor and with multigrid.

mod support;

use sinew::*;
use std::sync::Arc;
use support::*;

/// 11³ vertices, more than the coarsest level takes.
fn cube() -> Arc<Model> {
    let stiff = Lame::new(1e5, 1e5).unwrap();
    build(spinning_cube(10, Constitutive::Corotated, stiff, DVec3::new(1.2, 0.95, 0.95), 2.0))
}

fn settings(global: GlobalMethod) -> Settings {
    Settings { global, ..Settings::plain() }
}

fn simulate(model: &Arc<Model>, settings: Settings, steps: usize) -> State {
    run(model, settings, steps, |_, _| {})
}

fn distance(a: &State, b: &State) -> f64 {
    let pairs = a.positions().iter().zip(b.positions());
    pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

#[test]
fn converged_steps_agree_with_the_factor() {
    let model = cube();
    let lbfgs = Acceleration::Lbfgs { history: 5, preconditioner: Precision::Double };
    // Plain iterations converge linearly and slowly; the rest that they leave is the same only up to that rate.
    for (acceleration, iterations, agree) in [(lbfgs, 200, 1e-7), (Acceleration::None, 400, 1e-4)] {
        let budget = Budget::to(iterations, 1e-10);
        let solver = Solver::ProjectiveDynamics { budget, acceleration };
        let with = |global| simulate(&model, Settings { solver, ..settings(global) }, 3);
        let difference = distance(&with(GlobalMethod::Direct), &with(GlobalMethod::Multigrid));
        assert!(difference <= agree * model.size(), "{difference} m with {acceleration:?}");
    }
}

#[test]
fn twenty_iterations_end_where_the_factor_ends() {
    let model = cube();
    let with = |global| simulate(&model, settings(global), 10);
    let (direct, multigrid) = (with(GlobalMethod::Direct), with(GlobalMethod::Multigrid));
    let travelled = distance(&direct, &State::new(&model));
    let difference = distance(&direct, &multigrid);
    assert!(difference <= 1e-2 * travelled, "{difference} m apart after {travelled} m");
}

#[test]
fn linear_momentum_is_kept_to_rounding() {
    let model = cube();
    let mut state = State::new(&model);
    let kick = DVec3::new(3.0, -1.0, 0.5);
    state.edit(&model, |_, v| v.iter_mut().for_each(|v| *v += kick)).unwrap();
    let before = Momenta::new(model.masses(), state.positions(), state.velocities());
    for correction in [Correction::None, Correction::Fepr(Fepr::default())] {
        let mut state = state.clone();
        let settings = Settings { correction, ..settings(GlobalMethod::Multigrid) };
        let mut simulator = Simulator::new(model.clone(), settings).unwrap();
        for _ in 0..20 {
            simulator.step(&mut state).unwrap();
        }
        let after = Momenta::new(model.masses(), state.positions(), state.velocities());
        let drift = (after.linear - before.linear).length() / before.linear.length();
        assert!(drift < 1e-11, "{drift} with {}", correction.name());
    }
}

#[test]
fn energy_projection_keeps_the_energy() {
    let model = cube();
    for global in [GlobalMethod::Direct, GlobalMethod::Multigrid] {
        let mut state = State::new(&model);
        let settings = Settings { correction: Correction::Fepr(Fepr::default()), ..settings(global) };
        let mut simulator = Simulator::new(model.clone(), settings).unwrap();
        let initial = state.ledger().energy();
        for _ in 0..60 {
            simulator.step(&mut state).unwrap();
        }
        let drift = (state.ledger().energy() - initial).abs() / initial;
        assert!(drift < 1e-9, "{global:?}: drift {drift}");
    }
}

#[test]
fn switching_between_two_steps_changes_nothing_but_rounding() {
    let model = cube();
    let budget = Budget::to(200, 1e-10);
    let acceleration = Acceleration::Lbfgs { history: 5, preconditioner: Precision::Double };
    let solver = Solver::ProjectiveDynamics { budget, acceleration };
    let start = Settings { solver, ..settings(GlobalMethod::Direct) };
    let mut state = State::new(&model);
    let mut simulator = Simulator::new(model.clone(), start).unwrap();
    for global in [GlobalMethod::Multigrid, GlobalMethod::Direct, GlobalMethod::Auto] {
        simulator.step(&mut state).unwrap();
        simulator.set_settings(Settings { global, ..start }).unwrap();
        assert_eq!(simulator.settings().global, global);
    }
    let reference = simulate(&model, start, 3);
    let difference = distance(&state, &reference);
    assert!(difference <= 1e-7 * model.size(), "{difference} m");
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let model = cube();
    let settings =
        Settings { correction: Correction::Fepr(Fepr::default()), ..settings(GlobalMethod::Multigrid) };
    let alone = simulate(&model, settings, 4).hash();
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| simulate(&model, settings, 4).hash()), alone, "{threads} threads");
    }
}
