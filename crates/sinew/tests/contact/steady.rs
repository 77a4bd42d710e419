//! Determinism, checkpoints, allocation, and every combination of choices on a floor.

use crate::scenes::*;
use crate::support::run;
use sinew::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// Counts what the current thread allocates.
struct Counting;

// SAFETY: every call is handed on to the system's allocator unchanged; the counter is a plain thread-local cell
// that neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `alloc` above, that is from the system with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How often the current thread has allocated.
pub fn allocations() -> usize {
    ALLOCATIONS.with(Cell::get)
}

/// Two boxes that fall on each other and on a floor, with friction.
fn pile(n: usize, restitution: f64) -> Arc<Model> {
    let bodies = vec![
        soft_box(n, 1e5, DVec3::Y * (0.5 * SIDE + 0.01), DVec3::ZERO),
        soft_box(n, 1e5, DVec3::new(0.03, 1.5 * SIDE + 0.03, 0.02), DVec3::ZERO),
    ];
    model(bodies, vec![floor()], law(restitution, 0.5, 0.4), GRAVITY)
}

#[test]
fn contact_gives_the_same_bits_on_any_number_of_threads() {
    let model = pile(6, 0.5);
    for correction in [FEPR, Correction::None] {
        let hash = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let end = run(&model, settings(correction), 25, |_, _| {});
                assert_eq!(end.step_count(), 25);
                end.hash()
            })
        };
        let alone = run(&model, settings(correction), 25, |_, _| {}).hash();
        for threads in [1, 2, 3] {
            assert_eq!(hash(threads), alone, "{threads} threads, {}", correction.name());
        }
    }
}

#[test]
fn a_state_saved_in_contact_continues_to_the_bit() {
    let model = pile(3, 0.5);
    for correction in [FEPR, Correction::None] {
        let whole = run(&model, settings(correction), 40, |_, _| {});
        let half = run(&model, settings(correction), 20, |_, _| {});
        let mut resumed = State::from_bytes(&model, &half.to_bytes()).unwrap();
        assert_eq!(resumed, half);
        let mut simulator = Simulator::new(model.clone(), settings(correction)).unwrap();
        let mut pressing = 0;
        for _ in 0..20 {
            pressing += simulator.step(&mut resumed).unwrap().contact.pressing;
        }
        assert!(pressing > 0);
        assert_eq!(resumed.hash(), whole.hash(), "{}", correction.name());
    }
}

#[test]
fn a_steady_step_in_contact_allocates_nothing() {
    let model = pile(3, 0.0);
    for solver in [Solver::accelerated(10), Solver::newton()] {
        for correction in [FEPR, Correction::None] {
            let damping = Damping { rigid_preserving: 0.05, ..Damping::default() };
            let mut state = State::new(&model);
            let settings = Settings { solver, damping, ..settings(correction) };
            let mut simulator = Simulator::new(model.clone(), settings).unwrap();
            for _ in 0..150 {
                simulator.step(&mut state).unwrap();
            }
            let before = ALLOCATIONS.with(Cell::get);
            let mut pressing = 0;
            for _ in 0..10 {
                pressing += simulator.step(&mut state).unwrap().contact.pressing;
            }
            let count = ALLOCATIONS.with(Cell::get) - before;
            assert!(pressing > 0);
            assert_eq!(count, 0, "{}, {}", solver.name(), correction.name());
        }
    }
}

const INTEGRATORS: [Integrator; 7] = [
    Integrator::ForwardEuler,
    Integrator::SymplecticEuler,
    Integrator::BackwardEuler,
    Integrator::Bdf2,
    Integrator::ImplicitMidpoint,
    Integrator::Newmark,
    Integrator::DiscreteGradient,
];

const CORRECTIONS: [Correction; 7] = [
    Correction::None,
    FEPR,
    Correction::FeprPaper,
    Correction::FeprSqp,
    Correction::Blend(Blend { epsilon: 0.01 }),
    Correction::VelocityProjection,
    Correction::LagrangeMultiplier,
];

#[test]
fn every_integrator_and_correction_lives_with_a_floor_or_says_why_not() {
    let body = || soft_box(2, 1e4, DVec3::Y * (0.5 * SIDE + 0.05), DVec3::new(0.3, -1.0, 0.0));
    let model = model(vec![body()], vec![floor()], law(0.8, 0.3, 0.3), GRAVITY);
    let mut worked = 0;
    for integrator in INTEGRATORS {
        for correction in CORRECTIONS {
            for solver in [Solver::newton(), Solver::accelerated(10), Solver::Linearized] {
                let settings = Settings { h: 0.01, integrator, solver, correction, ..Settings::plain() };
                let name = format!("{}, {correction:?}, {}", integrator.name(), solver.name());
                let mut simulator = match Simulator::new(model.clone(), settings) {
                    Ok(simulator) => simulator,
                    Err(refusal) => {
                        assert!(
                            refusal.to_string().contains("use "),
                            "{name}: `{refusal}` offers no way out"
                        );
                        continue;
                    }
                };
                let mut state = State::new(&model);
                let mut failed = None;
                for _ in 0..100 {
                    let before = state.clone();
                    if let Err(error) = simulator.step(&mut state) {
                        assert_eq!(state, before, "{name}: a failed step changes nothing");
                        failed = Some(error.to_string());
                        break;
                    }
                    assert!(
                        state.positions().iter().chain(state.velocities()).all(|p| p.is_finite()),
                        "{name}"
                    );
                }
                worked += usize::from(failed.is_none());
                // What the paper prints may explode; everything else stays above the floor and within its energy.
                let printed = matches!(correction, Correction::FeprPaper | Correction::FeprSqp);
                if !integrator.is_explicit() && !printed {
                    let (low, ledger) = (lowest(&state), state.ledger());
                    assert!(low > -0.01, "{name}: {low} m");
                    assert!(ledger.energy() < 1.01 * ledger.initial, "{name}: {ledger:?}");
                }
            }
        }
    }
    assert!(worked > 80, "{worked}");
}

/// A step that would leave far too much energy is given up: everything stays where it was, half as fast, so that the next one is another step; the ledger has what was lost.
#[test]
fn a_step_that_is_given_up_is_not_repeated_for_ever() {
    let mut given_up = 0;
    for (integrator, young) in [(Integrator::ForwardEuler, 1e6), (Integrator::SymplecticEuler, 1e7)] {
        let bodies = vec![soft_box(4, young, DVec3::Y * 0.13, DVec3::Y * -3.0)];
        let model = model(bodies, vec![floor()], law(0.3, 0.0, 0.0), GRAVITY);
        let mut simulator = Simulator::new(model.clone(), Settings { integrator, ..settings(FEPR) }).unwrap();
        let mut state = State::new(&model);
        for _ in 0..60 {
            let (x, v) = (state.positions().to_vec(), state.velocities().to_vec());
            let lost = state.ledger().entries[Cause::Unresolved];
            let report = simulator.step(&mut state).unwrap();
            if report.correction.holds > 0 && state.positions() == x {
                given_up += 1;
                let half = |(now, before): (&DVec3, &DVec3)| *now == *before * 0.5;
                assert!(state.velocities().iter().zip(&v).all(half));
                let kinetic: f64 =
                    v.iter().zip(model.masses()).map(|(v, m)| 0.5 * m * v.length_squared()).sum();
                let booked = state.ledger().entries[Cause::Unresolved] - lost;
                assert!(
                    (booked - 0.75 * kinetic).abs() <= 1e-9 * kinetic.max(1.0),
                    "{booked} of {kinetic} J"
                );
            }
        }
    }
    println!("{given_up} steps given up");
    assert!(given_up > 0);
}
