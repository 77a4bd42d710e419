//! Tissue that muscles contract: equilibria against a closed form, work against small steps, momenta, restarts, bad input.

mod support;

use sinew::muscle::{self, Activation, fibre};
use sinew::*;
use std::sync::Arc;
use support::*;

const LAME: Lame = Lame { mu: 1e3, lambda: 2e3 };

/// A cube of tissue that is all one muscle, or with a share of it, grown by a factor.
fn tissue(share: f64, growth: f64) -> Body {
    let (points, tetrahedra) = cube(3);
    let n = tetrahedra.len();
    Body::new("cube", points).active_tetrahedra(ActiveTetrahedra {
        tetrahedra,
        moduli: vec![LAME; n],
        density: vec![1.0; n],
        muscles: vec!["one".into()],
        shares: vec![vec![(0, share)]; n],
        growth: vec![growth; n],
    })
}

/// The same, held at one face, where it cannot drift away.
fn held() -> Arc<Model> {
    let body = tissue(0.8, 1.0);
    let (points, _) = cube(3);
    let mut builder = Model::builder();
    builder.body(body);
    points.iter().enumerate().filter(|(_, p)| p.x < -0.49).for_each(|(i, _)| {
        builder.pin(i);
    });
    Arc::new(builder.build().unwrap())
}

/// On the way from rest to `to`, which it reaches after a second.
fn contract(state: &mut State, to: &Activation, time: f64) {
    let activation = muscle::between(&muscle::PASSIVE, to, time.clamp(0.0, 1.0));
    state.controls_mut().activate(MuscleId(0), activation).unwrap();
}

fn size(state: &State) -> DVec3 {
    let (low, high) = (state.positions().iter())
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
    high - low
}

const LBFGS: Acceleration = Acceleration::Lbfgs { history: 5, preconditioner: Precision::Double };

fn solvers() -> [Solver; 3] {
    [
        Solver::Newton(Budget::to(30, 1e-12)),
        Solver::ProjectiveDynamics { budget: Budget::to(200, 1e-12), acceleration: Acceleration::None },
        Solver::ProjectiveDynamics { budget: Budget::to(200, 1e-12), acceleration: LBFGS },
    ]
}

/// XPBD goes where Newton goes, but slowly: with ten times the iterations it is much closer after the same three steps.
#[test]
fn xpbd_comes_to_the_solution_of_newton() {
    let model = held();
    let after = |solver: Solver| {
        let settings = Settings {
            h: 1.0 / 30.0,
            integrator: Integrator::BackwardEuler,
            solver,
            correction: Correction::None,
            ..Settings::default()
        };
        let mut simulator = Simulator::new(model.clone(), settings).unwrap();
        let mut state = State::new(&model);
        for k in 1..=3 {
            contract(&mut state, &fibre(DVec3::X, 0.6), f64::from(k) / 3.0);
            simulator.step(&mut state).unwrap();
        }
        state.positions().to_vec()
    };
    let truth = after(Solver::Newton(Budget::to(30, 1e-12)));
    let error = |iterations: u32| {
        let found = after(Solver::Xpbd { iterations: iterations as usize });
        found.iter().zip(&truth).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
    };
    let (few, many) = (error(100), error(1000));
    println!("xpbd: {few:.1e} m with 100 iterations, {many:.1e} m with 1000");
    assert!(many < 0.2 * few && many < 1e-3, "{few} {many}");
}

/// A free block of stretches fᵢ = aᵢ − λs/2μ, s = Σf − 3 = 2μ(Σa − 3)/(2μ + 3λ), times the growth: ∂Ψ/∂fᵢ = 2μ(fᵢ − aᵢ) + λs = 0.
#[test]
fn free_tissue_comes_to_rest_in_the_shape_of_the_closed_form() {
    let (share, growth) = (0.5, 1.1);
    let model = build(tissue(share, growth));
    let wanted = DVec3::new(0.7, 1.0, 1.2);
    let a = DVec3::ONE + share * (wanted - DVec3::ONE);
    let s = 2.0 * LAME.mu * (a.element_sum() - 3.0) / (2.0 * LAME.mu + 3.0 * LAME.lambda);
    let expected = growth * (a - DVec3::splat(LAME.lambda * s / (2.0 * LAME.mu)));
    for solver in solvers() {
        let settings = Settings {
            h: 1.0 / 30.0,
            integrator: Integrator::BackwardEuler,
            solver,
            correction: Correction::None,
            damping: Damping { ether: 0.0, rigid_preserving: 0.5 },
            ..Settings::default()
        };
        let mut simulator = Simulator::new(model.clone(), settings).unwrap();
        let mut state = State::new(&model);
        let activation = [wanted.x, 0.0, 0.0, wanted.y, 0.0, wanted.z];
        for k in 1..=120 {
            contract(&mut state, &activation, f64::from(k) / 30.0);
            simulator.step(&mut state).unwrap();
        }
        let error = (size(&state) - expected).length();
        println!("{}: {:?}, {error:.1e} from {expected:?}", solver.name(), size(&state));
        assert!(error < 1e-6, "{}: {:?} is not {expected:?}", solver.name(), size(&state));
    }
}

/// Muscles are forces within a body: they do work, and move neither its centre nor its spin. With a correction H is what the books say, for every rule; where all
/// energy is gone, what a rule's error of the work asks back cannot be given. One-step rules make none; BDF2 and generalised α, which remember how
/// the muscle moved before, leave H above by less than 1 % of the work of the whole contraction.
#[test]
fn muscles_do_work_and_change_no_momentum() {
    let model = build(tissue(0.9, 1.0));
    let axis = DVec3::new(0.8, 0.6, 0.0);
    for integrator in [
        Integrator::BackwardEuler,
        Integrator::Bdf2,
        Integrator::ImplicitMidpoint,
        Integrator::Newmark,
        Integrator::Sdirk2,
        Integrator::TrBdf2,
        Integrator::GeneralizedAlpha { spectral_radius: 0.5 },
    ] {
        let settings = Settings { h: 1.0 / 60.0, integrator, ..Settings::default() };
        assert!(matches!(settings.correction, Correction::Fepr(_)));
        let mut simulator = Simulator::new(model.clone(), settings).unwrap();
        let mut state = State::new(&model);
        let start = state.momenta(&model, BodyId(0)).unwrap();
        let (mut largest, mut above) = (0.0f64, 0.0f64);
        for k in 1..=120 {
            let time = f64::from(k) / 60.0;
            contract(&mut state, &fibre(axis, 0.6), 1.0 - (time - 1.0).abs());
            simulator.step(&mut state).unwrap();
            let ledger = state.ledger();
            let off = ledger.energy() - ledger.target();
            above = above.max(off);
            largest = largest.max(ledger.entries[Cause::Muscles].abs());
            assert!(off > -1e-7 * largest.max(1e-3), "{}: H is {off} J off", integrator.name());
        }
        let end = state.momenta(&model, BodyId(0)).unwrap();
        println!(
            "{}: most work {largest:.3} J, left {:.3e} J, above {above:.1e} J",
            integrator.name(),
            state.ledger().energy()
        );
        let remembers = matches!(integrator, Integrator::Bdf2 | Integrator::GeneralizedAlpha { .. });
        let allowed = if remembers { 1e-2 } else { 1e-7 };
        assert!(above < allowed * largest, "{}: H is {above} J above", integrator.name());
        assert!(largest > 1.0, "the muscle works: {largest} J");
        assert!((end.linear - start.linear).length() < 1e-9 && (end.angular - start.angular).length() < 1e-9);
    }
}

/// The work that is booked at 1/60 s is that of steps forty times smaller.
#[test]
fn work_agrees_with_small_steps() {
    let model = held();
    let work = |steps: u32, integrator: Integrator, correction: Correction| {
        let h = 1.0 / f64::from(steps);
        let settings = Settings { h, integrator, correction, ..Settings::default() };
        let mut simulator = Simulator::new(model.clone(), settings).unwrap();
        let mut state = State::new(&model);
        for k in 1..=steps {
            contract(&mut state, &fibre(DVec3::X, 0.6), f64::from(k) * h);
            simulator.step(&mut state).unwrap();
        }
        state.ledger().entries[Cause::Muscles]
    };
    let truth = work(2400, Integrator::Sdirk2, Correction::None);
    for (integrator, correction) in [
        (Integrator::BackwardEuler, Correction::None),
        (Integrator::Sdirk2, Correction::None),
        (Integrator::Sdirk2, Settings::default().correction),
        (Integrator::BackwardEuler, Settings::default().correction),
    ] {
        let booked = work(60, integrator, correction);
        println!("{}: {booked:.5} J, small steps {truth:.5} J", integrator.name());
        assert!((booked / truth - 1.0).abs() < 0.03, "{}: {booked} J, not {truth}", integrator.name());
    }
}

#[test]
fn a_saved_run_with_contracted_muscles_goes_on_with_the_same_bits() {
    let model = held();
    let step = |simulator: &mut Simulator, state: &mut State, k: u32| {
        contract(state, &fibre(DVec3::X, 0.6), f64::from(k) / 30.0);
        simulator.step(state).unwrap();
    };
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let mut state = State::new(&model);
    (1..=10).for_each(|k| step(&mut simulator, &mut state, k));
    let mut restored = State::from_bytes(&model, &state.to_bytes()).unwrap();
    assert_eq!(restored.controls().activations(), state.controls().activations());
    let mut fresh = Simulator::new(model.clone(), Settings::default()).unwrap();
    for k in 11..=20 {
        step(&mut simulator, &mut state, k);
        step(&mut fresh, &mut restored, k);
    }
    assert_eq!(state.hash(), restored.hash());
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |share: f64, growth: f64| Model::builder().body(tissue(share, growth)).build().unwrap_err();
    assert!(refused(1.2, 1.0).to_string().contains("sum of the shares"));
    assert!(refused(-0.2, 1.0).to_string().contains("share of a muscle"));
    assert!(refused(0.5, 0.0).to_string().contains("growth"));
    let model = held();
    let mut state = State::new(&model);
    let controls = state.controls_mut();
    for bad in [fibre(DVec3::X, 0.1), [f64::NAN; 6], [1.0, 3.0, 0.0, 1.0, 0.0, 1.0]] {
        let error = controls.activate(MuscleId(0), bad).unwrap_err();
        assert!(error.to_string().contains("eigenvalues from 0.25 to 3"), "{error}");
    }
    assert!(controls.activate(MuscleId(1), muscle::PASSIVE).is_err());
    assert_eq!(model.muscles()[0].name, "one");
}
