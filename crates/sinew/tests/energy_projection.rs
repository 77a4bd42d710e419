//! FEPR: energy and momenta that stay, without explosions, locks or noise.

mod support;

use sinew::*;
use std::sync::Arc;
use support::*;

const NEWTON: Solver = Solver::Newton(Budget { iterations: 100, tolerance: 1e-12 });
const PD5: Solver = Solver::ProjectiveDynamics {
    budget: Budget { iterations: 5, tolerance: 0.0 },
    acceleration: Acceleration::None,
};
const IMPLICIT: [Integrator; 4] =
    [Integrator::BackwardEuler, Integrator::Bdf2, Integrator::ImplicitMidpoint, Integrator::Newmark];

fn fepr(integrator: Integrator, solver: Solver) -> Settings {
    Settings { integrator, solver, correction: Correction::Fepr(Fepr::default()), ..Settings::default() }
}

/// What a run with a correction looked like.
#[derive(Debug, Default)]
struct Observed {
    /// max |H − H_total| over (largest K + largest change of E).
    drift: f64,
    /// max (H − H_total)/scale.
    overshoot: f64,
    linear_drift: f64,
    angular_drift: f64,
    axial: f64,
    energy_evaluations: f64,
    gradient_evaluations: f64,
    iterations: f64,
    fallbacks: usize,
    holds: usize,
    kinetic_kept: f64,
    frequency: f64,
    most_holds_in_a_row: usize,
}

fn observe(model: &Arc<Model>, settings: Settings, steps: usize) -> Observed {
    let mut state = State::new(model);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let momenta = |s: &State| Momenta::new(model.masses(), s.positions(), s.velocities());
    // Angular momentum about the y axis through the origin.
    let axial = |s: &State| -> f64 {
        let terms = model.masses().iter().zip(s.positions()).zip(s.velocities());
        terms.map(|((m, x), v)| m * x.cross(*v).y).sum()
    };
    let (start, first) = (momenta(&state), state.clone());
    let mut seen = Observed::default();
    let (mut kinetic, mut change) = (first.ledger().kinetic, 0.0f64);
    let (mut gap, mut above): (f64, f64) = (0.0, 0.0);
    let mut row = 0;
    let (mut early, mut late) = (0.0, 0.0);
    for k in 0..steps {
        let report = simulator.step(&mut state).unwrap();
        let ledger = state.ledger();
        kinetic = kinetic.max(ledger.kinetic);
        change = change.max((ledger.potential() - first.ledger().potential()).abs());
        gap = gap.max((ledger.energy() - ledger.target()).abs());
        above = above.max(ledger.energy() - ledger.target());
        let now = momenta(&state);
        let speed: f64 = model.masses().iter().zip(state.velocities()).map(|(m, v)| m * v.length()).sum();
        seen.linear_drift = seen.linear_drift.max((now.linear - start.linear).length() / speed);
        seen.angular_drift =
            seen.angular_drift.max((now.angular - start.angular).length() / start.angular.length());
        seen.axial = axial(&state) / axial(&first);
        seen.energy_evaluations += report.correction.energy_evaluations as f64 / steps as f64;
        seen.gradient_evaluations += report.correction.gradient_evaluations as f64 / steps as f64;
        seen.iterations += report.correction.iterations as f64 / steps as f64;
        seen.fallbacks += report.correction.fallbacks;
        seen.holds += report.correction.holds;
        row = if report.correction.holds > 0 { row + 1 } else { 0 };
        seen.most_holds_in_a_row = seen.most_holds_in_a_row.max(row);
        if k < steps / 5 {
            early += ledger.kinetic;
        }
        if k >= steps - steps / 5 {
            late += ledger.kinetic;
        }
        if k >= steps - steps / 3 {
            seen.frequency += model.frequency(state.velocities()).unwrap_or(0.0) / (steps / 3) as f64;
        }
    }
    seen.kinetic_kept = late / early;
    seen.drift = gap / (kinetic + change);
    seen.overshoot = above / (kinetic + change);
    seen
}

#[test]
fn free_stretched_cube_keeps_everything() {
    let model = free_cube(Constitutive::Corotated);
    for integrator in IMPLICIT {
        for solver in [NEWTON, PD5, Solver::Linearized] {
            let seen = observe(&model, fepr(integrator, solver), 1000);
            let what = format!("{} with {}: {seen:?}", integrator.name(), solver.name());
            println!("{what}");
            assert!(seen.drift <= 1e-10, "{what}");
            assert!(seen.linear_drift <= 1e-11 && seen.angular_drift <= 1e-11, "{what}");
            assert!(seen.energy_evaluations <= 3.5 && seen.gradient_evaluations <= 1.5, "{what}");
            assert_eq!(seen.fallbacks, 0, "{what}");
        }
    }
}

#[test]
fn cube_on_its_axle_keeps_energy_and_axial_momentum() {
    let model = cube_on_axle(3);
    for (integrator, axial) in [(Integrator::BackwardEuler, 1e-8), (Integrator::ImplicitMidpoint, 1e-3)] {
        let seen = observe(&model, fepr(integrator, NEWTON), 1000);
        println!("{}: {seen:?}", integrator.name());
        assert!(seen.drift <= 1e-9, "{}: {seen:?}", integrator.name());
        assert!((seen.axial - 1.0).abs() <= axial, "{}: {seen:?}", integrator.name());
    }
}

#[test]
fn rest_shape_spin_never_exceeds_its_energy_and_keeps_spinning() {
    for n in [3, 5] {
        let model = cube_on_axle(n);
        let seen = observe(&model, fepr(Integrator::BackwardEuler, NEWTON), 1000);
        println!("{n}: {seen:?}");
        assert!(seen.overshoot <= 1e-9 && seen.drift <= 1e-6, "{n}: {seen:?}");
        assert!(seen.axial >= 0.99, "{n}: {seen:?}");
    }
}
