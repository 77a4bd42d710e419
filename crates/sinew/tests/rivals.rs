//! The rivals of FEPR: what they keep, where they fail.

mod support;

use sinew::*;
use std::sync::Arc;
use support::*;

fn with(integrator: Integrator, correction: Correction) -> Settings {
    Settings { integrator, solver: Solver::newton(), correction, ..Settings::plain() }
}

/// Largest |H/H₀ − 1|, final L/L₀ about the y axis, failures, steps taken.
fn watch(model: &Arc<Model>, settings: Settings, steps: usize) -> (f64, f64, usize, u64) {
    let axial = |s: &State| -> f64 {
        let terms = model.masses().iter().zip(s.positions()).zip(s.velocities());
        terms.map(|((m, x), v)| m * x.cross(*v).y).sum()
    };
    let mut state = State::new(model);
    let (h0, l0) = (state.ledger().energy(), axial(&state));
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let (mut worst, mut failures): (f64, usize) = (0.0, 0);
    for _ in 0..steps {
        match simulator.step(&mut state) {
            Ok(report) => failures += report.correction.fallbacks,
            Err(_) => break,
        }
        worst = worst.max((state.ledger().energy() / h0 - 1.0).abs());
    }
    (worst, axial(&state) / l0, failures, state.step_count())
}

#[test]
fn discrete_gradient_conserves_energy() {
    let model = free_cube(Constitutive::Corotated);
    let settings = Settings { h: 0.01, ..with(Integrator::DiscreteGradient, Correction::None) };
    let (worst, _, _, steps) = watch(&model, settings, 300);
    assert!(worst < 1e-9 && steps == 300, "{worst:e}");
    let refused = Settings { solver: Settings::plain().solver, ..settings };
    assert!(Simulator::new(model, refused).unwrap_err().to_string().contains("newton"));
}

#[test]
fn blend_keeps_energy_within_epsilon_and_loses_angular_momentum() {
    let model = cube_on_axle(3);
    let (worst, momentum, failures, steps) =
        watch(&model, with(Integrator::ImplicitMidpoint, Correction::Blend(Blend::default())), 1000);
    assert!(worst <= 0.0101 && failures == 0 && steps == 1000, "H {worst}, {failures} failures");
    assert!(momentum < 0.999, "it was expected to lose some of L, kept {momentum}");
}

#[test]
fn lagrange_multiplier_keeps_energy_and_loses_angular_momentum() {
    let model = cube_on_axle(3);
    let (worst, momentum, failures, steps) =
        watch(&model, with(Integrator::BackwardEuler, Correction::LagrangeMultiplier), 279);
    assert_eq!(steps, 279);
    assert!(worst < 1e-9, "H {worst:e}, {failures} failures");
    assert!(momentum < 0.999, "L {momentum}");
}

#[test]
fn velocity_projection_counts_its_failures() {
    let lame = Lame::new(1e4, 1e4).unwrap();
    let model = build(spinning_cube(5, Constitutive::Corotated, lame, DVec3::new(1.5, 0.7, 0.9), 5.0));
    let (worst, _, failures, _) =
        watch(&model, with(Integrator::ImplicitMidpoint, Correction::VelocityProjection), 200);
    assert!(failures > 0 && worst > 0.01, "H {worst}, {failures} failures");
}

#[test]
fn projection_as_printed_explodes_or_locks_where_the_shipped_one_does_not() {
    let model = cube_on_axle(3);
    let (worst, momentum, failures, steps) =
        watch(&model, with(Integrator::BackwardEuler, Correction::FeprPaper), 300);
    let lost = steps < 300 || worst > 0.1 || !(0.9..1.1).contains(&momentum);
    assert!(lost, "H {worst:e}, L {momentum}, {failures} failures, {steps} steps");
}

#[test]
fn fast_projection_is_close_to_the_exact_one() {
    // One step from the same candidate: Eq. 8 against the Newton–KKT solution of Eq. 2. The midpoint rule has the right
    // momenta, so that s and t, which the distance does not see, stay idle.
    let model = free_cube(Constitutive::Corotated);
    let mut candidate = State::new(&model);
    let base = with(Integrator::ImplicitMidpoint, Correction::None);
    Simulator::new(model.clone(), base).unwrap().step(&mut candidate).unwrap();
    let distance = |correction| {
        let mut state = State::new(&model);
        let settings = with(Integrator::ImplicitMidpoint, correction);
        let report = Simulator::new(model.clone(), settings).unwrap().step(&mut state).unwrap();
        assert_eq!(report.correction.fallbacks, 0, "{}", settings.correction.name());
        let h = settings.h;
        let mut sum = 0.0;
        for i in 0..model.vertex_count() {
            let dx = state.positions()[i].distance_squared(candidate.positions()[i]);
            let dv = state.velocities()[i].distance_squared(candidate.velocities()[i]);
            sum += 0.5 * model.masses()[i] * (dx + h * h * dv);
        }
        sum
    };
    let (fast, exact) = (distance(Correction::FeprPaper), distance(Correction::FeprSqp));
    assert!(fast >= exact * (1.0 - 1e-6) && fast <= 1.2 * exact, "{fast:e} against {exact:e}");
}

#[test]
fn every_correction_follows_every_integrator_and_solver_or_says_why_not() {
    let mut builder = Model::builder();
    let lame = Lame::new(1e4, 1e4).unwrap();
    builder.body(spinning_cube(2, Constitutive::Corotated, lame, DVec3::new(1.1, 1.0, 0.9), 2.0));
    let second = builder.add_body(net(4, SpringLaw::Hookean));
    let second = builder.vertices_of(second);
    builder.pin(second.start).attach(second.end - 1, 100.0, None);
    builder.gravity(DVec3::Y * -9.81);
    let model = Arc::new(builder.build().unwrap());
    let corrections = [
        Correction::Fepr(Fepr::default()),
        Correction::Fepr(Fepr { smoothing: 0.0, returns: Return::Exact }),
        Correction::FeprPaper,
        Correction::FeprSqp,
        Correction::Blend(Blend::default()),
        Correction::VelocityProjection,
        Correction::LagrangeMultiplier,
    ];
    let integrators = [
        Integrator::ForwardEuler,
        Integrator::SymplecticEuler,
        Integrator::BackwardEuler,
        Integrator::Bdf2,
        Integrator::ImplicitMidpoint,
        Integrator::Newmark,
        Integrator::DiscreteGradient,
        Integrator::GeneralizedAlpha { spectral_radius: 0.8 },
    ];
    let solvers = [
        Solver::newton(),
        Solver::Linearized,
        Settings::plain().solver,
        Solver::accelerated(10),
        Solver::Xpbd { iterations: 10 },
    ];
    let mut refused = 0;
    for correction in corrections {
        for integrator in integrators {
            for solver in solvers {
                let settings = Settings { h: 0.01, integrator, solver, correction, ..Settings::plain() };
                let what =
                    format!("{} after {} with {}", correction.name(), integrator.name(), solver.name());
                let mut simulator = match Simulator::new(model.clone(), settings) {
                    Ok(simulator) => simulator,
                    Err(reason) => {
                        refused += 1;
                        assert!(reason.to_string().contains("use "), "{what}: {reason}");
                        continue;
                    }
                };
                let mut state = State::new(&model);
                for _ in 0..10 {
                    simulator.step(&mut state).unwrap_or_else(|e| panic!("{what}: {e}"));
                }
                let ledger = state.ledger();
                let off = (ledger.energy() - ledger.target()).abs() / ledger.kinetic;
                // The others fail on some bases, which is what they are compared for; here they only have to stay finite.
                let allowed = match correction {
                    Correction::Fepr(_) => 1e-9,
                    Correction::Blend(_) => 0.1,
                    _ => f64::INFINITY,
                };
                assert!(off < allowed, "{what}: H is off by {off:e}");
            }
        }
    }
    // The discrete gradient takes one solver, the multiplier no explicit rule.
    assert_eq!(refused, 4 * 7 + 2 * 5);
}
