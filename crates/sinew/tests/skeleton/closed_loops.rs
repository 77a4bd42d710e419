//! Rings of beads: as many joints as bones, some of them redundant.

use crate::bodies::*;
use crate::support::run;
use sinew::*;
use std::f64::consts::TAU;
use std::sync::Arc;

const BEADS: usize = 12;
/// Of the ring, m.
const RADIUS: f64 = 0.3;

/// Place on the ring, which stands upright, counted in beads.
fn place(k: f64) -> DVec3 {
    let angle = TAU * k / BEADS as f64;
    DVec3::new(RADIUS * angle.sin(), RADIUS * angle.cos(), 0.0)
}

/// How the first bead is held.
#[derive(Clone, Copy, Debug)]
enum Hold {
    Attachment,
    Joint,
}

fn ring(hinges: bool, hold: Hold) -> Arc<Model> {
    let mut builder = Model::builder();
    let size = DVec3::splat(0.08);
    let ids: Vec<_> = (0..BEADS)
        .map(|k| {
            builder.add_rigid(Link::new(place(k as f64), size).body(&format!("bead {k}"), Inertia::Volume))
        })
        .collect();
    for k in 0..BEADS {
        let (bones, middle) = ([ids[k], ids[(k + 1) % BEADS]].map(Some), place(k as f64 + 0.5));
        let joint = if hinges {
            Joint::hinge("link", bones, middle, DVec3::Z)
        } else {
            Joint::ball("link", bones, middle)
        };
        builder.joint(joint);
    }
    match hold {
        Hold::Attachment => {
            builder.attach(0, 2000.0, None);
        }
        Hold::Joint => {
            builder.joint(Joint::ball("hook", [None, Some(ids[0])], place(0.0)));
        }
    }
    builder.gravity(GRAVITY);
    Arc::new(builder.build().unwrap())
}

fn gap(model: &Model, state: &State, hinges: bool) -> f64 {
    let fits: Vec<_> = (0..BEADS).map(|k| Fit::of(model, state, &all(model, k))).collect();
    let mut worst = 0.0f64;
    for k in 0..BEADS {
        let (a, b, middle) = (&fits[k], &fits[(k + 1) % BEADS], place(k as f64 + 0.5));
        worst = worst.max(a.point(middle).distance(b.point(middle)));
        if hinges {
            worst = worst.max(RADIUS * (a.turn * DVec3::Z).distance(b.turn * DVec3::Z));
        }
    }
    worst / (2.0 * RADIUS)
}

/// Twenty seconds of a ring that collapses and swings out.
fn hang(hinges: bool, hold: Hold, settings: Settings) {
    let model = ring(hinges, hold);
    assert_eq!(
        (model.bone_count(), model.joint_count()),
        (BEADS, BEADS + usize::from(matches!(hold, Hold::Joint)))
    );
    let (mut worst, mut highest) = (0.0f64, f64::NEG_INFINITY);
    let steps = (20.0 / settings.h) as usize;
    let end = run(&model, settings, steps, |_, state| {
        worst = worst.max(gap(&model, state, hinges));
        highest = highest.max(state.ledger().energy());
    });
    let name = format!("hinges {hinges}, {hold:?}, {}", settings.correction.name());
    assert_eq!(end.step_count(), steps as u64, "{name}");
    assert!(worst < 1e-12, "{name}: open by {worst:e}");
    let ledger = end.ledger();
    let scale = ledger.initial.abs() + ledger.kinetic;
    assert!(highest < ledger.initial + 1e-6 * scale, "{name}: {highest} J of {} J", ledger.initial);
    // Opposite to where it is held there is now almost half of the ring in between.
    let below = Fit::of(&model, &end, &all(&model, BEADS / 2)).point(place(6.0));
    if settings.correction == Correction::None {
        assert!(below.y < RADIUS - 2.1 * RADIUS, "{name}: {below}");
    }
}

#[test]
fn a_ring_of_balls_hangs_together() {
    for hold in [Hold::Attachment, Hold::Joint] {
        hang(false, hold, settings(1.0 / 60.0, 10));
    }
}

#[test]
fn a_ring_of_hinges_hangs_together() {
    for hold in [Hold::Attachment, Hold::Joint] {
        hang(true, hold, settings(1.0 / 60.0, 10));
    }
}

#[test]
fn energy_projection_keeps_a_ring_alive_and_closed() {
    for hinges in [false, true] {
        let settings = Settings { correction: FEPR, ..settings(1.0 / 60.0, 10) };
        hang(hinges, Hold::Joint, settings);
        let mut worst = 0.0f64;
        let end =
            run(&ring(hinges, Hold::Joint), settings, 600, |_, state| worst = worst.max(imbalance(state)));
        assert!(worst < 1e-8, "hinges {hinges}: {worst:e}");
        assert!(end.ledger().kinetic > 0.01 * end.ledger().initial.abs(), "{:?}", end.ledger());
    }
}

/// A door on one hinge, on two balls or on more of them: always the same door.
#[test]
fn joints_that_say_the_same_twice_do_no_harm() {
    let link = Link::new(DVec3::X * 0.25, DVec3::new(0.5, 0.1, 0.1));
    let swing = |joints: &[Joint]| {
        let mut builder = Model::builder();
        let bone = builder.add_rigid(link.body("door", Inertia::Volume));
        for joint in joints {
            builder.joint(Joint { bones: [None, Some(bone)], ..joint.clone() });
        }
        builder.gravity(GRAVITY);
        let model = Arc::new(builder.build().unwrap());
        let (mut worst, mut energy) = (0.0f64, f64::INFINITY);
        let end = run(&model, settings(0.01, 10), 300, |k, state| {
            let fit = Fit::of(&model, state, &all(&model, 0));
            for z in [-0.05, 0.05] {
                worst = worst.max(fit.point(DVec3::Z * z).distance(DVec3::Z * z));
            }
            let now = state.ledger().energy();
            assert!(now < energy + 1e-9, "{} joints, step {k}: from {energy} J to {now} J", joints.len());
            energy = now;
        });
        assert!(worst < 1e-12, "{} joints: {worst:e}", joints.len());
        end
    };
    let ball = |z: f64| Joint::ball("ball", [None; 2], DVec3::Z * z);
    let hinge = swing(&[Joint::hinge("hinge", [None; 2], DVec3::ZERO, DVec3::Z)]);
    for balls in [&[-0.05, 0.05][..], &[-0.05, 0.05, 0.0, 0.05], &[0.0, 0.05, 0.1, 0.15]] {
        let end = swing(&balls.iter().map(|z| ball(*z)).collect::<Vec<_>>());
        let apart = hinge.positions().iter().zip(end.positions()).map(|(a, b)| a.distance(*b));
        let apart = apart.fold(0.0, f64::max);
        assert!(apart < 1e-9, "{balls:?}: {apart:e}");
    }
}
