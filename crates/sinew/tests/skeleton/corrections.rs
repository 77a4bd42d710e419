//! Corrections other than FEPR on bones: energy, rigidity and joints.

use crate::bodies::*;
use crate::support::cube;
use sinew::*;
use std::sync::Arc;

const BLEND: Correction = Correction::Blend(Blend { epsilon: 0.01 });

/// What holds the bar.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Held {
    /// Nothing: it is thrown with spin.
    Free,
    /// A joint to the world.
    World,
    /// A joint to a kinematic bone that moves.
    Kinematic,
}

/// A fleshy bar with two bones and a joint between them.
fn bar(held: Held) -> (Arc<Model>, [Vec<usize>; 2], Option<BoneId>) {
    let (mut body, bones) = fleshy_bar(1e4);
    if held == Held::Free {
        let turning =
            |p: &DVec3| DVec3::new(0.3, 1.0, 2.0).cross(*p * DVec3::new(1.0, 0.4, 0.4)) * (1.0 + p.x);
        body = body.velocities(cube(5).0.iter().map(turning).collect());
    }
    let mut builder = Model::builder();
    builder.body(body);
    let ids = bones.each_ref().map(|vertices| builder.add_bone(Bone::new("bone", vertices.clone())));
    builder.joint(Joint::ball("spine", ids.map(Some), DVec3::ZERO));
    let mut hand = None;
    match held {
        Held::Free => {}
        Held::World => _ = builder.joint(Joint::ball("hook", [None, Some(ids[0])], DVec3::X * -0.5)),
        Held::Kinematic => {
            let top = Link::new(DVec3::new(-0.5, 0.3, 0.0), DVec3::splat(0.1));
            let top = builder.add_rigid(top.body("hand", Inertia::Volume));
            builder.kinematic(top);
            builder.joint(Joint::ball("hook", [Some(top), Some(ids[0])], DVec3::X * -0.5));
            hand = Some(top);
        }
    }
    if held != Held::Free {
        builder.gravity(GRAVITY);
    }
    (Arc::new(builder.build().unwrap()), bones, hand)
}

/// What a run showed: largest imbalance, gap of the joints (m), bending of a bone, fallbacks, and the end.
struct Seen {
    imbalance: f64,
    gap: f64,
    bent: f64,
    fallbacks: usize,
    end: State,
}

fn watch(held: Held, settings: Settings, steps: usize) -> Seen {
    let (model, bones, hand) = bar(held);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let mut seen = Seen { imbalance: 0.0, gap: 0.0, bent: 0.0, fallbacks: 0, end: State::new(&model) };
    for _ in 0..steps {
        let state = &mut seen.end;
        let mut hook = DVec3::X * -0.5;
        if let Some(hand) = hand {
            // It starts gently: a jerk does work that no later motion contains.
            let to = DVec3::new(0.1, 0.05, 0.1) * (1.0 - (4.0 * (state.time() + settings.h)).cos());
            state.controls_mut().move_bone(hand, Placement::at(to)).unwrap();
            hook += to;
        }
        seen.fallbacks += simulator.step(state).unwrap().correction.fallbacks;
        seen.imbalance = seen.imbalance.max(imbalance(state));
        let fits = bones.each_ref().map(|vertices| Fit::of(&model, state, vertices));
        seen.gap = seen.gap.max(fits[0].point(DVec3::ZERO).distance(fits[1].point(DVec3::ZERO)));
        if held != Held::Free {
            seen.gap = seen.gap.max(fits[0].point(DVec3::X * -0.5).distance(hook));
        }
        seen.bent = bones.iter().map(|vertices| bending(&model, state, vertices)).fold(seen.bent, f64::max);
    }
    seen
}

#[test]
fn blend_keeps_the_energy_of_bones_within_epsilon() {
    for held in [Held::Free, Held::World, Held::Kinematic] {
        for integrator in [Integrator::BackwardEuler, Integrator::ImplicitMidpoint] {
            let settings = Settings { integrator, correction: BLEND, ..settings(0.01, 10) };
            let seen = watch(held, settings, 300);
            let name = format!("{held:?}, {}", integrator.name());
            assert!(
                seen.bent < 1e-12 && seen.gap < 1e-12,
                "{name}: bent {:e}, open {:e}",
                seen.bent,
                seen.gap
            );
            assert!(seen.imbalance < 0.0101, "{name}: {:e}", seen.imbalance);
            // Without it, backward Euler loses many times as much.
            if integrator == Integrator::BackwardEuler {
                let plain = watch(held, Settings { correction: Correction::None, ..settings }, 300);
                assert!(plain.imbalance > 0.03, "{name}: {:e}", plain.imbalance);
            }
        }
    }
}

#[test]
fn velocity_projection_keeps_the_energy_of_bones() {
    for held in [Held::Free, Held::World, Held::Kinematic] {
        let settings = Settings { correction: Correction::VelocityProjection, ..settings(0.01, 10) };
        let seen = watch(held, settings, 300);
        assert!(seen.bent < 1e-12 && seen.gap < 1e-12, "{held:?}: {:e} {:e}", seen.bent, seen.gap);
        let failures = format!("{held:?}: {:e}, {} failures", seen.imbalance, seen.fallbacks);
        assert!(seen.imbalance < 1e-12 && seen.fallbacks == 0, "{failures}");
    }
}

#[test]
fn velocity_projection_keeps_the_momenta_of_a_free_body() {
    let (model, ..) = bar(Held::Free);
    let step = |correction: Correction| {
        let mut state = State::new(&model);
        let settings = Settings { correction, ..settings(0.01, 10) };
        Simulator::new(model.clone(), settings).unwrap().step(&mut state).unwrap();
        state
    };
    let (plain, corrected) = (step(Correction::None), step(Correction::VelocityProjection));
    let (a, b) = (plain.total_momenta(&model), corrected.total_momenta(&model));
    let gained = corrected.ledger().kinetic / plain.ledger().kinetic;
    assert!(gained > 1.001, "it should bring some energy back: {gained}");
    assert!((a.linear - b.linear).length() < 1e-10, "{:?} {:?}", a.linear, b.linear);
    assert!((a.angular - b.angular).length() < 1e-10 * a.angular.length(), "{:?} {:?}", a.angular, b.angular);
}

#[test]
fn a_free_rigid_body_has_nothing_to_scale() {
    let mut builder = Model::builder();
    let link = Link::new(DVec3::ZERO, DVec3::new(0.4, 0.1, 0.2)).thrown(DVec3::Y, DVec3::new(1.0, 5.0, 2.0));
    builder.add_rigid(link.body("link", Inertia::Volume));
    builder.gravity(GRAVITY);
    let model = Arc::new(builder.build().unwrap());
    let run = |correction| {
        let mut state = State::new(&model);
        let settings = Settings { correction, ..settings(0.01, 10) };
        let mut simulator = Simulator::new(model.clone(), settings).unwrap();
        let mut fallbacks = 0;
        for _ in 0..100 {
            fallbacks += simulator.step(&mut state).unwrap().correction.fallbacks;
        }
        (state.positions().to_vec(), fallbacks)
    };
    let (plain, _) = run(Correction::None);
    let (corrected, fallbacks) = run(Correction::VelocityProjection);
    let apart = plain.iter().zip(&corrected).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(apart < 1e-9 && fallbacks > 50, "{apart:e} m apart, {fallbacks} failures");
}

#[test]
fn corrections_that_do_not_know_bones_say_what_does() {
    let (model, ..) = bar(Held::Free);
    for correction in [Correction::LagrangeMultiplier, Correction::FeprPaper, Correction::FeprSqp] {
        let refused = Simulator::new(model.clone(), Settings { correction, ..settings(0.01, 10) });
        let message = refused.unwrap_err().to_string();
        for expected in [correction.name(), "bones", "use fepr, blend or velocity-projection"] {
            assert!(message.contains(expected), "`{message}` should mention `{expected}`");
        }
    }
}

/// Closing hinges once shifted the centre of mass of a free chain, and its kinetic energy was not what the projection had computed.
#[test]
fn a_free_chain_of_hinges_meets_its_budget() {
    let mut builder = Model::builder();
    let mut last = None;
    for k in 0..4 {
        let center = DVec3::X * (1.2 * f64::from(k));
        let spin = DVec3::new(3.0, -20.0, 10.0 * f64::from(k % 2));
        let link = Link::new(center, DVec3::new(1.0, 0.3, 0.2)).thrown(DVec3::Y * f64::from(k), spin);
        let bone = builder.add_rigid(link.body(&format!("link {k}"), Inertia::Volume));
        if let Some(before) = last {
            let axis = DVec3::new(0.3, 1.0, f64::from(k) - 2.0);
            builder.joint(Joint::hinge("hinge", [Some(before), Some(bone)], center - DVec3::X * 0.6, axis));
        }
        last = Some(bone);
    }
    let model = Arc::new(builder.build().unwrap());
    for integrator in [Integrator::ForwardEuler, Integrator::SymplecticEuler, Integrator::BackwardEuler] {
        let mut state = State::new(&model);
        let settings = Settings { integrator, correction: FEPR, ..settings(0.1, 10) };
        let mut simulator = Simulator::new(model.clone(), settings).unwrap();
        for step in 0..20 {
            simulator.step(&mut state).unwrap();
            let ledger = state.ledger();
            let above = (ledger.energy() - ledger.target()) / ledger.kinetic;
            assert!(above < 1e-9, "{}, step {step}: {above:e}", integrator.name());
        }
    }
}
