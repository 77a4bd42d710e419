//! Order of accuracy: halving the step divides the error by 2 (first order) or 4 (second order).

mod support;

use sinew::{
    Acceleration, Budget, Constitutive, DVec3, Integrator, Precision, Settings, Simulator, Solver, State,
};
use std::sync::Arc;
use support::*;

fn newton() -> Solver {
    Solver::Newton(Budget::to(100, 1e-14))
}

fn positions_after(
    model: &Arc<sinew::Model>,
    integrator: Integrator,
    solver: Solver,
    time: f64,
    steps: usize,
) -> Vec<DVec3> {
    let settings = Settings { h: time / steps as f64, integrator, solver, ..Settings::plain() };
    run(model, settings, steps, |_, _: &State| {}).positions().to_vec()
}

fn distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum::<f64>().sqrt()
}

/// log₂ of the ratio of the errors of two successive halvings of the step.
fn observed_order(integrator: Integrator) -> f64 {
    let model = free_cube(Constitutive::Corotated);
    let time = 0.05;
    let truth = positions_after(&model, Integrator::ImplicitMidpoint, newton(), time, 6400);
    let coarse = distance(&positions_after(&model, integrator, newton(), time, 400), &truth);
    let fine = distance(&positions_after(&model, integrator, newton(), time, 800), &truth);
    (coarse / fine).log2()
}

#[test]
fn backward_euler_is_first_order() {
    let order = observed_order(Integrator::BackwardEuler);
    assert!((0.9..1.15).contains(&order), "{order}");
}

#[test]
fn bdf2_midpoint_and_newmark_are_second_order() {
    for integrator in [Integrator::Bdf2, Integrator::ImplicitMidpoint, Integrator::Newmark] {
        let order = observed_order(integrator);
        assert!((1.85..2.15).contains(&order), "{}: {order}", integrator.name());
    }
}

#[test]
fn generalized_alpha_is_second_order() {
    for spectral_radius in [0.0, 0.5, 0.8] {
        let order = observed_order(Integrator::GeneralizedAlpha { spectral_radius });
        assert!((1.85..2.15).contains(&order), "{spectral_radius}: {order}");
    }
}

#[test]
fn generalized_alpha_that_damps_nothing_is_the_midpoint_rule() {
    let model = free_cube(Constitutive::Corotated);
    let alpha = Integrator::GeneralizedAlpha { spectral_radius: 1.0 };
    let end = |rule| positions_after(&model, rule, newton(), 0.5, 15);
    let off = distance(&end(alpha), &end(Integrator::ImplicitMidpoint));
    assert!(off < 1e-9, "{off:e}");
}

#[test]
fn both_explicit_eulers_are_first_order() {
    for integrator in [Integrator::ForwardEuler, Integrator::SymplecticEuler] {
        let order = observed_order(integrator);
        assert!((0.85..1.15).contains(&order), "{}: {order}", integrator.name());
    }
}

#[test]
fn newton_and_projective_dynamics_agree_on_the_minimum() {
    let long = Budget::to(5000, 1e-15);
    for law in [Constitutive::Corotated, Constitutive::Arap] {
        let model = free_cube(law);
        for integrator in
            [Integrator::BackwardEuler, Integrator::Bdf2, Integrator::ImplicitMidpoint, Integrator::Newmark]
        {
            let exact = positions_after(&model, integrator, newton(), 0.1, 3);
            let plain = Solver::ProjectiveDynamics { budget: long, acceleration: Acceleration::None };
            let error = distance(&positions_after(&model, integrator, plain, 0.1, 3), &exact);
            assert!(error < 1e-8, "plain, {law:?}, {}: {error:e}", integrator.name());
        }
    }
}

#[test]
fn lbfgs_reaches_the_minimum_of_every_material() {
    let budget = Budget::to(500, 1e-15);
    for law in [
        Constitutive::Corotated,
        Constitutive::Arap,
        Constitutive::StVenantKirchhoff,
        Constitutive::NeoHookean,
    ] {
        let model = free_cube(law);
        let exact = positions_after(&model, Integrator::BackwardEuler, newton(), 0.1, 3);
        let acceleration = Acceleration::Lbfgs { history: 5, preconditioner: Precision::Double };
        let fast = Solver::ProjectiveDynamics { budget, acceleration };
        let error = distance(&positions_after(&model, Integrator::BackwardEuler, fast, 0.1, 3), &exact);
        assert!(error < 1e-8, "{law:?}: {error:e}");
    }
}

#[test]
fn a_preconditioner_in_single_precision_ends_at_the_same_answer() {
    let budget = Budget::to(500, 1e-8);
    for law in [Constitutive::Corotated, Constitutive::StVenantKirchhoff, Constitutive::NeoHookean] {
        let model = free_cube(law);
        let exact = positions_after(&model, Integrator::BackwardEuler, newton(), 0.1, 3);
        for preconditioner in [Precision::Double, Precision::Single] {
            let acceleration = Acceleration::Lbfgs { history: 5, preconditioner };
            let solver = Solver::ProjectiveDynamics { budget, acceleration };
            let mut state = State::new(&model);
            let mut simulator =
                Simulator::new(model.clone(), Settings { h: 0.1 / 3.0, solver, ..Settings::plain() })
                    .unwrap();
            for _ in 0..3 {
                let iterations = simulator.step(&mut state).unwrap().iterations;
                assert!(iterations < 60, "{law:?}, {preconditioner:?}: {iterations} iterations");
            }
            // Three steps, each to a hundred-millionth of a body of 1 m.
            let error = distance(state.positions(), &exact);
            assert!(error < 1e-7, "{law:?}, {preconditioner:?}: {error:e}");
        }
    }
}

#[test]
fn xpbd_converges_to_backward_euler_and_its_kin() {
    for law in [Constitutive::Corotated, Constitutive::StVenantKirchhoff, Constitutive::NeoHookean] {
        let model = free_cube(law);
        for integrator in [Integrator::BackwardEuler, Integrator::ImplicitMidpoint, Integrator::Newmark] {
            let exact = positions_after(&model, integrator, newton(), 0.05, 3);
            let one = positions_after(&model, integrator, Solver::Xpbd { iterations: 1 }, 0.05, 3);
            let many = positions_after(&model, integrator, Solver::Xpbd { iterations: 2000 }, 0.05, 3);
            let (rough, error) = (distance(&one, &exact), distance(&many, &exact));
            assert!(
                error < 1e-6 && error < 1e-3 * rough,
                "{law:?}, {}: {error:e} after {rough:e}",
                integrator.name()
            );
        }
    }
}

#[test]
fn xpbd_on_cloth_comes_close_and_stays_there() {
    // Scalar constraints do not end exactly at the minimum, but more sweeps must not lead away from it.
    let model = hanging_cloth(21, sinew::SpringLaw::Hookean);
    let exact = positions_after(&model, Integrator::BackwardEuler, newton(), 0.1, 3);
    let error = |iterations| {
        let found = positions_after(&model, Integrator::BackwardEuler, Solver::Xpbd { iterations }, 0.1, 3);
        distance(&found, &exact)
    };
    let (few, many, very_many) = (error(5), error(200), error(1000));
    assert!(many < 0.3 * few && very_many < 0.5 * many, "{few:e}, {many:e}, {very_many:e}");
}
