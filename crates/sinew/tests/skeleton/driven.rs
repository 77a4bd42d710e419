//! Kinematic bones.

use crate::bodies::*;
use sinew::Placement;
use sinew::*;
use std::sync::Arc;

/// A fleshy bar whose left bone is kinematic and whose right one follows through the flesh, with or without a joint.
fn bar(joint: bool) -> (Arc<Model>, [BoneId; 2], [Vec<usize>; 2]) {
    let (body, bones) = fleshy_bar(2e4);
    let mut builder = Model::builder();
    builder.body(body);
    let left = builder.add_bone(Bone::new("left", bones[0].clone()).kinematic());
    let right = builder.add_bone(Bone::new("right", bones[1].clone()));
    if joint {
        builder.joint(Joint::ball("spine", [Some(left), Some(right)], DVec3::ZERO));
    }
    builder.gravity(GRAVITY);
    (Arc::new(builder.build().unwrap()), [left, right], bones)
}

/// Back and forth and about, from rest and to rest within `SECONDS`.
fn path(time: f64) -> Placement {
    let t = (time / SECONDS).min(1.0);
    let ease = t * t * (3.0 - 2.0 * t);
    let (swing, turn) = ((6.0 * ease).sin(), 2.0 * ease);
    Placement {
        rotation: DQuat::from_rotation_z(turn),
        translation: DVec3::new(0.0, 0.3 * swing, 0.2 * swing),
    }
}

const SECONDS: f64 = 2.0;

fn drive(
    model: &Arc<Model>,
    bone: BoneId,
    settings: Settings,
    seconds: f64,
    mut see: impl FnMut(&State),
) -> State {
    let mut state = State::new(model);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    for _ in 0..(seconds / settings.h) as usize {
        let to = path(state.time() + settings.h);
        state.controls_mut().move_bone(bone, to).unwrap();
        simulator.step(&mut state).unwrap();
        see(&state);
    }
    state
}

#[test]
fn a_kinematic_bone_is_where_it_is_put() {
    for joint in [false, true] {
        let (model, [left, _], bones) = bar(joint);
        for correction in [Correction::None, FEPR] {
            let settings = Settings { correction, ..settings(1.0 / 60.0, 10) };
            let (mut off, mut gap, mut bent) = (0.0f64, 0.0f64, 0.0f64);
            drive(&model, left, settings, 3.0, |state| {
                let put = path(state.time());
                let place = |&i: &usize| put.apply(model.rest()[i]).distance(state.positions()[i]);
                off = bones[0].iter().map(place).fold(off, f64::max);
                bent = bent.max(bending(&model, state, &bones[1]));
                let spine = Fit::of(&model, state, &bones[1]).point(DVec3::ZERO);
                gap = gap.max(spine.distance(put.apply(DVec3::ZERO)));
            });
            assert!(off < 1e-12 && bent < 1e-12, "{correction:?}: {off:e} m, bent by {bent:e}");
            assert!(gap < 1e-12 || !joint, "{correction:?}: {gap:e}");
        }
    }
}

#[test]
fn the_ledger_follows_a_bone_that_is_moved() {
    for joint in [false, true] {
        let (model, [left, _], _) = bar(joint);
        let settings = Settings { correction: FEPR, ..settings(1.0 / 60.0, 10) };
        let (mut worst, mut most) = (0.0f64, 0.0f64);
        let end = drive(&model, left, settings, 5.0, |state| {
            worst = worst.max(imbalance(state));
            most = most.max(state.ledger().entries.added().abs());
        });
        assert!(worst < 1e-8, "joint {joint}: {worst:e}");
        assert!(most > 1.0, "joint {joint}: the kinematic bone should do some work, does {most} J");
        assert!(end.ledger().energy().is_finite());
    }
}

/// With tiny steps backward Euler loses little, and the work booked must be what arrives.
#[test]
fn work_of_a_kinematic_bone_arrives() {
    let (model, [left, _], _) = bar(true);
    let mut gaps = Vec::new();
    for h in [1.0 / 500.0, 1.0 / 1000.0] {
        let mut most = 0.0f64;
        let end = drive(&model, left, settings(h, 20), 0.5, |state| {
            most = most.max(state.ledger().entries.added().abs());
        });
        let ledger = end.ledger();
        gaps.push((ledger.energy() - ledger.target()).abs() / most);
    }
    assert!(gaps[1] < 0.1 && gaps[1] < 0.7 * gaps[0], "{gaps:?}");
}

#[test]
fn a_still_kinematic_bone_holds_like_pins() {
    let (body, bones) = fleshy_bar(2e4);
    let mut held = Model::builder();
    held.body(body.clone());
    let bone = held.add_bone(Bone::new("root", bones[0].clone()));
    held.kinematic(bone);
    let mut pinned = Model::builder();
    pinned.body(body);
    for &i in &bones[0] {
        pinned.pin(i);
    }
    let ends = [held, pinned].map(|mut builder| {
        builder.gravity(GRAVITY);
        let model = Arc::new(builder.build().unwrap());
        crate::support::run(&model, settings(1.0 / 60.0, 20), 60, |_, _| {})
    });
    let apart = ends[0].positions().iter().zip(ends[1].positions()).map(|(a, b)| a.distance(*b));
    let apart = apart.fold(0.0, f64::max);
    assert!(apart < 1e-9, "{apart:e}");
}

#[test]
fn only_what_is_kinematic_can_be_put_somewhere() {
    let (model, [left, right], _) = bar(false);
    let mut state = State::new(&model);
    assert!(state.controls_mut().move_bone(BoneId(7), Placement::default()).is_err());
    assert!(state.controls_mut().move_bone(left, Placement::at(DVec3::NAN)).is_err());
    assert!(
        state
            .controls_mut()
            .move_bone(
                left,
                Placement { rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0), ..Placement::default() }
            )
            .is_err()
    );
    // One that forces move does not listen, or says so.
    if state.controls_mut().move_bone(right, Placement::at(DVec3::Y)).is_ok() {
        let mut simulator = Simulator::new(model.clone(), settings(1.0 / 60.0, 5)).unwrap();
        simulator.step(&mut state).unwrap();
        let highest = state.positions().iter().map(|p| p.y).fold(0.0, f64::max);
        assert!(highest < 0.3, "{highest}");
    }
}

#[test]
fn a_state_with_moved_bones_continues_to_the_bit() {
    let (model, [left, _], _) = bar(true);
    let settings = Settings { correction: FEPR, ..settings(1.0 / 60.0, 10) };
    let whole = drive(&model, left, settings, 1.0, |_| {});
    let half = drive(&model, left, settings, 0.5, |_| {});
    let mut resumed = State::from_bytes(&model, &half.to_bytes()).unwrap();
    assert_eq!(resumed, half);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    for _ in 0..30 {
        let to = path(resumed.time() + settings.h);
        resumed.controls_mut().move_bone(left, to).unwrap();
        simulator.step(&mut resumed).unwrap();
    }
    assert_eq!(resumed.hash(), whole.hash());
}

/// A pendulum below a bone that is carried along evenly swings as below one that rests.
#[test]
fn what_hangs_on_a_bone_that_moves_evenly_swings_as_below_one_at_rest() {
    let carried = |velocity: DVec3| {
        let mut builder = Model::builder();
        let size = DVec3::new(0.1, 0.4, 0.1);
        let top = Link::new(DVec3::Y * 0.05, DVec3::splat(0.1));
        let hung = Link { velocity, ..Link::new(DVec3::Y * -0.2, size) };
        let top = builder.add_rigid(top.body("top", Inertia::Volume));
        let hung = Link { velocity: velocity + DVec3::X, spin: DVec3::Z * 5.0, ..hung };
        let hung = builder.add_rigid(hung.body("pendulum", Inertia::Volume));
        builder.kinematic(top).joint(Joint::ball("hook", [Some(top), Some(hung)], DVec3::ZERO));
        builder.gravity(GRAVITY);
        let model = Arc::new(builder.build().unwrap());
        let mut state = State::new(&model);
        let mut simulator = Simulator::new(model.clone(), settings(0.01, 20)).unwrap();
        let mut places = Vec::new();
        for _ in 0..100 {
            let to = Placement::at(velocity * (state.time() + 0.01));
            state.controls_mut().move_bone(top, to).unwrap();
            simulator.step(&mut state).unwrap();
            places.push(state.positions()[8] - velocity * state.time());
        }
        places
    };
    let (still, moving) = (carried(DVec3::ZERO), carried(DVec3::new(2.0, 0.3, -1.0)));
    let apart = still.iter().zip(&moving).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(still.iter().any(|p| p.y > -0.35), "it should swing");
    assert!(apart < 1e-9, "{apart} m apart");
}

/// The midpoint rule gains energy in flesh that deforms strongly, as without bones. Constraint forces in the wrong direction would make it gain
/// at first order.
#[test]
fn implicit_midpoint_gains_energy_at_second_order_only() {
    let (body, bones) = fleshy_bar(2e4);
    let mut builder = Model::builder();
    builder.body(body);
    let left = builder.add_bone(Bone::new("left", bones[0].clone()).kinematic());
    let right = builder.add_bone(Bone::new("right", bones[1].clone()));
    builder.joint(Joint::ball("spine", [Some(left), Some(right)], DVec3::ZERO));
    builder.gravity(GRAVITY * 2.0);
    let model = Arc::new(builder.build().unwrap());
    let gains = [120.0, 240.0].map(|rate: f64| {
        let (integrator, solver) = (Integrator::ImplicitMidpoint, Solver::newton());
        let settings = Settings { integrator, solver, ..settings(1.0 / rate, 20) };
        let mut fastest = 0.0f64;
        let end = crate::support::run(&model, settings, 4 * rate as usize, |_, state| {
            fastest = fastest.max(state.ledger().kinetic);
        });
        (end.ledger().energy() - end.ledger().target()).abs() / fastest
    });
    assert!(gains[0] < 0.02 && gains[0] > 3.0 * gains[1], "{gains:?}");
}
