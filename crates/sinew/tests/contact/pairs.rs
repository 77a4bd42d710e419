//! Two bodies that collide in free space.

use crate::scenes::*;
use crate::support::cube;
use sinew::contact::ContactLaw;
use sinew::*;
use std::sync::Arc;

fn two_boxes(law: ContactLaw) -> Arc<Model> {
    let bodies = vec![
        soft_box(4, 1e5, DVec3::new(-0.25, 0.03, 0.0), DVec3::new(1.5, 0.0, 0.0)),
        soft_box(4, 1e5, DVec3::new(0.05, -0.03, 0.02), DVec3::new(-0.5, 0.0, 0.0)),
    ];
    model(bodies, vec![], law, 0.0)
}

/// Worst changes of linear momentum, angular momentum and energy, as shares of what there was.
fn drifts(model: &Arc<Model>, settings: Settings, steps: usize) -> ([f64; 3], State) {
    let mut state = State::new(model);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let momenta = |state: &State| Momenta::new(model.masses(), state.positions(), state.velocities());
    // Shares of Σ m|v| and Σ m|x||v|: the sums of the vectors may vanish.
    let sums = |weight: &dyn Fn(usize) -> f64| {
        (0..model.vertex_count()).map(|i| model.masses()[i] * weight(i)).sum::<f64>()
    };
    let (x, v) = (state.positions().to_vec(), state.velocities().to_vec());
    let scale = [sums(&|i| v[i].length()), sums(&|i| v[i].length() * x[i].length()), state.ledger().initial];
    let first = momenta(&state);
    let mut worst = [0.0f64; 3];
    let mut touched = 0;
    for _ in 0..steps {
        let report = simulator.step(&mut state).unwrap();
        touched += usize::from(report.contact.pressing > 0);
        let now = momenta(&state);
        let changes = [
            now.linear.distance(first.linear),
            now.angular.distance(first.angular),
            (state.ledger().energy() - state.ledger().target()).abs(),
        ];
        for k in 0..3 {
            worst[k] = worst[k].max(changes[k] / scale[k]);
        }
    }
    assert!(touched > 0, "they meet");
    (worst, state)
}

#[test]
fn a_collision_keeps_momenta_and_energy() {
    for friction in [0.0, 0.4] {
        let model =
            two_boxes(ContactLaw { friction: contact::Friction::uniform(friction), ..ContactLaw::default() });
        let ([linear, angular, energy], end) = drifts(&model, settings(FEPR), 60);
        let speeds = [0, 1].map(|b| drift(&model, &end, b).x);
        assert!(linear < 1e-8 && angular < 1e-8, "{linear:e} {angular:e}");
        assert!(energy < 1e-9, "{energy:e}");
        assert!(speeds[1] > speeds[0], "they part: {speeds:?}");
        let brought = end.ledger().entries[Cause::Contacts] / end.ledger().initial;
        assert!(brought < 1e-3, "contacts brought {brought} of the energy");
    }
}

/// Worst change of linear momentum without a correction.
fn momentum_error(solver: Solver) -> f64 {
    let settings = Settings { solver, ..settings(Correction::None) };
    let ([linear, _, _], end) = drifts(&two_boxes(ContactLaw::default()), settings, 60);
    assert!(end.ledger().energy() < 1.001 * end.ledger().initial);
    linear
}

#[test]
fn backward_euler_alone_keeps_linear_momentum_however_well_it_is_solved() {
    let errors = [2, 10, 100].map(|iterations| momentum_error(Solver::accelerated(iterations)));
    assert!(errors.iter().all(|error| *error < 1e-12), "{errors:?}");
}

/// The last round of a step may have no row left, and still know what the solver learned of rows.
#[test]
fn momentum_was_lost_where_the_last_round_has_no_row() {
    for integrator in [Integrator::Newmark, Integrator::ImplicitMidpoint] {
        let settings = Settings { integrator, ..settings(Correction::None) };
        let ([linear, _, _], _) = drifts(&two_boxes(ContactLaw::default()), settings, 60);
        assert!(linear < 1e-12, "{}: {linear:e}", integrator.name());
    }
}

#[test]
fn newton_keeps_linear_momentum() {
    let error = momentum_error(Solver::newton());
    assert!(error < 1e-6, "{error:e}");
}

/// Rules that look back took the velocity before an impact for the past of the motion after it, and threw boxes apart faster than they had met: 1.19 of the speed, and 0.2 of the energy, from nowhere.
#[test]
fn an_impact_has_no_past() {
    let rules = [Integrator::Bdf2, Integrator::Sdirk2, Integrator::TrBdf2];
    for (integrator, rate) in rules.into_iter().flat_map(|rule| [(rule, 30), (rule, 60)]) {
        for heavy in [1.0, 10.0] {
            let one = |x: f64, speed: f64, mass: f64| {
                let (points, tets) = cube(2);
                let points: Vec<_> = points.iter().map(|p| *p * SIDE + DVec3::X * x).collect();
                let velocities = vec![DVec3::X * speed; points.len()];
                let lame = Lame::from_young(1e6, 0.3).unwrap();
                let density = mass / SIDE.powi(3);
                let body = Body::new("box", points).tetrahedra(tets, Constitutive::Corotated, lame, density);
                body.velocities(velocities).rigid()
            };
            let bodies = vec![one(-0.15, 1.0, 1.0), one(0.15, 0.0, heavy)];
            let model = model(bodies, vec![], law(1.0, 0.0, 0.0), 0.0);
            let mut state = State::new(&model);
            let settings = Settings { h: 1.0 / f64::from(rate), integrator, ..settings(Correction::None) };
            let mut simulator = Simulator::new(model.clone(), settings).unwrap();
            let energy = state.ledger().energy();
            for _ in 0..rate / 2 {
                simulator.step(&mut state).unwrap();
                assert!(state.ledger().energy() < energy * (1.0 + 1e-9), "{} J", state.ledger().energy());
            }
            let parting = drift(&model, &state, 1).x - drift(&model, &state, 0).x;
            let name = integrator.name();
            assert!(
                (-0.01..0.5).contains(&parting),
                "{name}, 1:{heavy}, 1/{rate} s: they part at {parting} m/s"
            );
        }
    }
}
